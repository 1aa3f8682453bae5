package scxml_test

import (
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile/scxml"
)

// A document that is cut off anywhere, or from which one element, attribute
// or word is missing or stands twice, is read to a list of diagnostics.
func TestMutatedDocuments(t *testing.T) {
	whole := document("", `<datamodel><data id="x" expr="1"/><data id="y">[1]</data></datamodel>
<state id="a"><initial><transition target="h"><log label="&#x41;&lt;" expr="x"/></transition></initial><history id="h"><transition target="b"/></history><state id="b"/>
<onentry><foreach array="y" item="z"><if cond="x == z"><raise event="e"/><else/><send event="f" delay="1s" id="i"><content><![CDATA[ <b/> ]]></content></send></if></foreach></onentry>
<invoke id="c"><param name="n" expr="x"/><content><scxml datamodel="null"><final/></scxml></content><finalize><assign location="x" expr="2"/></finalize></invoke>
<transition event="done.invoke.c error" cond="In('b')" target="p"/></state>
<parallel id="p"><state id="q"/><state id="r"><final id="s"><donedata><param name="n" location="x"/></donedata></final></state></parallel>`)
	if found := check("door.scxml", []byte(whole), scxml.Options{}); len(found) > 0 {
		t.Fatal(found)
	}
	for i := range len(whole) {
		if found := check("door.scxml", []byte(whole[:i]), scxml.Options{}); !found.Errors() {
			t.Errorf("cut off at %d: nothing is said", i)
		}
	}
	parts := strings.SplitAfter(whole, ">")
	words := strings.SplitAfter(whole, " ")
	for _, list := range [][]string{parts, words} {
		for i := range list {
			for _, instead := range []string{"", list[i] + list[i], list[(i*7+3)%len(list)]} {
				text := strings.Join(list[:i], "") + instead + strings.Join(list[i+1:], "")
				_, chart, err := scxml.Load("door.scxml", []byte(text), scxml.Options{})
				if (chart == nil) != (err != nil) {
					t.Errorf("%q instead of %q: chart %v and %v", instead, list[i], chart != nil, err)
				}
			}
		}
	}
}

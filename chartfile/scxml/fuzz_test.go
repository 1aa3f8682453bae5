package scxml_test

import (
	"encoding/xml"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/chartfile/scxml"
)

// lineBreak is what ends a line in XML.
var lineBreak = regexp.MustCompile(`\r\n?|\n`)

// Whatever a document holds: nothing panics, the same is said each time,
// every diagnostic has a code, a sentence, a hint and a place in the file,
// and a document without errors is a chart that starts. What is taken as XML
// is XML to the standard library, too, which takes more.
func FuzzRead(f *testing.F) {
	cases, _ := filepath.Glob("testdata/refused/*.txt")
	for _, file := range cases {
		for _, c := range refusedCases(f, file) {
			f.Add([]byte(c.document))
		}
	}
	for _, content := range []string{
		`<datamodel><data id="x" expr="1"/></datamodel><state id="a"><onentry><foreach array="[1]" item="y" index="i"><log label="l" expr="y"/></foreach>
			<if cond="x == 1"><raise event="e"/><elseif cond="x"/><send event="f" delay="1s" idlocation="x"/><else/><cancel sendid="c"/></if></onentry>
			<transition event="e.* f" target="b h" type="internal"/><history id="h" type="deep"><transition target="b"/></history><state id="b"/></state>`,
		`<parallel><state><invoke id="i" autoforward="true"><param name="n" expr="1"/><content><scxml><final><donedata><content>x</content></donedata></final></scxml></content>
			<finalize><assign location="x.y"><b>&lt;&#65;</b></assign></finalize></invoke></state></parallel>`,
	} {
		f.Add([]byte("\uFEFF<?xml version='1.0' encoding='utf-8' standalone='no'?>\r\n" + document("", content)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		found := check("door.scxml", data, scxml.Options{})
		if again := check("door.scxml", data, scxml.Options{}); !slices.Equal(found, again) {
			t.Fatalf("the first time\n%v\nthe second time\n%v", found, again)
		}
		lines := lineBreak.Split(strings.TrimPrefix(string(data), "\uFEFF"), -1)
		for _, d := range found {
			inFile := d.Line >= 1 && d.Line <= len(lines) && d.Column >= 1 && d.Column <= utf8.RuneCountInString(lines[d.Line-1])+1
			if !inFile || d.Code == "" || d.Message == "" || d.Hint == "" || strings.Contains(d.Message+d.Hint, "\n") {
				t.Errorf("%q of %d lines", d.String(), len(lines))
			}
		}
		if !slices.ContainsFunc(found, func(d chartfile.Diagnostic) bool { return d.Severity == chartfile.Error }) {
			_, chart, err := scxml.Load("door.scxml", data, scxml.Options{})
			if err != nil {
				t.Fatal(err)
			}
			chart.Instance(nil)
			wellFormed(t, data)
		}
	})
}

// wellFormed checks that the standard library reads a document. It knows
// fewer names beyond ASCII.
func wellFormed(t *testing.T, data []byte) {
	if slices.ContainsFunc(data, func(b byte) bool { return b >= utf8.RuneSelf }) {
		return
	}
	decoder := xml.NewDecoder(strings.NewReader(string(data)))
	for {
		if _, err := decoder.RawToken(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("it is taken, and the standard library says %v", err)
		}
	}
}

package scxml_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/chartfile/scxml"
	"github.com/detent-run/detent/statechart"
)

var updateWritten = flag.Bool("update-written", false, "rewrite testdata/written")

func listed(err error) statechart.Errors {
	all, _ := errors.AsType[statechart.Errors](err)
	return all
}

// roundTrips are documents that say everything that can be said.
var roundTrips = []struct{ name, attributes, content string }{
	{"the null model", `datamodel="null" name="lamp"`, `<state id="off"><transition event="switch.*" target="on" cond="In('off')"/><transition cond="In(&quot;gone&quot;)" target="on"/></state>
		<parallel id="on"><state id="a"/><state id="b"><onexit><log expr="1"/><log label="x"/></onexit><transition event="x" type="internal"/></state></parallel>`},
	{"no ids", ``, `<state><state><final/></state><history type="deep"><transition target="x"/></history><state id="x"/></state>`},
	{"dots in ids", `initial="a.b.c"`, `<state id="a.b"><state id="z"/><state id="a.b.c"/></state><state id="a·b"><transition target="a.b a.b" event="e"/></state>`},
	{"data", `binding="late"`, `<datamodel><data id="a" expr="1 + 1"/><data id="b">[1, 2.0, {"x": null}]</data><data id="c">some  words</data><data id="d">"12"</data><data id="e">12</data>
		<data id="f"><b xmlns="urn:x" y="1">&lt;t</b></data><data id="g"/><data id="h">{}</data><data id="i">""</data><data id="j">" x"</data><data id="k">{no json</data><data id="l" expr=""/></datamodel>
		<state id="s"><datamodel><data id="m" expr="'&quot;&amp;&lt;&#10;'"/></datamodel></state>`},
	{"transitions", ``, `<state id="s"><initial><transition target="h"><log label="x"/></transition></initial><state id="t"/><history id="h"><transition target="t"><raise event="e"/></transition></history>
		<transition event="a b.* *" cond="1 == 1" target="t" type="internal"/><transition event="c"/><transition cond=""/><transition target="s"/></state>`},
	{"messages", ``, `<datamodel><data id="v"/><data id="n" expr="1"/></datamodel><state id="s"><onentry><raise event="r"/><send event="e"/><send eventexpr="'e' + 'f'" targetexpr="v" typeexpr="v" delayexpr="n" idlocation="v.x" namelist="v n"/>
		<send event="e" id="" target="#_parent" type="scxml" delay=".5s"><param name="n" location="v"/><param name="n" expr="2"/><param name="m" expr="3"/></send>
		<send event="e" id="i"><content>text</content></send><send event="e"><content expr="v"/></send><send event="e"><content>{"a": 1}</content></send><send event="e"><content/></send><send event="e"><content>{}</content></send>
		<send event="e" namelist="n"><param name="n" expr="n"/></send><cancel sendid="i"/><cancel sendidexpr="v"/></onentry>
		<onentry><send event="e" delay="never"/></onentry></state>`},
	{"what fails", ``, `<state id="s"><onentry><send event="e" type="mail"/><send type="mail"/><send type="x:y z"/><send type="scxml"/><send><content>x</content></send><foreach array="[1]" item="1x"/>
		<foreach array="" item="_event"/><assign location="_event" expr="1"/><assign location="nowhere.x"/><send event="e" target="nowhere"/></onentry></state>`},
	{"branches", ``, `<state id="s"><onexit><if cond="1 == 1"><log/><elseif cond="2 == 1"/><log label="a" expr="1"/><elseif cond="3 == 1"/><else/><if cond="4 == 1"><else/><log expr="5"/></if></if>
		<foreach array="[1, [2]]" item="i" index="k"><foreach array="i" item="j"><log expr="k"/></foreach></foreach></onexit><onexit/><onexit><log label=" spaced "/></onexit></state>`},
	{"the end", `name="end"`, `<state id="s"><onentry><log label="in"/></onentry><final id="f"><donedata><param name="v" expr="1"/></donedata></final><final id="g"><donedata><content>&lt;done/></content></donedata></final>
		<final id="h"><onexit><log expr="1"/></onexit><donedata/></final></state><final id="z"><donedata><content expr="2"/></donedata></final>`},
	{"calls", `name="caller"`, `<datamodel><data id="v"/></datamodel><state id="s"><invoke id="one" autoforward="true"><param name="x" expr="1"/><content><scxml version="1.0"><final/></scxml></content>
		<finalize><assign location="v" expr="_event.name"/></finalize></invoke></state>`},
	{"children", `name="caller"`, `<datamodel><data id="v"/></datamodel><state id="s"><invoke type="http://www.w3.org/TR/scxml/" idlocation="v"><content><scxml name="kid" version="1.0" datamodel="null"><state id="k"><invoke><content><scxml version="1.0"><final/></scxml></content></invoke></state></scxml></content></invoke>
		<invoke srcexpr="v"/><invoke src="other.scxml" namelist="v"/><invoke typeexpr="v"><content expr="v"/></invoke><invoke type="mail"><content>x</content></invoke><invoke id="y" type="mail" src="a:b"><finalize/></invoke></state>`},
}

// What is read, written and read again is the same definition.
func TestWriteRoundTrips(t *testing.T) {
	for _, c := range roundTrips {
		t.Run(c.name, func(t *testing.T) {
			doc, found := scxml.Read("door.scxml", []byte(document(c.attributes, c.content)), scxml.Options{})
			if found.Errors() {
				t.Fatal(found)
			}
			readsBack(t, doc, scxml.Options{})
		})
	}
}

// A document does after writing what it did before.
func TestWriteFailsTheSame(t *testing.T) {
	text := document("", `<state id="s"><onentry><log expr="1"/><send type="mail"/><log expr="2"/></onentry><onentry><foreach array="[1]" item="1x"/><log expr="3"/></onentry>
		<onentry><send type="scxml"/><log expr="4"/></onentry><transition event="error.execution"><log expr="_event.data.message"/></transition></state>`)
	before := start(t, text, scxml.Options{})
	doc, _, _ := load(t, text, scxml.Options{})
	after := start(t, string(readsBack(t, doc, scxml.Options{})), scxml.Options{})
	want := `1 "there is no event processor \"mail\"" "\"1x\" is no variable that foreach can write" "the event has no name"`
	if got := logged(t, before); got != want {
		t.Errorf("it says\n%s\nnot\n%s", got, want)
	}
	if got := logged(t, after); got != want {
		t.Errorf("written it says\n%s\nnot\n%s", got, want)
	}
	fails := statechart.Definition{ID: "c", Dialect: "scxml", Root: statechart.State{Initial: "s", States: []statechart.State{{Name: "s",
		Entry: []statechart.Action{{Fail: "it rains"}, {Log: "not reached"}}, On: []statechart.Transition{{Event: "error.execution", Actions: []statechart.Action{{Log: "failed"}}}}}}}}
	written, err := scxml.Write(fails, scxml.WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := logged(t, start(t, string(written), scxml.Options{})); got != `"failed"` {
		t.Errorf("an action that fails says %s in\n%s", got, written)
	}
}

// Charts as documents: the goldens are to be read.
func TestWriteCharts(t *testing.T) {
	files, err := filepath.Glob("testdata/written/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no charts: %v", err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, found := chartfile.Read(filepath.Base(name), data)
		if len(found) > 0 {
			t.Fatal(found)
		}
		text, err := scxml.Write(file.Definition, scxml.WriteOptions{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if remarks := scxml.Remarks(file.Definition); len(remarks) > 0 {
			text = append(text, "<!--\n"+strings.Join(remarks, "\n")+"\n-->\n"...)
		}
		golden := strings.TrimSuffix(name, ".yaml") + ".scxml"
		if *updateWritten {
			if err := os.WriteFile(golden, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if string(text) != string(want) {
			t.Errorf("%s is written as\n%s\nfirst different:\n%s", name, text, firstDifference(string(text), string(want)))
		}
		if doc, _, err := scxml.Load("written.scxml", text, scxml.Options{}); err != nil {
			t.Errorf("%s: what was written cannot be loaded: %v", name, err)
		} else {
			readsBack(t, doc, scxml.Options{})
		}
	}
}

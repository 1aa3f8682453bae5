package scxml_test

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/chartfile/scxml"
	"github.com/detent-run/detent/statechart"
)

// words is a data model whose scripts append a word to the variable that is
// called log, and whose expressions are words, too.
type words struct{ details *scxml.Details }

func (m words) Language(d scxml.Details) statechart.Language {
	if m.details != nil {
		*m.details = d
	}
	return wordLanguage{}
}

func (words) Globals() []string { return []string{"log"} }

type wordLanguage struct{}

func (wordLanguage) Version() string { return "words" }

func (wordLanguage) Compile(source string, names statechart.Names) (statechart.Program, error) {
	return wordLanguage{}.compile(source, names)
}

func (wordLanguage) CompileScript(source string, names statechart.Names) (statechart.Script, error) {
	return wordLanguage{}.compile(source, names)
}

func (wordLanguage) compile(source string, names statechart.Names) (word, error) {
	slot, ok := names.Variable("log")
	if source == "bad" || !ok {
		return word{}, errors.New("a bad word\nand more of it")
	}
	return word{source, slot}, nil
}

type word struct {
	text string
	slot statechart.Slot
}

func (w word) Evaluate(s *statechart.Scope) (any, error) {
	if w.text == "log" {
		return s.Load(w.slot), nil
	}
	return w.text, nil
}

func (w word) Run(s *statechart.Scope) error {
	before, _ := s.Load(w.slot).(string)
	return s.Store(w.slot, before+strings.TrimSpace(w.text)+" ")
}

func wordModels(d *scxml.Details) map[string]scxml.DataModel {
	return map[string]scxml.DataModel{"words": words{d}}
}

// Scripts of the document run after its data has values and before its
// states are entered, as many as there are; others where they stand.
func TestScripts(t *testing.T) {
	text := document(`datamodel="words"`, `<datamodel><data id="x" expr="log"/></datamodel><script>one</script><script src="two.js"/><script> </script>
		<state id="a"><onentry><script><![CDATA[ three ]]></script><log expr="log"/><log expr="x"/></onentry><transition event="error.execution" target="b"/></state><state id="b"/>`)
	o := scxml.Options{DataModels: wordModels(nil), Files: files(map[string]string{"two.js": "two\r\n"})}
	w := start(t, text, o)
	active(t, w, "a")
	if got := logged(t, w); got != `"one two three " "x"` {
		t.Errorf("logged is %s", got)
	}
}

// A data model that is an option is that of documents which name none.
func TestDataModelOfOptions(t *testing.T) {
	text := `<scxml xmlns="http://www.w3.org/2005/07/scxml"><script>one</script><state id="a"><onentry><log expr="log"/></onentry></state></scxml>`
	w := start(t, text, scxml.Options{DataModel: "words", DataModels: wordModels(nil)})
	if got := logged(t, w); got != `"one "` {
		t.Errorf("logged is %s", got)
	}
	doc, _ := scxml.Read("x.scxml", []byte(text), scxml.Options{DataModel: "words", DataModels: wordModels(nil)})
	if doc.DataModel != "words" {
		t.Errorf("the data model is %q", doc.DataModel)
	}
}

// What does not compile is warned of where it stands, and fails when it is
// executed: the block ends there.
func TestSourcesThatDoNotCompile(t *testing.T) {
	text := document(`datamodel="words"`, `<state id="a"><onentry>
<script>bad</script><script>never</script></onentry>
<transition event="error.execution" cond="bad" target="b"/><transition event="error.execution" target="c"><log expr="log"/></transition></state><state id="b"/><state id="c"/>`)
	o := scxml.Options{DataModels: wordModels(nil)}
	want := `2:1: warning: a bad word, so it fails when it is executed (the language is that of the data model words) [bad_expression]
3:43: warning: a bad word, so it fails when it is executed (the language is that of the data model words) [bad_expression]`
	if got := said(check("door.scxml", []byte(text), o)); got != want {
		t.Errorf("said is\n%s\nwant\n%s", got, want)
	}
	w := start(t, text, o)
	active(t, w, "c")
	if got := logged(t, w); got != "null" {
		t.Errorf("logged is %s", got)
	}
}

// Columns count what is written, not what it stands for.
func TestColumnsInAttributes(t *testing.T) {
	text := "<scxml xmlns='http://www.w3.org/2005/07/scxml' datamodel='detent'><state><onentry>\r\n<log expr='\"é\" == &quot;&#101;&quot;\r\n\t&amp;&amp; gone'/></onentry></state></scxml>"
	want := `3:13: warning: there is no variable "gone" here, so it fails when it is executed (declare it with <data id="…"/>, or correct the name) [unknown_name]`
	if got := said(check("door.scxml", []byte(text), scxml.Options{})); got != want {
		t.Errorf("said is\n%s\nwant\n%s", got, want)
	}
}

// A language learns its document's name and states, and which element an
// error came from.
func TestDetails(t *testing.T) {
	var d scxml.Details
	text := document(`datamodel="words" name="Front door"`, `<datamodel><data id="x"/></datamodel>
<state id="a.b"><onentry><log expr="x"/></onentry><onentry><if cond="true"><log expr="1"/><else/>
  <raise event="e"/></if></onentry>
  <state/><final id="f"><donedata><param name="n.m" expr="1"/><param name="n" expr="2"/></donedata></final>
  <invoke src="x.scxml"><finalize><log expr="1"/></finalize></invoke></state>`)
	doc, found := scxml.Read("door.scxml", []byte(text), scxml.Options{DataModels: wordModels(&d)})
	if found.Errors() {
		t.Fatal(found)
	}
	if want := (map[string]string{"a.b": "a·b", "f": "a·b.f"}); d.Name != "Front door" || !maps.Equal(d.States, want) || !maps.Equal(doc.States, want) {
		t.Errorf("the details are %+v, the document's states %v", d, doc.States)
	}
	for place, want := range map[string]string{
		"root":                                                  "scxml 1:1",
		"root.context[0]":                                       "data 1:109",
		"root.context.x":                                        "data 1:109",
		"root.states.a·b":                                       "state 2:1",
		"root.states.a·b.entry[0].block[0].log":                 "log 2:26",
		"root.states.a·b.entry[1].block[0].if":                  "if 2:60",
		"root.states.a·b.entry[1].block[0].else[0]":             "raise 3:3",
		"root.states.a·b.states._state_1":                       "state 4:3",
		"root.states.a·b.states.f.output.n.m":                   "param 4:35",
		"root.states.a·b.states.f.output.n":                     "param 4:63",
		"root.states.a·b.invoke[0].finalize[0].log":             "log 5:35",
		"root.states.a·b.invoke[0].something.that.is.not.known": "invoke 5:3",
		"elsewhere": "false",
	} {
		got := "false"
		if p, ok := d.Position(place); ok {
			got = fmt.Sprintf("%s %d:%d", p.Element, p.Line, p.Column)
		}
		if got != want {
			t.Errorf("%s is %s, want %s", place, got, want)
		}
	}
}

// The registry of a host is used, with the language of the document.
func TestCompileWithRegistry(t *testing.T) {
	doc, _ := scxml.Read("door.scxml", []byte(document("", `<state id="a"><transition cond="1 == 1" target="b"/></state><state id="b"/>`)), scxml.Options{})
	chart, found := doc.Compile(statechart.NewRegistry())
	if len(found) > 0 {
		t.Fatal(found)
	}
	if got := chart.Instance(nil).Configuration(); len(got) != 1 || got[0] != "b" {
		t.Errorf("active is %v", got)
	}
}

// One document may be compiled by many at once, and reading it again gives
// the same. The race detector watches.
func TestDocumentsAreCompiledConcurrently(t *testing.T) {
	text := document("", `<datamodel><data id="x" expr="1 +"/></datamodel><state id="a"><invoke><content><scxml datamodel="detent"><state id="c"><transition cond="x" target="c"/></state></scxml></content></invoke></state>`)
	doc, _ := scxml.Read("door.scxml", []byte(text), scxml.Options{})
	digests, says := make([]string, 8), make([]string, 8)
	var all sync.WaitGroup
	for i := range digests {
		all.Go(func() {
			from := doc
			if i%2 == 1 {
				from, _ = scxml.Read("door.scxml", []byte(text), scxml.Options{})
			}
			chart, found := from.Compile(nil)
			digests[i], says[i] = chart.Digest(), found.Error()
		})
	}
	all.Wait()
	for i := range digests {
		if digests[i] != digests[0] || says[i] != says[0] || says[i] == "" {
			t.Errorf("%s: %s", digests[i], says[i])
		}
	}
}

// What src names is read within bounds, and only where it may be.
func TestFiles(t *testing.T) {
	big := strings.Repeat("x", 1<<20)
	o := scxml.Options{DataModels: wordModels(nil), Files: files(map[string]string{
		"a.json": "\uFEFF{\"n\": 1}", "latin.txt": "caf\xe9", "big.txt": big, "huge.txt": big + "x", "folder/in.txt": "in", "page.scxml": "<html/>", "bad.scxml": "<scxml>\n<state></scxml>",
		"wrong.scxml": document("", "\n<state id='a'><transition event='e' target='b'/></state>"),
	})}
	for _, c := range []struct{ name, content, want string }{
		{"a file that is not there", `<datamodel><data id="x" src="b.json"/></datamodel><state/>`, `1:104: there is no file "b.json" (see that it stands beside the document) [missing_file]`},
		{"a script that is not there", `<script src="b.js"/><state/>`, `1:88: there is no file "b.js" (see that it stands beside the document) [missing_file]`},
		{"a document that is not there", `<state id="a"><invoke src="b.scxml"/></state>`, `1:102: warning: there is no file "b.scxml" (the host must know what it is when it is invoked; see that it stands beside the document) [missing_file]`},
		{"another encoding", `<datamodel><data id="x" src="latin.txt"/></datamodel><state/>`, `1:104: the file "latin.txt" is not UTF-8 (save it as UTF-8) [encoding]`},
		{"a file that is too long", `<datamodel><data id="x" src="huge.txt"/></datamodel><state/>`, `1:104: the file "huge.txt" cannot be read: it has more than 1048576 bytes (see that it stands beside the document) [missing_file]`},
		{"a folder", `<datamodel><data id="x" src="folder"/></datamodel><state/>`, `1:104: the file "folder" cannot be read (see that it stands beside the document) [missing_file]`},
		{"up and away", `<datamodel><data id="x" src="folder/../a.json"/></datamodel><state/>`, `1:104: "folder/../a.json" names no file that may be read (write the path without .. and ., and with one / between two names) [invalid]`},
		{"a document that is none", `<state id="a"><invoke src="bad.scxml"/></state>`, `bad.scxml:2:8: </scxml> stands where <state> of line 2, column 1 is still open (write </state> first: what opened last closes first) [syntax]`},
		{"documents that are none, twice", `<state id="a"><invoke src="bad.scxml"/><invoke src="bad.scxml"/><invoke src="a.json"/><invoke src="a.json"/><invoke src="page.scxml"/><invoke src="page.scxml"/></state>`,
			"bad.scxml:2:8: </scxml> stands where <state> of line 2, column 1 is still open (write </state> first: what opened last closes first) [syntax]\n" +
				"a.json:1:1: text stands outside the document's element (remove it, or write it as a comment: <!-- … -->) [syntax]\n" +
				`page.scxml:1:1: the document is <html>, not <scxml> (an SCXML document begins with <scxml xmlns="http://www.w3.org/2005/07/scxml">) [unknown_element]`},
		{"a document that is wrong", `<state id="a"><invoke src="wrong.scxml"/><transition event="e" target="c"/></state>`,
			"1:151: there is no state \"c\" (a target is the id of a state) [unknown_state]\nwrong.scxml:2:45: there is no state \"b\" (a target is the id of a state) [unknown_state]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := said(check("door.scxml", []byte(document(`datamodel="words"`, c.content)), o)); got != c.want {
				t.Errorf("said is\n%s\nwant\n%s", got, c.want)
			}
		})
	}
	w := start(t, document("", `<datamodel><data id="x" src="file:a.json"/><data id="y" src="folder/in.txt"/></datamodel><state><onentry><log expr="[x, y]"/></onentry></state>`), o)
	if got := logged(t, w); got != `[{"n":1},"in"]` {
		t.Errorf("logged is %s", got)
	}
	many := strings.Builder{}
	for i := range 20 {
		fmt.Fprintf(&many, `<data id="x%d" src="big.txt"/>`, i)
	}
	found := check("door.scxml", []byte(document("", `<datamodel>`+many.String()+`</datamodel><state/>`)), o)
	if !strings.Contains(said(found), "what the document brings along has more than 16777216 bytes") {
		t.Errorf("20 MiB of files: %v", said(found))
	}
}

// The error of Load is what was found.
func TestLoad(t *testing.T) {
	_, chart, err := scxml.Load("door.scxml", []byte("<scxml>"), scxml.Options{})
	found, ok := errors.AsType[chartfile.Diagnostics](err)
	if chart != nil || !ok || len(found) != 1 || found[0].Code != chartfile.CodeSyntax {
		t.Errorf("%v, %v", chart, err)
	}
	doc, chart, err := scxml.Load("dir/front door.v1.scxml", []byte(document("", `<state id="front_door.v1"/>`)), scxml.Options{})
	if err != nil || chart == nil || doc.Definition.ID != "front_door.v1_2" {
		t.Errorf("the chart is called %q: %v", doc.Definition.ID, err)
	}
}

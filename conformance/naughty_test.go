package conformance

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/conformance/internal/npm"
	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/internal/strictjson"
	"github.com/detent-run/detent/statechart"
)

// naughtyStrings is the big list of naughty strings: what breaks programs
// that believe what they read.
var naughtyStrings = npm.Package{
	Name:      "blns",
	Version:   "2.0.4",
	Integrity: "sha512-ZEZZD8DvGJhTw9oE3uLjyThFDMRQbcH011YySUK+kAcueHvaUDRfWKp7QJrQblat8WzcegWwVFuNd+XZ49LROQ==",
}

// naughtyCount is how many there are.
const naughtyCount = 485

// naughty reads the list.
func naughty(t testing.TB) []string {
	t.Helper()
	text, err := fs.ReadFile(fetched(t, naughtyStrings), "resources/blns.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	if len(all) != naughtyCount {
		t.Fatalf("the list holds %d strings, not %d", len(all), naughtyCount)
	}
	return all
}

// TestSuitesNaughtyStrings puts each string wherever text may stand.
func TestSuitesNaughtyStrings(t *testing.T) {
	all := naughty(t)
	for i, s := range all {
		naughtyEverywhere(t, fmt.Sprintf("%d %.20q", i, s), s)
	}
	fmt.Printf("naughty-strings %d/%d\n", len(all), naughtyCount)
}

// FuzzNaughtyStrings goes on from there.
func FuzzNaughtyStrings(f *testing.F) {
	for _, s := range naughty(f) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if utf8.ValidString(s) && !strings.Contains(s, "\x00") { // the rest cannot come as JSON
			naughtyEverywhere(t, fmt.Sprintf("%.20q", s), s)
		}
	})
}

// naughtyEverywhere: as data the string comes through unchanged; as anything
// else it is taken or refused with a diagnostic that has a place and a hint.
func naughtyEverywhere(t *testing.T, name, s string) {
	t.Helper()
	naughtyData(t, name, s)
	naughtyChart(t, name, s)
	for place, file := range naughtyFiles(s) {
		for _, d := range chartfile.Check("naughty.yaml", []byte(file)) {
			if d.Code == "" || d.Message == "" || d.Hint == "" || d.Line < 1 || d.Column < 1 {
				t.Errorf("%s as %s: a diagnostic lacks something: %+v", name, place, d)
			}
		}
	}
}

// naughtyData sends the string as a payload and reads it back from the data,
// and from the document of the session.
func naughtyData(t *testing.T, name, s string) {
	t.Helper()
	quoted, err := json.Marshal(map[string]string{"text": s})
	if err != nil {
		t.Fatal(err)
	}
	payload, err := strictjson.Decode(quoted, strictjson.Limits{})
	if err != nil {
		t.Errorf("%s: its JSON is refused: %v", name, err)
		return
	}
	chart, err := chartfile.Load("echo.yaml", []byte(echo), nil)
	if err != nil {
		t.Fatal(err)
	}
	in := chart.Instance(nil)
	in.Send(statechart.Event{Name: "say", Data: payload})
	document, err := in.Snapshot().Encode()
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	back, err := chart.Decode(document)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if got := back.Data()[""]; got["heard"] != s || got["told"] != "<"+s+">" {
		t.Errorf("%s came back as %q and %q", name, got["heard"], got["told"])
	}
}

const echo = `
id: echo
initial: here
context: {heard: "", told: ""}
states:
  here:
    on:
      say: {actions: [{assign: {heard: "${ event.text }", told: "<${ event.text }>"}}]}
`

// naughtyChart writes a chart that holds the string as literal text and as a
// value, in both formats, and reads it back.
func naughtyChart(t *testing.T, name, s string) {
	t.Helper()
	def := statechart.Definition{ID: "n", Description: s, Root: statechart.State{
		Context: []statechart.Variable{{Name: "v", Value: s}, {Name: "w", Value: map[string]any{"k": []any{s}}}},
		Meta:    map[string]any{"m": s},
	}}
	for _, format := range []document.Format{chartfile.YAML, chartfile.JSON} {
		text, err := chartfile.Write(def, format)
		if err != nil {
			t.Errorf("%s cannot be written: %v", name, err)
			continue
		}
		f, diagnostics := chartfile.Read("n", text)
		if f == nil || len(diagnostics) > 0 {
			t.Errorf("%s written and read: %v\n%s", name, diagnostics, text)
			continue
		}
		got := f.Definition
		w, _ := got.Root.Context[1].Value.(map[string]any)
		if got.Description != s || got.Root.Context[0].Value != s || fmt.Sprint(w["k"]) != fmt.Sprint([]any{s}) {
			t.Errorf("%s came back from\n%s", name, text)
		}
	}
}

// naughtyFiles puts the string, as it is, where the format has names, values
// and expressions.
func naughtyFiles(s string) map[string]string {
	indented := strings.ReplaceAll(s, "\n", "\n      ")
	return map[string]string{
		"a name":        "id: n\ninitial: a\nstates:\n  a:\n    on: {go: b}\n  " + s + ":\n    on: {go: a}\n",
		"a target":      "id: n\ninitial: a\nstates:\n  a:\n    on:\n      go: " + s + "\n",
		"an event":      "id: n\ninitial: a\nstates:\n  a:\n    on:\n      " + s + ": a\n",
		"a value":       "id: n\ncontext:\n  v: " + s + "\n",
		"an expression": "id: n\ncontext:\n  v: |-\n      ${ " + indented + " }\n",
		"a guard":       "id: n\nalways:\n  - guard: |-\n      " + indented + "\n    actions: []\n",
		"a whole file":  s,
	}
}

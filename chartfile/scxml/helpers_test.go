package scxml_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/detent-run/detent/chartfile/scxml"
	"github.com/detent-run/detent/internal/world"
	"github.com/detent-run/detent/statechart"
)

const session = "s"

// document is an SCXML document with the data model of chart files, unless
// attributes say otherwise.
func document(attributes, content string) string {
	if !strings.Contains(attributes, "datamodel") {
		attributes += ` datamodel="detent"`
	}
	return `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" ` + attributes + `>` + content + `</scxml>`
}

// files are what src may name.
func files(list map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range list {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

// load reads and compiles a document with all that it invokes. What is
// warned of is not looked at.
func load(t *testing.T, text string, o scxml.Options) (*scxml.Document, *statechart.Chart, map[string]*statechart.Chart) {
	t.Helper()
	doc, chart, err := scxml.Load("door.scxml", []byte(text), o)
	if err != nil {
		t.Fatalf("%v", err)
	}
	charts := map[string]*statechart.Chart{}
	for id, child := range doc.Children {
		c, found := child.Compile(nil)
		if c == nil {
			t.Fatalf("%s: %v", id, found)
		}
		charts[id] = c
	}
	return doc, chart, charts
}

// start starts a session of a document and lets it come to rest.
func start(t *testing.T, text string, o scxml.Options) *world.World {
	t.Helper()
	_, chart, charts := load(t, text, o)
	w := world.New(world.Options{Charts: charts, Find: func(src string) (*statechart.Chart, error) {
		_, chart, err := scxml.Load("found.scxml", []byte(src), o)
		return chart, err
	}})
	if _, err := w.Start(session, chart, nil); err != nil {
		t.Fatal(err)
	}
	rest(t, w)
	return w
}

func rest(t *testing.T, w *world.World) {
	t.Helper()
	if err := w.Run(); err != nil {
		t.Fatal(err)
	}
}

// send sends events one after the other.
func send(t *testing.T, w *world.World, events ...string) {
	t.Helper()
	for _, e := range events {
		if err := w.Send(session, statechart.Event{Name: e}); err != nil {
			t.Fatal(err)
		}
		rest(t, w)
	}
}

// active checks which leaves are active.
func active(t *testing.T, w *world.World, want ...string) {
	t.Helper()
	if got := w.Instance(session).Configuration(); !slices.Equal(got, want) {
		t.Errorf("active are %v, want %v", got, want)
	}
}

// logged is what the session logged, as JSON, parted by spaces.
func logged(t *testing.T, w *world.World) string {
	t.Helper()
	var out []string
	for _, r := range w.Records() {
		for _, e := range r.Effects {
			if e.Type != statechart.EffectLog || r.Session != session {
				continue
			}
			data, err := json.Marshal(e.Data)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, string(data))
		}
	}
	return strings.Join(out, " ")
}

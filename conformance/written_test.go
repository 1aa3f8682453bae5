package conformance

import (
	"encoding/json"
	"path"
	"testing"

	"github.com/detent-run/detent/chartfile/scxml"
	"github.com/detent-run/detent/internal/world"
)

// Every document of the framework that can be read can be written, and what
// was written is read as the same definition.
func TestWrittenDocuments(t *testing.T) {
	files := fetched(t, framework)
	written := 0
	everyDocument(t, files, func(name string, data []byte) {
		for _, as := range []reader{asTheyAre, inDetent} {
			d, err := as.read(sub(t, files, path.Dir(name)), path.Base(name), data)
			if err != nil {
				continue // the verdicts and the misses say why
			}
			text := asText(t, d.Document)
			again, err := asTheyAre.read(sub(t, files, path.Dir(name)), path.Base(name), text)
			if err != nil {
				t.Errorf("%s: what was written cannot be read: %v\n%s", name, err, text)
				continue
			}
			if string(asText(t, again.Document)) != string(text) {
				t.Errorf("%s: it is written another way the second time:\n%s", name, text)
			}
			if len(d.Children) == 0 && shape(t, d) != shape(t, again) {
				t.Errorf("%s: what was written is read as another definition:\n%s", name, text)
			}
			written++
		}
	})
	t.Logf("%d documents were written and read", written)
	if written < frameworkDocuments {
		t.Errorf("only %d documents were written", written)
	}
}

// The W3C's mandatory documents end in pass when they were written.
func TestWrittenDocumentsPass(t *testing.T) {
	files := sub(t, fetched(t, framework), "test/w3c-ecma")
	passed := 0
	for _, name := range irpDocuments(t, files).mandatory {
		for model, as := range map[string]reader{"ecmascript": asTheyAre, "detent": inDetent} {
			d, err := as.open(files, name)
			if err != nil {
				continue // counted by the suites
			}
			again, err := asTheyAre.read(files, name, asText(t, d.Document))
			if err == nil {
				err = verdict(again, world.Options{})
			}
			if err != nil {
				t.Errorf("%s in %s, written: %v", name, model, err)
				continue
			}
			passed++
		}
	}
	t.Logf("%d documents pass when they were written", passed)
	if passed < mandatory+sayable {
		t.Errorf("only %d documents pass", passed)
	}
}

func asText(t *testing.T, d *scxml.Document) []byte {
	t.Helper()
	text, err := scxml.Write(d.Definition, scxml.WriteOptions{DataModel: d.DataModel, Name: d.Title, Children: d.Children})
	if err != nil {
		t.Fatalf("%s cannot be written: %v", d.Name, err)
	}
	return text
}

func shape(t *testing.T, d *scxmlDocument) string {
	t.Helper()
	text, err := json.Marshal(d.Definition)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

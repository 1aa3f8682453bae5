package scxml_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/chartfile/scxml"
)

// Whatever can be read can be written, and what was written is read as the
// same definition, and written as the same text.
func FuzzWrite(f *testing.F) {
	cases, _ := filepath.Glob("testdata/refused/*.txt")
	for _, file := range cases {
		for _, c := range refusedCases(f, file) {
			f.Add([]byte(c.document))
		}
	}
	for _, c := range roundTrips {
		f.Add([]byte(document(c.attributes, c.content)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, found := scxml.Read("door.scxml", data, scxml.Options{})
		if doc == nil || found.Errors() || len(data) > 100_000 {
			return
		}
		readsBack(t, doc, scxml.Options{})
	})
}

// readsBack writes a document and reads it again. It returns the text.
func readsBack(t *testing.T, doc *scxml.Document, o scxml.Options) []byte {
	t.Helper()
	how := scxml.WriteOptions{DataModel: doc.DataModel, Name: doc.Title, Children: doc.Children}
	text, err := scxml.Write(doc.Definition, how)
	if err != nil {
		t.Fatalf("it cannot be written: %v", err)
	}
	again, found := scxml.Read(doc.Name, text, o)
	if again == nil || found.Errors() {
		t.Fatalf("what was written cannot be read:\n%v\n%s", found, text)
	}
	if got, want := whole(again), whole(doc); got != want {
		t.Fatalf("what was written\n%s\nis read as\n%s\nnot as\n%s\nfirst different:\n%s", text, got, want, firstDifference(got, want))
	}
	third, err := scxml.Write(again.Definition, scxml.WriteOptions{DataModel: again.DataModel, Name: again.Title, Children: again.Children})
	if err != nil || string(third) != string(text) {
		t.Fatalf("written again it is another text: %v\n%s", err, firstDifference(string(third), string(text)))
	}
	return text
}

// whole is a document with its children as text, in the order in which they
// are invoked, so that their ids do not matter.
func whole(doc *scxml.Document) string {
	text := doc.DataModel + " " + doc.Title + "\n" + definition(doc.Definition)
	for _, line := range strings.Split(text, "\n") {
		_, src, ok := strings.Cut(line, `"src": "chart:`)
		id, _, _ := strings.Cut(src, `"`)
		if child := doc.Children[id]; ok && child != nil {
			text = strings.ReplaceAll(text, "chart:"+id+`"`, "child\"\n"+whole(child))
		}
	}
	return strings.ReplaceAll(text, `"id": "`+doc.Definition.ID+`",`+"\n "+`"dialect"`, `"dialect"`)
}

// errorsOf lists the codes and the paths of what Write refuses.
func errorsOf(err error) []string {
	var out []string
	for _, e := range listed(err) {
		line := e.Path + ": " + e.Message + " (" + e.Hint + ")"
		if e.Code != chartfile.CodeUnwritable {
			line = string(e.Code) + " " + line
		}
		out = append(out, line)
	}
	return out
}

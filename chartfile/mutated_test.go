package chartfile_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/internal/document"
)

// junk is what somebody may write where something else belongs.
func junk() []*document.Node {
	return []*document.Node{
		{Kind: document.Null}, document.NewBool(true), document.NewInt(-5), document.NewText(""), document.NewText("zz"), document.NewText("${"),
		document.NewText("${ zz }"), document.NewText("a ${ 1 } b"), document.NewList(), document.NewList(document.NewText("zz"), document.NewInt(1)),
		document.NewObject(), document.NewObject(document.NewField("zz", document.NewInt(1))),
	}
}

// everyPlace calls f with each value of a document, by its place in its list
// or object.
func everyPlace(n *document.Node, f func(place **document.Node)) {
	for i := range n.Items {
		f(&n.Items[i])
		everyPlace(n.Items[i], f)
	}
	for i := range n.Fields {
		f(&n.Fields[i].Value)
		everyPlace(n.Fields[i].Value, f)
	}
}

// editorSchema is the JSON Schema of the format, as an editor has it.
func editorSchema(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal(chartfile.Schema(), &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

// Wherever something else stands than belongs there, it is refused or means
// something, and nothing panics. The schema of editors marks the same
// keys and types, and nothing that the reader takes.
func TestMisplacedValues(t *testing.T) {
	var documents [][]byte
	for _, p := range statePairs {
		documents = append(documents, []byte(p.document))
	}
	data, err := os.ReadFile("testdata/collections.yaml")
	if err != nil {
		t.Fatal(err)
	}
	documents = append(documents, data)
	tried, refused, all := 0, 0, junk()
	editor := editorSchema(t)
	for _, data := range documents {
		root, problems := document.Parse(data, document.YAML, document.Limits{})
		if root == nil || len(problems) > 0 {
			t.Fatalf("%s\n%v", data, problems)
		}
		everyPlace(root, func(place **document.Node) {
			before := *place
			for _, other := range []*document.Node{all[tried%len(all)], all[(tried+5)%len(all)]} { // each in turn
				*place = other
				written, err := document.Write(root, document.JSON)
				if err != nil {
					t.Fatal(err)
				}
				tried++
				f, found := chartfile.Read("chart.json", written)
				if f == nil {
					t.Fatalf("%s: %v", written, found)
				}
				chart, found := f.Compile(nil)
				var value any
				if err := json.Unmarshal(written, &value); err != nil {
					t.Fatal(err)
				}
				if found.Errors() {
					refused++
				} else if chart == nil {
					t.Fatalf("%s\nis no chart, and nothing is said", written)
				} else if err := editor.Validate(value); err != nil {
					t.Errorf("%s\nis a chart, but an editor says\n%v", written, err)
				}
				if (hasCode(found, chartfile.CodeUnknownKey) || hasCode(found, chartfile.CodeWrongType)) && editor.Validate(value) == nil {
					t.Errorf("%s\nsays\n%v\nbut an editor says nothing", written, found)
				}
				for _, d := range found {
					if d.Line == 0 || d.Message == "" || d.Hint == "" {
						t.Fatalf("%s\nsays %v", written, d)
					}
				}
			}
			*place = before
		})
	}
	if tried < 800 || refused < tried/2 {
		t.Errorf("of %d files %d were refused", tried, refused)
	}
}

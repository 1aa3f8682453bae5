package chartfile_test

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/internal/document"
)

// Whatever is read without a complaint can be written in both formats, and is
// read from them as the same definition.
func FuzzRoundTrip(f *testing.F) {
	files, err := filepath.Glob("../examples/*/*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, e := range chartfile.Explanations() {
		f.Add([]byte(e.Good.Chart))
	}
	for _, text := range []string{
		"id: c\ncontext: {n: 1, v: ' ${ n } ', w: 'a $${ ${ n }', x: {text: n}, y: {text: {text: n}}, z: {text: hello}}\n",
		"id: c\npromote: {}\ntools: {only: []}\ndefer: []\nentry: []\ninvoke: []\non: {}\nstates: {}\n",
		"id: c\ninvoke: {src: 'model:m', input: {output: {type: object, description: '${ x }'}, prompt: hello}}\n",
		"id: c\non: {A: {guard: {not: {and: [{in: '#c'}, 'true']}}}, '*': [{}, {}]}\n",
		"id: c\nconstants: {k: 1}\ndelays: {d: '${ k }', e: 1h30m}\nafter: {d: {actions: [{log: '${ k }'}]}, '${ k * 2 }': {actions: [], keep: true}}\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		first, found := chartfile.Read("c.yaml", data)
		if len(found) > 0 {
			return
		}
		for _, format := range []document.Format{chartfile.YAML, chartfile.JSON} {
			text, err := chartfile.Write(first.Definition, format)
			if err != nil {
				t.Fatalf("%q cannot be written: %v", data, err)
			}
			again := readBack(t, "c."+map[document.Format]string{chartfile.YAML: "yaml", chartfile.JSON: "json"}[format], text)
			if again == nil {
				t.Fatalf("of %q", data)
			}
			if got, want := normal(again.Definition), normal(first.Definition); !reflect.DeepEqual(got, want) {
				t.Fatalf("%q is written\n%s\nand read as\n%#v\nnot\n%#v", data, text, got, want)
			}
		}
	})
}

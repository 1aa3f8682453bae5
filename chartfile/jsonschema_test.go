package chartfile_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/internal/chartgen"
	"github.com/detent-run/detent/internal/document"
	"github.com/google/jsonschema-go/jsonschema"
)

// formatSchema is the schema as an editor would use it.
func formatSchema(t *testing.T) func(text string) error {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal(chartfile.Schema(), &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		t.Fatal(err)
	}
	return func(text string) error {
		t.Helper()
		n, problems := document.Parse([]byte(text), document.YAML, document.Limits{})
		if n == nil {
			t.Fatal(problems)
		}
		plain, err := document.Write(n, document.JSON)
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if err := json.Unmarshal(plain, &v); err != nil {
			t.Fatal(err)
		}
		return resolved.Validate(v)
	}
}

// What is right fits the schema: examples, what Write writes, the right
// examples of the codes.
func TestSchemaTakesCharts(t *testing.T) {
	fits := formatSchema(t)
	files, err := filepath.Glob("../examples/*/*.yaml")
	if err != nil || len(files) < 4 {
		t.Fatalf("there are %d example files: %v", len(files), err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := fits(string(data)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, e := range chartfile.Explanations() {
		if e.NoExample == "" {
			if err := fits(e.Good.Chart); err != nil {
				t.Errorf("%s: %v\n%s", e.Code, err, e.Good.Chart)
			}
		}
	}
	for number := range uint64(40) {
		text := write(t, chartgen.Rendered(chartgen.ForFile(chartgen.New(*seedFlag, number))), chartfile.YAML)
		if err := fits(text); err != nil {
			t.Errorf("chart %d: %v\n%s", number, err, text)
		}
	}
}

// What has another shape does not fit, wherever it stands. And Check refuses it,
// too.
func TestSchemaRefuses(t *testing.T) {
	fits := formatSchema(t)
	for _, text := range []string{
		"[id, c]",
		"version: '1'",
		"{id: c, inital: a}",
		"{id: 7}",
		"{id: a b}",
		"{id: c, version: 1.0}",
		"{id: c, semantics: one}",
		"{id: c, input: text}",
		"{id: c, events: [A]}",
		"{id: c, events: {A: {from: client}}}",
		"{id: c, events: {A: {from: [nobody]}}}",
		"{id: c, events: {'a b': {}}}",
		"{id: c, events: {A: null}}",
		"{id: c, delays: {short: 500}}",
		"{id: c, lists: [messages]}",
		"{id: c, lists: {messages: {length: 3}}}",
		"{id: c, requires: {guard: [g]}}",
		"{id: c, unhandled: drop}",
		"{id: c, limits: {microsteps: 2000}}",
		"{id: c, limits: {fuel: 0}}",
		"{id: c, budget: {tokens: -1}}",
		"{id: c, type: composite}",
		"{id: c, initial: 3}",
		"{id: c, initial: {actions: [ring]}}",
		"{id: c, states: [a, b]}",
		"{id: c, states: {a: null}}",
		"{id: c, states: {'a.b': {}}}",
		"{id: c, states: {a: {version: '1'}}}",
		"{id: c, states: {a: {inital: b}}}",
		"{id: c, on: {A: null}}",
		"{id: c, on: {A: 3}}",
		"{id: c, on: {A: {to: b}}}",
		"{id: c, on: {A: {target: b, keep: true}}}",
		"{id: c, on: {A: {target: 'b c'}}}",
		"{id: c, on: {A: {reenter: yes please}}}",
		"{id: c, on: {A: {guard: 3}}}",
		"{id: c, on: {A: {guard: {}}}}",
		"{id: c, on: {A: {guard: {params: {a: 1}}}}}",
		"{id: c, on: {A: {guard: {and: g}}}}",
		"{id: c, on: {A: {actions: ring}}}",
		"{id: c, on: {A: {actions: [3]}}}",
		"{id: c, on: {A: {actions: [{}]}}}",
		"{id: c, on: {A: {actions: [{assign: [a]}]}}}",
		"{id: c, on: {A: {actions: [{raise: B, to: parent}]}}}",
		"{id: c, on: {A: {actions: [{if: n, else: []}]}}}",
		"{id: c, on: {A: {actions: [{foreach: '${ n }', then: []}]}}}",
		"{id: c, on: {A: {actions: [{log: a, level: loud}]}}}",
		"{id: c, on: {A: {actions: [{do: 'tool:t', approval: {}}]}}}",
		"{id: c, after: {500: a}}",
		"{id: c, after: {5s: {target: a, missed: all}}}",
		"{id: c, every: {5s: {target: a, missed: some}}}",
		"{id: c, invoke: 'tool:t'}",
		"{id: c, invoke: {id: i}}",
		"{id: c, invoke: {src: 'tool:t', mode: twice}}",
		"{id: c, invoke: {src: 'tool:t', timeout: 30}}",
		"{id: c, invoke: {src: 'tool:t', retry: 3}}",
		"{id: c, invoke: {src: 'tool:t', retry: {max: -1}}}",
		"{id: c, promote: {a: {value: 1, merge: multiply}}}",
		"{id: c, tools: search}",
		"{id: c, tools: {except: [a]}}",
		"{id: c, defer: A}",
		"{id: c, status: broken}",
		"{id: c, tags: blue}",
		"{id: c, history: flat}",
	} {
		if err := fits(text); err == nil {
			t.Errorf("the schema takes %s", text)
		}
		if !chartfile.Check("c.yaml", []byte(text)).Errors() {
			t.Errorf("Check takes %s", text)
		}
	}
}

// What is refused for a key or a type is marked by editors, too.
func TestSchemaRefusesAsCheckDoes(t *testing.T) {
	fits := formatSchema(t)
	files, err := filepath.Glob("testdata/refused/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	marked := 0
	for _, file := range files {
		for _, c := range refusedCases(t, file) {
			found := chartfile.Check(documentName(file), []byte(c.document))
			if !hasCode(found, chartfile.CodeUnknownKey) && !hasCode(found, chartfile.CodeWrongType) {
				continue
			}
			if marked++; fits(c.document) == nil {
				t.Errorf("%s: %s: an editor says nothing, and check\n%v", filepath.Base(file), c.name, found)
			}
		}
	}
	if marked < 20 {
		t.Errorf("only %d cases are of this kind", marked)
	}
}

// An editor shows what each key means: none is without a description.
func TestSchemaDescribes(t *testing.T) {
	var s map[string]any
	if err := json.Unmarshal(chartfile.Schema(), &s); err != nil {
		t.Fatal(err)
	}
	described := 0
	var walk func(path string, v any)
	walk = func(path string, v any) {
		m, _ := v.(map[string]any)
		properties, _ := m["properties"].(map[string]any)
		for key, p := range properties {
			described++
			if text, _ := p.(map[string]any)["description"].(string); !strings.HasSuffix(text, ".") {
				t.Errorf("%s.%s is described as %q", path, key, text)
			}
		}
		for key, inner := range m {
			walk(path+"/"+key, inner)
		}
	}
	walk("", s)
	if described < 100 {
		t.Errorf("only %d keys are described", described)
	}
}

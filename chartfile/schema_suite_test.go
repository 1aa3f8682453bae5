package chartfile_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/statechart"
)

// schemaSuite is where the cases of the JSON Schema test suite lie that come
// with the module google/jsonschema-go.
func schemaSuite(t *testing.T) []string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/google/jsonschema-go").Output()
	if err != nil {
		t.Fatalf("find the module google/jsonschema-go: %v", err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "jsonschema", "testdata", "draft2020-12", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in %s: %v", dir, err)
	}
	sort.Strings(files)
	return files
}

// lenient decodes JSON with numbers as a chart has them; the suite holds
// texts that no chart may.
func lenient(t *testing.T, data []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	var exact func(v any) any
	exact = func(v any) any {
		switch x := v.(type) {
		case json.Number:
			if n, err := x.Int64(); err == nil {
				return n
			}
			f, err := x.Float64()
			if err != nil {
				t.Fatal(err)
			}
			return f
		case []any:
			for i := range x {
				x[i] = exact(x[i])
			}
		case map[string]any:
			for k := range x {
				x[k] = exact(x[k])
			}
		}
		return v
	}
	return exact(v)
}

// refusedInSuite are the files of the suite with schemas that a chart may not
// have: how many of their groups are refused.
var refusedInSuite = map[string]int{
	"const": 1, "enum": 1, // text that holds a NUL
	"anchor": 3, "defs": 1, "dynamicRef": 20, "not": 1, "ref": 16, "refRemote": 15, "unevaluatedItems": 27, "unevaluatedProperties": 40,
}

// The public suite of JSON Schema: what a chart may say means what it means
// elsewhere; what it may not is refused, and counted here.
func TestSchemaSuite(t *testing.T) {
	agreed, refused := 0, map[string]int{}
	for _, file := range schemaSuite(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		groups := lenient(t, data)
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		for _, g := range groups.([]any) {
			group := g.(map[string]any)
			def := statechart.Definition{ID: "suite", Input: group["schema"]}
			chart, err := statechart.Compile(def, chartfile.Behaviour())
			if err != nil {
				refused[name]++
				continue
			}
			for _, c := range group["tests"].([]any) {
				test := c.(map[string]any)
				result := chart.Start(&statechart.Instance{}, statechart.Start{Input: test["data"]})
				if fits := result.Outcome != statechart.Refused; fits != test["valid"] {
					t.Errorf("%s: %s: %s: fits is %v: %+v", name, group["description"], test["description"], fits, result)
				} else {
					agreed++
				}
			}
		}
	}
	if !maps.Equal(refused, refusedInSuite) {
		t.Errorf("refused are %v, not %v", refused, refusedInSuite)
	}
	t.Logf("JSON Schema test suite: %d cases agree; refused groups by file: %v", agreed, refused)
}

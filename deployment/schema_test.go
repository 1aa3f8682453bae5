package deployment_test

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/detent-run/detent/deployment"
	"github.com/detent-run/detent/internal/document"
)

var update = flag.Bool("update", false, "write the generated files again")

const schemaFile = "../schema/deployment.schema.json"

// The schema under schema is what the table says now. With -update it is
// written.
func TestSchemaIsCurrent(t *testing.T) {
	want := deployment.Schema()
	if *update {
		if err := os.WriteFile(schemaFile, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(schemaFile); err != nil || string(got) != string(want) {
		t.Errorf("%s is stale; write it with: go test ./deployment -run TestSchemaIsCurrent -update", schemaFile)
	}
}

// Every key of the schema is one that Read takes, at its place, and Read takes
// no others: a wrong key beside them is refused by both.
func TestSchemaHasTheKeysOfRead(t *testing.T) {
	var root jsonschema.Schema
	if err := json.Unmarshal(deployment.Schema(), &root); err != nil {
		t.Fatal(err)
	}
	objects := 0
	var walk func(s *jsonschema.Schema, path []string)
	walk = func(s *jsonschema.Schema, path []string) {
		if s.AdditionalProperties != nil && s.Properties == nil {
			walk(s.AdditionalProperties, append(slices.Clone(path), "some"))
			return
		}
		if len(s.Properties) == 0 {
			return
		}
		objects++
		for _, key := range append(slices.Sorted(func(yield func(string) bool) {
			for k := range s.Properties {
				if !yield(k) {
					return
				}
			}
		}), "qqqq") {
			known := s.Properties[key] != nil
			text := `{"` + strings.Join(append(slices.Clone(path), key), `":{"`) + `":1` + strings.Repeat("}", len(path)+1)
			if slices.Contains(path, "annotations") {
				text = strings.Replace(text, `"annotations"`, `"code":{},"annotations"`, 1) // else they are not looked at
			}
			_, found := deployment.Read("detent.yaml", []byte(text), deployment.Options{})
			refused := false
			for _, d := range found {
				refused = refused || d.Code == "unknown_key" && strings.Contains(d.Message, `"`+key+`"`)
			}
			if refused == known {
				t.Errorf("%s: the schema has the key: %v, Read refuses it: %v\n%v", text, known, refused, found)
			}
		}
		for key, kid := range s.Properties {
			walk(kid, append(slices.Clone(path), key))
		}
	}
	walk(&root, nil)
	if objects < 12 {
		t.Errorf("the schema has %d objects", objects)
	}
}

// A whole file fits.
func TestSchemaTakesAFile(t *testing.T) {
	var s jsonschema.Schema
	if err := json.Unmarshal(deployment.Schema(), &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	fits := func(text string) error {
		n, problems := document.Parse([]byte(text), document.YAML, document.Limits{})
		if n == nil {
			t.Fatal(problems)
		}
		var v any
		plain, err := document.Write(n, document.JSON)
		if err == nil {
			err = json.Unmarshal(plain, &v)
		}
		if err != nil {
			t.Fatal(err)
		}
		return resolved.Validate(v)
	}
	if err := fits(bank); err != nil {
		t.Error(err)
	}
	for _, wrong := range []string{"stor: x", "tools: {a: {http: {uri: x}}}", "log: {level: loud}", "limits: {concurrency: many}"} {
		if fits(wrong) == nil {
			t.Errorf("%s fits", wrong)
		}
	}
}

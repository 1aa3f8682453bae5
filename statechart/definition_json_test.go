package statechart_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// A definition's JSON is read letter for letter, and what is refused has its
// place.
func TestFace_DefinitionJSONRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`{"ID": "c"}`: `ID: there is no key "ID" here at line 1, column 2 (did you mean "id"?)`,
		"{\"id\": \"c\",\n \"root\": {\"states\": [{\"Name\": \"x\"}]}}":                                     `root.states[0].Name: there is no key "Name" here at line 2, column 23 (did you mean "name"?)`,
		`{"id": "c", "root": {"on": [{"event": "e", "event": "f"}]}}`:                                        `the key "event" stands twice, first at line 1, column 30 at line 1, column 44`,
		`{"id": "c", "root": {"context": [{"name": "n", "value": [1, 9223372036854775808]}]}}`:               `root.context[0].value[1]: the number 9223372036854775808 does not fit a 64-bit integer at line 1, column 61`,
		`{"id": "c", "root": {"context": [{"name": "n", "value": {"$expression": "a", "$expression": 1}}]}}`: `the key "$expression" stands twice`,
		"{\"id\": \"\xff\"}":            `the byte 0xff is no UTF-8 at line 1, column 9`,
		`{"id": "c", "semantics": 1.0}`: `semantics: it takes a whole number, not 1.0`,
		`{"id": null}`:                  `id: it cannot be null`,
	} {
		var d statechart.Definition
		err := d.UnmarshalJSON([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
		if !reflect.DeepEqual(d, statechart.Definition{}) {
			t.Errorf("%s leaves %+v", text, d)
		}
	}
	var e statechart.Expression
	for _, text := range []string{`{"$Expression": "a"}`, `{"$expression": "a", "b": "c"}`, `{"$expression": "a", "$expression": "b"}`, `{"$expression": 1}`, `"a"`, `{}`} {
		if err := json.Unmarshal([]byte(text), &e); err == nil || e != "" {
			t.Errorf("%s is read as %q", text, e)
		}
	}
}

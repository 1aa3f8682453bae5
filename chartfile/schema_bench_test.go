package chartfile_test

import (
	"encoding/json"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/statechart"
)

const callback = `{"type": "object", "required": ["status"], "properties": {"status": {"type": "string"}, "n": {"type": "integer", "minimum": 1}}}`

// A payload is checked at the door by us, and by google/jsonschema-go beside
// it.
func BenchmarkSchema(b *testing.B) {
	payload := map[string]any{"status": "ok", "n": int64(5)}
	b.Run("ours", func(b *testing.B) {
		n, err := chartfile.Load("chart.json", []byte(`{"id": "c", "initial": "a", "states": {"a": {"on": {"GO": {}}}}, "events": {"GO": {"data": `+callback+`}}}`), nil)
		if err != nil {
			b.Fatal(err)
		}
		var in statechart.Instance
		n.Start(&in, statechart.Start{})
		b.ReportAllocs()
		for b.Loop() {
			if r := in.Send(statechart.Event{Name: "GO", Data: payload}); r.Outcome == statechart.Refused {
				b.Fatal(r.Reason)
			}
		}
	})
	b.Run("jsonschema-go", func(b *testing.B) {
		var s jsonschema.Schema
		if err := json.Unmarshal([]byte(callback), &s); err != nil {
			b.Fatal(err)
		}
		resolved, err := s.Resolve(nil)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			if err := resolved.Validate(payload); err != nil {
				b.Fatal(err)
			}
		}
	})
}

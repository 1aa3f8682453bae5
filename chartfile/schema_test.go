package chartfile_test

import (
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// data reads a value as YAML.
func data(t *testing.T, text string) any {
	t.Helper()
	n, problems := document.Parse([]byte(text), document.YAML, document.Limits{})
	if n == nil || len(problems) > 0 {
		t.Fatalf("%s: %v", text, problems)
	}
	return n.Value()
}

// refusal starts a session of a chart with an input schema and returns what
// is said about the input.
func refusal(t *testing.T, schema, input any) string {
	t.Helper()
	chart, err := statechart.Compile(statechart.Definition{ID: "c", Input: schema}, chartfile.Behaviour())
	if err != nil {
		t.Fatal(err)
	}
	result := chart.Start(&statechart.Instance{}, statechart.Start{Input: input})
	if result.Reason == nil {
		return ""
	}
	return strings.TrimPrefix(result.Reason.Message, "the input does not fit its schema: ")
}

const order = `{type: object, required: [customer, lines], additionalProperties: false, properties: {
  customer: {type: object, required: [name], properties: {name: {type: string, minLength: 1}, colour: {enum: [red, blue, null]}}},
  lines: {type: array, minItems: 1, uniqueItems: true, items: {type: object, required: [count], properties: {count: {type: integer, minimum: 1, multipleOf: 2}}}},
  pay: {oneOf: [{type: "null"}, {required: [card], properties: {card: {type: string}}}, {required: [iban]}]},
  note: {anyOf: [{type: string, maxLength: 5}, {type: "null"}]},
  code: {type: string, pattern: "^[A-Z]+$"}}}`

// What is said about a value that does not fit: its place first, never much
// of the value, and the same each time.
func TestSchemaMessages(t *testing.T) {
	for _, c := range []struct{ name, input, want string }{
		{"it fits", `{customer: {name: x}, lines: [{count: 2}], note: null, code: AB}`, ""},
		{"not the type", `[]`, "it is a list, not an object"},
		{"nothing", `null`, "it is null, not an object"},
		{"a field is missing", `{customer: {name: x}}`, "lines is missing"},
		{"a field below is missing", `{customer: {}, lines: [{count: 2}]}`, "customer.name is missing"},
		{"a field of a list's item is missing", `{customer: {name: x}, lines: [{count: 2}, {}]}`, "lines[1].count is missing"},
		{"a field too many", `{customer: {name: x}, lines: [{count: 2}], coed: AB}`, `coed is not a field that is allowed (did you mean "code"?)`},
		{"empty text", `{customer: {name: ""}, lines: [{count: 2}]}`, "customer.name is empty"},
		{"a number for text", `{customer: {name: 5}, lines: [{count: 2}]}`, "customer.name is a number, not text"},
		{"a word that is none of those", `{customer: {name: x, colour: bleu}, lines: [{count: 2}]}`, `customer.colour is "bleu", not one of "red", "blue", null`},
		{"no items", `{customer: {name: x}, lines: []}`, "lines has 0 items, fewer than 1"},
		{"an item twice", `{customer: {name: x}, lines: [{count: 2}, {count: 2.0}]}`, "lines has one item twice, at 0 and 1"},
		{"a fraction", `{customer: {name: x}, lines: [{count: 1.5}]}`, "lines[0].count is a number, not a whole number"},
		{"too small", `{customer: {name: x}, lines: [{count: 0}]}`, "lines[0].count is 0, less than 1"},
		{"not even", `{customer: {name: x}, lines: [{count: 3}]}`, "lines[0].count is 3, no multiple of 2"},
		{"none of the kinds", `{customer: {name: x}, lines: [{count: 2}], note: 5}`, "note is 5, which is none of the 2 kinds that are allowed"},
		{"nearly one of the kinds", `{customer: {name: x}, lines: [{count: 2}], pay: {card: 5}}`, "pay.card is a number, not text"},
		{"two of the kinds", `{customer: {name: x}, lines: [{count: 2}], pay: {card: x, iban: y}}`, "pay is of 2 kinds of which it may be one"},
		{"a pattern", `{customer: {name: x}, lines: [{count: 2}], code: ab}`, `code is "ab", which does not match "^[A-Z]+$"`},
		{"long text", `{customer: {name: x}, lines: [{count: 2}], code: ` + strings.Repeat("x", 1_000) + `}`,
			`code is "` + strings.Repeat("x", 59) + `…", which does not match "^[A-Z]+$"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := refusal(t, data(t, order), data(t, c.input)); got != c.want {
				t.Errorf("says %q, not %q", got, c.want)
			}
		})
	}
}

// The payloads of events are checked at the door and where they are raised.
func TestSchemasOfEvents(t *testing.T) {
	chart, err := chartfile.Load("chart.yaml", []byte(head+`
events: {GO: {data: {type: object, required: [n], properties: {n: {type: integer}}}}, ASK: {}}
states:
  a:
    on:
      GO: b
      ASK: {actions: [{raise: GO, data: {n: many}}]}
      error.execution: c
  b: {}
  c: {}
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	var in statechart.Instance
	chart.Start(&in, statechart.Start{})
	result := in.Send(statechart.Event{Name: "GO", Data: map[string]any{}})
	if want := `the data of "GO" does not fit its schema: n is missing`; result.Outcome != statechart.Refused || result.Reason.Message != want {
		t.Errorf("sent from outside: %v, not refused because %s", result, want)
	}
	in.Send(statechart.Event{Name: "ASK"})
	if got := in.Configuration(); len(got) != 1 || got[0] != "c" {
		t.Errorf("raised with other data: in %v, not in c", got)
	}
}

// Schemas that would multiply the work of a check end in an error.
func TestHostileSchemas(t *testing.T) {
	deep := any("x")
	for range 60 {
		deep = map[string]any{"a": deep}
	}
	const twice = `{allOf: [{properties: {a: {$ref: "#"}}}, {properties: {a: {$ref: "#"}}}]}`
	if got := refusal(t, data(t, twice), deep); got != "it takes too long to check" {
		t.Errorf("a schema that doubles at each level: %q", got)
	}
	const pattern = `{type: string, pattern: "(x+x+)+y"}`
	if got := refusal(t, data(t, pattern), strings.Repeat("x", 5_000)); !strings.Contains(got, "does not match") {
		t.Errorf("a pattern that backtracking engines drown in: %q", got)
	}
	chain := map[string]any{}
	for i := range 200 {
		chain[strings.Repeat("x", i+1)] = map[string]any{"$ref": "#/$defs/" + strings.Repeat("x", i+2)}
	}
	chain[strings.Repeat("x", 201)] = true
	def := statechart.Definition{ID: "c", Input: map[string]any{"$ref": "#/$defs/x", "$defs": chain}}
	if _, err := statechart.Compile(def, chartfile.Behaviour()); err == nil || !strings.Contains(err.Error(), "more than 64 deep") {
		t.Errorf("a chain of references: %v", err)
	}
}

// A pattern is measured before it is compiled.
func TestHostilePatterns(t *testing.T) {
	for pattern, want := range map[string]string{
		strings.Repeat(`(?i)[B-\x{1E942}]`, 50): "ignores case in ranges of more than",
		`(a{500}b{500}){2}c{900}`:               "grows too large when its repeats are written out",
		strings.Repeat("a", 1_001):              "is 1001 bytes long and may be 1000",
		`(?=a)`:                                 "the pattern has",
	} {
		_, err := statechart.Compile(statechart.Definition{ID: "c", Input: map[string]any{"pattern": pattern}}, chartfile.Behaviour())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, want %s", pattern, err, want)
		}
	}
}

// A program may hand in its own kinds of numbers: what is checked is what
// the chart will read.
func TestSchemasOfGoNumbers(t *testing.T) {
	if got := refusal(t, data(t, `{type: object, properties: {n: {type: integer}}}`), map[string]any{"n": uint8(1)}); got != "" {
		t.Errorf("an input of Go's uint8: %s", got)
	}
	chart, err := chartfile.Load("chart.yaml", []byte(head+"events: {GO: {data: {type: integer}}}\nstates: {a: {on: {GO: b}}, b: {}}\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	var in statechart.Instance
	chart.Start(&in, statechart.Start{})
	if result := in.Send(statechart.Event{Name: "GO", Data: 1}); result.Outcome != statechart.Taken {
		t.Errorf("a payload of Go's int: %v", result.Reason)
	}
}

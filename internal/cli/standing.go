package cli

import (
	"fmt"
	"strings"

	"github.com/detent-run/detent/charttest/transcript"
	"github.com/detent-run/detent/statechart"
)

// standing shows where the session stands and what can be done now, the first
// events or all.
//
//	now  Active.Planning at 0s
//	    event   SUSPEND
//	    event   CALLBACK {"status": text}
//	    call    plan  model:default
//	    timer   after.Active:0  in 15m
func (v *view) standing(s *simulation, all bool) {
	in := s.main()
	now := s.world.Now()
	text := v.p.faint("now")
	if in.Status() != statechart.Active {
		text += " " + v.status(string(in.Status()))
	}
	if leafs := in.Configuration(); len(leafs) > 0 {
		text += " " + v.p.place(leaves(leafs))
	}
	fmt.Fprintf(v.out, "\n%s%s\n", text, v.p.faint(" at "+transcript.Duration(now)))
	events := in.Events()
	for i, e := range events {
		if i == maxListed && !all {
			v.line("", v.p.faint(fmt.Sprintf("… and %d more; events shows all", len(events)-i)))
			break
		}
		v.line("event", v.possible(e))
	}
	for _, c := range s.world.Calls() {
		text := v.p.strong(plain(c.Effect.Source.ID)) + "  " + v.p.place(plain(c.Effect.Call.Src))
		if c.Session != mainSession {
			text = "@" + plain(c.Session) + " " + text
		}
		v.line("call", text)
	}
	for _, t := range in.Timers() {
		if in.Status() == statechart.Active {
			v.line("timer", plain(t.Name)+v.p.faint(" in "+transcript.Duration(t.Due-now)))
		}
	}
	for _, d := range in.Deferred() {
		v.line("deferred", plain(d.Name)+payload(d.Data))
	}
	for _, id := range s.world.Sessions() {
		if child := s.world.Instance(id); id != mainSession && child != nil && child.Status() == statechart.Active {
			v.line("session", "@"+plain(id)+" "+v.p.place(leaves(child.Configuration()))+v.p.faint("  takes "+strings.Join(eventNames(child.Events()), ", ")))
		}
	}
}

func (v *view) possible(e statechart.PossibleEvent) string {
	text := v.p.strong(plain(e.Name))
	if hint := schemaHint(e.Data, 0); hint != "" {
		text += " " + v.p.faint(hint)
	}
	var notes []string
	if e.Guarded {
		notes = append(notes, "guarded")
	}
	if len(e.From) > 0 {
		notes = append(notes, "from "+strings.Join(e.From, " or "))
	}
	if len(notes) > 0 {
		text += v.p.faint("  (" + plain(strings.Join(notes, ", ")) + ")")
	}
	return text
}

// data shows all variables, and the lengths of lists.
func (v *view) data(s *simulation) {
	v.apart()
	in := s.main()
	shown := false
	all := variables(in.Snapshot())
	for _, scope := range sortedKeys(all) {
		for _, name := range declared(s.chart, scope, all[scope]) {
			v.line("data", variable(scope, name)+" = "+shownValue(all[scope][name]))
			shown = true
		}
	}
	for _, list := range s.chart.Definition().Lists {
		v.line("list", plain(list)+": "+count(int(in.Len(list)), "row"))
		shown = true
	}
	if !shown {
		v.line("data", "none")
	}
}

// why tells what an event would do now, and what each of its transitions and
// guards says.
func (v *view) why(s *simulation, e statechart.Event) {
	v.apart()
	x := s.main().Explain(e)
	text := v.p.strong(plain(e.Name)) + " would be " + v.p.outcome(x.Outcome)
	if x.Reason != nil {
		text += ": " + plain(x.Reason.Message) + v.p.faint(" ["+string(x.Reason.Code)+"]")
	}
	fmt.Fprintln(v.out, text)
	for _, line := range v.candidates(x) {
		fmt.Fprintln(v.out, "    "+line)
	}
}

// maxHintDepth is how deep a schema is told.
const maxHintDepth = 3

// schemaHint tells the shape that a JSON Schema asks for in a few words:
// {"status": text, "note"?: text}. It is empty when there is little to say.
func schemaHint(schema any, depth int) string {
	m, ok := schema.(map[string]any)
	if !ok {
		return ""
	}
	if options, ok := m["enum"].([]any); ok && len(options) <= 6 {
		texts := make([]string, len(options))
		for i, o := range options {
			texts[i] = spaced.text(o)
		}
		return strings.Join(texts, " or ")
	}
	if value, ok := m["const"]; ok {
		return spaced.text(value)
	}
	kind, _ := m["type"].(string)
	switch {
	case kind == "object" || m["properties"] != nil:
		return objectHint(m, depth)
	case kind == "array":
		if item := schemaHint(m["items"], depth+1); item != "" && depth < maxHintDepth {
			return "[" + item + ", …]"
		}
		return "[…]"
	case kind == "string":
		return "text"
	}
	return kind
}

func objectHint(m map[string]any, depth int) string {
	properties, _ := m["properties"].(map[string]any)
	if len(properties) == 0 || depth >= maxHintDepth {
		return "{…}"
	}
	required := requiredOf(m)
	var parts []string
	for _, name := range sortedKeys(properties) {
		mark := "?"
		if required[name] {
			mark = ""
		}
		hint := schemaHint(properties[name], depth+1)
		if hint == "" {
			hint = "any"
		}
		parts = append(parts, spaced.text(name)+mark+": "+hint)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func requiredOf(schema map[string]any) map[string]bool {
	required := map[string]bool{}
	list, _ := schema["required"].([]any)
	for _, name := range list {
		if text, ok := name.(string); ok {
			required[text] = true
		}
	}
	return required
}

// payloadOf is a payload to begin with: what a schema requires, each with an
// empty value of its type.
func payloadOf(schema any) any {
	m, _ := schema.(map[string]any)
	if value, ok := m["const"]; ok {
		return value
	}
	if options, ok := m["enum"].([]any); ok && len(options) > 0 {
		return options[0]
	}
	kind, _ := m["type"].(string)
	if kind == "" && m["properties"] != nil {
		kind = "object"
	}
	switch kind {
	case "object":
		out := map[string]any{}
		properties, _ := m["properties"].(map[string]any)
		for name := range requiredOf(m) {
			out[name] = payloadOf(properties[name])
		}
		return out
	case "array":
		return []any{}
	case "string":
		return ""
	case "boolean":
		return false
	case "integer", "number":
		return int64(0)
	}
	return nil
}

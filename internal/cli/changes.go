package cli

import (
	"slices"
	"strings"

	"github.com/detent-run/detent/charttest/transcript"
	"github.com/detent-run/detent/statechart"
)

// maxShown is how much of a value is shown to people, in characters.
const maxShown = 400

// change is what became of one variable, in words.
type change struct{ word, text string }

// changes tells what became of the data, scope by scope, in the order in which
// variables are declared. New ones that are empty share one line.
func changes(before, after statechart.Snapshot) []change {
	old, now := variables(before), variables(after)
	var out []change
	var empty []string
	for _, scope := range sortedKeys(old) {
		if _, lives := now[scope]; !lives {
			out = append(out, change{"drop", plain(scope)})
		}
	}
	for _, scope := range sortedKeys(now) {
		for _, name := range declared(after.Chart(), scope, now[scope]) {
			value := shownValue(now[scope][name])
			was, known := old[scope][name]
			switch {
			case !known && isEmpty(now[scope][name]):
				empty = append(empty, variable(scope, name))
			case !known || shownValue(was) != value:
				out = append(out, change{"set", variable(scope, name) + " = " + clip(value, maxShown)})
			}
		}
	}
	if len(empty) > 0 {
		out = append(out, change{"empty", strings.Join(empty, ", ")})
	}
	return out
}

func isEmpty(v any) bool {
	switch x := v.(type) {
	case nil:
		return true
	case string:
		return x == ""
	case []any:
		return len(x) == 0
	case map[string]any:
		return len(x) == 0
	}
	return false
}

// declared are the names of a scope's variables in the order of their state's
// context, as far as it has them.
func declared(c *statechart.Chart, scope string, values map[string]any) []string {
	var names []string
	if state := find(c, scope); state != nil {
		for _, v := range state.Context {
			if _, ok := values[v.Name]; ok {
				names = append(names, v.Name)
			}
		}
	}
	for _, name := range sortedKeys(values) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// find finds a state by its path.
func find(c *statechart.Chart, path string) *statechart.State {
	if c == nil {
		return nil
	}
	def := c.Definition()
	state := &def.Root
	for rest := path; rest != "" && state != nil; {
		var name string
		name, rest, _ = strings.Cut(rest, ".")
		i := slices.IndexFunc(state.States, func(s statechart.State) bool { return s.Name == name })
		state = at(state.States, i)
	}
	return state
}

func shownValue(v any) string { return spaced.text(v) }

func variable(scope, name string) string {
	if scope == "" {
		return plain(name)
	}
	return plain(scope + "." + name)
}

// effect tells one effect: a word, what there is to say, and what more there
// is on lines of their own.
func (v *view) effect(e *statechart.Effect, now int64) (word, text string, more []string) {
	switch e.Type {
	case statechart.EffectInvoke:
		text, more = v.call(e)
		return "call", text, more
	case statechart.EffectDo:
		text, more = v.call(e)
		return "do", text, more
	}
	word, text = v.simple(e, now)
	return word, text, nil
}

func (v *view) simple(e *statechart.Effect, now int64) (word, text string) {
	switch e.Type {
	case statechart.EffectStop:
		return "stop", plain(e.Source.ID)
	case statechart.EffectSend:
		return "send", plain(e.Event) + towards(e.To) + payload(e.Data)
	case statechart.EffectForward:
		return "forward", plain(e.Event) + towards(e.Source.ID) + payload(e.Data)
	case statechart.EffectSchedule:
		return "timer", plain(e.Event) + v.p.faint(" in "+transcript.Duration(e.Due-now)) + towards(e.To) + payload(e.Data)
	case statechart.EffectUnschedule:
		return "timer", plain(e.Event) + v.p.faint(" off")
	case statechart.EffectAppend:
		return "append", plain(e.Name) + payload(e.Data)
	case statechart.EffectEmit:
		return "emit", plain(e.Event) + payload(e.Data)
	case statechart.EffectLog:
		return "log", plain(e.Name) + " " + sentence(e.Data)
	case statechart.EffectWarn:
		return "warn", v.p.care(sentence(e.Data))
	case statechart.EffectEnd:
		return "end", v.status(e.Name) + payload(e.Data)
	}
	return string(e.Type), payload(e.Data)
}

func (v *view) status(name string) string {
	if name == string(statechart.Completed) {
		return v.p.good(name)
	}
	return v.p.bad(plain(name))
}

func towards(to string) string {
	if to == "" || to == "self" {
		return ""
	}
	return " to " + plain(to)
}

func payload(data any) string {
	if data == nil {
		return ""
	}
	return " " + clip(spaced.text(data), maxShown)
}

// sentence shows text as it is, anything else as JSON.
func sentence(data any) string {
	if text, ok := data.(string); ok {
		return clip(plain(text), maxShown)
	}
	return clip(spaced.text(data), maxShown)
}

// longCall is the width from which on a call is told on several lines.
const longCall = 90

// call tells an outside call with what the chart says of it: on one line, or
// when that is long, each part of its input on a line of its own.
func (v *view) call(e *statechart.Effect) (text string, more []string) {
	head := v.p.strong(plain(e.Source.ID)) + "  " + v.p.place(plain(e.Call.Src))
	options := callOptions(e.Call)
	text = head + payload(e.Data)
	if options != "" {
		text += v.p.faint(", " + options)
	}
	input, ok := e.Data.(map[string]any)
	if width(text) <= longCall || !ok {
		return text, nil
	}
	names, longest := sortedKeys(input), 0
	for _, name := range names {
		longest = max(longest, width(plain(name)))
	}
	for _, name := range names {
		more = append(more, "  "+v.p.faint(padded(plain(name), longest+1))+" "+clip(shownValue(input[name]), maxShown))
	}
	if options != "" {
		more = append(more, "  "+v.p.faint(options))
	}
	return head, more
}

// callOptions is what a chart says of a call beside its source and input.
func callOptions(c *statechart.CallOptions) string {
	var parts []string
	say := func(word, value string) {
		if value != "" {
			parts = append(parts, word+" "+value)
		}
	}
	say("mode", plain(c.Mode))
	if c.DeclaredKey != nil {
		say("key", spaced.text(c.DeclaredKey))
	}
	if c.Timeout > 0 {
		say("timeout", transcript.Duration(c.Timeout))
	}
	if c.Heartbeat > 0 {
		say("heartbeat", transcript.Duration(c.Heartbeat))
	}
	if len(c.Retry) > 0 {
		say("retry", spaced.text(c.Retry))
	}
	if len(c.Approval) > 0 {
		say("approval", spaced.text(c.Approval))
	}
	say("choices", plain(strings.Join(c.Choices, " ")))
	return strings.Join(parts, ", ")
}

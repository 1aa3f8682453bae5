package chartgen

import (
	"maps"
	"reflect"
	"strconv"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// ForFile returns the case as one that a chart file can hold: in Detent's own
// dialect, without blocks and internal transitions, its delays with units, the
// transitions of an event beside each other; and without a bound on fuel,
// because languages charge differently. Its texts become such as are hard to
// write: with marks, traps of YAML, and words that are variables elsewhere.
func ForFile(c Case) Case {
	f := filer{texts: int(c.Number), typed: c.Typed}
	d := clone(c.Definition)
	d.Dialect, d.Limits.Fuel = "", 0
	if c.Number%3 == 0 {
		d.Version, d.Description = strconv.Itoa(int(c.Number)), "For people: ${ nothing }\nin two lines."
		d.Input = map[string]any{"type": "object", "properties": map[string]any{"n": map[string]any{"type": "integer"}}}
		d.Budget = map[string]any{"calls": int64(12), "time": "30m"}
		d.Events[0].From = []string{"client", "tool"}
	}
	if c.Number%4 == 0 {
		f.bell, d.Performers = true, []string{"bell"}
	}
	for i := range d.Delays {
		d.Delays[i].Value = withUnit(d.Delays[i].Value)
	}
	f.state(&d.Root)
	if d.Description != "" {
		d.Root.Description = "" // a file has one
	}
	c.Definition = d
	return c
}

// Rendered returns the definition of a case with its expressions in the
// language of chart files.
func Rendered(c Case) statechart.Definition {
	d := clone(c.Definition)
	render(reflect.ValueOf(&d).Elem())
	return d
}

// filer counts the hard texts that it has given out.
type filer struct {
	texts int
	typed bool // there is no language
	bell  bool // calls may be of a performer
}

// hard are texts that a writer of files can get wrong.
var hard = []any{
	"k0", "k0 + 1", "v1", "v1 < v2", "event.type", "now", "${ k0 }", "$${ k0 }", "a ${", "$", "costs $5 {net}", " k0 ", "", " ", "yes", "null", "~", "1",
	"0x1F", "1.5e3", "2026-11-30", "- x", "# no comment", "a: b", "#c", "*", "&a", "!t", "%", "@", "`", "{n: 1}", "[1]", "'", `"`, `\`, "two\nlines", "two\nlines\n",
	"  indented\n", "tab\t.", "ünï ☃ 𝄞", "\u0085", "\ufeff", "- ", "?", "? x", "k0.a", "len(rows0)", "rows0", "true", "'k0'", "-1",
	map[string]any{"text": "k0"}, map[string]any{"text": "hello"}, map[string]any{"text": int64(1)}, map[string]any{"text": "k0", "n": nil},
	map[string]any{"text": map[string]any{"text": "k0"}}, map[string]any{}, []any{}, []any{map[string]any{}}, 1.0, -0.5, 1e300, int64(-1 << 63), []any{nil, true},
}

func (f *filer) text() any {
	f.texts++
	return hard[f.texts%len(hard)]
}

// joined is a text with parts that are computed.
func (f *filer) joined() any {
	f.texts++
	if f.typed {
		return "${ k0 }"
	}
	return joins[f.texts%len(joins)]
}

// joins are expressions that a file may write as text with parts in it.
var joins = []statechart.Expression{
	"(text 'k0 is ' k0 '!')", "(text k0 (event))", "(text ' ' k0)", "(text k0)", "(text '${ ' (list k0 'x') ' }')", "(text (= k0 3) ', ' (cat 'a' '\"b'))", "(text 'a' 'b')",
	"(text '\\ { ' (if (< k0 4) 'yes' 'no'))",
}

func (f *filer) state(s *statechart.State) {
	f.actions(&s.InitialActions)
	f.actions(&s.Entry)
	f.actions(&s.Exit)
	for _, list := range []*[]statechart.Transition{&s.On, &s.Always, &s.OnDone} {
		f.transitions(*list)
	}
	s.On = together(s.On)
	for _, list := range []*[]statechart.Timed{&s.After, &s.Every} {
		for i := range *list {
			(*list)[i].Delay = withUnit((*list)[i].Delay)
			f.transitions((*list)[i].Transitions)
		}
	}
	s.WarnAfter = withUnit(s.WarnAfter)
	for i := range s.Invoke {
		f.call(&s.Invoke[i])
		if f.texts%3 == 0 {
			s.Invoke[i].Approval = map[string]any{"who": []any{"lead", "owner"}, "question": "k0?", "deadline": "2d"}
		}
	}
	if f.texts%5 == 0 {
		s.Meta, s.Description = f.text(), "${ k0 }"
		if s.Type != statechart.History {
			s.Tags = []string{"blue", "k0"}
		}
		s.Tools, s.ToolsOnly = []string{"t"}, f.texts%2 == 0
	}
	for i := range s.States {
		f.state(&s.States[i])
	}
}

// together brings the transitions of an event to where its first one stands.
func together(list []statechart.Transition) []statechart.Transition {
	var out []statechart.Transition
	done := map[string]bool{}
	for _, first := range list {
		for _, t := range list {
			if t.Event == first.Event && !done[t.Event] {
				out = append(out, t)
			}
		}
		done[first.Event] = true
	}
	return out
}

func (f *filer) transitions(list []statechart.Transition) {
	for i := range list {
		t := &list[i]
		if t.Type == statechart.Internal {
			t.Type = statechart.Local
		}
		// Of a list of token prefixes the first, without what only they have.
		first, _, _ := strings.Cut(t.Event, " ")
		if t.Event = strings.TrimSuffix(first, "."); t.Event == "e" {
			t.Event = "e0"
		}
		f.actions(&t.Actions)
	}
}

func (f *filer) actions(list *[]statechart.Action) {
	var out []statechart.Action
	for _, a := range *list {
		f.actions(&a.Then)
		f.actions(&a.Else)
		f.actions(&a.Block)
		if a.Block != nil {
			out = append(out, a.Block...)
			continue
		}
		a.Delay = withUnit(a.Delay)
		if to, fixed := a.To.(string); fixed && strings.HasPrefix(to, "#") {
			a.To = "parent" // a chart file's name for what SCXML marks
		}
		if a.Log != nil || a.Emit != nil && a.Data == nil {
			f.payload(&a)
		}
		if m, ok := a.Data.(map[string]any); ok && a.Call == "" {
			m = maps.Clone(m) // a clone shares it
			m["s"] = f.text()
			a.Data = m
		}
		if a.Do != nil {
			f.call(a.Do)
		}
		out = append(out, a)
	}
	*list = out
}

// payload puts a text where nothing reads it again.
func (f *filer) payload(a *statechart.Action) {
	v := f.text()
	if f.texts%6 == 0 {
		v = f.joined()
	}
	if a.Log != nil {
		a.Log = v
	} else {
		a.Data = v
	}
}

func (f *filer) call(c *statechart.Invocation) {
	c.Timeout, c.Heartbeat = withUnit(c.Timeout), withUnit(c.Heartbeat)
	f.texts++
	if f.texts%3 == 1 {
		c.Retry = map[string]any{"max": int64(2), "initial": "500ms", "factor": 1.5, "on": []any{"busy", "k0"}}
	}
	if f.bell && c.Src == "tool:t" {
		c.Src = "bell"
	}
	for _, list := range [][]statechart.Transition{c.OnDone, c.OnError, c.OnUnknown, c.OnProgress} {
		f.transitions(list)
	}
}

// withUnit writes a number of milliseconds as a duration.
func withUnit(delay any) any {
	if n, ok := delay.(int64); ok {
		return strconv.FormatInt(n, 10) + "ms"
	}
	return delay
}

package oracle

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// Record is all that can be seen after a macrostep, in a form that the oracle
// and the product can both be brought to.
type Record struct {
	Outcome       statechart.Outcome
	Code          statechart.Code
	Status        statechart.Status
	Configuration []string
	Output        any
	Data          map[string]map[string]any
	Context       any // a typed context, by value
	Effects       []statechart.Effect
	Timers        []Timer
	Live          []Call
	Deferred      []statechart.Delivery
	Sequence      uint64
	Lists         map[string]int64
}

// Timer is an armed timer.
type Timer struct {
	Name   string
	Due    int64
	Source statechart.Source
	Data   any
}

// Delivery is what a host sends when the timer is due.
func (t Timer) Delivery() statechart.Delivery {
	return statechart.Delivery{Event: statechart.Event{Name: t.Name, Data: t.Data}, Envelope: &statechart.Envelope{Source: t.Source}}
}

// Call is a live invocation or do.
type Call struct {
	Source statechart.Source
	Src    string
	State  string
}

// record describes the session after a macrostep that led to r.
func (s *Session) record(r result) Record {
	out := Record{Outcome: r.outcome, Code: r.code, Status: s.status, Output: s.output, Sequence: s.sequence,
		Effects: s.m.effects, Data: map[string]map[string]any{}, Lists: map[string]int64{}}
	active := s.ended
	if active == nil {
		active = sorted(s.config)
	}
	for _, st := range active {
		if st.isAtomic() {
			out.Configuration = append(out.Configuration, st.path)
		}
	}
	for st, scope := range s.scopes {
		out.Data[st.path] = map[string]any{}
		for name, v := range scope {
			out.Data[st.path][name] = v
		}
	}
	if s.context != nil {
		out.Context = s.chart.behaviour.CloneContext(s.context)
	}
	for _, t := range byDue(s.timersIn(func(timer) bool { return true })) {
		out.Timers = append(out.Timers, Timer{t.name, t.due, t.source(), t.data})
	}
	for _, c := range s.calls {
		out.Live = append(out.Live, Call{c.source, c.src, c.state.path})
	}
	out.Deferred = append(out.Deferred, s.deferred...)
	for _, name := range s.chart.def.Lists {
		out.Lists[name] = s.lists[name]
	}
	return out
}

// String is the record as canonical text, one fact a line.
func (r Record) String() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("outcome   %s %s", r.Outcome, r.Code)
	line("status    %s output %s sequence %d", r.Status, Text(r.Output), r.Sequence)
	line("active    %s", strings.Join(r.Configuration, " "))
	if r.Context != nil {
		line("context   %s", Text(r.Context))
	}
	for _, scope := range sortedKeys(r.Data) {
		if len(r.Data[scope]) > 0 {
			line("data      %q %s", scope, Text(anyMap(r.Data[scope])))
		}
	}
	for _, e := range r.Effects {
		line("effect    %s", effectText(e))
	}
	for _, t := range r.Timers {
		line("timer     %s due %d %s data %s", t.Name, t.Due, sourceText(t.Source), Text(t.Data))
	}
	for _, c := range r.Live {
		line("live      %s src %q state %q", sourceText(c.Source), c.Src, c.State)
	}
	for _, e := range r.Deferred {
		line("deferred  %s data %s", e.Name, Text(e.Data))
	}
	for _, name := range sortedKeys(r.Lists) {
		line("list      %s %d", name, r.Lists[name])
	}
	return b.String()
}

// effectText leaves out the key, whose form is the product's business, and
// all of a warning but that it is one: its text is for people.
func effectText(e statechart.Effect) string {
	head := fmt.Sprintf("%d.%d %s", e.Sequence, e.Index, e.Type)
	if e.Type == statechart.EffectWarn {
		return head
	}
	text := fmt.Sprintf("%s state %q %s event %q to %q name %q due %d data %s",
		head, e.State, sourceText(e.Source), e.Event, e.To, e.Name, e.Due, Text(e.Data))
	if c := e.Call; c != nil {
		text += fmt.Sprintf(" src %q mode %q key %s timeout %d heartbeat %d", c.Src, c.Mode, Text(c.DeclaredKey), c.Timeout, c.Heartbeat)
	}
	return text
}

func sourceText(s statechart.Source) string { return fmt.Sprintf("%s/%s/%d", s.Kind, s.ID, s.Entry) }

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

func anyMap(m map[string]any) any { return m }

// Text is a value as canonical text that tells integers from floats.
func Text(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case string:
		return strconv.Quote(v)
	case float64:
		text := strconv.FormatFloat(v, 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		return text
	case []any:
		parts := make([]string, len(v))
		for i := range v {
			parts[i] = Text(v[i])
		}
		return "[" + strings.Join(parts, " ") + "]"
	case map[string]any:
		var parts []string
		for _, k := range sortedKeys(v) {
			if k != "message" && k != "place" { // of an error: for people
				parts = append(parts, k+":"+Text(v[k]))
			}
		}
		return "{" + strings.Join(parts, " ") + "}"
	}
	return fmt.Sprintf("%+v", v)
}

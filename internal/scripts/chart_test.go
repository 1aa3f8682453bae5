package scripts

import (
	"fmt"

	"pgregory.net/rapid"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// events are what clients send and charts raise.
var events = []string{"e0", "e1", "e2", "e3"}

// builder draws one chart. States are named in the order in which they are
// made; whatever needs the names of others is filled in when all are there.
type builder struct {
	t     *rapid.T
	names []string // of all states that may be targets
	n     int
}

// aChart is a small chart that compiles.
var aChart = rapid.Custom(func(t *rapid.T) drawn {
	b := &builder{t: t}
	root := b.state(0, "root")
	b.fill(&root, true)
	root.Context = append(root.Context, statechart.Variable{Name: "n", Value: int64(0)}, statechart.Variable{Name: "total", Value: int64(0)})
	d := statechart.Definition{ID: "script", Unhandled: b.oneOf("unhandled", "", "", "", "reject", "defer"), Lists: []string{"rows"}, Root: root}
	r := statechart.NewRegistry()
	r.Language(expression.Language{})
	c, err := statechart.Compile(d, r)
	if err != nil {
		return drawn{}
	}
	return drawn{c}
}).Filter(func(d drawn) bool { return d.Chart != nil })

// pick draws one of n evenly; what shrinks goes to the first. (What rapid draws
// itself leans to the first.)
func pick(t *rapid.T, what string, n int) int {
	return int(uint64(rapid.IntRange(0, 9999).Draw(t, what)) * 0x9e3779b97f4a7c15 >> 40 % uint64(n))
}

func (b *builder) chance(percent int) bool { return pick(b.t, "chance", 100) >= 100-percent }

func (b *builder) count(most int) int { return pick(b.t, "count", most+1) }

func (b *builder) oneOf(what string, all ...string) string { return all[pick(b.t, what, len(all))] }

// state makes a state with its children.
func (b *builder) state(depth int, name string) statechart.State {
	s := statechart.State{Name: name}
	if depth > 0 {
		s.ID = name
		b.names = append(b.names, name)
	}
	kind := "plain"
	if depth == 0 {
		kind = "compound"
	} else if depth < 3 {
		kind = b.oneOf("kind", "plain", "plain", "plain", "compound", "parallel")
	}
	switch kind {
	case "compound":
		b.children(&s, depth, 2+b.count(2-depth/2))
		s.Initial = s.States[0].Name
	case "parallel":
		s.Type = statechart.Parallel
		for range 2 {
			region := statechart.State{Name: b.name()}
			region.ID = region.Name
			b.children(&region, depth+1, 2)
			region.Initial = region.States[0].Name
			s.States = append(s.States, region)
		}
		b.history(&s)
	}
	return s
}

func (b *builder) name() string {
	b.n++
	return fmt.Sprint("s", b.n)
}

func (b *builder) children(s *statechart.State, depth, n int) {
	for range n {
		s.States = append(s.States, b.state(depth+1, b.name()))
	}
	if b.chance(20) {
		end := statechart.State{Name: b.name(), Type: statechart.Final}
		end.ID = end.Name
		s.States = append(s.States, end)
		if depth > 0 || b.chance(40) { // the end of the session comes seldom
			b.names = append(b.names, end.Name)
		}
	}
	b.history(s)
}

func (b *builder) history(s *statechart.State) {
	if s.Name == "root" || !b.chance(50) {
		return
	}
	h := statechart.State{Name: b.name(), Type: statechart.History, History: b.oneOf("history", "shallow", "deep")}
	h.ID = h.Name
	s.States = append(s.States, h)
	b.names = append(b.names, h.Name)
}

// fill gives a state and those below it what they do.
func (b *builder) fill(s *statechart.State, root bool) {
	if s.Type == statechart.Final || s.Type == statechart.History {
		return
	}
	for range 1 + b.count(4) {
		s.On = append(s.On, b.transition(b.oneOf("event", append([]string{"r0"}, events...)...)))
	}
	if !root {
		b.behaviour(s)
	}
	for i := range s.States {
		b.fill(&s.States[i], false)
	}
}

func (b *builder) behaviour(s *statechart.State) {
	if b.chance(30) {
		s.Entry = b.actions(2)
	}
	if b.chance(20) {
		s.Exit = b.actions(1)
	}
	if b.chance(30) {
		s.After = append(s.After, statechart.Timed{Delay: b.delay(), Keep: b.chance(30), Transitions: b.list(b.transition(""))})
	}
	if b.chance(8) {
		s.Every = append(s.Every, statechart.Timed{Delay: "1700ms", Missed: b.oneOf("missed", "", "all", "skip"), Transitions: b.list(statechart.Transition{Actions: b.actions(1)})})
	}
	if b.chance(15) {
		s.Defer = []string{b.oneOf("event", events...)}
	}
	if b.chance(8) {
		guarded := b.transition("")
		guarded.Guard = statechart.Condition{Expression: "n % 7 == 5"}
		s.Always = append(s.Always, guarded)
	}
	if b.chance(25) {
		own := "x" + s.Name
		s.Context = append(s.Context, statechart.Variable{Name: own, Value: statechart.Expression("n + 1")})
		s.Entry = append(s.Entry, statechart.Action{Assign: []statechart.Variable{{Name: own, Value: statechart.Expression(own + " * 2 + 1")}}})
		s.Promote = append(s.Promote, statechart.Promotion{Variable: "total", Value: statechart.Expression(own), Merge: "max"})
	}
	for i := range b.count(2) / 2 {
		s.Invoke = append(s.Invoke, b.invocation(fmt.Sprint(s.Name, "c", i)))
	}
	if len(s.States) > 0 && b.chance(40) {
		s.OnDone = b.list(b.transition(""))
	}
}

func (b *builder) list(t ...statechart.Transition) []statechart.Transition { return t }

func (b *builder) delay() string {
	return fmt.Sprint(10*[]int{30, 100, 500, 1, 2000, 0, 100, 500}[b.count(7)], "ms")
}

func (b *builder) transition(event string) statechart.Transition {
	t := statechart.Transition{Event: event}
	if b.chance(25) {
		t.Guard = statechart.Condition{Expression: statechart.Expression(b.oneOf("guard", "n < 4", "n % 2 == 0", "total > 3", "n > 2"))}
	}
	if b.chance(75) {
		t.Target = "#" + b.oneOf("target", b.names...)
	}
	if b.chance(10) {
		t.Type = statechart.External
	}
	if t.Target == "" || b.chance(40) {
		t.Actions = b.actions(2)
	}
	return t
}

// invocation is a call whose input says what becomes of it.
func (b *builder) invocation(id string) statechart.Invocation {
	i := statechart.Invocation{ID: id, Src: "tool:any", Mode: b.oneOf("mode", "at_least_once", "at_most_once"), Input: map[string]any{
		"after": []int64{3, 257, 1111, 4444}[b.count(3)], "gives": b.oneOf("gives", "done", "done", "error", "unknown")}}
	ends := []*[]statechart.Transition{&i.OnDone, &i.OnError, &i.OnUnknown}
	for _, end := range ends {
		if b.chance(85) {
			*end = b.list(b.transition(""))
		}
	}
	return i
}

func (b *builder) actions(most int) []statechart.Action {
	var out []statechart.Action
	for range 1 + b.count(most-1) {
		out = append(out, b.action())
	}
	return out
}

func (b *builder) action() statechart.Action {
	event := b.oneOf("event", events...)
	switch b.oneOf("action", "count", "count", "add", "raise", "self", "late", "cancel", "append", "emit", "do", "fail") {
	case "add":
		return statechart.Action{Assign: []statechart.Variable{{Name: "total", Value: statechart.Expression("(total + n) % 100")}}}
	case "raise":
		return statechart.Action{Raise: "r0"}
	case "self":
		return statechart.Action{Send: event, Data: map[string]any{"k": statechart.Expression("n")}}
	case "late":
		return statechart.Action{Send: event, Delay: b.delay(), ID: "late"}
	case "cancel":
		return statechart.Action{Cancel: "late"}
	case "append":
		return statechart.Action{Append: "rows", Data: statechart.Expression("n")}
	case "emit":
		return statechart.Action{Emit: "news", Data: statechart.Expression("total")}
	case "do":
		i := b.invocation("side")
		return statechart.Action{Do: &statechart.Invocation{ID: i.ID, Src: i.Src, Mode: i.Mode, Input: i.Input}}
	case "fail":
		if b.chance(20) {
			return statechart.Action{Fail: "on purpose"}
		}
	}
	return statechart.Action{Assign: []statechart.Variable{{Name: "n", Value: statechart.Expression("n + 1")}}}
}

// drawn is a chart that shows itself as a file.
type drawn struct{ *statechart.Chart }

// GoString is how a failing script prints it.
func (d drawn) GoString() string {
	text, err := chartfile.Write(d.Definition(), document.YAML)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

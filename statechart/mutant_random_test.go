package statechart_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// TestMutantForms plays small random charts whose steps are quick in every
// form: typed guards and actions and guards on the configuration, without
// timers, data or calls. All forms must do what an instance does that is
// traced, which takes the general way. TestDifferential holds the general way
// to the oracle, but few of its charts are so plain.
func TestMutantForms(t *testing.T) {
	const seed, charts = 1, 600
	for number := range uint64(charts) {
		g := &calm{Rand: rand.New(rand.NewPCG(seed, number))}
		d := g.definition()
		if difference := g.play(compile(t, d, diarist(calmGuards, calmActions...))); difference != "" {
			t.Fatalf("seed %d chart %d: %s\n%s", seed, number, difference, compact(d))
		}
	}
}

var (
	calmGuards  = []string{"g0", "g1", "g2"}
	calmActions = []string{"a0", "a1", "a2", "a3", "a4", "a5"}
	calmEvents  = []string{"e0", "e1", "e2", "f.x"}
)

// calm makes random calm charts.
type calm struct {
	*rand.Rand
	paths []string
}

func (g *calm) definition() Definition {
	s := g.state(0, "")
	s.Name = ""
	g.transitions(&s)
	return Definition{Unhandled: g.one("", "", "reject"), Root: s}
}

func (g *calm) one(of ...string) string { return of[g.IntN(len(of))] }

// state makes a state with all below it, still without transitions.
func (g *calm) state(depth int, path string) State {
	s := State{Entry: g.actions(2), Exit: g.actions(2)}
	if depth > 0 {
		g.paths = append(g.paths, path)
	}
	children := g.IntN(4)
	if depth == 0 {
		children = 2 + g.IntN(2)
	}
	if depth == 3 || children == 0 {
		return s
	}
	for i := range children {
		name := fmt.Sprintf("%c%d", 'a'+depth, i)
		child := g.state(depth+1, strings.TrimPrefix(path+"."+name, "."))
		child.Name = name
		s.States = append(s.States, child)
	}
	if g.IntN(3) == 0 {
		s.Type = statechart.Parallel
		return s
	}
	s.Initial, s.InitialActions = s.States[g.IntN(children)].Name, g.actions(1)
	return s
}

func (g *calm) actions(most int) []Action {
	var out []Action
	for range max(0, g.IntN(2*most+1)-most) {
		out = append(out, note(g.one(calmActions...)))
	}
	return out
}

// transitions gives each state a few.
func (g *calm) transitions(s *State) {
	for range g.IntN(3) {
		tr := Transition{Event: g.one("e0", "e0", "e1", "e1", "e2", "f.*", "*"), Actions: g.actions(3),
			Type: statechart.TransitionType(g.one("", "", "external", "internal"))}
		if g.IntN(4) > 0 {
			tr.Target = "#c." + g.one(g.paths...)
		}
		if g.IntN(2) == 0 {
			tr.Guard = g.guard(0)
		}
		s.On = append(s.On, tr)
	}
	for i := range s.States {
		g.transitions(&s.States[i])
	}
}

func (g *calm) guard(depth int) Condition {
	switch kind := g.IntN(8); {
	case depth == 2 || kind < 3:
		return statechart.When(g.one(calmGuards...))
	case kind == 3:
		part := g.guard(depth + 1)
		return Condition{Not: &part}
	case kind == 4:
		return Condition{And: []Condition{g.guard(depth + 1), g.guard(depth + 1)}}
	case kind == 5:
		return Condition{Or: []Condition{g.guard(depth + 1), g.guard(depth + 1)}}
	}
	return Condition{In: g.one(g.paths...)}
}

// play sends random events to an instance in each form and returns the first
// difference from the traced one.
func (g *calm) play(c *statechart.Chart) string {
	traced := c.Instance(newDiary())
	traced.Trace(&statechart.Trace{})
	bits := statechart.Cache{Configurations: -1, Regions: -1}
	others := map[string]*Instance{"planned": c.Instance(newDiary()), "planned before": c.Instance(newDiary()),
		"leaf per region": c.WithCache(statechart.Cache{Configurations: -1}).Instance(newDiary()), "bitsets": c.WithCache(bits).Instance(newDiary())}
	for range 30 {
		event, answers := g.one(calmEvents...), map[string]bool{}
		for _, name := range calmGuards {
			answers[name] = g.IntN(2) == 0
		}
		before := traced.Configuration()
		want := outcomeOf(traced, event, answers)
		for _, name := range []string{"planned", "planned before", "leaf per region", "bitsets"} {
			if got := outcomeOf(others[name], event, answers); got != want {
				return fmt.Sprintf("%s: %s in %q with %v is\n%s\nwant\n%s", name, event, before, answers, got, want)
			}
		}
	}
	return ""
}

// outcomeOf sends an event and says what can be seen of it.
func outcomeOf(in *Instance, event string, answers map[string]bool) string {
	d := in.Context().(*diary)
	maps.Copy(d.Answers, answers)
	said := told(in, event)
	// How often a guard is asked is a matter of cost.
	noted := slices.DeleteFunc(strings.Fields(d.take()), func(s string) bool { return strings.HasSuffix(s, "?") })
	return fmt.Sprintf("%s, active %q, noted %q, sequence %d", said, in.Configuration(), noted, in.Sequence())
}

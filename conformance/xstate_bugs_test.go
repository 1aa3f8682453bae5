//go:build !race

package conformance

import (
	"maps"
	"slices"
	"testing"

	"github.com/detent-run/detent/conformance/internal/xstate"
	"github.com/detent-run/detent/statechart"
)

// TestXStateHarnessNoticesBugs proves that the goldens are really compared:
// each of these changes to every chart of our side must be seen in some.
func TestXStateHarnessNoticesBugs(t *testing.T) {
	list := readGoldens(t)
	for _, name := range slices.Sorted(maps.Keys(xstateBugs)) {
		t.Run(name, func(t *testing.T) {
			for i, g := range list {
				v := golden(t, g)
				if v.Bad() {
					continue // told by TestXStateGoldens
				}
				steps, err := g.Observations()
				if err != nil {
					t.Fatal(err)
				}
				xstateBugs[name].in(&v.Case.Definition.Root)
				run, err := xstate.Ours(v.Case)
				if err == nil && xstate.Compare(run.Steps, steps) != nil {
					t.Logf("case %d notices", i)
					return
				}
			}
			t.Errorf("none of %d cases notices", len(list))
		})
	}
}

// stateBug changes one state; in changes all from one on.
type stateBug func(*statechart.State)

func (f stateBug) in(s *statechart.State) {
	f(s)
	for i := range s.States {
		f.in(&s.States[i])
	}
}

// xstateBugs are changes to the states of a chart that stand for bugs of our
// side.
var xstateBugs = map[string]stateBug{
	"transitions in reverse order": func(s *statechart.State) { slices.Reverse(s.On); slices.Reverse(s.Always) },
	"states in reverse order":      func(s *statechart.State) { slices.Reverse(s.States) },
	"reenter is forgotten": func(s *statechart.State) {
		everyTransition(s, func(t *statechart.Transition) { t.Type = statechart.Local })
	},
	"every transition reenters": func(s *statechart.State) {
		everyTransition(s, func(t *statechart.Transition) { t.Type = statechart.External })
	},
	"all history is shallow": func(s *statechart.State) {
		if s.Type == statechart.History {
			s.History = "shallow"
		}
	},
	"all history is deep": func(s *statechart.State) {
		if s.Type == statechart.History {
			s.History = "deep"
		}
	},
	"no exit actions":          func(s *statechart.State) { s.Exit = nil },
	"no initial actions":       func(s *statechart.State) { s.InitialActions = nil },
	"no eventless transitions": func(s *statechart.State) { s.Always = nil },
	"done events are lost":     func(s *statechart.State) { s.OnDone = nil },
	"timers a millisecond late": func(s *statechart.State) {
		for i := range s.After {
			if ms, ok := s.After[i].Delay.(int64); ok {
				s.After[i].Delay = ms + 1
			}
		}
	},
	"guards are ignored": func(s *statechart.State) {
		for i := range s.On {
			s.On[i].Guard = statechart.Condition{}
		}
	},
	"forbidden events are not": func(s *statechart.State) {
		s.On = slices.DeleteFunc(s.On, func(t statechart.Transition) bool { return t.Target == "" && len(t.Actions) == 0 })
	},
	"calls forget their input": func(s *statechart.State) {
		for i := range s.Invoke {
			s.Invoke[i].Input = nil
		}
	},
	"raise is a send": everyAction(func(a *statechart.Action) {
		if a.Raise != nil && a.Delay == nil {
			a.Raise, a.Send = nil, a.Raise
		}
	}),
	"cancel does nothing": everyAction(func(a *statechart.Action) {
		if a.Cancel != nil {
			a.Cancel = "nothing"
		}
	}),
	"else is then": everyAction(func(a *statechart.Action) {
		if a.If != nil && len(a.Else) > 0 {
			a.Then = a.Else
		}
	}),
	"assignments one after the other": everyAction(func(a *statechart.Action) {
		if len(a.Assign) == 2 {
			second := statechart.Action{Assign: a.Assign[1:]}
			*a = statechart.Action{If: &statechart.Condition{Expression: "true"}, Then: []statechart.Action{{Assign: a.Assign[:1]}, second}}
		}
	}),
}

func everyTransition(s *statechart.State, f func(*statechart.Transition)) {
	lists := [][]statechart.Transition{s.On, s.Always, s.OnDone}
	for i := range s.After {
		lists = append(lists, s.After[i].Transitions)
	}
	for i := range s.Invoke {
		lists = append(lists, s.Invoke[i].OnDone, s.Invoke[i].OnError)
	}
	for _, list := range lists {
		for i := range list {
			f(&list[i])
		}
	}
}

func everyAction(f func(*statechart.Action)) stateBug {
	var all func(list []statechart.Action)
	all = func(list []statechart.Action) {
		for i := range list {
			all(list[i].Then)
			all(list[i].Else)
			f(&list[i])
		}
	}
	return func(s *statechart.State) {
		all(s.Entry)
		all(s.Exit)
		all(s.InitialActions)
		everyTransition(s, func(t *statechart.Transition) { all(t.Actions) })
	}
}

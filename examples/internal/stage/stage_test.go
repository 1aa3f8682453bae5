package stage_test

import (
	"fmt"

	"github.com/detent-run/detent/examples/internal/stage"
	"github.com/detent-run/detent/statechart"
)

// A timer and an answer come in the order of their times; an answer that is
// due together with a timer comes first; one whose call was stopped never
// does.
func Example() {
	chart, err := statechart.Compile(statechart.Definition{ID: "stage", Root: statechart.State{
		Initial: "waiting",
		States: []statechart.State{{
			Name:   "waiting",
			Invoke: []statechart.Invocation{{ID: "early", Src: "tool:early"}, {ID: "late", Src: "tool:late"}},
			After:  []statechart.Timed{{Delay: "2s", Transitions: []statechart.Transition{{Target: "over"}}}},
			On:     []statechart.Transition{{Event: "done.invoke.early", Actions: []statechart.Action{{Raise: "noted"}}}},
		}, {
			Name: "over",
			On:   []statechart.Transition{{Event: "home", Target: "end"}},
		}, {
			Name: "end", Type: statechart.Final,
		}},
	}}, nil)
	if err != nil {
		panic(err)
	}
	after := map[string]int64{"early": 2000, "late": 3000}
	s := stage.Start(chart, statechart.Start{Session: "s"}, func(c stage.Call) stage.Answer {
		return stage.Answer{Kind: "done", After: after[c.ID]}
	})
	s.Wait(1999)
	fmt.Println("two seconds are almost over")
	s.Rest()
	s.Send("home", nil)
	s.Send("home", nil)

	// Output:
	// 0:00.0  start                      -> waiting
	//              calls tool:early
	//              calls tool:late
	// two seconds are almost over
	//    0:02.0  done.invoke.early          stays in waiting
	//              by way of noted
	//    0:02.0  (timer)                    -> over
	//    0:02.0  home                       -> end
	//              the session is completed
	//    0:02.0  home                       refused: the session is completed and takes no events
}

package detent

import (
	"errors"
	"strconv"

	"github.com/detent-run/detent/bench/internal/workload"
	"github.com/detent-run/detent/statechart"
)

// chartFor compiles the chart of a workload.
func chartFor(id workload.ID) (*statechart.Chart, error) {
	switch id {
	case workload.Flat:
		return compile(flatChart())
	case workload.Cycle, workload.CycleByName:
		return compile(cycleChart())
	case workload.Bubble, workload.Cross:
		return compile(deepChart())
	case workload.Regions:
		return compile(regionsChart())
	case workload.RegionsByLeaf:
		return compileWith(regionsChart(), statechart.Cache{Configurations: -1})
	case workload.RegionsByBits:
		return compileWith(regionsChart(), statechart.Cache{Configurations: -1, Regions: -1})
	}
	return nil, errors.ErrUnsupported
}

func compile(d statechart.Definition) (*statechart.Chart, error) {
	r := statechart.NewRegistry()
	statechart.Guard(r, "hasTask", func(c *workload.Context, _ statechart.Event) bool { return workload.HasTask(c) })
	statechart.Guard(r, "hasPlan", func(c *workload.Context, _ statechart.Event) bool { return workload.HasPlan(c) })
	statechart.Guard(r, "hasTool", func(c *workload.Context, _ statechart.Event) bool { return workload.HasTool(c) })
	statechart.Assign(r, "act", func(c *workload.Context, _ statechart.Event) { workload.Act(c) })
	statechart.Assign(r, "enter", func(c *workload.Context, _ statechart.Event) { workload.Enter(c) })
	statechart.Assign(r, "exit", func(c *workload.Context, _ statechart.Event) { workload.Exit(c) })
	return statechart.Compile(d, r)
}

func compileWith(d statechart.Definition, cache statechart.Cache) (*statechart.Chart, error) {
	chart, err := compile(d)
	if err != nil {
		return nil, err
	}
	return chart.WithCache(cache), nil
}

func call(name string) []statechart.Action { return []statechart.Action{{Call: name}} }

func flatChart() statechart.Definition {
	return statechart.Definition{ID: "flat", Root: statechart.State{Initial: "a", States: []statechart.State{
		{Name: "a", On: []statechart.Transition{{Event: "go_b", Target: "b"}}},
		{Name: "b", On: []statechart.Transition{{Event: "go_a", Target: "a"}}},
	}}}
}

func cycleChart() statechart.Definition {
	on := func(event, guard, target string) statechart.Transition {
		t := statechart.Transition{Event: event, Target: target, Actions: call("act")}
		if guard != "" {
			t.Guard = statechart.When(guard)
		}
		return t
	}
	state := func(name string, on ...statechart.Transition) statechart.State {
		return statechart.State{Name: name, On: on, Entry: call("enter"), Exit: call("exit")}
	}
	return statechart.Definition{ID: "cycle", Root: statechart.State{Initial: "idle", States: []statechart.State{
		state("idle", on("receive_task", "hasTask", "planning")),
		state("planning", on("plan_ready", "hasPlan", "executing")),
		state("executing", on("call_tool", "hasTool", "waiting"), on("finish", "", "completed"), on("fail", "", "failed")),
		state("waiting", on("tool_result", "", "executing")),
		state("completed", on("reset", "", "idle")),
		state("failed", on("reset", "", "idle")),
	}}}
}

func deepChart() statechart.Definition {
	state := func(name string, on []statechart.Transition, children ...statechart.State) statechart.State {
		s := statechart.State{Name: name, On: on, Entry: call("enter"), Exit: call("exit"), States: children}
		if len(children) > 0 {
			s.Initial = children[0].Name
		}
		return s
	}
	arm := func(name, other string) statechart.State {
		swap := []statechart.Transition{{Event: "swap", Target: "#deep." + other + "1." + other + "2." + other + "3"}}
		return state(name+"1", nil, state(name+"2", nil, state(name+"3", swap)))
	}
	return statechart.Definition{ID: "deep", Root: statechart.State{
		Initial: "a1",
		On:      []statechart.Transition{{Event: "ping", Actions: call("act")}},
		States:  []statechart.State{arm("a", "b"), arm("b", "a")},
	}}
}

func regionsChart() statechart.Definition {
	root := statechart.State{Type: statechart.Parallel}
	for i := range 8 {
		root.States = append(root.States, statechart.State{
			Name: "r" + strconv.Itoa(i), Initial: "off", States: []statechart.State{
				{Name: "off", On: []statechart.Transition{{Event: "tick", Target: "on"}}},
				{Name: "on", On: []statechart.Transition{{Event: "tick", Target: "off"}}},
			}})
	}
	return statechart.Definition{ID: "regions", Root: root}
}

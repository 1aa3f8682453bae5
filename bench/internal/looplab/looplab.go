// Package looplab runs the workloads on github.com/looplab/fsm: the flat
// ones, since it has no hierarchy and no regions.
//
// Events and states are strings there, so both forms of the cycle are the
// same to it. A guard is a before_EVENT callback that cancels; the action of
// a transition is an after_EVENT callback, which runs after the entry.
package looplab

import (
	"context"
	"errors"

	"github.com/looplab/fsm"

	"github.com/detent-run/detent/bench/internal/workload"
)

type machine struct {
	fsm     *fsm.FSM
	context *workload.Context
	events  []string
}

// New returns a started machine for a workload, or [errors.ErrUnsupported].
func New(id workload.ID) (workload.Machine, error) {
	c, w := workload.NewContext(), workload.ByID(id)
	switch id {
	case workload.Flat:
		return &pair{machine{newFlat(), c, w.Events}}, nil
	case workload.Cycle, workload.CycleByName:
		return &cycle{machine{newCycle(c), c, w.Events}}, nil
	}
	return nil, errors.ErrUnsupported
}

// Idle returns a maker of idle cycle machines that share their context. The
// tables belong to the machine and are part of what it takes.
func Idle() (func() any, error) {
	c := workload.NewContext()
	return func() any { return newCycle(c) }, nil
}

func newFlat() *fsm.FSM {
	return fsm.NewFSM("a", fsm.Events{
		{Name: "go_b", Src: []string{"a"}, Dst: "b"},
		{Name: "go_a", Src: []string{"b"}, Dst: "a"},
	}, nil)
}

func newCycle(c *workload.Context) *fsm.FSM {
	events := fsm.Events{
		{Name: "receive_task", Src: []string{"idle"}, Dst: "planning"},
		{Name: "plan_ready", Src: []string{"planning"}, Dst: "executing"},
		{Name: "call_tool", Src: []string{"executing"}, Dst: "waiting"},
		{Name: "tool_result", Src: []string{"waiting"}, Dst: "executing"},
		{Name: "finish", Src: []string{"executing"}, Dst: "completed"},
		{Name: "fail", Src: []string{"executing"}, Dst: "failed"},
		{Name: "reset", Src: []string{"completed", "failed"}, Dst: "idle"},
	}
	guard := func(f func(*workload.Context) bool) fsm.Callback {
		return func(_ context.Context, e *fsm.Event) {
			if !f(c) {
				e.Cancel()
			}
		}
	}
	callbacks := fsm.Callbacks{
		"before_receive_task": guard(workload.HasTask),
		"before_plan_ready":   guard(workload.HasPlan),
		"before_call_tool":    guard(workload.HasTool),
	}
	for _, e := range events {
		callbacks["after_"+e.Name] = func(context.Context, *fsm.Event) { workload.Act(c) }
		callbacks["enter_"+e.Dst] = func(context.Context, *fsm.Event) { workload.Enter(c) }
		callbacks["leave_"+e.Dst] = func(context.Context, *fsm.Event) { workload.Exit(c) }
	}
	return fsm.NewFSM("idle", events, callbacks)
}

func (m *machine) Send(i int) bool { return m.fsm.Event(context.Background(), m.events[i]) == nil }

func (m *machine) State() string { return m.fsm.Current() }

func (m *machine) Counts() workload.Counts { return m.context.Counts }

type pair struct{ machine }

func (m *pair) Laps(n int) bool {
	f, first, second, ctx := m.fsm, m.events[0], m.events[1], context.Background()
	for range n {
		if f.Event(ctx, first) != nil || f.Event(ctx, second) != nil {
			return false
		}
	}
	return true
}

type cycle struct{ machine }

func (m *cycle) Laps(n int) bool {
	f, events, ctx := m.fsm, m.events, context.Background()
	for range n {
		for _, event := range events {
			if f.Event(ctx, event) != nil {
				return false
			}
		}
	}
	return true
}

// Package stateless runs the workloads on github.com/qmuntal/stateless: all
// but the regions, which it does not have.
//
// States and triggers are of type any there. Both are small integers, boxed
// beforehand, except that the workload with events by name uses strings. An
// action of a transition is written as an entry action that asks for the
// trigger, the library's only form of it.
package stateless

import (
	"context"
	"errors"

	"github.com/qmuntal/stateless"

	"github.com/detent-run/detent/bench/internal/workload"
)

// Immediate and Queued are the library's two modes. Queued, its default,
// finishes an event before it takes the next, as Detent does; Immediate is
// faster.
const (
	Immediate = stateless.FiringImmediate
	Queued    = stateless.FiringQueued
)

// machine drives one StateMachine.
type machine struct {
	sm       *stateless.StateMachine
	context  *workload.Context
	triggers []stateless.Trigger
	names    []string // of the states
}

// New returns a started machine for a workload, or [errors.ErrUnsupported].
func New(id workload.ID, mode stateless.FiringMode) (workload.Machine, error) {
	c := workload.NewContext()
	switch id {
	case workload.Flat:
		sm := stateless.NewStateMachineWithMode(a, mode)
		buildFlat(sm)
		return &pair{machine{sm, c, []stateless.Trigger{goB, goA}, []string{"a", "b"}}}, nil
	case workload.Cycle:
		sm := stateless.NewStateMachineWithMode(idle, mode)
		buildCycle(sm, c, byNumber)
		return &cycle{machine{sm, c, byNumber[:6], cycleStates}}, nil
	case workload.CycleByName:
		sm := stateless.NewStateMachineWithMode(idle, mode)
		buildCycle(sm, c, byName)
		return &cycle{machine{sm, c, byName[:6], cycleStates}}, nil
	case workload.Bubble, workload.Cross:
		sm := stateless.NewStateMachineWithMode(a3, mode)
		buildDeep(sm, c)
		event := stateless.Trigger(ping)
		if id == workload.Cross {
			event = swap
		}
		return &pair{machine{sm, c, []stateless.Trigger{event, event}, deepStates}}, nil
	}
	return nil, errors.ErrUnsupported
}

// Idle returns a maker of idle cycle machines that share their context. The
// configuration belongs to the machine and is part of what it takes.
func Idle(mode stateless.FiringMode) (func() any, error) {
	c := workload.NewContext()
	return func() any {
		sm := stateless.NewStateMachineWithMode(idle, mode)
		buildCycle(sm, c, byNumber)
		return sm
	}, nil
}

func (m *machine) Send(i int) bool { return m.sm.Fire(m.triggers[i]) == nil }

func (m *machine) State() string { return m.names[m.sm.MustState().(state)] }

func (m *machine) Counts() workload.Counts { return m.context.Counts }

type pair struct{ machine }

func (m *pair) Laps(n int) bool {
	sm, first, second := m.sm, m.triggers[0], m.triggers[1]
	for range n {
		if sm.Fire(first) != nil || sm.Fire(second) != nil {
			return false
		}
	}
	return true
}

type cycle struct{ machine }

func (m *cycle) Laps(n int) bool {
	sm, triggers := m.sm, m.triggers
	for range n {
		for _, t := range triggers {
			if sm.Fire(t) != nil {
				return false
			}
		}
	}
	return true
}

func act(c *workload.Context) stateless.ActionFunc {
	return func(context.Context, ...any) error { workload.Act(c); return nil }
}

func enter(c *workload.Context) stateless.ActionFunc {
	return func(context.Context, ...any) error { workload.Enter(c); return nil }
}

func exit(c *workload.Context) stateless.ActionFunc {
	return func(context.Context, ...any) error { workload.Exit(c); return nil }
}

package stateless

import (
	"context"

	"github.com/qmuntal/stateless"

	"github.com/detent-run/detent/bench/internal/workload"
)

// state and event are the numbers that states and triggers are made of.
type (
	state int
	event int
)

const (
	a state = iota
	b
)

const (
	goB event = iota
	goA
)

func buildFlat(sm *stateless.StateMachine) {
	sm.Configure(a).Permit(goB, b)
	sm.Configure(b).Permit(goA, a)
}

const (
	idle state = iota
	planning
	executing
	waiting
	completed
	failed
)

var cycleStates = []string{"idle", "planning", "executing", "waiting", "completed", "failed"}

// The places of the cycle's triggers in byNumber and byName.
const (
	receiveTask event = iota
	planReady
	callTool
	toolResult
	finish
	reset
	fail
)

var (
	byNumber = []stateless.Trigger{receiveTask, planReady, callTool, toolResult, finish, reset, fail}
	byName   = []stateless.Trigger{"receive_task", "plan_ready", "call_tool", "tool_result", "finish", "reset", "fail"}
)

func buildCycle(sm *stateless.StateMachine, c *workload.Context, on []stateless.Trigger) {
	guard := func(f func(*workload.Context) bool) stateless.GuardFunc {
		return func(context.Context, ...any) bool { return f(c) }
	}
	do, in, out := act(c), enter(c), exit(c)
	// In this library the action of a transition belongs to the state it
	// leads to. It is configured before the entry action, so it runs first.
	sm.Configure(idle).
		Permit(on[receiveTask], planning, guard(workload.HasTask)).
		OnEntryFrom(on[reset], do).OnEntry(in).OnExit(out)
	sm.Configure(planning).
		Permit(on[planReady], executing, guard(workload.HasPlan)).
		OnEntryFrom(on[receiveTask], do).OnEntry(in).OnExit(out)
	sm.Configure(executing).
		Permit(on[callTool], waiting, guard(workload.HasTool)).
		Permit(on[finish], completed).
		Permit(on[fail], failed).
		OnEntryFrom(on[planReady], do).OnEntryFrom(on[toolResult], do).OnEntry(in).OnExit(out)
	sm.Configure(waiting).
		Permit(on[toolResult], executing).
		OnEntryFrom(on[callTool], do).OnEntry(in).OnExit(out)
	sm.Configure(completed).
		Permit(on[reset], idle).
		OnEntryFrom(on[finish], do).OnEntry(in).OnExit(out)
	sm.Configure(failed).
		Permit(on[reset], idle).
		OnEntryFrom(on[fail], do).OnEntry(in).OnExit(out)
}

const (
	root state = iota
	a1
	a2
	a3
	b1
	b2
	b3
)

const (
	ping event = iota
	swap
)

var deepStates = []string{"", "a1", "a1.a2", "a1.a2.a3", "b1", "b1.b2", "b1.b2.b3"}

func buildDeep(sm *stateless.StateMachine, c *workload.Context) {
	in, out := enter(c), exit(c)
	arm := func(first, second, leaf, other state) {
		sm.Configure(first).SubstateOf(root).InitialTransition(second).OnEntry(in).OnExit(out)
		sm.Configure(second).SubstateOf(first).InitialTransition(leaf).OnEntry(in).OnExit(out)
		sm.Configure(leaf).SubstateOf(second).OnEntry(in).OnExit(out).Permit(swap, other)
	}
	sm.Configure(root).InitialTransition(a1).InternalTransition(ping, act(c))
	arm(a1, a2, a3, b3)
	arm(b1, b2, b3, a3)
}

package handwritten

import "github.com/detent-run/detent/bench/internal/workload"

// The states and events of the cycle.
const (
	idle uint8 = iota
	planning
	executing
	waiting
	completed
	failed
)

const (
	receiveTask uint8 = iota
	planReady
	callTool
	toolResult
	finish
	reset
	fail
)

// Agent is the cycle as a switch. Its size is what an idle instance takes.
type Agent struct {
	hooks   *Hooks
	context *workload.Context
	state   uint8
}

// NewAgent returns an agent in state idle.
func NewAgent(h *Hooks, c *workload.Context) *Agent { return &Agent{hooks: h, context: c} }

//go:noinline
func (m *Agent) send(event uint8) bool {
	switch m.state {
	case idle:
		if event == receiveTask && m.hooks.Guard[0](m.context) {
			return m.move(idle, planning, receiveTask)
		}
	case planning:
		if event == planReady && m.hooks.Guard[1](m.context) {
			return m.move(planning, executing, planReady)
		}
	case executing:
		switch event {
		case callTool:
			if m.hooks.Guard[2](m.context) {
				return m.move(executing, waiting, callTool)
			}
		case finish:
			return m.move(executing, completed, finish)
		case fail:
			return m.move(executing, failed, fail)
		}
	case waiting:
		if event == toolResult {
			return m.move(waiting, executing, toolResult)
		}
	case completed, failed:
		if event == reset {
			return m.move(m.state, idle, reset)
		}
	}
	return false
}

func (m *Agent) move(from, to, event uint8) bool {
	m.hooks.Exit[from](m.context)
	m.hooks.Act[event](m.context)
	m.state = to
	m.hooks.Entry[to](m.context)
	return true
}

// sendNamed is send for a caller that holds names. The compiler makes a
// search by length and bytes of it, without a map.
//
//go:noinline
func (m *Agent) sendNamed(event string) bool {
	switch event {
	case "receive_task":
		return m.send(receiveTask)
	case "plan_ready":
		return m.send(planReady)
	case "call_tool":
		return m.send(callTool)
	case "tool_result":
		return m.send(toolResult)
	case "finish":
		return m.send(finish)
	case "reset":
		return m.send(reset)
	case "fail":
		return m.send(fail)
	}
	return false
}

// State returns the state's name.
func (m *Agent) State() string {
	return [...]string{"idle", "planning", "executing", "waiting", "completed", "failed"}[m.state]
}

// Counts returns what has run.
func (m *Agent) Counts() workload.Counts { return m.context.Counts }

type cycle struct {
	*Agent
	events []uint8
}

func newCycle() *cycle {
	return &cycle{NewAgent(NewHooks(), workload.NewContext()),
		[]uint8{receiveTask, planReady, callTool, toolResult, finish, reset}}
}

func (m *cycle) Laps(n int) bool {
	events := m.events
	for range n {
		for _, event := range events {
			if !m.send(event) {
				return false
			}
		}
	}
	return true
}

func (m *cycle) Send(i int) bool { return m.send(m.events[i]) }

type namedCycle struct {
	*Agent
	events []string
}

func newNamedCycle(w workload.Workload) *namedCycle {
	return &namedCycle{NewAgent(NewHooks(), workload.NewContext()), w.Events}
}

func (m *namedCycle) Laps(n int) bool {
	events := m.events
	for range n {
		for _, event := range events {
			if !m.sendNamed(event) {
				return false
			}
		}
	}
	return true
}

func (m *namedCycle) Send(i int) bool { return m.sendNamed(m.events[i]) }

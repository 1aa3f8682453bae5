package handwritten

import "github.com/detent-run/detent/bench/internal/workload"

// The events of the deep machine.
const (
	ping uint8 = iota
	swap
)

// deep is the two arms a1.a2.a3 and b1.b2.b3 as a switch over the leaf: the
// root's handler stands where any leaf finds it, and the states to leave and
// to enter are written out.
type deep struct {
	hooks   *Hooks
	context *workload.Context
	state   uint8 // 0: a3, 1: b3
	event   uint8 // the one that laps send
}

func newDeep(event uint8) *deep {
	return &deep{hooks: NewHooks(), context: workload.NewContext(), event: event}
}

//go:noinline
func (m *deep) send(event uint8) bool {
	h, c := m.hooks, m.context
	switch event {
	case ping:
		h.Act[0](c)
		return true
	case swap:
		switch m.state {
		case 0:
			h.Exit[0](c)
			h.Exit[1](c)
			h.Exit[2](c)
			m.state = 1
			h.Entry[3](c)
			h.Entry[4](c)
			h.Entry[5](c)
			return true
		case 1:
			h.Exit[3](c)
			h.Exit[4](c)
			h.Exit[5](c)
			m.state = 0
			h.Entry[0](c)
			h.Entry[1](c)
			h.Entry[2](c)
			return true
		}
	}
	return false
}

func (m *deep) Laps(n int) bool {
	event := m.event
	for range n {
		//lint:ignore SA4000 a lap is the event twice
		if !m.send(event) || !m.send(event) {
			return false
		}
	}
	return true
}

func (m *deep) Send(int) bool { return m.send(m.event) }

func (m *deep) State() string { return [...]string{"a1.a2.a3", "b1.b2.b3"}[m.state] }

func (m *deep) Counts() workload.Counts { return m.context.Counts }

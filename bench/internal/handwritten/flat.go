package handwritten

import "github.com/detent-run/detent/bench/internal/workload"

// The events of the flat machine.
const (
	goB uint8 = iota
	goA
)

// flat has the states 0 (a) and 1 (b).
type flat struct{ state uint8 }

//go:noinline
func (m *flat) send(event uint8) bool {
	switch m.state {
	case 0:
		if event == goB {
			m.state = 1
			return true
		}
	case 1:
		if event == goA {
			m.state = 0
			return true
		}
	}
	return false
}

func (m *flat) Laps(n int) bool {
	for range n {
		if !m.send(goB) || !m.send(goA) {
			return false
		}
	}
	return true
}

func (m *flat) Send(i int) bool { return m.send([...]uint8{goB, goA}[i]) }

func (m *flat) State() string { return [...]string{"a", "b"}[m.state] }

func (m *flat) Counts() workload.Counts { return workload.Counts{} }

package handwritten

import (
	"strconv"
	"strings"

	"github.com/detent-run/detent/bench/internal/workload"
)

const tick uint8 = 0

// regions is eight machines of two states (0 off, 1 on) side by side. A
// switch over all 256 configurations would be faster and is what nobody
// writes.
type regions struct{ state [8]uint8 }

//go:noinline
func (m *regions) send(event uint8) bool {
	if event != tick {
		return false
	}
	taken := false
	for i := range m.state {
		switch m.state[i] {
		case 0:
			m.state[i] = 1
			taken = true
		case 1:
			m.state[i] = 0
			taken = true
		}
	}
	return taken
}

func (m *regions) Laps(n int) bool {
	for range n {
		//lint:ignore SA4000 a lap is the event twice
		if !m.send(tick) || !m.send(tick) {
			return false
		}
	}
	return true
}

func (m *regions) Send(int) bool { return m.send(tick) }

func (m *regions) State() string {
	leaves := make([]string, len(m.state))
	for i, s := range m.state {
		leaves[i] = "r" + strconv.Itoa(i) + [...]string{".off", ".on"}[s]
	}
	return strings.Join(leaves, " ")
}

func (m *regions) Counts() workload.Counts { return workload.Counts{} }

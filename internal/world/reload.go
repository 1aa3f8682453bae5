package world

import (
	"fmt"

	"github.com/detent-run/detent/statechart"
)

// reload puts a session through its encoded form (R31). A snapshot that does
// not read back is a broken invariant of the core, not a state of the world.
func (w *World) reload(s *session) {
	if !w.options.Reload || !s.active() {
		return
	}
	data, err := s.in.Snapshot().Encode()
	if err != nil {
		panic(fmt.Sprintf("world: internal error: session %s does not encode: %v", s.id, err))
	}
	snapshot, err := s.chart.Decode(data)
	if err != nil {
		panic(fmt.Sprintf("world: internal error: session %s does not decode: %v\n%s", s.id, err, data))
	}
	in := new(statechart.Instance)
	if err := s.chart.Resume(in, snapshot); err != nil {
		panic(fmt.Sprintf("world: internal error: session %s does not resume: %v\n%s", s.id, err, data))
	}
	in.SetRows(s.read)
	s.in = in
}

// Package peer lists who takes part in the benchmark.
package peer

import (
	"fmt"

	"github.com/detent-run/detent/bench/internal/detent"
	"github.com/detent-run/detent/bench/internal/handwritten"
	"github.com/detent-run/detent/bench/internal/looplab"
	"github.com/detent-run/detent/bench/internal/stateless"
	"github.com/detent-run/detent/bench/internal/workload"
)

// A Peer is one way of building the machines of the workloads.
type Peer struct {
	// Name stands in the report.
	Name string
	// New returns a started machine, or [errors.ErrUnsupported] when the
	// peer cannot express the workload.
	New func(workload.ID) (workload.Machine, error)
	// Idle returns a maker of idle machines of the workload Cycle that share
	// with each other what the peer can share.
	Idle func() (func() any, error)
}

// The names of the two peers that the targets speak of.
const (
	Detent = "detent"
	Switch = "switch"
)

// All returns the peers in the order of the report.
func All() []Peer {
	return []Peer{
		{Name: Detent, New: detent.New, Idle: detent.Idle},
		{Name: Switch, New: handwritten.New, Idle: handwritten.Idle},
		{
			Name: "stateless",
			New:  func(id workload.ID) (workload.Machine, error) { return stateless.New(id, stateless.Immediate) },
			Idle: func() (func() any, error) { return stateless.Idle(stateless.Immediate) },
		},
		{
			Name: "stateless-queued",
			New:  func(id workload.ID) (workload.Machine, error) { return stateless.New(id, stateless.Queued) },
			Idle: func() (func() any, error) { return stateless.Idle(stateless.Queued) },
		},
		{Name: "looplab", New: looplab.New, Idle: looplab.Idle},
	}
}

// ByName returns the peer called name; it panics if there is none.
func ByName(name string) Peer {
	for _, p := range All() {
		if p.Name == name {
			return p
		}
	}
	panic(fmt.Sprintf("peer: internal error: no peer %q", name))
}

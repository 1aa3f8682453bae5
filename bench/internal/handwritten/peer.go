package handwritten

import (
	"errors"

	"github.com/detent-run/detent/bench/internal/workload"
)

// New returns a started machine for a workload, or [errors.ErrUnsupported].
func New(id workload.ID) (workload.Machine, error) {
	switch id {
	case workload.Flat:
		return &flat{}, nil
	case workload.Cycle:
		return newCycle(), nil
	case workload.CycleByName:
		return newNamedCycle(workload.ByID(id)), nil
	case workload.Bubble:
		return newDeep(ping), nil
	case workload.Cross:
		return newDeep(swap), nil
	case workload.Regions, workload.RegionsByLeaf, workload.RegionsByBits:
		return &regions{}, nil
	}
	return nil, errors.ErrUnsupported
}

// Idle returns a maker of idle cycle machines that share context and hooks.
func Idle() (func() any, error) {
	h, c := NewHooks(), workload.NewContext()
	return func() any { return NewAgent(h, c) }, nil
}

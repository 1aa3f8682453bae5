package peer

import (
	"errors"
	"slices"
	"testing"

	"github.com/detent-run/detent/bench/internal/workload"
)

// Every peer goes through the very same states and runs the same number of
// callbacks: what is compared is equal work.
func TestEqualWork(t *testing.T) {
	for _, p := range All() {
		for _, w := range workload.All() {
			t.Run(p.Name+"/"+string(w.ID), func(t *testing.T) {
				m, err := p.New(w.ID)
				if errors.Is(err, errors.ErrUnsupported) {
					return // TestExpressible says who may
				}
				if err != nil {
					t.Fatal(err)
				}
				if err := w.Walk(m); err != nil {
					t.Error(err)
				}
				if err := w.Run(m, 100); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// What each peer can express is a claim of the report, so it is pinned here.
func TestExpressible(t *testing.T) {
	everything := []workload.ID{workload.Flat, workload.Cycle, workload.CycleByName, workload.Bubble,
		workload.Cross, workload.Regions, workload.RegionsByLeaf, workload.RegionsByBits}
	want := map[string][]workload.ID{
		Detent:             everything,
		Switch:             everything,
		"stateless":        everything[:5],
		"stateless-queued": everything[:5],
		"looplab":          everything[:3],
	}
	for _, p := range All() {
		var got []workload.ID
		for _, w := range workload.All() {
			if _, err := p.New(w.ID); !errors.Is(err, errors.ErrUnsupported) {
				got = append(got, w.ID)
			}
		}
		if !slices.Equal(got, want[p.Name]) {
			t.Errorf("%s expresses %v, want %v", p.Name, got, want[p.Name])
		}
	}
}

package main

import (
	"errors"
	"testing"
	"unsafe"

	"github.com/detent-run/detent/bench/internal/measure"
	"github.com/detent-run/detent/bench/internal/peer"
	"github.com/detent-run/detent/bench/internal/workload"
	"github.com/detent-run/detent/statechart"
)

// The figures for benchstat, in its key=value form: BenchmarkStep/workload=W/peer=P.
// b.N counts events. Beside the wall time that go test reports there is
// cpu-ns/op, the one to compare when the computer is not idle.
func BenchmarkStep(b *testing.B) {
	for _, w := range workload.All() {
		for _, p := range peer.All() {
			m, err := p.New(w.ID)
			if errors.Is(err, errors.ErrUnsupported) {
				continue
			}
			if err != nil {
				b.Fatal(err)
			}
			b.Run("workload="+string(w.ID)+"/peer="+p.Name, func(b *testing.B) {
				laps := (b.N + len(w.Events) - 1) / len(w.Events)
				b.ReportAllocs()
				start := measure.CPUTime()
				b.ResetTimer()
				err := w.Run(m, laps)
				b.StopTimer()
				b.ReportMetric(float64(measure.CPUTime()-start)/float64(b.N), "cpu-ns/op")
				if err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}

// No event of any workload allocates, in whichever form Detent holds the
// configuration.
func TestAllocations(t *testing.T) {
	for _, w := range workload.All() {
		t.Run(string(w.ID), func(t *testing.T) {
			m, err := peer.ByName(peer.Detent).New(w.ID)
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Walk(m); err != nil { // also fills the plan cache
				t.Fatal(err)
			}
			before, runs := m.Counts(), 0
			perLap := testing.AllocsPerRun(1000, func() {
				if !m.Laps(1) {
					t.Fatal("an event was not taken")
				}
				runs++
			})
			if perLap != 0 {
				t.Errorf("%v allocations in a lap of %d events, want 0", perLap, len(w.Events))
			}
			if err := w.Check(m, before, runs); err != nil {
				t.Error(err)
			}
		})
	}
}

// The size that the README promises, without the user's context.
const idleBytes = 32

func TestIdleSize(t *testing.T) {
	if size := unsafe.Sizeof(statechart.Instance{}); size > idleBytes {
		t.Errorf("an Instance takes %d bytes, want at most %d", size, idleBytes)
	}
	create, err := peer.ByName(peer.Detent).Idle()
	if err != nil {
		t.Fatal(err)
	}
	const n = 50_000
	if heap := measure.Heap(n, create); heap > idleBytes+0.5 {
		t.Errorf("an idle instance keeps %.1f bytes of heap, want at most %d", heap, idleBytes)
	}
}

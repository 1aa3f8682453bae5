// Package report holds the figures of one run, judges them by the targets,
// and prints them: as text for people, as Markdown for README.md, as JSON.
package report

import (
	"math"

	"github.com/detent-run/detent/bench/internal/measure"
	"github.com/detent-run/detent/bench/internal/peer"
	"github.com/detent-run/detent/bench/internal/workload"
)

// Report is one run. Its JSON form is what -json prints.
type Report struct {
	Environment Environment `json:"environment"`
	// Results are by workload, then by peer. A peer that cannot express a
	// workload has none for it.
	Results []Result `json:"results"`
	// Idle is the heap of one idle instance of the cycle.
	Idle []Idle `json:"idle"`
	// Verdicts are the targets and what became of them.
	Verdicts []Verdict `json:"targets"`
}

// Environment is where and how the figures were taken.
type Environment struct {
	Date    string `json:"date"`
	Machine string `json:"machine"`
	Go      string `json:"go"`
	Command string `json:"command"`
	// CPUTime is false on systems where only wall time could be had.
	CPUTime bool `json:"cpuTime"`
}

// Result is one peer on one workload. Times are per event, in nanoseconds.
type Result struct {
	Workload workload.ID `json:"workload"`
	Peer     string      `json:"peer"`
	NS       float64     `json:"ns"`
	// Spread is the reach of the middle half of the samples, as a share of NS.
	Spread float64 `json:"spread"`
	Allocs float64 `json:"allocs"`
	Bytes  float64 `json:"bytes"`
	// Ratio is Detent's time divided by this peer's; of Detent itself it is 1.
	Ratio   float64   `json:"ratio"`
	Samples []float64 `json:"samples"`
}

// Idle is the heap of one idle instance.
type Idle struct {
	Peer  string  `json:"peer"`
	Bytes float64 `json:"bytes"`
	// Ratio is Detent's bytes divided by this peer's.
	Ratio float64 `json:"ratio"`
}

// Add adds the measurements of one workload, in the order they should print.
func (r *Report) Add(id workload.ID, measurements []measure.Measurement) {
	ours := measurements[indexOf(measurements, peer.Detent)]
	for _, m := range measurements {
		r.Results = append(r.Results, Result{
			Workload: id, Peer: m.Name, NS: m.NS(), Spread: m.Spread(),
			Allocs: m.Allocs, Bytes: m.Bytes, Ratio: ours.Ratio(m), Samples: m.Samples,
		})
	}
}

func indexOf(measurements []measure.Measurement, name string) int {
	for i, m := range measurements {
		if m.Name == name {
			return i
		}
	}
	panic("report: internal error: no measurement of " + name)
}

// AddIdle adds a peer's bytes per idle instance; Detent's come first. They
// are rounded: the fraction is what the runtime does on the side.
func (r *Report) AddIdle(name string, bytes float64) {
	bytes = math.Round(bytes)
	r.Idle = append(r.Idle, Idle{Peer: name, Bytes: bytes, Ratio: 1})
	last := &r.Idle[len(r.Idle)-1]
	last.Ratio = r.Idle[0].Bytes / last.Bytes
}

// Result returns the figures of one peer on one workload.
func (r *Report) Result(id workload.ID, peerName string) (Result, bool) {
	for _, x := range r.Results {
		if x.Workload == id && x.Peer == peerName {
			return x, true
		}
	}
	return Result{}, false
}

package report

import (
	"github.com/detent-run/detent/bench/internal/peer"
	"github.com/detent-run/detent/bench/internal/workload"
)

// Verdict is one target and what became of it.
type Verdict struct {
	// Name says what was measured, Unit in what.
	Name string `json:"name"`
	Unit string `json:"unit"`
	// Limit is the most that is allowed, Value what it was.
	Limit float64 `json:"limit"`
	Value float64 `json:"value"`
	OK    bool    `json:"ok"`
	// Decides is true of targets that mean the same on every computer: the
	// ratios to the switch, allocations, sizes. Nanoseconds do not decide.
	Decides bool `json:"decides"`
}

// target is what is asked of Detent on one workload.
type target struct {
	id workload.ID
	ns float64
	// ratio is to the hand-written switch of the same run; 0 asks nothing.
	ratio float64
}

var targets = []target{
	{workload.Flat, 6, 3},
	{workload.Cycle, 16, 1.6},
	{workload.CycleByName, 28, 0},
	{workload.Bubble, 10, 2.5},
	{workload.Cross, 25, 2.2},
	{workload.Regions, 6, 1},
	{workload.RegionsByLeaf, 15, 0},
	{workload.RegionsByBits, 70, 0},
}

// idleLimit is in bytes, without the user's context.
const idleLimit = 32

// allocationNoise is how much the runtime itself may allocate per event
// before it counts: a slice has millions of events.
const allocationNoise = 0.001

// Judge fills in the verdicts. It must be called when all results are there.
func (r *Report) Judge() {
	r.Verdicts = nil
	var allocs float64
	for _, t := range targets {
		x, ok := r.Result(t.id, peer.Detent)
		allocs = max(allocs, x.Allocs)
		r.judge(Verdict{Name: string(t.id), Unit: "ns", Limit: t.ns, Value: x.NS}, ok)
	}
	for _, t := range targets {
		if t.ratio > 0 {
			x, ok := r.Result(t.id, peer.Switch)
			r.judge(Verdict{Name: string(t.id) + " / switch", Unit: "x", Limit: t.ratio, Value: x.Ratio, Decides: true}, ok)
		}
	}
	if allocs < allocationNoise {
		allocs = 0
	}
	r.judge(Verdict{Name: "allocations, most of any", Unit: "per event", Limit: 0, Value: allocs, Decides: true}, len(r.Results) > 0)
	idle := Verdict{Name: "idle instance", Unit: "bytes", Limit: idleLimit, Decides: true}
	if len(r.Idle) > 0 {
		idle.Value = r.Idle[0].Bytes
	}
	r.judge(idle, len(r.Idle) > 0)
}

// judge compares value and limit as they print, so that a line never reads
// "1.60 of 1.60 MISSED". What was not measured is missed.
func (r *Report) judge(v Verdict, measured bool) {
	v.OK = measured && hundredths(v.Value) <= hundredths(v.Limit)
	r.Verdicts = append(r.Verdicts, v)
}

func hundredths(f float64) int64 { return int64(f*100 + 0.5) }

// Holds reports whether every target that decides is met.
func (r *Report) Holds() bool {
	for _, v := range r.Verdicts {
		if v.Decides && !v.OK {
			return false
		}
	}
	return len(r.Verdicts) > 0
}

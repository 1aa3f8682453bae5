package report

import (
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/detent-run/detent/bench/internal/measure"
	"github.com/detent-run/detent/bench/internal/peer"
	"github.com/detent-run/detent/bench/internal/workload"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// made is a report whose every target is just met.
func made() *Report {
	r := &Report{Environment: Environment{
		Date: "2026-01-02", Machine: "an abacus", Go: "go1.26", Command: "go run . -markdown", CPUTime: true}}
	for _, t := range targets {
		ratio := t.ratio
		if ratio == 0 {
			ratio = 2
		}
		r.Add(t.id, figures(t, t.ns, t.ns/ratio))
	}
	for i, p := range peer.All() {
		r.AddIdle(p.Name, 32*float64(1+i))
	}
	r.Judge()
	return r
}

// figures are the measurements of all peers that can express the workload.
func figures(t target, ours, limit float64) []measure.Measurement {
	samples := func(ns float64) []float64 { return []float64{0.9 * ns, ns, 1.2 * ns} }
	out := []measure.Measurement{
		{Name: peer.Detent, Samples: samples(ours)},
		{Name: peer.Switch, Samples: samples(limit)},
	}
	if !strings.HasPrefix(string(t.id), "regions") {
		out = append(out,
			measure.Measurement{Name: "stateless", Samples: samples(200), Allocs: 6.5, Bytes: 344.2},
			measure.Measurement{Name: "stateless-queued", Samples: samples(300), Allocs: 7.5, Bytes: 408})
	}
	if t.id == workload.Flat || t.id == workload.Cycle {
		out = append(out, measure.Measurement{Name: "looplab", Samples: samples(1000), Allocs: 5.0001, Bytes: 288.7})
	}
	return out
}

func TestText(t *testing.T)     { golden(t, "report.txt", (*Report).WriteText) }
func TestMarkdown(t *testing.T) { golden(t, "report.md", (*Report).WriteMarkdown) }

func golden(t *testing.T, name string, write func(*Report, io.Writer) error) {
	t.Helper()
	var b strings.Builder
	if err := write(made(), &b); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("got\n%s\nwant\n%s\n(-update rewrites the file)", b.String(), want)
	}
}

func TestJSONReadsBack(t *testing.T) {
	r := made()
	var b strings.Builder
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var back Report
	if err := json.Unmarshal([]byte(b.String()), &back); err != nil {
		t.Fatal(err)
	}
	x, ok := back.Result(workload.Cross, peer.Switch)
	if !ok || x.Ratio != 2.2 || len(x.Samples) != 3 || len(back.Verdicts) != len(r.Verdicts) {
		t.Errorf("read back %+v", x)
	}
}

func TestEveryTargetCanBeMissed(t *testing.T) {
	tests := map[string]struct {
		spoil   func(*Report)
		missed  string
		decides bool
	}{
		"time": {func(r *Report) { of(r, workload.Cycle, peer.Detent).NS = 16.01 }, "cycle", false},
		"ratio to the switch": {
			func(r *Report) { of(r, workload.Regions, peer.Switch).Ratio = 1.01 }, "regions / switch", true},
		"an allocation in one event of a hundred": {
			func(r *Report) { of(r, workload.RegionsByBits, peer.Detent).Allocs = 0.01 }, "allocations, most of any", true},
		"a larger instance":     {func(r *Report) { r.Idle[0].Bytes = 40 }, "idle instance", true},
		"idle was not measured": {func(r *Report) { r.Idle = nil }, "idle instance", true},
		"a workload was not measured": {
			func(r *Report) { of(r, workload.Bubble, peer.Switch).Workload = "" }, "bubble / switch", true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := made()
			if !r.Holds() {
				t.Fatal("the report does not hold to begin with")
			}
			test.spoil(r)
			r.Judge()
			var missed []string
			for _, v := range r.Verdicts {
				if !v.OK {
					missed = append(missed, v.Name)
				}
			}
			if len(missed) != 1 || missed[0] != test.missed {
				t.Errorf("missed %q, want %q alone", missed, test.missed)
			}
			if r.Holds() == test.decides {
				t.Errorf("Holds is %v, but the target decides: %v", r.Holds(), test.decides)
			}
		})
	}
}

// The runtime's own allocations in a slice of millions of events are not
// charged to the step.
func TestRuntimeAllocationsAreNoise(t *testing.T) {
	r := made()
	of(r, workload.Flat, peer.Detent).Allocs = 0.0001
	r.Judge()
	if !r.Holds() {
		t.Error("one allocation in 10,000 events counts as one of the step")
	}
}

func TestNothingMeasuredDoesNotHold(t *testing.T) {
	r := &Report{}
	if r.Holds() {
		t.Error("an empty report holds")
	}
	r.Judge()
	if r.Holds() {
		t.Error("an empty report holds once it is judged")
	}
}

func of(r *Report, id workload.ID, name string) *Result {
	for i := range r.Results {
		if r.Results[i].Workload == id && r.Results[i].Peer == name {
			return &r.Results[i]
		}
	}
	panic("no result")
}

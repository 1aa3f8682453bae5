package durably

import (
	"strings"
	"testing"
)

// Every one does the events that it is asked for, and a slice says how many
// they were and how long each sender waited.
func TestEachDoesItsEvents(t *testing.T) {
	for _, e := range Entrants()[:4] { // a cluster is too much for a test
		t.Run(e.Name, func(t *testing.T) {
			s, err := e.Open(t.TempDir(), 3)
			if err != nil {
				t.Fatal(err)
			}
			slice, err := Run(s, 3, 10)
			if err != nil {
				t.Fatal(err)
			}
			_, batched := s.(Batched)
			if slice.Events != 10 || slice.Wall <= 0 || !batched && len(slice.Waits) != 10 {
				t.Errorf("the slice is %+v", slice)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// The bare write has rows like the engine's: one in some is the whole state,
// and all have an id.
func TestTheBareWriteHasTheEnginesRows(t *testing.T) {
	events, err := recorded()
	if err != nil {
		t.Fatal(err)
	}
	states := 0
	for i, e := range events {
		if len(e.head) < 100 || len(e.hash) != 64 || len(e.journal) < 100 || len(e.record) < 50 {
			t.Fatalf("event %d has %d, %d, %d and %d bytes", i, len(e.head), len(e.hash), len(e.journal), len(e.record))
		}
		if e.state != nil {
			states++
		}
	}
	if len(events) != cycle || states == 0 || states > cycle/2 {
		t.Errorf("%d events with %d whole states", len(events), states)
	}
}

// A report says what is missing, and which targets are missed.
func TestReport(t *testing.T) {
	r := &Report{Plan: Plan{Rounds: 3}, Results: []Result{
		{Name: NameEngine, Sessions: 64, Rate: 12_000, CPU: 99},
		{Name: NameBare, Sessions: 64, Rate: 20_000, Share: 0.6},
		{Name: "DBOS, Postgres", Sessions: 64, Missing: "no server"},
	}}
	text := r.Markdown()
	for _, want := range []string{"| 64 | DBOS, Postgres | not measured: no server |", "| CPU of an event at 64 sessions | at most 100 | 99.00 | µs | ok |",
		"| share of the bare write at 64 sessions | at least 0.7 | 0.60 | x | MISSED |"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
	if r.Holds() || len(r.Targets()) != 2 {
		t.Errorf("the targets are %+v", r.Targets())
	}
}

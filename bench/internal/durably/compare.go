package durably

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/detent-run/detent/bench/internal/measure"
)

// Entrant is one that takes part in a comparison.
type Entrant struct {
	Name string
	Open func(directory string, sessions int) (Subject, error)
	// AtMost is how many sessions it is measured with, 0: any.
	AtMost int
}

// The names of those that take part.
const (
	NameEngine = "Detent, SQLite"
	NameBare   = "bare grouped write, SQLite"
)

// Entrants are all: the engine first, for what is compared with it.
func Entrants() []Entrant {
	return []Entrant{
		{Name: NameEngine, Open: func(directory string, sessions int) (Subject, error) { return NewEngine(directory, sessions) }},
		{Name: NameBare, Open: func(directory string, sessions int) (Subject, error) { return NewBare(directory, sessions) }},
		{Name: "DBOS, SQLite as it comes", AtMost: 64, Open: func(directory string, _ int) (Subject, error) { return NewDBOSOnSQLite(directory, false) }},
		{Name: "DBOS, SQLite synced", AtMost: 64, Open: func(directory string, _ int) (Subject, error) { return NewDBOSOnSQLite(directory, true) }},
		{Name: "DBOS, Postgres", AtMost: 64, Open: func(directory string, _ int) (Subject, error) { return NewDBOSOnPostgres(directory) }},
	}
}

// Result is what one entrant did.
type Result struct {
	Name     string
	Sessions int
	// Missing says why there are no figures; empty: there are.
	Missing string
	// Rate is the median of the slices, in events a second, and Spread how far
	// their middle half reaches, as a share of it.
	Rate, Spread float64
	// CPU is microseconds and Bytes written for each event, Group how many
	// events share a transaction; 0 where it is not known.
	CPU, Bytes, Group float64
	// P50 and P99 are how long senders waited, in milliseconds; 0 where there
	// are no senders.
	P50, P99 float64
	// Share is the engine's rate in this one's: the median over the rounds.
	Share float64
}

// Plan is how much is measured.
type Plan struct {
	Rounds int // slices of each entrant, after one that does not count
	// Events are those of a slice; its time follows from them. 0: as many as
	// suit the number of sessions.
	Events int
}

// events of a slice: about a quarter of a second of the engine's time.
func (p Plan) events(sessions int) int {
	switch {
	case p.Events > 0:
		return p.Events
	case sessions == 1:
		return 1_000
	}
	return min(64*sessions, 10_240)
}

// runner is an entrant in its comparison.
type runner struct {
	result Result
	s      Subject
	slices []Slice
	syncs  int64
}

// Compare measures the entrants with so many sessions, in turns: a slice of
// each, of the same number of events, and each round begun by another one. So
// a slow moment of the disk or of the computer is slow for all.
func Compare(entrants []Entrant, sessions int, p Plan) (results []Result, err error) {
	directory, err := os.MkdirTemp("", "detent-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(directory)) }()
	// A server that runs as somebody else has to get to its own folder in it.
	if err := os.Chmod(directory, 0o755); err != nil {
		return nil, err
	}
	runners, missing, err := open(entrants, directory, sessions)
	defer func() {
		for _, r := range runners {
			err = errors.Join(err, r.s.Close())
		}
	}()
	if err != nil {
		return nil, err
	}
	for round := range p.Rounds + 1 {
		for i := range runners {
			r := runners[(round+i)%len(runners)]
			if round == 1 {
				r.syncs = syncs(r.s)
			}
			slice, err := Run(r.s, sessions, p.events(sessions))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", r.result.Name, err)
			}
			if round > 0 { // the first warms up
				r.slices = append(r.slices, slice)
			}
		}
	}
	for _, r := range runners {
		r.sum(runners[0])
		results = append(results, r.result)
	}
	return append(results, missing...), nil
}

// open opens the entrants. One that this machine lacks the means for is told
// as missing.
func open(entrants []Entrant, directory string, sessions int) (runners []*runner, missing []Result, err error) {
	for i, e := range entrants {
		if e.AtMost > 0 && sessions > e.AtMost {
			continue
		}
		own := fmt.Sprintf("%s/%d", directory, i)
		if err := os.Mkdir(own, 0o755); err != nil {
			return runners, nil, err
		}
		result := Result{Name: e.Name, Sessions: sessions}
		s, err := e.Open(own, sessions)
		if errors.Is(err, ErrNoPostgres) {
			result.Missing = err.Error()
			missing = append(missing, result)
			continue
		}
		if err != nil {
			return runners, nil, fmt.Errorf("%s: %w", e.Name, err)
		}
		runners = append(runners, &runner{result: result, s: s})
	}
	return runners, missing, nil
}

func syncs(s Subject) int64 {
	if counted, ok := s.(interface{ Syncs() int64 }); ok {
		return counted.Syncs()
	}
	return 0
}

// sum makes the figures of the slices.
func (r *runner) sum(engine *runner) {
	var rates, shares []float64
	var events, cpu, bytes float64
	var waits []time.Duration
	for i, s := range r.slices {
		rates = append(rates, s.Rate())
		shares = append(shares, engine.slices[i].Rate()/s.Rate())
		events, cpu, bytes = events+float64(s.Events), cpu+float64(s.CPU.Microseconds()), bytes+float64(s.Bytes)
		waits = append(waits, s.Waits...)
	}
	slices.Sort(waits)
	out := &r.result
	out.Rate, out.Spread, out.Share = measure.Median(rates), measure.Spread(rates), measure.Median(shares)
	out.CPU, out.Bytes = cpu/events, bytes/events
	if n := syncs(r.s) - r.syncs; n > 0 {
		out.Group = events / float64(n)
	}
	if n := len(waits); n > 0 {
		out.P50, out.P99 = milliseconds(waits[n/2]), milliseconds(waits[n*99/100])
	}
	if _, ok := r.s.(*DBOS); ok && r.s.(*DBOS).cluster != nil {
		out.Bytes = 0 // the server writes them
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

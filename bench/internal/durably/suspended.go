package durably

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/sqlite"
)

// Suspended is what a store of suspended sessions costs.
type Suspended struct {
	Sessions int
	Bytes    int64 // of the file, a session
	// Start is how long it takes to open the file and the engine, Heap what
	// is alive in memory then, in bytes.
	Start time.Duration
	Heap  int64
	// Read is the median time from a session's row to its exact leaves, the
	// read of the file included; Resume that of a resumption, which is a
	// commit, and After that of the first event after it.
	Read, Resume, After time.Duration
}

// seed is what one suspended session has in a store.
type seed struct {
	stored  *durable.Stored
	journal []durable.JournalRow
}

// MeasureSuspended fills a file with suspended sessions and opens it.
func MeasureSuspended(sessions int) (out Suspended, err error) {
	directory, err := os.MkdirTemp("", "detent-bench-")
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(directory)) }()
	one, err := newSeed(directory)
	if err != nil {
		return out, err
	}
	path := filepath.Join(directory, "many.db")
	if err := sow(path, one, sessions); err != nil {
		return out, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return out, err
	}
	out = Suspended{Sessions: sessions, Bytes: info.Size() / int64(sessions)}
	chart, err := chartfile.Load("turns.yaml", []byte(turns), nil)
	if err != nil {
		return out, err
	}
	charts := durable.NewCharts(chart)
	var starts []time.Duration
	for range 5 {
		before, begin := heap(), time.Now()
		store, err := sqlite.Open(path, sqlite.Options{MustExist: true})
		if err != nil {
			return out, err
		}
		engine, err := durable.Open(context.Background(), store, durable.Config{Charts: charts})
		if err != nil {
			return out, errors.Join(err, store.Close())
		}
		starts = append(starts, time.Since(begin))
		out.Heap = heap() - before
		if len(starts) == 1 {
			err = out.wake(engine, sessions)
		}
		if err := errors.Join(err, engine.Close(), store.Close()); err != nil {
			return out, err
		}
	}
	out.Start = middle(starts)
	return out, nil
}

// newSeed suspends a session after a few events and takes its rows.
func newSeed(directory string) (*seed, error) {
	e, err := NewEngine(directory, 1)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	for range 3 {
		if err := e.Send(0); err != nil {
			return nil, err
		}
	}
	ctx, id := context.Background(), sessionID(0)
	if err := e.engine.Suspend(ctx, id, durable.Suspension{Reason: "waits for the customer"}); err != nil {
		return nil, err
	}
	s := &seed{}
	if s.stored, err = e.store.Load(ctx, durable.LoadQuery{Session: id}); err != nil {
		return nil, err
	}
	s.journal, err = e.store.Journal(ctx, id, 1, 100)
	return s, err
}

// sow stores the session under so many ids.
func sow(path string, one *seed, sessions int) (err error) {
	store, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	lease, err := store.Acquire(context.Background())
	if err != nil {
		return err
	}
	for at := 0; at < sessions; {
		c := durable.Commit{Epoch: lease.Epoch, Clock: one.stored.Head.Updated}
		for ; at < sessions && len(c.Changes) < 2000; at++ {
			head := one.stored.Head
			head.Session = sessionID(at)
			state := one.stored.State
			if one.stored.StateAt != head.Sequence {
				state = nil
			}
			c.Changes = append(c.Changes, durable.Change{Session: head.Session, Head: &head, State: state, Journal: one.journal})
		}
		if err := store.Commit(context.Background(), c); err != nil {
			return err
		}
	}
	return nil
}

// woken is how many sessions are read and resumed.
const woken = 200

// wake reads and resumes sessions that lie far apart.
func (m *Suspended) wake(engine *durable.Engine, sessions int) error {
	ctx := context.Background()
	var reads, resumes, events []time.Duration
	for i := range min(woken, sessions) {
		id := sessionID(i * (sessions / min(woken, sessions)))
		begin := time.Now()
		v, err := engine.Get(ctx, id)
		reads = append(reads, time.Since(begin))
		if err == nil && (v.Status != durable.Suspended || len(v.Configuration) != 1) {
			err = fmt.Errorf("the session %s is %s in %v", id, v.Status, v.Configuration)
		}
		if err != nil {
			return err
		}
		begin = time.Now()
		if err := engine.Resume(ctx, id, "bench"); err != nil {
			return err
		}
		resumes = append(resumes, time.Since(begin))
		begin = time.Now()
		a, err := engine.Send(ctx, durable.Event{Session: id, Name: "go", ID: "after", Data: payload})
		events = append(events, time.Since(begin))
		if err == nil && a.Outcome != statechart.Taken {
			err = fmt.Errorf("the event after the resumption of %s was %s", id, a.Outcome)
		}
		if err != nil {
			return err
		}
	}
	m.Read, m.Resume, m.After = middle(reads), middle(resumes), middle(events)
	return nil
}

func middle(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}

// heap is what is alive.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

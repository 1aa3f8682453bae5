// Package durably measures what one durable event costs: Detent's engine on
// SQLite beside a bare write of the same rows, and beside DBOS Transact on
// SQLite and on Postgres.
package durably

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/detent-run/detent/bench/internal/measure"
)

// A Subject handles durable events of a fixed number of sessions, each of
// which has one sender that waits for an event's end before it sends the next.
type Subject interface {
	// Send does one event of the session, numbered from 0, and returns when
	// it is durable. It is called by one goroutine a session.
	Send(session int) error
	// Close ends it and removes what it made.
	Close() error
}

// Batched is a [Subject] that is driven from its own inside: it does all
// events of a session by itself.
type Batched interface {
	// Batch does so many events of the session.
	Batch(session, events int) error
}

// Slice is what a piece of work took.
type Slice struct {
	Events int
	Wall   time.Duration
	CPU    time.Duration // of this process and of the subject's servers
	Bytes  int64         // written to files by this process, 0 where it is not known
	// Waits are how long each sender waited for each of its events, sorted;
	// nil for what is [Batched].
	Waits []time.Duration
}

// Rate is the events of a second.
func (s Slice) Rate() float64 { return float64(s.Events) / s.Wall.Seconds() }

// Run lets the senders of all sessions do so many events together.
func Run(s Subject, sessions, events int) (Slice, error) {
	bytes, cpu, begin := written(), spent(s), time.Now()
	waits, err := send(s, sessions, events)
	out := Slice{Events: events, Wall: time.Since(begin), CPU: spent(s) - cpu, Bytes: written() - bytes}
	for _, w := range waits {
		out.Waits = append(out.Waits, w...)
	}
	slices.Sort(out.Waits)
	return out, err
}

// send starts a sender for each session. They share the work, so that none
// ends long before the others.
func send(s Subject, sessions, events int) ([][]time.Duration, error) {
	var left atomic.Int64
	left.Store(int64(events))
	waits, errs := make([][]time.Duration, sessions), make([]error, sessions)
	var all sync.WaitGroup
	for n := range sessions {
		all.Go(func() {
			if b, ok := s.(Batched); ok {
				errs[n] = b.Batch(n, share(events, sessions, n))
				return
			}
			for left.Add(-1) >= 0 {
				begin := time.Now()
				if errs[n] = s.Send(n); errs[n] != nil {
					return
				}
				waits[n] = append(waits[n], time.Since(begin))
			}
		})
	}
	all.Wait()
	for n, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("session %d: %w", n, err)
		}
	}
	return waits, nil
}

// share is how many of the events the session n has.
func share(events, sessions, n int) int {
	if n < events%sessions {
		return events/sessions + 1
	}
	return events / sessions
}

// spent is the CPU time so far.
func spent(s Subject) time.Duration {
	total := measure.CPUTime()
	if served, ok := s.(interface{ ServerCPU() time.Duration }); ok {
		total += served.ServerCPU()
	}
	return total
}

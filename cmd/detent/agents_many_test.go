package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/sqlite"
)

// keptChart is the second agent's chart, kept in a store as detent keeps it.
type keptChart struct {
	*durable.ChartSet
	source []byte
}

// Chart is that of [durable.Charts].
func (k keptChart) Chart(id string) (*statechart.Chart, []byte, bool) {
	c, _, ok := k.ChartSet.Chart(id)
	return c, k.source, ok
}

func (w *world) keptChart() keptChart {
	w.t.Helper()
	text, err := os.ReadFile(w.path("collections.yaml"))
	must(w.t, err)
	c, err := chartfile.Load("collections.yaml", text, nil)
	must(w.t, err)
	source, err := json.Marshal(map[string]string{"name": "collections.yaml", "format": "chart", "text": string(text)})
	must(w.t, err)
	return keptChart{durable.NewCharts(c), source}
}

// engine opens the world's store in this process, with tools that answer at
// once.
func (w *world) engine() (e *durable.Engine, closed func()) {
	w.t.Helper()
	answer := func(output any) host.Entry {
		return host.Entry{Performer: host.PerformerFunc(func(context.Context, host.Call) host.Outcome { return host.Done(output) })}
	}
	store, err := sqlite.Open(w.path("detent.db"), sqlite.Options{})
	must(w.t, err)
	e, err = durable.Open(w.ctx, store, durable.Config{Charts: w.keptChart(), Performers: host.Table{
		"model:*":              answer(object{"steps": []any{"letter"}}),
		"tool:letter.assemble": answer("Dear"),
		"tool:bank.handshake":  answer(object{"credential": "k"}),
	}})
	must(w.t, err)
	return e, func() {
		must(w.t, e.Close())
		must(w.t, store.Close())
	}
}

const many = 1000

// suspendMany brings a thousand sessions to WaitingAck and suspends them, half
// of them by the chart's SUSPEND and half by the engine's.
func (w *world) suspendMany(e *durable.Engine) {
	w.t.Helper()
	failed := make(chan error, many)
	var all sync.WaitGroup
	for worker := range 50 {
		all.Go(func() {
			for i := worker; i < many; i += 50 {
				id := fmt.Sprint("case-", i)
				_, err := e.Start(w.ctx, durable.Start{ID: id, Chart: "collections", Input: object{"customer": id}, Until: durable.InState(tool + ".WaitingAck")})
				if err == nil && i%2 == 0 {
					_, err = e.Send(w.ctx, durable.Event{Session: id, Name: "SUSPEND", Data: object{"reason": "night window"}})
				} else if err == nil {
					err = e.Suspend(w.ctx, id, durable.Suspension{Reason: "night window"})
				}
				if err != nil {
					failed <- fmt.Errorf("%s: %w", id, err)
				}
			}
		})
	}
	all.Wait()
	close(failed)
	for err := range failed {
		w.t.Fatal(err)
	}
}

// taken is what this process holds: goroutines, and bytes of live memory.
func taken() (goroutines int, bytes uint64) {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return runtime.NumGoroutine(), m.HeapAlloc
}

// "Suspending frees what the session holds (goroutines, connections, memory); a
// thousand suspended sessions cost the process nothing but rows in the store."
func TestAgent2AThousandSuspended(t *testing.T) {
	w := newWorld(t, "collections")
	e, closed := w.engine()
	before, _ := taken()
	w.suspendMany(e)
	after, _ := taken()
	for after > before && w.ctx.Err() == nil { // those of calls are ending
		after, _ = taken()
	}
	if after > before {
		t.Errorf("with a thousand suspended sessions %d goroutines run, %d without", after, before)
	}
	closed()

	// An engine that opens the store does not even read them.
	empty := newWorld(t, "collections")
	_, alone := empty.engine()
	_, little := taken()
	alone()
	_, closed = w.engine()
	_, much := taken()
	if much > little+256<<10 {
		t.Errorf("with a thousand suspended sessions the engine takes %d bytes more", much-little)
	}
	closed()
	w.likeEmpty(empty)
}

// likeEmpty sees that the real program, carrying the world's store, holds no
// more than one with an empty store, and that a session goes on.
func (w *world) likeEmpty(empty *world) {
	w.t.Helper()
	with, without := w.work(), empty.work()
	if runtime.GOOS == "linux" {
		w.in("case-0", "Suspended")                       // both have come to rest by now
		if a, b := with.open(), without.open(); a > b+8 { // readers of the store come and go
			w.t.Errorf("detent work has %d files and connections open, and %d without sessions", a, b)
		}
	}
	w.ok("send", "case-0", "RESUME")
	w.in("case-0", tool+".WaitingAck")
	w.ok("cancel", "case-1")
	w.verified("case-0")
}

// open counts the files and connections of a program.
func (p *program) open() int {
	list, err := filepath.Glob("/proc/" + strconv.Itoa(p.cmd.Process.Pid) + "/fd/*")
	must(p.w.t, err)
	return len(list)
}

package sim

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/memory"
)

var (
	seeds = flag.Int("seeds", 200, "how many seeds to play")
	first = flag.Uint64("seed", 1, "the first seed")
)

// game is one seed.
type game struct {
	w        *World
	inner    *memory.Store
	store    *Store
	engine   *durable.Engine
	outside  *outside
	watch    *watch
	charts   []*statechart.Chart
	counts   map[string]int
	acked    map[string]uint64 // session/event id → sequence
	sessions []string
	started  int // the first of sessions, which are started and not imported
	number   int
}

func (g *game) bad(format string, args ...any) { g.watch.bad(format, args...) }

func (g *game) open(rate int) {
	g.inner.Close()
	g.store = NewStore(g.w, g.inner, rate, g.counts)
	g.store.Stored = g.watch.stored
	err := g.w.Do("open", 20_000, func() {
		e, err := durable.Open(context.Background(), g.store, durable.Config{Runtime: g.w.Runtime(), Charts: durable.NewCharts(g.charts...),
			Workers: 2, Turn: 4, Resident: 2, Full: 5, Performers: g.outside.performers()})
		if err != nil {
			g.bad("open: %v", err)
		}
		g.engine = e
	})
	if err != nil {
		g.bad("open: %v", err)
	}
}

// names are the events that clients send, by the state of the session as they
// believe it to be, and to any.
var names = map[string][]string{
	"rest":   {"go", "again", "again", "ask", "rounds", "rounds", "may", "may", "kid", "kid", "tick", "two", "back", "key", "key", "other", "note", "later", "later", "break"},
	"parent": {"poke", "poke", "poke", "stop", "leave"},
	"timed":  {"later"},
	"both":   {"flip", "flip", "flip", "done", "done", "leave"},
	"":       {"go", "again", "kid", "two", "back", "key", "note", "leave", "nonsense"},
}

// act lets a client do one thing.
func (g *game) act() {
	r, e := g.w.random, g.engine
	session := g.sessions[r.IntN(len(g.sessions))]
	if children := g.watch.children(); len(children) > 0 && r.IntN(12) == 0 {
		session = children[r.IntN(len(children))]
	}
	verb, f := g.verb(r.IntN(1000), session, g.stateOf(session))
	g.counts[verb]++
	g.w.Start(verb, func() {
		if err := f(context.Background(), e); err != nil && !expected(err) {
			g.bad("%s %s: %v", verb, session, err)
		}
	})
}

// stateOf is the name of the first active state of the root.
func (g *game) stateOf(session string) string {
	if s := g.watch.sessions[session]; s != nil && len(s.head.Configuration) > 0 {
		name, _, _ := strings.Cut(s.head.Configuration[0], ".")
		return name
	}
	return ""
}

// deed is what one client does.
type deed func(ctx context.Context, e *durable.Engine) error

func (g *game) verb(n int, session, state string) (string, deed) {
	r := g.w.random
	switch {
	case n < 70:
		return "suspend", func(ctx context.Context, e *durable.Engine) error {
			return e.Suspend(ctx, session, durable.Suspension{Reason: "test", By: "test"})
		}
	case n < 180:
		return "resume", func(ctx context.Context, e *durable.Engine) error { return e.Resume(ctx, session, "test") }
	case n < 230:
		return "retry", func(ctx context.Context, e *durable.Engine) error { return e.Retry(ctx, session, "test") }
	case n < 260:
		id := []string{"call", "left", "pay"}[r.IntN(3)]
		return "settle", func(ctx context.Context, e *durable.Engine) error {
			return e.Settle(ctx, session, id, durable.Settlement{Done: true, Output: "settled", By: "test"})
		}
	case n < 268:
		return "cancel", func(ctx context.Context, e *durable.Engine) error { return e.Cancel(ctx, session, "test") }
	case n < 290 || state == "held" && n < 700:
		yes := r.IntN(2) > 0
		return "answer", func(ctx context.Context, e *durable.Engine) error {
			return e.Answer(ctx, session, "call", durable.Reply{Approve: &yes, By: "test"})
		}
	case n < 296:
		return "delete", func(ctx context.Context, e *durable.Engine) error { return e.Delete(ctx, session, "test") }
	case n < 310 && len(g.sessions) < 5:
		id := fmt.Sprint("x", len(g.sessions))
		g.sessions = append(g.sessions, id)
		return "import", func(ctx context.Context, e *durable.Engine) error { return g.fork(ctx, e, session, id) }
	case n < 330:
		return "get", func(ctx context.Context, e *durable.Engine) error { _, err := e.Get(ctx, session); return err }
	}
	return "send", g.sending(session, state)
}

// sending draws an event that may be taken, or may not.
func (g *game) sending(session, state string) deed {
	r := g.w.random
	if names[state] == nil || r.IntN(5) == 0 {
		state = ""
	}
	name := names[state][r.IntN(len(names[state]))]
	if r.IntN(60) == 0 {
		name = "end"
	}
	id := ""
	if r.IntN(3) > 0 {
		g.number++
		id = fmt.Sprint("e", g.number)
		if r.IntN(5) == 0 {
			id = fmt.Sprint("e", 1+r.IntN(g.number))
		}
	}
	return func(ctx context.Context, e *durable.Engine) error { return g.send(ctx, e, session, name, id) }
}

// fork takes a session in under another id. It must not go on by itself (S10).
func (g *game) fork(ctx context.Context, e *durable.Engine, session, id string) error {
	document, err := e.Export(ctx, session)
	if err != nil {
		return err
	}
	if strings.Contains(string(document), `"sequence":0,`) {
		return nil // a child that has not begun cannot be taken in
	}
	v, err := e.Import(ctx, document, durable.ImportOptions{ID: id, By: "test"})
	if err == nil && v.Status == durable.Active && v.Sequence == 1 {
		g.bad("S10: %s, imported from %s, is active", id, session)
	}
	return err
}

// send sends an event and keeps what was acknowledged. Who was told of a row
// reads it (E4).
func (g *game) send(ctx context.Context, e *durable.Engine, session, name, id string) error {
	a, err := e.Send(ctx, durable.Event{Session: session, Name: name, ID: id})
	g.w.Note("%s %s %s: %v %d %v", session, name, id, a.Outcome, a.Sequence, err)
	var p *statechart.Error
	if errors.As(err, &p) && p.Code == durable.CodeConflict {
		g.counts["conflict"]++
	}
	if err != nil || a.Sequence == 0 {
		return err
	}
	if id != "" {
		key := session + "/" + id
		if before, ok := g.acked[key]; ok && before != a.Sequence && !g.watch.gone[session] {
			g.bad("E1: %s was acknowledged at %d and at %d", key, before, a.Sequence)
		}
		g.acked[key] = a.Sequence
	}
	v, err := e.Get(ctx, session)
	if err == nil && v.Sequence < a.Sequence {
		g.bad("E4: %s was acknowledged at %d, and a read gives %d", session, a.Sequence, v.Sequence)
	}
	return err
}

// expected reports whether an error is one that faults and races explain.
func expected(err error) bool {
	var p *statechart.Error
	if !errors.As(err, &p) {
		return errors.Is(err, errGone)
	}
	switch p.Code {
	case durable.CodeStoreFailed, durable.CodeFull, durable.CodeClosed, durable.CodeConflict, durable.CodeStatus, durable.CodeNoEffect, durable.CodeNotRepeatable,
		durable.CodeOverload, durable.CodeAnswer, durable.CodeNoSession, durable.CodeSessionExists:
		return true
	}
	return false
}

// crash ends the engine's life and begins another.
func (g *game) crash(rate int) {
	g.counts["crash"]++
	g.w.Note("crash")
	g.store.Leave()
	g.w.Crash()
	g.open(rate)
}

// play is one seed from the start to the end.
func play(seed uint64, trace bool, all []*statechart.Chart, counts map[string]int) (*game, string) {
	w := New(seed)
	w.Trace = trace
	g := &game{w: w, inner: memory.New(), counts: counts, acked: map[string]uint64{}, charts: all, watch: newWatch(w, counts)}
	g.outside = newOutside(w, g.watch)
	rate := []int{0, 20, 120}[w.random.IntN(3)]
	g.open(rate)
	g.started = 1 + w.random.IntN(3)
	for i := range g.started {
		start := durable.Start{ID: fmt.Sprint("s", i), Chart: "main", Priority: w.random.IntN(3)}
		g.sessions = append(g.sessions, start.ID)
		for range 50 {
			err := error(nil)
			if bad := w.Do("start", 20_000, func() { _, err = g.engine.Start(context.Background(), start) }); bad != nil {
				g.bad("start: %v", bad)
			}
			if err == nil {
				break
			}
		}
	}
	for range 36 {
		if len(g.watch.problems) > 0 {
			break
		}
		g.act()
		steps := w.steps + w.random.IntN(60)
		if err := w.Run(func() bool { return w.steps >= steps }, 100_000); err != nil && !strings.Contains(err.Error(), "nothing can go on") {
			g.bad("run: %v", err)
		}
		switch w.random.IntN(25) {
		case 0, 1:
			g.crash(rate)
		case 2:
			counts["clock back"]++
			w.Jump(-int64(w.random.IntN(3_600_000)))
		case 3:
			counts["clock forward"]++
			w.Jump(int64(w.random.IntN(3_600_000)))
		}
	}
	g.heal()
	g.check()
	return g, strings.Join(g.watch.problems, "\n")
}

// heal lets everything come to its end without faults.
func (g *game) heal() {
	if len(g.watch.problems) > 0 {
		return
	}
	g.crash(0)
	for _, s := range g.sessions {
		if err := g.w.Do("heal", 200_000, func() { g.engine.Resume(context.Background(), s, "heal") }); err != nil {
			g.bad("heal: %v", err)
		}
	}
	end := g.w.Elapsed() + 120_000
	if err := g.w.Run(func() bool { return g.w.Elapsed() >= end }, 400_000); err != nil && !strings.Contains(err.Error(), "nothing can go on") {
		g.bad("heal: %v", err)
	}
}

// check reads only the store and what the outside did, and sees that the store
// holds what it was given.
func (g *game) check() {
	ctx := context.Background()
	heads, err := g.inner.Select(ctx, durable.Filter{Limit: 10_000})
	if err != nil {
		g.bad("%v", err)
	}
	visitor, err := durable.Visit(visited{g.inner}, durable.VisitConfig{Charts: durable.NewCharts(g.charts...)})
	if err != nil {
		g.bad("%v", err)
		return
	}
	for _, h := range heads {
		v, err := visitor.Verify(ctx, h.Session)
		if err != nil || len(v.Problems) > 0 {
			g.bad("D3, D4, A1: %s: %v %v", h.Session, v.Problems, err)
		}
		if s := g.watch.sessions[h.Session]; s == nil || s.head.Revision != h.Revision || s.hash != h.Hash {
			g.bad("D1: the store has %s at revision %d, which no commit gave it", h.Session, h.Revision)
		}
		g.checkAtRest(h)
	}
	if len(heads) != len(g.watch.sessions) {
		g.bad("D1: the store has %d sessions, its commits made %d", len(heads), len(g.watch.sessions))
	}
	g.checkAcks()
	for key, n := range g.outside.started {
		mode := g.watch.modes[key]
		if (mode == "at_most_once" || mode == "reconcile" && !g.watch.forked[key]) && g.outside.done[key] > 1 {
			g.bad("X4, X6: the %s call %s happened %d times (%d attempts)", mode, key[:6], g.outside.done[key], n)
		}
	}
}

// checkAcks sees that what was acknowledged is there (D1).
func (g *game) checkAcks() {
	for i, id := range g.sessions {
		s := g.watch.sessions[id]
		if s == nil && i < g.started && !g.watch.gone[id] && len(g.watch.problems) == 0 {
			g.bad("D1: the session %s is gone", id)
		}
		for key, sequence := range g.acked {
			cut := strings.LastIndexByte(key, '/')
			session, event := key[:cut], key[cut+1:]
			if s != nil && session == id && !g.watch.gone[id] && s.ids[event] != sequence {
				g.bad("D1: %s acknowledged %s at %d, the journal has %d", id, event, sequence, s.ids[event])
			}
		}
	}
}

// checkAtRest sees that nothing is left that should have gone on in the last
// minute.
func (g *game) checkAtRest(h durable.Head) {
	stored, err := g.inner.Load(context.Background(), durable.LoadQuery{Session: h.Session, Inbox: 10})
	if err != nil {
		g.bad("%v", err)
		return
	}
	if h.Status != durable.Active {
		return
	}
	if p := g.watch.sessions[h.Parent]; p != nil {
		for _, f := range p.calls {
			if f.Child == h.Session && !f.open() {
				g.bad("R25: %s goes on, and its parent has the call as %s", h.Session, f.Stands)
			}
		}
	}
	for _, row := range stored.Effects {
		var f struct {
			Stands string
			Since  int64
		}
		if err := json.Unmarshal(row.Body, &f); err != nil {
			g.bad("%v", err)
		}
		stuck := slices.Contains([]string{"pending", "claimed", "retrying", "asking", "waiting", "stopping"}, f.Stands)
		if row.Live && stuck && f.Since < g.watch.latest-60_000 {
			g.bad("X2: %s has the call %s as %s, and nothing becomes of it", h.Session, row.Key[:6], f.Stands)
		}
	}
	if len(stored.Inbox) > 0 {
		g.bad("E5: %s still has %d events in its inbox", h.Session, len(stored.Inbox))
	}
}

// visited makes the store one that a visitor may read.
type visited struct{ durable.Store }

func (visited) Ask(context.Context, durable.Request) error               { return nil }
func (visited) Answered(context.Context, string) ([]byte, bool, error)   { return nil, false, nil }
func (visited) Requests(context.Context, int) ([]durable.Request, error) { return nil, nil }
func (visited) Reply(context.Context, uint64, string, []byte) error      { return nil }

// kinds are what must have happened, or the simulation shows less than it says.
var kinds = []string{"failed commit", "unseen commit", "disk full", "slow commit", "clock back", "clock forward", "crash",
	"send", "suspend", "resume", "retry", "settle", "cancel", "answer", "delete", "import", "conflict",
	"session at depth 0", "session at depth 1", "session at depth 2", "session deleted", "row with two leaves", "row delivered later",
	"row taken", "row deferred", "row ignored", "event of a timer", "event of a invoke", "event of a do", "event of a session",
	"detent.suspend", "detent.resume", "detent.retry", "detent.settle", "detent.cancel", "detent.import", "detent.answer", "detent.late", "detent.absent", "detent.more", "detent.part",
	"effect invoke", "effect do", "effect stop", "effect send", "effect schedule", "effect unschedule", "effect end",
	"call claimed", "call retrying", "call asking", "call waiting", "call held", "call child", "call stopping", "call abandoned", "call unknown", "call ended",
	"call joined", "key asked for again", "answer key_conflict", "answer rejected", "answer expired", "answer timeout", "three rounds", "preempted"}

func TestSimulation(t *testing.T) {
	all := charts(t)
	counts := map[string]int{}
	var mu sync.Mutex
	var steps, minutes, bad int
	next := *first
	end := *first + uint64(*seeds)
	var players sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		players.Go(func() {
			own := map[string]int{}
			for {
				mu.Lock()
				seed := next
				next++
				enough := seed >= end || bad >= 3
				mu.Unlock()
				if enough {
					break
				}
				g, problems := play(seed, false, all, own)
				g.store.Leave()
				g.w.Crash()
				mu.Lock()
				steps += g.w.steps
				minutes += int(g.w.Elapsed() / 60_000)
				if problems != "" {
					bad++
					t.Errorf("seed %d:\n%s\n%s", seed, problems, traceOf(seed, all))
				}
				mu.Unlock()
			}
			mu.Lock()
			defer mu.Unlock()
			for kind, n := range own {
				counts[kind] += n
			}
		})
	}
	players.Wait()
	t.Logf("simulation: seeds %d..%d, %d steps, %d virtual minutes, %d violations; what happened:\n%s", *first, end-1, steps, minutes, bad, tally(counts))
	for _, kind := range kinds {
		if *seeds >= 200 && counts[kind] == 0 {
			t.Errorf("%q never happened", kind)
		}
	}
}

// traceOf plays a seed again and tells what happened last.
func traceOf(seed uint64, all []*statechart.Chart) string {
	g, _ := play(seed, true, all, map[string]int{})
	text := g.w.Text()
	if len(text) > 6000 {
		text = "…" + text[len(text)-6000:]
	}
	return text
}

func tally(counts map[string]int) string {
	var b strings.Builder
	for i, kind := range slices.Sorted(maps.Keys(counts)) {
		if i%6 == 0 {
			b.WriteString("\n ")
		}
		fmt.Fprintf(&b, " %s %d,", kind, counts[kind])
	}
	return strings.TrimSuffix(strings.TrimPrefix(b.String(), "\n"), ",")
}

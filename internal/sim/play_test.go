package sim

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/memory"
)

var (
	seeds = flag.Int("seeds", 200, "how many seeds to play")
	first = flag.Uint64("seed", 1, "the first seed")
)

func to(event, target string, actions ...statechart.Action) statechart.Transition {
	return statechart.Transition{Event: event, Target: target, Actions: actions}
}

func list(t ...statechart.Transition) []statechart.Transition { return t }

// charts are small, and have between them everything that an engine must keep:
// calls of each mode, timers, children, kept events, several regions.
func charts(t testing.TB) []*statechart.Chart {
	call := func(mode string) statechart.State {
		return statechart.State{Name: mode, Invoke: []statechart.Invocation{{ID: "call", Src: "tool:" + mode, Mode: mode, Timeout: "3s",
			Retry:  map[string]any{"max": int64(2), "initial": "100ms"},
			OnDone: list(to("", "rest")), OnError: list(to("", "rest")), OnUnknown: list(to("", "rest"))}},
			On: list(to("leave", "rest"))}
	}
	rest := statechart.State{Name: "rest", Defer: []string{"later"},
		On:    list(to("go", "at_most_once"), to("again", "at_least_once"), to("ask", "reconcile"), to("kid", "parent"), to("tick", "timed"), to("end", "over")),
		After: []statechart.Timed{{Delay: "20s", Transitions: list(to("", "timed"))}}}
	timed := statechart.State{Name: "timed", After: []statechart.Timed{{Delay: "1s", Transitions: list(to("", "rest"))}}, On: list(to("later", ""))}
	parent := statechart.State{Name: "parent", Invoke: []statechart.Invocation{{ID: "kid", Src: "chart:kid", OnDone: list(to("", "rest")), OnError: list(to("", "rest"))}},
		On: list(to("leave", "rest"), to("hello", "", statechart.Action{Send: "finish", To: "kid"}))}
	over := statechart.State{Name: "over", Type: statechart.Final}
	main := statechart.Definition{ID: "main", Root: statechart.State{Initial: "rest", States: []statechart.State{rest, call("at_most_once"), call("at_least_once"), call("reconcile"), timed, parent, over}}}
	kid := statechart.Definition{ID: "kid", Root: statechart.State{Initial: "wait", States: []statechart.State{
		{Name: "wait", Entry: []statechart.Action{{Send: "hello", To: "parent"}}, On: list(to("finish", "end")), After: []statechart.Timed{{Delay: "5s", Transitions: list(to("", "end"))}}},
		{Name: "end", Type: statechart.Final, Output: "kid"}}}}
	var out []*statechart.Chart
	for _, d := range []statechart.Definition{main, kid} {
		c, err := statechart.Compile(d, nil)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

// outside is what the calls really did: it survives every crash.
type outside struct {
	w       *World
	done    map[string]int // by key
	started map[string]int // by key
}

func (o *outside) performer(mode host.Mode) host.Performer { return &tool{o, mode} }

type tool struct {
	*outside
	mode host.Mode
}

func (p *tool) Perform(ctx context.Context, c host.Call) host.Outcome {
	r := p.w.random
	p.started[c.Key]++
	p.w.Note("call %s attempt %d", c.Key[:6], c.Attempt)
	if r.IntN(4) == 0 {
		if p.w.Sleep(ctx, int64(r.IntN(6000))) != nil && r.IntN(2) == 0 {
			return host.Unknown("cut", "")
		}
	} else {
		p.w.Yield()
	}
	switch r.IntN(8) {
	case 0:
		return host.Fail("no", "not done")
	case 1:
		return host.Unknown("lost", "no answer")
	case 2:
		p.done[c.Key]++
		return host.Unknown("lost", "done, and the answer was lost")
	case 3:
		panic("broken")
	}
	p.done[c.Key]++
	p.w.Yield()
	return host.Done("ok")
}

func (p *tool) Find(context.Context, host.Call) (host.Finding, host.Outcome) {
	return host.Unclear, host.Outcome{}
}

// finder can say what happened.
type finder struct{ *tool }

func (p finder) Find(_ context.Context, c host.Call) (host.Finding, host.Outcome) {
	switch {
	case p.w.random.IntN(4) == 0:
		return host.Unclear, host.Outcome{}
	case p.done[c.Key] > 0:
		return host.Found, host.Done("found")
	}
	return host.Absent, host.Outcome{}
}

// game is one seed.
type game struct {
	t        testing.TB
	w        *World
	inner    *memory.Store
	store    *Store
	engine   *durable.Engine
	outside  *outside
	charts   []*statechart.Chart
	faults   map[string]int
	verbs    map[string]int
	acked    map[string]uint64 // event id → sequence
	sessions []string
	number   int
	problems []string
}

func (g *game) bad(format string, args ...any) {
	g.problems = append(g.problems, fmt.Sprintf(format, args...))
}

func (g *game) open(rate int) {
	g.inner.Close()
	g.store = NewStore(g.w, g.inner, rate, g.faults)
	err := g.w.Do("open", 20_000, func() {
		e, err := durable.Open(context.Background(), g.store, durable.Config{Runtime: g.w.Runtime(), Charts: durable.NewCharts(g.charts...), Workers: 2, Turn: 4, Resident: 2, Full: 5,
			Performers: host.Table{"tool:at_most_once": {Performer: g.outside.performer(host.AtMostOnce)}, "tool:at_least_once": {Performer: g.outside.performer(host.AtLeastOnce)},
				"tool:reconcile": {Performer: finder{&tool{g.outside, host.Reconcile}}}}})
		if err != nil {
			g.bad("open: %v", err)
		}
		g.engine = e
	})
	if err != nil {
		g.bad("open: %v", err)
	}
}

// act lets a client do one thing.
func (g *game) act() {
	r, e := g.w.random, g.engine
	ctx := context.Background()
	session := g.sessions[r.IntN(len(g.sessions))]
	verb, err := "send", error(nil)
	f := func() {}
	switch n := r.IntN(100); {
	case n < 70:
		name := []string{"go", "again", "ask", "kid", "tick", "later", "leave", "nonsense", "end"}[r.IntN(8+btoi(r.IntN(30) == 0))]
		id := ""
		if r.IntN(3) > 0 {
			g.number++
			id = fmt.Sprint("e", g.number)
			if r.IntN(5) == 0 {
				id = fmt.Sprint("e", 1+r.IntN(g.number))
			}
		}
		f = func() { g.send(e, session, name, id) }
	case n < 78:
		verb, f = "suspend", func() { err = e.Suspend(ctx, session, durable.Suspension{Reason: "test"}) }
	case n < 90:
		verb, f = "resume", func() { err = e.Resume(ctx, session, "test") }
	case n < 93:
		verb, f = "retry", func() { err = e.Retry(ctx, session, "test") }
	case n < 96:
		verb, f = "settle", func() {
			err = e.Settle(ctx, session, "call", durable.Settlement{Done: true, Output: "settled", By: "test"})
		}
	case n < 97:
		verb, f = "cancel", func() { err = e.Cancel(ctx, session, "test") }
	default:
		verb, f = "get", func() { _, err = e.Get(ctx, session) }
	}
	g.verbs[verb]++
	g.w.Start(verb, func() {
		f()
		if err != nil && !expected(err) {
			g.bad("%s %s: %v", verb, session, err)
		}
	})
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// send sends an event and keeps what was acknowledged.
func (g *game) send(e *durable.Engine, session, name, id string) {
	a, err := e.Send(context.Background(), durable.Event{Session: session, Name: name, ID: id})
	g.w.Note("%s %s %s: %v %d %v", session, name, id, a.Outcome, a.Sequence, err)
	if err != nil {
		if !expected(err) {
			g.bad("send: %v", err)
		}
		return
	}
	if id == "" || a.Sequence == 0 {
		return
	}
	key := session + "/" + id
	if before, ok := g.acked[key]; ok && before != a.Sequence {
		g.bad("E1: %s was acknowledged at %d and at %d", key, before, a.Sequence)
	}
	g.acked[key] = a.Sequence
}

// expected reports whether an error is one that faults and races explain.
func expected(err error) bool {
	var p *statechart.Error
	if !errors.As(err, &p) {
		return errors.Is(err, errGone)
	}
	switch p.Code {
	case durable.CodeStoreFailed, durable.CodeFull, durable.CodeClosed, durable.CodeConflict, durable.CodeStatus, durable.CodeNoEffect, durable.CodeNotRepeatable, durable.CodeOverload:
		return true
	}
	return false
}

// crash ends the engine's life and begins another.
func (g *game) crash(rate int) {
	g.verbs["crash"]++
	g.w.Note("crash")
	g.store.Leave()
	g.w.Crash()
	g.open(rate)
}

// play is one seed from the start to the end.
func play(t testing.TB, seed uint64, trace bool, all []*statechart.Chart, faults, verbs map[string]int) (*game, string) {
	w := New(seed)
	w.Trace = trace
	g := &game{t: t, w: w, inner: memory.New(), faults: faults, verbs: verbs, acked: map[string]uint64{}, charts: all,
		outside: &outside{w: w, done: map[string]int{}, started: map[string]int{}}}
	rate := []int{0, 20, 120}[w.random.IntN(3)]
	g.open(rate)
	for i := range 1 + w.random.IntN(3) {
		id := fmt.Sprint("s", i)
		g.sessions = append(g.sessions, id)
		for range 50 {
			err := error(nil)
			if bad := w.Do("start", 20_000, func() { _, err = g.engine.Start(context.Background(), durable.Start{ID: id, Chart: "main"}) }); bad != nil {
				g.bad("start: %v", bad)
			}
			if err == nil {
				break
			}
		}
	}
	for range 30 {
		if len(g.problems) > 0 {
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
			faults["clock back"]++
			w.Jump(-int64(w.random.IntN(3_600_000)))
		case 3:
			faults["clock forward"]++
			w.Jump(int64(w.random.IntN(3_600_000)))
		}
	}
	g.heal()
	g.check()
	return g, strings.Join(g.problems, "\n")
}

// heal lets everything come to its end without faults.
func (g *game) heal() {
	if len(g.problems) > 0 {
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

// check reads only the store and what the outside did.
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
	keys := map[string]string{}
	for _, h := range heads {
		v, err := visitor.Verify(ctx, h.Session)
		if err != nil || len(v.Problems) > 0 {
			g.bad("D3, D4, A1: %s: %v %v", h.Session, v.Problems, err)
			continue
		}
		rows, err := visitor.History(ctx, h.Session, 1, 100_000)
		if err != nil {
			g.bad("%v", err)
		}
		g.checkRows(h, rows, keys)
	}
	for key, n := range g.outside.started {
		mode, ok := keys[key]
		if !ok {
			g.bad("X1: the call %s has no committed cause", key[:6])
		}
		if mode == "at_most_once" && g.outside.done[key] > 1 {
			g.bad("X4: the call %s happened %d times (%d attempts)", key[:6], g.outside.done[key], n)
		}
		if mode == "reconcile" && g.outside.done[key] > 1 {
			g.bad("X6: the call %s happened %d times (%d attempts)", key[:6], g.outside.done[key], n)
		}
	}
}

func (g *game) checkRows(h durable.Head, rows []host.Record, keys map[string]string) {
	seen, ends := map[string]uint64{}, map[string]int{}
	var armed = map[uint64]int64{}
	for i := range rows {
		r := &rows[i]
		if r.ID != "" && r.Sender == "client" && !r.Deferred {
			if at, twice := seen[r.ID]; twice {
				g.bad("E1: %s took %s at %d and at %d", h.Session, r.ID, at, r.Sequence)
			}
			seen[r.ID] = r.Sequence
		}
		for _, f := range r.Effects {
			switch f.Type {
			case statechart.EffectInvoke:
				keys[f.Key] = f.Call.Mode
			case statechart.EffectSchedule:
				armed[f.Source.Entry] = f.Due
			}
		}
		if r.Source != nil && r.Source.Kind == "timer" && r.Outcome == "taken" {
			due, ok := armed[r.Source.Entry]
			if !ok || r.Time < due {
				g.bad("T1, T3: %s fired timer %d at %d, due %d (armed: %t)", h.Session, r.Source.Entry, r.Time, due, ok)
			}
			delete(armed, r.Source.Entry)
		}
		if r.Source != nil && r.Source.Kind == "invoke" && !strings.HasPrefix(r.Event, "progress") {
			if ends[r.Effect]++; ends[r.Effect] > 1 && r.Outcome == "taken" {
				g.bad("X7: %s heard of the end of %s twice", h.Session, r.Effect[:6])
			}
		}
		if i > 0 && r.Time < rows[i-1].Time {
			g.bad("R30: %s went back in time at row %d", h.Session, r.Sequence)
		}
	}
	for key, sequence := range g.acked {
		session, id, _ := strings.Cut(key, "/")
		if session == h.Session && seen[id] != sequence {
			g.bad("D1: %s acknowledged %s at %d, the journal has %d", session, id, sequence, seen[id])
		}
	}
	stored, err := g.inner.Load(context.Background(), durable.LoadQuery{Session: h.Session})
	if err != nil {
		g.bad("%v", err)
		return
	}
	for _, f := range stored.Effects {
		for _, open := range []string{`"stands":"pending"`, `"stands":"claimed"`, `"stands":"retrying"`, `"stands":"asking"`, `"stands":"stopping"`} {
			if h.Status == durable.Active && f.Live && strings.Contains(string(f.Body), open) {
				g.bad("X2: %s still has a call with %s", h.Session, open)
			}
		}
	}
	if h.Status == durable.Active && len(stored.Inbox) > 0 {
		g.bad("E5: %s still has %d events in its inbox", h.Session, len(stored.Inbox))
	}
}

// visited makes the store one that a visitor may read.
type visited struct{ durable.Store }

func (visited) Ask(context.Context, durable.Request) error               { return nil }
func (visited) Answered(context.Context, string) ([]byte, bool, error)   { return nil, false, nil }
func (visited) Requests(context.Context, int) ([]durable.Request, error) { return nil, nil }
func (visited) Reply(context.Context, uint64, string, []byte) error      { return nil }

func TestSimulation(t *testing.T) {
	all := charts(t)
	faults, verbs := map[string]int{}, map[string]int{}
	var steps, days, bad int
	for i := range *seeds {
		seed := *first + uint64(i)
		g, problems := play(t, seed, false, all, faults, verbs)
		steps += g.w.steps
		days += int(g.w.Elapsed() / 1000)
		if problems != "" {
			bad++
			again, _ := play(t, seed, true, all, map[string]int{}, map[string]int{})
			text := again.w.Text()
			if len(text) > 6000 {
				text = "…" + text[len(text)-6000:]
			}
			t.Errorf("seed %d:\n%s\n%s", seed, problems, text)
			if bad == 3 {
				break
			}
		}
		g.store.Leave()
		g.w.Crash()
	}
	t.Logf("simulation: seeds %d..%d, %d steps, %d virtual minutes, faults %v, verbs %v, %d violations", *first, *first+uint64(*seeds)-1, steps, days/60, faults, verbs, bad)
	if *seeds >= 200 {
		for _, want := range []string{"failed commit", "unseen commit", "disk full", "slow commit", "clock back", "clock forward"} {
			if faults[want] == 0 {
				t.Errorf("the fault %q never happened", want)
			}
		}
		for _, want := range []string{"send", "suspend", "resume", "retry", "settle", "cancel", "crash"} {
			if verbs[want] == 0 {
				t.Errorf("the verb %q was never used", want)
			}
		}
	}
}

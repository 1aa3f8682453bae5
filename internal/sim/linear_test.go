package sim

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/memory"
	"github.com/detent-run/detent/store/sqlite"
)

var histories = flag.Int("histories", 400, "how many histories of concurrent clients to check")

// never is when a call returned of which no answer came.
const never = math.MaxInt64

// recorder keeps what clients asked for and were told, in the order of one
// clock. It may be used concurrently.
type recorder struct {
	mu     sync.Mutex
	clock  int64
	all    []porcupine.Operation
	counts map[string]int
}

// begin notes a call. Until it ends, it is one without an answer.
func (r *recorder) begin(c call) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.clock++
	r.all = append(r.all, porcupine.Operation{ClientId: len(r.all), Input: c, Call: r.clock, Output: reply{kind: "unknown"}, Return: never})
	return len(r.all) - 1
}

// end notes what the client was told. After an answer that leaves open what
// happened, it may happen at any time from the call on; after one that says
// that nothing did, nothing may have.
func (r *recorder) end(i int, got reply) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.clock++
	if got.kind != "unknown" {
		r.all[i].Output, r.all[i].Return = got, r.clock
	}
}

// history is what is to be explained: without the calls that were refused for
// a full disk, which must have changed nothing.
func (r *recorder) history() []porcupine.Operation {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []porcupine.Operation
	for _, op := range r.all {
		c, got := op.Input.(call), op.Output.(reply)
		kind := c.verb + " " + got.kind
		if got.duplicate {
			kind = c.verb + " duplicate"
		} else if c.verb == "send" && got.kind == "ok" && got.sequence == 0 {
			kind = "send queued"
		}
		r.counts[kind]++
		if got.kind != "full" {
			out = append(out, op)
		}
	}
	return out
}

// do makes one call and records it.
func (r *recorder) do(e *durable.Engine, c call) {
	ctx := context.Background()
	i := r.begin(c)
	var err error
	got := reply{kind: "ok"}
	switch c.verb {
	case "send":
		var a durable.Answer
		if a, err = e.Send(ctx, durable.Event{Session: c.session, Name: "put." + c.value, ID: c.id}); err == nil {
			got = reply{kind: "ok", sequence: a.Sequence, value: strings.Join(a.Configuration, " "), status: a.Status, duplicate: a.Duplicate}
			if a.Outcome == statechart.Refused {
				got = reply{kind: "refused"}
			}
		}
	case "suspend":
		err = e.Suspend(ctx, c.session, durable.Suspension{Reason: "test"})
	case "resume":
		err = e.Resume(ctx, c.session, "test")
	case "cancel":
		err = e.Cancel(ctx, c.session, "test")
	case "get":
		var v durable.View
		if v, err = e.Get(ctx, c.session); err == nil {
			got = reply{kind: "ok", sequence: v.Sequence, value: strings.Join(v.Configuration, " "), status: v.Status, queued: v.Queued}
		}
	}
	if err != nil {
		got = reply{kind: kindOf(err)}
	}
	r.end(i, got)
}

func kindOf(err error) string {
	var p *statechart.Error
	if errors.As(err, &p) {
		switch p.Code {
		case durable.CodeConflict:
			return "conflict"
		case durable.CodeStatus:
			return "wrong_status"
		case durable.CodeFull:
			return "full"
		}
	}
	return "unknown"
}

// drawCall draws what a client asks for: few sessions, few ids, few values, so
// that they meet.
func drawCall(r *rand.Rand, sessions int) call {
	c := call{session: fmt.Sprint("s", r.IntN(sessions)), verb: "get"}
	switch n := r.IntN(100); {
	case n < 55:
		c.verb, c.value = "send", fmt.Sprint("v", r.IntN(4))
		if r.IntN(4) > 0 {
			k := r.IntN(8)
			c.id = fmt.Sprint("e", k)
			if r.IntN(6) > 0 {
				c.value = fmt.Sprint("v", k%4) // the same id, mostly with the same payload
			}
		}
	case n < 63:
		c.verb = "suspend"
	case n < 75:
		c.verb = "resume"
	case n < 77:
		c.verb = "cancel"
	}
	return c
}

// explained says whether some order of the calls explains all answers.
func explained(t testing.TB, all []porcupine.Operation) bool {
	t.Helper()
	got := porcupine.CheckOperationsTimeout(contract, all, 20*time.Second)
	if got == porcupine.Unknown {
		t.Errorf("the checker gave up on\n%s", told(all))
	}
	return got != porcupine.Illegal
}

// concurrent plays one seed: clients beside each other in a world with faults
// and crashes, on a store behind which there may be a deliberate bug.
func concurrent(t testing.TB, seed uint64, chart *statechart.Chart, counts map[string]int, broken func(durable.Store, *rand.Rand) durable.Store) []porcupine.Operation {
	w := New(seed)
	rec := &recorder{counts: counts}
	inner := memory.New()
	var store *Store
	var engine *durable.Engine
	rate := []int{0, 30, 150}[w.random.IntN(3)]
	open := func(rate int) {
		inner.Close()
		store = NewStore(w, inner, rate, counts)
		config := durable.Config{Runtime: w.Runtime(), Charts: durable.NewCharts(chart), Workers: 2, Resident: 1, Full: 3}
		var err error
		if bad := w.Do("open", 20_000, func() { engine, err = durable.Open(context.Background(), store, config) }); bad != nil || err != nil {
			t.Fatal(bad, err)
		}
	}
	open(0)
	sessions := 1 + w.random.IntN(2)
	for i := range sessions {
		start := durable.Start{ID: fmt.Sprint("s", i), Chart: "register"}
		var err error
		if bad := w.Do("start", 20_000, func() { _, err = engine.Start(context.Background(), start) }); bad != nil || err != nil {
			t.Fatal(bad, err)
		}
	}
	behind := func() { store.Store = broken(inner, w.random) }
	store.Rate = rate
	behind()
	for range 30 {
		c, e := drawCall(w.random, sessions), engine
		w.Start(c.verb, func() { rec.do(e, c) })
		steps := w.steps + w.random.IntN(25)
		if err := w.Run(func() bool { return w.steps >= steps }, 100_000); err != nil && !strings.Contains(err.Error(), "nothing can go on") {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if w.random.IntN(20) == 0 {
			counts["crash"]++
			store.Leave()
			w.Crash()
			open(rate)
			behind()
		}
	}
	store.Rate = 0
	end := w.Elapsed() + 10_000
	if err := w.Run(func() bool { return w.Elapsed() >= end }, 100_000); err != nil && !strings.Contains(err.Error(), "nothing can go on") {
		t.Fatalf("seed %d: %v", seed, err)
	}
	for i := range sessions {
		if err := w.Do("get", 20_000, func() { rec.do(engine, call{verb: "get", session: fmt.Sprint("s", i)}) }); err != nil {
			t.Fatal(err)
		}
	}
	store.Leave()
	w.Crash()
	return rec.history()
}

func sound(s durable.Store, _ *rand.Rand) durable.Store { return s }

// E1, E3, E4, D5: sends, reads and verbs on a session are linearizable, also
// when commits fail unseen and the engine dies.
func TestE3Linearizable(t *testing.T) {
	chart := registerChart(t)
	counts := map[string]int{}
	operations, bad := 0, 0
	for i := range *histories {
		seed := *first + uint64(i)
		all := concurrent(t, seed, chart, counts, sound)
		operations += len(all)
		if !explained(t, all) {
			t.Errorf("seed %d: no order of these calls explains their answers\n%s", seed, told(all))
			if bad++; bad == 3 {
				break
			}
		}
	}
	t.Logf("linearizability: %d histories from seed %d, %d calls, %d not linearizable; %v", *histories, *first, operations, bad, counts)
	for _, want := range []string{"send ok", "send queued", "send duplicate", "send conflict", "send refused", "send unknown", "send full", "get ok",
		"suspend ok", "suspend wrong_status", "suspend unknown", "resume ok", "resume wrong_status", "cancel ok", "crash", "failed commit", "unseen commit", "slow commit"} {
		if *histories >= 400 && counts[want] == 0 {
			t.Errorf("%q never happened", want)
		}
	}
}

// The same in real goroutines, on both stores.
func TestE3LinearizableInGoroutines(t *testing.T) {
	chart := registerChart(t)
	for name, open := range map[string]func(*testing.T) durable.Store{
		"memory": func(*testing.T) durable.Store { return memory.New() },
		"sqlite": func(t *testing.T) durable.Store {
			s, err := sqlite.Open(t.TempDir()+"/detent.db", sqlite.Options{})
			if err != nil {
				t.Fatal(err)
			}
			return s
		},
	} {
		t.Run(name, func(t *testing.T) {
			counts := map[string]int{}
			operations := 0
			for round := range 4 {
				rec := &recorder{counts: counts}
				store := open(t)
				engine, err := durable.Open(t.Context(), store, durable.Config{Charts: durable.NewCharts(chart), Resident: 1})
				if err != nil {
					t.Fatal(err)
				}
				for i := range 2 {
					if _, err := engine.Start(t.Context(), durable.Start{ID: fmt.Sprint("s", i), Chart: "register"}); err != nil {
						t.Fatal(err)
					}
				}
				var clients sync.WaitGroup
				for k := range 4 {
					random := rand.New(rand.NewPCG(*first, uint64(10*round+k)))
					clients.Go(func() {
						for range 40 {
							rec.do(engine, drawCall(random, 2))
						}
					})
				}
				clients.Wait()
				if err := errors.Join(engine.Close(), store.Close()); err != nil {
					t.Fatal(err)
				}
				all := rec.history()
				operations += len(all)
				if !explained(t, all) {
					t.Errorf("seed %d, round %d: no order of these calls explains their answers\n%s", *first, round, told(all))
				}
			}
			t.Logf("linearizability on %s: %d calls of 4 clients in 4 histories; %v", name, operations, counts)
		})
	}
}

// A checker that finds nothing proves little: each of these bugs it must see.
func TestLinearizabilityNoticesBugs(t *testing.T) {
	chart := registerChart(t)
	for _, name := range slices.Sorted(maps.Keys(liars)) {
		t.Run(name, func(t *testing.T) {
			for seed := *first; seed < *first+200; seed++ {
				all := concurrent(t, seed, chart, map[string]int{}, liars[name])
				if !explained(t, all) {
					t.Logf("seen with seed %d", seed)
					return
				}
			}
			t.Error("200 seeds did not notice it")
		})
	}
}

package durable_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/memory"
)

// errPower is what everything gets once the power is gone.
var errPower = fmt.Errorf("%w: the power is gone", durable.ErrBroken)

// fuse is a store whose power goes at its n-th commit: the commit is stored or
// not, and nobody hears of it.
type fuse struct {
	durable.Store
	blow
	mu   sync.Mutex
	gone bool
}

// blow says when a fuse blows: how many commits are left, and whether the last
// of them is stored.
type blow struct {
	left   int
	stored bool
}

func (f *fuse) set(b blow) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.blow = b
}

func (f *fuse) dead() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.gone {
		return errPower
	}
	return nil
}

func (f *fuse) Commit(ctx context.Context, c durable.Commit) error {
	if err := f.dead(); err != nil {
		return err
	}
	f.mu.Lock()
	f.left--
	f.gone = f.left == 0
	last, stored := f.gone, f.stored
	f.mu.Unlock()
	if last && !stored {
		return errPower
	}
	err := f.Store.Commit(ctx, c)
	if last {
		return errors.Join(errPower, err)
	}
	return err
}

func (f *fuse) Load(ctx context.Context, q durable.LoadQuery) (*durable.Stored, error) {
	if err := f.dead(); err != nil {
		return nil, err
	}
	return f.Store.Load(ctx, q)
}

// errandBoy needs three calls, one after the other, each of which is told what
// the one before has given. It keeps nothing in memory.
type errandBoy struct {
	mu    sync.Mutex
	calls []string            // what was called, in order
	keys  map[string][]string // by call: the keys under which it came
}

func (b *errandBoy) Perform(_ context.Context, c host.Call) host.Outcome {
	b.mu.Lock()
	defer b.mu.Unlock()
	name := fmt.Sprintf("%s %v", c.Src, c.Input)
	if c.Src == "tool:errand" {
		name = fmt.Sprintf("%s round %d", c.Src, c.Round)
	}
	b.calls = append(b.calls, name)
	if !slices.Contains(b.keys[name], c.Key) {
		b.keys[name] = append(b.keys[name], c.Key)
	}
	if c.Src == "tool:part" {
		return host.Done(fmt.Sprintf("%v!", c.Input))
	}
	var way []string
	if c.Round > 0 {
		if err := json.Unmarshal(c.Continuation, &way); err != nil || len(c.Results) != 1 {
			return host.Failed(host.Failure{Code: "lost", Message: fmt.Sprintf("%s, %d results", c.Continuation, len(c.Results)), Final: true})
		}
		way = append(way, fmt.Sprint(c.Results[0].Outcome.Output))
	}
	if c.Round == 3 {
		return host.Done(strings.Join(way, " "))
	}
	next, _ := json.Marshal(append([]string{}, way...))
	return host.GoOn(host.More{Continuation: next, Effects: []host.Request{{Src: "tool:part", Input: fmt.Sprintf("%c", 'a'+c.Round)}}})
}

// crashed runs the errand to its end on one store, with the power going at
// every n-th commit of the first lives.
func crashed(t *testing.T, store durable.Store, boy *errandBoy, c *statechart.Chart, cuts ...blow) durable.View {
	t.Helper()
	ctx := within(t)
	config := durable.Config{Charts: durable.NewCharts(c), Performers: host.Table{"tool:*": {Performer: boy, Traits: host.Traits{Mode: host.AtLeastOnce}}}}
	for _, cut := range cuts {
		f := &fuse{Store: store, blow: cut}
		e, err := durable.Open(ctx, f, config)
		must(t, err)
		if _, err := e.Start(ctx, durable.Start{ID: "s", Chart: "caller", Until: durable.End}); err == nil {
			t.Fatalf("it came to its end before commit %d", cut.left)
		}
		must(t, e.Close())
		must(t, store.Close())
	}
	e := open(t, store, config)
	_, err := e.Start(ctx, durable.Start{ID: "s", Chart: "caller"})
	must(t, err)
	v, err := e.Wait(ctx, "s", durable.End)
	must(t, err)
	check, err := e.Verify(ctx, "s")
	must(t, err)
	if len(check.Problems) > 0 {
		t.Errorf("the journal has %v", check.Problems)
	}
	must(t, e.Close())
	must(t, store.Close())
	return v
}

// A call of three calls survives a crash between any two of them, and anywhere
// else: what was recorded is not done again, what is done again comes under
// the same key, and the end is the same.
func TestMoreSurvivesACrashAnywhere(t *testing.T) {
	chart := caller(t, statechart.Invocation{Src: "tool:errand"})
	whole := &errandBoy{keys: map[string][]string{}}
	counting := &fuse{Store: memory.New(), blow: blow{left: -1}}
	crashed(t, counting, whole, chart)
	commits := -1 - counting.left
	plain := []string{"tool:errand round 0", "tool:part a", "tool:errand round 1", "tool:part b", "tool:errand round 2", "tool:part c", "tool:errand round 3"}
	if !slices.Equal(whole.calls, plain) {
		t.Fatalf("without a crash it calls %q", whole.calls)
	}
	crashes := 0
	for n := 1; n <= commits; n++ {
		for _, stored := range []bool{false, true} {
			for _, again := range []int{0, 1, 2, 3} { // and once more, at a commit of the next life
				boy := &errandBoy{keys: map[string][]string{}}
				cuts := []blow{{left: n, stored: stored}}
				if again > 0 && n+again < commits {
					cuts = append(cuts, blow{left: again, stored: stored})
				}
				if n == commits && stored {
					continue // that is its end
				}
				v := crashed(t, memory.New(), boy, chart, cuts...)
				crashes += len(cuts)
				sameErrand(t, fmt.Sprintf("crash at commit %d and %d, stored: %v", n, again, stored), v, boy, whole, len(cuts))
			}
		}
	}
	t.Logf("more: %d commits, %d crashes", commits, crashes)
}

// sameErrand sees that a crash made no difference but repetitions: at most one
// a crash, under the same key.
func sameErrand(t *testing.T, when string, v durable.View, boy, whole *errandBoy, crashes int) {
	t.Helper()
	if v.Status != durable.Completed {
		t.Errorf("%s: it is %s: %+v", when, v.Status, v.Reason)
	}
	if !reflect.DeepEqual(boy.keys, whole.keys) {
		t.Errorf("%s: the calls come under the keys\n%v\nand without a crash under\n%v", when, boy.keys, whole.keys)
	}
	if got := slices.Compact(slices.Clone(boy.calls)); !slices.Equal(got, whole.calls) {
		t.Errorf("%s: it calls %q", when, boy.calls)
	}
	if more := len(boy.calls) - len(whole.calls); more > crashes {
		t.Errorf("%s: %d calls are repeated: %q", when, more, boy.calls)
	}
}

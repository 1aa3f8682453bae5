package durable_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/internal/sim"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/sqlite"
)

// watched is a store that other processes can open, and that counts what its
// owner asks of it.
type watched struct {
	*sqlite.Store
	asked map[string]int
}

func (w *watched) Commit(ctx context.Context, c durable.Commit) error {
	w.asked["commit"]++
	return w.Store.Commit(ctx, c)
}

func (w *watched) Load(ctx context.Context, q durable.LoadQuery) (*durable.Stored, error) {
	w.asked["load"]++
	return w.Store.Load(ctx, q)
}

func (w *watched) Due(ctx context.Context, through int64, limit int) ([]durable.Due, error) {
	w.asked["due"]++
	return w.Store.Due(ctx, through, limit)
}

func (w *watched) Select(ctx context.Context, f durable.Filter) ([]durable.Head, error) {
	w.asked["select"]++
	return w.Store.Select(ctx, f)
}

func (w *watched) Journal(ctx context.Context, session string, from uint64, limit int) ([]durable.JournalRow, error) {
	w.asked["journal"]++
	return w.Store.Journal(ctx, session, from, limit)
}

func (w *watched) Records(ctx context.Context, q durable.RecordQuery) ([]durable.Record, error) {
	w.asked["records"]++
	return w.Store.Records(ctx, q)
}

func (w *watched) Requests(ctx context.Context, limit int) ([]durable.Request, error) {
	w.asked["requests"]++
	return w.Store.Requests(ctx, limit)
}

func (w *watched) Reply(ctx context.Context, epoch uint64, id string, reply []byte) error {
	w.asked["reply"]++
	return w.Store.Reply(ctx, epoch, id, reply)
}

// take tells what was asked for since it was called last.
func (w *watched) take() (looks, dues int, rest map[string]int) {
	looks, dues, rest = w.asked["requests"], w.asked["due"], w.asked
	delete(rest, "requests")
	delete(rest, "due")
	w.asked = map[string]int{}
	return looks, dues, rest
}

// idlers are sessions of every kind that waits: for an event, a far timer, a
// tick that is far, a person, a child, and one that is suspended.
func idlers(t testing.TB) (*durable.ChartSet, host.Performers) {
	end := statechart.State{Name: "end", Type: statechart.Final}
	far := []statechart.Timed{{Delay: "30d", Transitions: list(on("", "end"))}}
	return durable.NewCharts(
			compile(t, "event", statechart.State{Name: "on", On: list(on("go", "end"))}, end),
			compile(t, "timer", statechart.State{Name: "on", After: far}, end),
			compile(t, "tick", statechart.State{Name: "on", Every: far}, end),
			compile(t, "person", statechart.State{Name: "on", Invoke: calls("ask", "tool:ask", statechart.Invocation{OnDone: list(on("", "end"))})}, end),
			compile(t, "child", statechart.State{Name: "on", Invoke: calls("kid", "chart:timer", statechart.Invocation{OnDone: list(on("", "end"))})}, end)),
		performing(func(context.Context, host.Call) host.Outcome {
			return host.Ask(host.Question{Kind: "approve", Text: "Shall we?"})
		})
}

// idle is an engine on a store in the folder, whose calls are counted.
func idle(t *testing.T, folder string) (*watched, *simulated) {
	t.Helper()
	kept, err := sqlite.Open(filepath.Join(folder, "detent.db"), sqlite.Options{})
	must(t, err)
	t.Cleanup(func() { kept.Close() })
	store := &watched{Store: kept, asked: map[string]int{}}
	charts, performers := idlers(t)
	w := &simulated{t: t, World: sim.New(1), store: store, config: durable.Config{Charts: charts, Performers: performers}}
	w.open()
	return store, w
}

// An owner of whose sessions none has anything to do writes nothing and reads
// nothing, however long that goes on: it looks at a counter in shared memory
// for what other processes ask, and once a minute at the index of timers.
func TestAnIdleEngineTouchesNothing(t *testing.T) {
	folder := t.TempDir()
	store, w := idle(t, folder)
	const each = 20
	for _, id := range []string{"event", "timer", "tick", "person", "child"} {
		for i := range each {
			w.start(fmt.Sprintf("%s%d", id, i), id)
		}
		w.start(id+" suspended", id)
		w.do(func(ctx context.Context) error {
			return w.e.Suspend(ctx, id+" suspended", durable.Suspension{Reason: "night"})
		})
		w.do(func(ctx context.Context) error {
			_, err := w.e.Send(ctx, durable.Event{Session: id + " suspended", Name: "go"})
			return err
		})
	}
	w.pass(5000)
	store.take()
	before := files(t, folder)
	looks, dues := 0, 0
	for second := range 1000 {
		w.pass(1000)
		l, d, rest := store.take()
		looks, dues = looks+l, dues+d
		if len(rest) > 0 || d > 1 {
			t.Fatalf("in the idle second %d the store is asked for %v and %d times for timers", second, rest, d)
		}
	}
	if after := files(t, folder); after != before {
		t.Errorf("an idle engine has written:\n%s\nbefore\n%s", after, before)
	}
	if looks < 1000*1000/50-10 || dues > 1000/60+1 {
		t.Errorf("the doors were looked at %d times, the timers %d times", looks, dues)
	}
	t.Logf("1,000 idle seconds with %d sessions: 0 bytes written, 0 statements but %d looks at the timers; %d looks at the doors", 6*each+6, dues, looks)
	// And it was awake all the time.
	visitor, err := durable.Visit(store, durable.VisitConfig{Runtime: w.Runtime()})
	must(t, err)
	w.do(func(ctx context.Context) error {
		_, err := visitor.Send(ctx, durable.Event{Session: "event0", Name: "go"})
		return err
	})
	w.do(func(context.Context) error { return w.e.Close() })
}

// files tells the names, sizes and times of what is in a folder. The file of
// shared memory is none: nothing of it is on the disk.
func files(t *testing.T, folder string) string {
	t.Helper()
	var b strings.Builder
	must(t, fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || strings.HasSuffix(name, "-shm") {
			return err
		}
		i, err := d.Info()
		fmt.Fprintf(&b, "%s %d bytes, %s\n", name, i.Size(), i.ModTime())
		return err
	}))
	return b.String()
}

// What another process asks for is taken up at the owner's next look, which
// is at most 100 ms away, and the answer is found at the asker's next.
func TestARequestIsTakenUpAtTheNextLook(t *testing.T) {
	folder := t.TempDir()
	store, w := idle(t, folder)
	asker, err := sqlite.Open(filepath.Join(folder, "detent.db"), sqlite.Options{})
	must(t, err)
	defer asker.Close()
	visitor, err := durable.Visit(asker, durable.VisitConfig{Runtime: w.Runtime(), Charts: w.config.Charts})
	must(t, err)
	const requests = 200
	most, longest := 0, int64(0)
	for i := range requests {
		w.pass(int64(1 + i*7%61)) // at any time between two looks
		store.take()
		begin := w.Elapsed()
		w.do(func(ctx context.Context) error {
			_, err := visitor.Start(ctx, durable.Start{ID: fmt.Sprint("s", i), Chart: "event"})
			return err
		})
		longest = max(longest, w.Elapsed()-begin)
		looks, _, rest := store.take()
		most = max(most, looks)
		if rest["commit"] != 1 || rest["reply"] != 1 {
			t.Errorf("a request costs %v", rest)
		}
	}
	if most > 2 || longest > 100 {
		t.Errorf("a request waits for up to %d looks and %d ms", most, longest)
	}
	t.Logf("%d requests: answered within %d looks, %d ms of simulated time at most", requests, most, longest)
	w.do(func(context.Context) error { return w.e.Close() })
}

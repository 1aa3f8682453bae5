package crash

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/sqlite"
)

// directory is the variable that makes this binary a child, and says where it
// works.
const directory = "DETENT_CRASH_DIRECTORY"

func TestMain(m *testing.M) {
	if dir := os.Getenv(directory); dir != "" {
		if err := child(dir); err != nil {
			fmt.Fprintln(os.Stderr, "child:", err)
			os.Exit(3)
		}
		os.Exit(0)
	}
	if dir := os.Getenv(fullDirectory); dir != "" {
		if err := fullChild(dir); err != nil {
			fmt.Fprintln(os.Stderr, "child:", err)
			os.Exit(3)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// script is what every client sends to its session, in this order; what is
// not "later" is sent when the session rests.
var script = []string{"again", "go", "ask", "tick", "later", "kid", "go", "again", "ask"}

var sessions = []string{"one", "two"}

func to(event, target string) []statechart.Transition {
	return []statechart.Transition{{Event: event, Target: target}}
}

// charts have between them a call of each mode, a timer, a child and a kept
// event.
func charts() ([]*statechart.Chart, error) {
	rest := statechart.State{Name: "rest"}
	states := []statechart.State{}
	for _, pair := range [][2]string{{"go", "at_most_once"}, {"again", "at_least_once"}, {"ask", "reconcile"}} {
		event, mode := pair[0], pair[1]
		states = append(states, statechart.State{Name: mode, Invoke: []statechart.Invocation{{ID: "call", Src: "tool:" + mode, Mode: mode,
			Retry:  map[string]any{"max": int64(4), "initial": "2ms"},
			OnDone: to("", "rest"), OnError: to("", "rest"), OnUnknown: to("", "rest")}}})
		rest.On = append(rest.On, to(event, mode)...)
	}
	rest.On = append(rest.On, to("tick", "timed")...)
	rest.On = append(rest.On, to("kid", "parent")...)
	states = append(states, rest,
		statechart.State{Name: "timed", Defer: []string{"later"}, After: []statechart.Timed{{Delay: "5ms", Transitions: to("", "kept")}}},
		statechart.State{Name: "kept", On: to("later", ""), After: []statechart.Timed{{Delay: "2ms", Transitions: to("", "rest")}}},
		statechart.State{Name: "parent", Invoke: []statechart.Invocation{{ID: "kid", Src: "chart:kid", OnDone: to("", "rest"), OnError: to("", "rest")}}})
	kid := []statechart.State{
		{Name: "wait", After: []statechart.Timed{{Delay: "3ms", Transitions: to("", "end")}}},
		{Name: "end", Type: statechart.Final, Output: "grown"}}
	var out []*statechart.Chart
	for _, d := range []statechart.Definition{
		{ID: "main", Root: statechart.State{Initial: "rest", States: states}},
		{ID: "kid", Root: statechart.State{Initial: "wait", States: kid}},
	} {
		c, err := statechart.Compile(d, nil)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// tool is the other side of the calls: a file that each of them is written to
// and synced before it answers.
type tool struct {
	mu   sync.Mutex
	file *os.File
	done map[string]bool
}

func openTool(dir string) (*tool, error) {
	path := filepath.Join(dir, "tool")
	before, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	t := &tool{done: map[string]bool{}}
	for line := range strings.Lines(string(before)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "done" {
			t.done[f[1]] = true
		}
	}
	t.file, err = os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	return t, err
}

func (t *tool) write(what string, c host.Call) {
	t.mu.Lock()
	defer t.mu.Unlock()
	fmt.Fprintln(t.file, what, c.Key, c.Mode, c.Attempt)
	if err := t.file.Sync(); err != nil {
		panic(err)
	}
	if what == "done" {
		t.done[c.Key] = true
	}
}

// Perform does it, after a first refusal for every third key.
func (t *tool) Perform(_ context.Context, c host.Call) host.Outcome {
	if c.Key[0]%3 == 0 && c.Attempt < 3 {
		return host.Fail("busy", "not now")
	}
	t.write("start", c)
	t.write("done", c)
	return host.Done(c.Key)
}

// Find looks into the record.
func (t *tool) Find(_ context.Context, c host.Call) (host.Finding, host.Outcome) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.done[c.Key] {
		return host.Found, host.Done(c.Key)
	}
	return host.Absent, host.Outcome{}
}

// child carries the sessions as far as they go, and prints what was
// acknowledged.
func child(dir string) error {
	all, err := charts()
	if err != nil {
		return err
	}
	t, err := openTool(dir)
	if err != nil {
		return err
	}
	store, err := sqlite.Open(filepath.Join(dir, "store.db"), sqlite.Options{Readers: 1, LogPages: 60})
	if err != nil {
		return err
	}
	p := host.Table{}
	for _, mode := range []string{"at_most_once", "at_least_once", "reconcile"} {
		p["tool:"+mode] = host.Entry{Performer: t}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	e, err := durable.Open(ctx, store, durable.Config{Charts: durable.NewCharts(all...), Performers: p, Full: 5, Resident: 1, Doors: 1000})
	if err != nil {
		return err
	}
	ends := make(chan error, len(sessions))
	for _, s := range sessions {
		go func() { ends <- client(ctx, e, s) }()
	}
	for range sessions {
		err = errors.Join(err, <-ends)
	}
	return errors.Join(err, e.Close(), store.Close())
}

// client sends the whole script again in every life: what was done is a
// duplicate.
func client(ctx context.Context, e *durable.Engine, session string) error {
	if _, err := e.Start(ctx, durable.Start{ID: session, Chart: "main"}); err != nil {
		return err
	}
	for i, name := range script {
		id := fmt.Sprint("e", i)
		a, err := e.Send(ctx, durable.Event{Session: session, Name: name, ID: id})
		if err != nil {
			return err
		}
		fmt.Println("ack", session, id, a.Sequence)
		if name == "tick" {
			continue // the next one is to be kept
		}
		if _, err := e.Wait(ctx, session, durable.InState("rest")); err != nil {
			return err
		}
	}
	fmt.Println("end", session)
	return nil
}

package crash

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/internal/failpoint"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/sqlite"
)

// moreDirectory is the variable that makes this binary a child whose one
// session makes a call of three calls.
const moreDirectory = "DETENT_CRASH_MORE"

func init() {
	dir := os.Getenv(moreDirectory)
	if dir == "" {
		return
	}
	output, err := errand(dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, "child:", err)
		os.Exit(3)
	}
	fmt.Println(output)
	os.Exit(0)
}

// errand carries the session to its end and gives its output.
func errand(dir string) (any, error) {
	c, err := statechart.Compile(statechart.Definition{ID: "errand", Root: statechart.State{Initial: "out", States: []statechart.State{
		{Name: "out", Invoke: []statechart.Invocation{{ID: "call", Src: "tool:errand", OnDone: to("", "back"), OnError: to("", "lost")}}},
		{Name: "back", Type: statechart.Final}, {Name: "lost", Type: statechart.Final, Status: "failed"},
	}}}, nil)
	if err != nil {
		return nil, err
	}
	record, err := os.OpenFile(filepath.Join(dir, "record"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	store, err := sqlite.Open(filepath.Join(dir, "store.db"), sqlite.Options{Readers: 1})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	perform := host.PerformerFunc(func(_ context.Context, c host.Call) host.Outcome { return leg(record, c) })
	e, err := durable.Open(ctx, store, durable.Config{Charts: durable.NewCharts(c),
		Performers: host.Table{"tool:*": {Performer: perform, Traits: host.Traits{Mode: host.AtLeastOnce}}}})
	if err != nil {
		return nil, err
	}
	if _, err := e.Start(ctx, durable.Start{ID: "s", Chart: "errand"}); err != nil {
		return nil, err
	}
	v, err := e.Wait(ctx, "s", durable.End)
	if err != nil {
		return nil, err
	}
	check, err := e.Verify(ctx, "s")
	if err != nil || len(check.Problems) > 0 {
		return nil, fmt.Errorf("verify: %v, %v", check.Problems, err)
	}
	return v.Status, e.Close()
}

// leg makes one call and writes it down: a part, or the errand itself, which
// is told what the part before has given.
func leg(record *os.File, c host.Call) host.Outcome {
	if c.Src == "tool:part" {
		fmt.Fprintln(record, "part", c.Input, c.Key)
		return host.Done(fmt.Sprint(c.Input, "!"))
	}
	var way []string
	if c.Round > 0 {
		if json.Unmarshal(c.Continuation, &way) != nil || len(c.Results) != 1 {
			return host.Failed(host.Failure{Code: "lost", Message: "what was kept is not there", Final: true})
		}
		way = append(way, fmt.Sprint(c.Results[0].Outcome.Output))
	}
	fmt.Fprintln(record, "round", c.Round, c.Key, strings.Join(way, " "))
	if c.Round == 3 {
		return host.Done(way)
	}
	kept, _ := json.Marshal(append([]string{}, way...))
	return host.GoOn(host.More{Continuation: kept, Effects: []host.Request{{Src: "tool:part", Input: string(rune('a' + c.Round))}}})
}

// life runs the child once, with a place to be killed at or none.
func life(dir, point string) (output, complaints string) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), moreDirectory+"="+dir, failpoint.Variable+"="+point, "GORACE=atexit_sleep_ms=0")
	var out, bad bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &bad
	_ = cmd.Run() // what it says tells how it ended
	return strings.TrimSpace(out.String()), strings.TrimSpace(bad.String())
}

// A call of three calls, killed between any two of them and at each of them:
// it ends as it would have, what is made again comes under the same key, and
// what was told to a round is what the parts before had given.
func TestKillBetweenThreeCalls(t *testing.T) {
	whole := t.TempDir()
	if out, bad := life(whole, ""); out != "completed" {
		t.Fatalf("without a kill it says %q, %q", out, bad)
	}
	want := legs(t, whole)
	if len(want) != 7 {
		t.Fatalf("without a kill it calls %q", want)
	}
	kills := 0
	for _, place := range []string{"claim.before", "claim.after", "call.before", "call.after", "result.before", "commit.before", "commit.after"} {
		for n := 1; ; n++ {
			dir := t.TempDir()
			_, bad := life(dir, fmt.Sprint(place, ":", n))
			if bad != "failpoint "+place {
				if bad != "" || n <= 7 {
					t.Errorf("%s:%d: it says %q", place, n, bad)
				}
				break // it comes there less often
			}
			kills++
			if out, bad := life(dir, ""); out != "completed" {
				t.Errorf("%s:%d: afterwards it says %q, %q", place, n, out, bad)
			}
			got := legs(t, dir)
			if once := slices.Compact(slices.Clone(got)); !slices.Equal(once, want) || len(got) > len(want)+1 {
				t.Errorf("%s:%d: it calls\n%q\nwant\n%q", place, n, got, want)
			}
		}
	}
	t.Logf("more: %d kills", kills)
}

// legs are the lines of the record.
func legs(t *testing.T, dir string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "record"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

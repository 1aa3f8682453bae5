package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// crowd is a chart that calls a tool four times at once.
const crowd = `id: crowd
context: {n: 0}
type: parallel
states:
  a: {initial: x, states: {x: {invoke: [{src: "tool:slow", input: {}, onDone: y}]}, y: {type: final}}}
  b: {initial: x, states: {x: {invoke: [{src: "tool:slow", input: {}, onDone: y}]}, y: {type: final}}}
  c: {initial: x, states: {x: {invoke: [{src: "tool:slow", input: {}, onDone: y}]}, y: {type: final}}}
  d: {initial: x, states: {x: {invoke: [{src: "tool:slow", input: {}, onDone: y}]}, y: {type: final}}}
on: {poke: {actions: [{assign: {n: 1}}]}}
`

// The bounds of a deployment hold in a real run: how many calls of a tool run at
// once, how many of all, and how long an event is.
func TestLimitsHold(t *testing.T) {
	folder := t.TempDir()
	program := filepath.Join(folder, "detent")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, c := range []struct {
		name, tool, limits string
		want               int
	}{
		{"a tool's", "concurrency: 2, ", "limits: {eventBytes: 100}", 2},
		{"all", "", "limits: {concurrency: 3, eventBytes: 100}", 3},
		{"both", "concurrency: 4, ", "limits: {concurrency: 1, eventBytes: 100}", 1},
		{"none", "", "limits: {eventBytes: 100}", 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			arrived, open := make(chan bool, 4), make(chan bool)
			server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
				arrived <- true
				<-open
			}))
			defer server.Close()
			release := sync.OnceFunc(func() { close(open) })
			defer release()
			dir, address := t.TempDir(), strings.TrimPrefix(server.URL, "http://")
			for name, text := range map[string]string{
				"crowd.yaml":  crowd,
				"detent.yaml": fmt.Sprintf("network: {allow: [%q]}\n%s\ntools: {slow: {%shttp: {url: \"http://%s/\"}}}\n", address, c.limits, c.tool, address),
			} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			detent := func(args ...string) (string, error) {
				cmd := exec.CommandContext(ctx, program, args...)
				cmd.Dir = dir
				out, err := cmd.CombinedOutput()
				return string(out), err
			}
			ended := make(chan string)
			go func() {
				out, err := detent("run", "crowd.yaml", "--id", "case")
				ended <- fmt.Sprint(err, "\n", out)
			}()
			for range c.want {
				select {
				case <-arrived:
				case out := <-ended:
					t.Fatalf("the run has ended: %s", out)
				case <-ctx.Done():
					t.Fatal("too few calls run")
				}
			}
			if out, err := detent("send", "case", `poke="`+strings.Repeat("x", 98)+`"`); err != nil {
				t.Errorf("an event of 100 bytes: %v\n%s", err, out)
			}
			// What could be claimed was so before the event was taken.
			out, err := detent("show", "case")
			var shown struct{ Effects []struct{ Stands string } }
			if err != nil || json.Unmarshal([]byte(out), &shown) != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if got := strings.Count(fmt.Sprint(shown.Effects), "claimed"); got != c.want || len(shown.Effects) != 4 {
				t.Errorf("%d calls run, want %d, of %v", got, c.want, shown.Effects)
			}
			if out, err := detent("send", "case", `poke="`+strings.Repeat("x", 99)+`"`); err == nil || !strings.Contains(out, "100 are allowed") {
				t.Errorf("an event of 101 bytes: %v\n%s", err, out)
			}
			release()
			if out := <-ended; !strings.HasPrefix(out, "<nil>") {
				t.Errorf("the run ended with %s", out)
			}
		})
	}
}

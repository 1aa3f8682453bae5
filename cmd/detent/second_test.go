package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// desk is a chart with something for each command to do.
const desk = `id: desk
initial: open
states:
  open:
    on: {ask: asking, call: calling, try: trying, close: closed}
  asking:
    invoke: {id: question, src: human:approve, input: {question: Shall we?}, onDone: open, onError: open}
  calling:
    invoke: {id: odd, src: "tool:odd", input: {}, mode: at_most_once, onDone: open, onError: open}
  trying:
    invoke: {id: bad, src: "tool:bad", input: {}, mode: at_most_once, onDone: open}
  closed: {type: final, output: fine}
`

// newDesk is a world with the chart desk, whose tools are an odd server: it
// hangs up on the first call, and refuses others.
func newDesk(t *testing.T) *world {
	t.Helper()
	built, err := programs()
	must(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	w := &world{t: t, ctx: ctx, dir: t.TempDir(), programs: built}
	var calls atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(a http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/odd" && calls.Add(1) == 1 {
			panic(http.ErrAbortHandler)
		}
		if q.URL.Path == "/bad" {
			a.WriteHeader(http.StatusBadRequest)
		}
		fmt.Fprint(a, "{}")
	}))
	t.Cleanup(server.Close)
	must(t, os.WriteFile(w.path("desk.yaml"), []byte(desk), 0o600))
	address := strings.TrimPrefix(server.URL, "http://")
	must(t, os.WriteFile(w.path("detent.yaml"), []byte(fmt.Sprintf("network: {allow: [%q]}\ntools:\n  odd: {http: {url: \"%s/odd\"}}\n  bad: {http: {url: \"%s/bad\"}}\n",
		address, server.URL, server.URL)), 0o600))
	return w
}

var elapsedTimes = regexp.MustCompile(` +\+\d+\.\d+s`)

// While one process carries the sessions of a store, every command of another
// one works, by asking it.
func TestASecondProcessAsksTheOwner(t *testing.T) {
	w := newDesk(t)
	steps := []string{"run", "desk.yaml", "--event", "ask", "--until", "asking", "--id"}
	own, _, code := w.command(nil, append(steps, "own", "--db", "own.db")...)
	if code != 0 {
		t.Fatalf("a run of its own ends with %d", code)
	}
	w.work()
	handed, said, code := w.command(nil, append(steps, "d")...)
	if code != 0 || elapsedTimes.ReplaceAllString(handed, "") != elapsedTimes.ReplaceAllString(own, "") || !strings.Contains(said, "another process owns the store") {
		t.Errorf("handed over, the run ends with %d and shows\n%s%s\nof its own it shows\n%s", code, handed, said, own)
	}
	w.until("d", "asked", func(v view) bool { return len(v.Pending) == 1 })
	for _, c := range []struct {
		args string
		code int
		want string // in what it says
	}{
		{"pending", 0, "Shall we?"},
		{"answer d question --approve --by ann", 0, "answered"},
		{"answer d question --approve --by bob", 3, "hint:"},
		{"send d ask --key k --wait settled", 0, "taken; d is active, in asking"},
		{"send d ask --key k", 0, "it was sent before"},
		{"answer d question --reject --by ann", 0, "answered"},
		{"send d ask --wait settled", 0, "in asking"},
		{"send d close", 3, "ignored"},
		{"answer d question --approve --by ann", 0, "answered"},
		{"send d call --wait settled", 0, "d is parked, in calling"},
		{"retry d", 3, "detent settle d odd"},
		{"settle d odd --done {} --by ann", 0, "settled"},
		{"send d call --wait settled", 0, "in open"},
		{"suspend d --reason night", 0, "d is suspended"},
		{"send d try", 0, "queued"},
		{"resume d", 1, "the session is failed"},
		{"retry d", 0, "d is"},
		{"cancel d", 3, "wrong_status"},
		{"send nobody close", 3, `there is no session "nobody"`},
		{"run desk.yaml --id e --event close", 0, "the session is completed"},
		{"run desk.yaml --id f --until open", 0, "in open"},
		{"cancel f", 0, "f is cancelled"},
		{"run desk.yaml --id f", 3, "detent resume f"},
		{"delete f", 0, "f is gone"},
		{"ps", 0, "completed"},
		{"verify d", 0, "whole and unchanged"},
	} {
		out, said, code := w.command(nil, strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(out+said, c.want) {
			t.Errorf("detent %s ends with %d, want %d and %q\n%s%s", c.args, code, c.code, c.want, out, said)
		}
	}
}

// A process with another deployment is told to use the owner's: its session
// would be carried with other tools.
func TestASecondProcessWithAnotherDeploymentIsRefused(t *testing.T) {
	w := newDesk(t)
	w.work()
	must(t, os.WriteFile(w.path("other.yaml"), []byte("tools: {}\n"), 0o600))
	_, said, code := w.command(nil, "run", "desk.yaml", "--id", "d", "--config", "other.yaml")
	if code == 0 || !strings.Contains(said, "another deployment file") || !strings.Contains(said, "hint:") {
		t.Errorf("it ends with %d and says %s", code, said)
	}
	if out := w.ok("ps"); strings.Contains(out, "desk") {
		t.Errorf("there is a session:\n%s", out)
	}
}

// An owner that is killed is known by its lock at once: the next process owns
// the store and carries what it left, and one that followed takes over.
func TestAKilledOwnerIsFollowedAtOnce(t *testing.T) {
	w := newDesk(t)
	owner := w.work()
	follower := w.run("desk", "d", "--event", "ask")
	follower.rowIn("asking")
	w.ok("run", "desk.yaml", "--id", "e", "--until", "open")
	w.working("another process owns ") // stands by
	owner.kill()
	// Whoever comes first owns it: this one, the follower, or who stands by.
	if out, said, code := w.command(nil, "run", "desk.yaml", "--id", "f", "--event", "close"); code != 0 {
		t.Errorf("the next run ends with %d: %s%s", code, out, said)
	}
	w.ok("answer", "d", "question", "--approve", "--by", "ann")
	w.ok("send", "d", "close")
	rows, code := follower.rest()
	if code != 0 || len(rows) == 0 || rows[len(rows)-1].Status != "completed" {
		t.Errorf("the follower ends with %d after %+v", code, rows)
	}
	for !strings.Contains(w.ok("doctor"), "a process owns it") {
		if w.ctx.Err() != nil {
			t.Fatal("who stands by does not take over")
		}
	}
	w.ok("send", "e", "close")
	for _, id := range []string{"d", "e", "f"} {
		if v := w.show(id); v.Status != "completed" {
			t.Errorf("%s is %s", id, v.Status)
		}
		if out := w.ok("verify", id); !strings.Contains(out, "whole and unchanged") {
			t.Errorf("%s: %s", id, out)
		}
	}
}

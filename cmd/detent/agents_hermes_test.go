package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

const (
	task = "Report on detents: web_search, then code_executor, then file_writer"
	// A plan, three tools, and before each of them and at the end a decision.
	hermesCalls = 8
)

// hermes is the whole of a command that starts the first agent with a task.
var hermes = []string{"run", "hermes.yaml", "--id", "h", "--json", "--until", "completed", "--event", `receive_task={"task": "` + task + `"}`}

// reported sees that the task was done: the tools were really called, and each
// has left its trace.
func (w *world) reported() {
	w.t.Helper()
	v := w.show("h")
	if got := v.Data["completed"]["result"]; got != task+": done in 3 of 3 steps" {
		w.t.Errorf("in %v the result is %v", v.Configuration, got)
	}
	report, err := os.ReadFile(w.path("out/report.md"))
	if err != nil || string(report) != task+"\n" {
		w.t.Errorf("the report is %q, %v", report, err)
	}
	var ways []string
	for _, r := range w.rows("h") {
		if strings.Join(r.From, "") != strings.Join(r.To, "") {
			ways = append(ways, strings.Join(r.To, ""))
		}
	}
	want := []string{"idle", "planning", "executing", "waiting", "executing", "waiting", "executing", "waiting", "executing", "completed"}
	if !slices.Equal(ways, want) {
		w.t.Errorf("it went through %q, want %q", ways, want)
	}
	w.verified("h")
}

// "The real run drives itself, so that one receive_task leads to completed",
// with tools that are really called.
func TestAgent1RunsThrough(t *testing.T) {
	w := newWorld(t, "hermes")
	w.ok(hermes...)
	w.reported()
	var found []string
	for _, r := range w.rows("h") {
		if r.Event == "done.invoke.tool" {
			found = append(found, fmt.Sprint(r.Data))
		}
	}
	if len(found) != 3 || !strings.Contains(found[0], "Detents give a knob its clicks") || found[1] != fmt.Sprint(len(task)) || !strings.Contains(found[2], "report.md") {
		t.Errorf("the tools gave %q", found)
	}
	w.ok("send", "h", "reset")
	w.in("h", "idle")
}

// Killed before, in and after each of its calls, and resumed, it goes the same
// way to the same end.
func TestAgent1KilledAtEachCall(t *testing.T) {
	for _, place := range []string{"claim.after", "call.after", "result.before"} {
		for n := range hermesCalls {
			t.Run(fmt.Sprint(place, " ", n+1), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, "hermes")
				w.diesAt(fmt.Sprintf("%s:%d", place, n+1), hermes...)
				w.ok("resume", "h", "--json", "--until", "completed")
				w.reported()
			})
		}
	}
}

// The real program refuses as the chart does: a blank task, and retries beyond
// what the session may.
func TestAgent1Refuses(t *testing.T) {
	w := newWorld(t, "hermes")
	w.ok("run", "hermes.yaml", "--id", "h", "--json", "--set", "maxRetries=1", "--until", "idle")
	if out, code := w.detent("send", "h", `receive_task={"task": "  "}`); code != 3 {
		t.Errorf("a blank task ends with %d: %s", code, out)
	}
	must(t, os.Remove(w.path("search.sh"))) // from now on the tool fails
	w.ok("resume", "h", "--json", "--until", "error", "--event", `receive_task={"task": "Report"}`)
	v := w.show("h")
	if got := v.Data["error"]; got["errorFrom"] != "waiting" || v.Data[""]["retries"] != 0.0 {
		t.Errorf("it is in %v with %v and %v", v.Configuration, got, v.Data[""])
	}
	w.ok("resume", "h", "--json", "--until", "executing", "--event", "retry")
	w.ok("resume", "h", "--json", "--until", "error")
	if out, code := w.detent("send", "h", "retry"); code != 3 {
		t.Errorf("a second retry ends with %d: %s", code, out)
	}
	if v := w.in("h", "error"); v.Data[""]["retries"] != 1.0 {
		t.Errorf("it has %v", v.Data[""])
	}
}

// "The replay of a session's record prints, in order, time, from, event, to and
// data of every transition, and warns where a session entered error more than 2
// times or waiting more than 10 times (both limits adjustable)", from the file
// alone, when all processes are gone.
func TestAgent1TheRecordIsReplayed(t *testing.T) {
	w := newWorld(t, "hermes")
	w.edit("detent.yaml", "process: {argv: [sh, search.sh]", "process: {argv: [sh, gone.sh]")
	w.ok("run", "hermes.yaml", "--id", "h", "--json", "--set", "maxRetries=9", "--until", "error", "--event", `receive_task={"task": "Report"}`)
	for range 2 {
		w.ok("send", "h", "retry", "--wait", "error")
	}
	rows := w.rows("h")
	for i, r := range rows {
		if r.Sequence != i+1 || r.Time == 0 || r.Event == "" || len(r.To) != 1 || i > 0 && (r.Time < rows[i-1].Time || !slices.Equal(r.From, rows[i-1].To)) {
			t.Errorf("row %d is %+v", i+1, r)
		}
	}
	if r := rows[1]; fmt.Sprint(r.Data) != "map[task:Report]" {
		t.Errorf("the task's row has the data %v", r.Data)
	}
	for _, c := range []struct {
		flags, want []string
	}{
		{nil, []string{"error was entered 3 times, more often than 2", "waiting was entered 12 times, more often than 10"}},
		{[]string{"--often", "error=3", "--often", "waiting=12", "--often", "planning=9"}, []string{"planning was entered 10 times, more often than 9"}},
	} {
		_, complaints, code := w.command(nil, append([]string{"log", "h"}, c.flags...)...)
		var want strings.Builder
		for _, line := range c.want {
			want.WriteString("warning: " + line + "\n")
		}
		if complaints != want.String() || code != 0 {
			t.Errorf("log %q ends with %d and says\n%swant\n%s", c.flags, code, complaints, want.String())
		}
	}
}

package main

import (
	"reflect"
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/statechart"
)

// happening is what takes the session a step on: an event, or the end of a
// call.
type happening struct {
	call, event string
	data        any
}

func event(name string, data any) happening { return happening{event: name, data: data} }

func done(call string, data any) happening { return happening{call, "done", data} }

func failure(call string, data any) happening { return happening{call, "error", data} }

type object = map[string]any

var (
	planned   = []happening{done("planner", object{"steps": []any{"letter"}})}
	assembled = append(planned, done("assemble", "Dear c-17"))
	agreed    = append(assembled, done("handshake", object{"credential": "k-1"}))
	checking  = append(agreed, event("CALLBACK", object{"status": "ok"}))
)

// leaves are all atomic states below the root, with the way to each.
var leaves = []struct {
	path string
	way  []happening
}{
	{"Active.Planning", nil},
	{"Active.Executing.ToolInvocation.AssembleMessage", planned},
	{"Active.Executing.ToolInvocation.Handshake", assembled},
	{"Active.Executing.ToolInvocation.WaitingAck", agreed},
	{"Active.Executing.ToolInvocation.Retrying", append(assembled[:2:2], failure("handshake", object{"code": "rate_limited", "status": int64(429)}))},
	{"Active.Executing.ToolInvocation.ManualReview", append(assembled[:2:2], failure("handshake", object{"status": int64(403)}))},
	{"Active.CodeVerifying.SyntaxChecking", checking},
	{"Active.CodeVerifying.SandboxRunning", append(checking[:4:4], done("syntax", nil))},
	{"Suspended", append(checking[:4:4], event("SUSPEND", nil))},
}

// reach starts a session and takes it to a leaf.
func reach(t *testing.T, c *statechart.Chart, path string, way []happening) *statechart.Instance {
	t.Helper()
	in := new(statechart.Instance)
	c.Start(in, statechart.Start{Session: "s", Input: object{"customer": "c-17"}})
	for _, h := range way {
		happen(t, in, h)
	}
	wantIn(t, in, path)
	return in
}

func happen(t *testing.T, in *statechart.Instance, h happening) {
	t.Helper()
	d := statechart.Delivery{Event: statechart.Event{Name: h.event, Data: h.data}}
	if h.call != "" {
		live := in.Live()
		if len(live) != 1 || live[0].Source.ID != h.call {
			t.Fatalf("in %v the open calls are %v, not %s", in.Configuration(), live, h.call)
		}
		d.Name = h.event + ".invoke." + h.call
		d.Envelope = &statechart.Envelope{Source: live[0].Source}
	}
	if result := in.Receive(d); result.Outcome != statechart.Taken {
		t.Fatalf("in %v, %s is %s: %+v", in.Configuration(), d.Name, result.Outcome, result.Reason)
	}
}

func wantIn(t *testing.T, in *statechart.Instance, path string) {
	t.Helper()
	if got := in.Configuration(); len(got) != 1 || got[0] != path {
		t.Fatalf("the session is in %v, want %s", got, path)
	}
}

// The list of leaves is complete: it is read off the chart.
func TestEveryLeafIsListed(t *testing.T) {
	var paths []string
	var walk func(prefix string, states []statechart.State)
	walk = func(prefix string, states []statechart.State) {
		for _, s := range states {
			switch path := prefix + s.Name; {
			case len(s.States) > 0:
				walk(path+".", s.States)
			case s.Type == "":
				paths = append(paths, path)
			}
		}
	}
	f, _ := chartfile.Read("collections.yaml", file)
	walk("", f.Definition.Root.States)
	listed := map[string]bool{}
	for _, l := range leaves {
		listed[l.path] = true
	}
	if len(paths) != len(leaves) {
		t.Errorf("the chart has %d leaves, listed are %d", len(paths), len(leaves))
	}
	for _, p := range paths {
		if !listed[p] {
			t.Errorf("%s is not listed", p)
		}
	}
}

// "ABORT_TIMEOUT is declared once, on the root, and is obeyed from every leaf
// at every depth."
func TestAbortIsObeyedFromEveryLeaf(t *testing.T) {
	c := chart(t)
	for _, l := range leaves {
		in := reach(t, c, l.path, l.way)
		result := in.Send(statechart.Event{Name: "ABORT_TIMEOUT"})
		if got := in.Configuration(); result.Outcome != statechart.Taken || got[0] != "Aborted" || in.Status() != statechart.FailedStatus {
			t.Errorf("from %s it is %s and leads to %v, %s", l.path, result.Outcome, got, in.Status())
		}
		if len(in.Timers())+len(in.Live()) > 0 {
			t.Errorf("from %s it leaves behind %v, %v", l.path, in.Timers(), in.Live())
		}
		if result := in.Send(statechart.Event{Name: "RESUME"}); result.Outcome != statechart.Refused {
			t.Errorf("what was aborted takes events: %s", result.Outcome)
		}
	}
}

// "SUSPEND from any leaf under Active leads to Suspended; RESUME leads back by
// deep history to the very leaf that was left, with every level's data as it
// was, however many times this is done, also after the process was killed in
// between and also on another machine."
func TestSuspendAndResumeFromEveryLeaf(t *testing.T) {
	for _, l := range leaves {
		if !strings.HasPrefix(l.path, "Active.") {
			continue
		}
		t.Run(l.path, func(t *testing.T) {
			in := reach(t, chart(t), l.path, l.way)
			data, timers := in.Data(), remaining(in)
			for range 5 {
				happen(t, in, event("SUSPEND", object{"reason": "night window"}))
				wantIn(t, in, "Suspended")
				if len(in.Timers())+len(in.Live()) > 0 {
					t.Fatalf("suspended, it holds %v, %v", in.Timers(), in.Live())
				}
				in = elsewhere(t, in)
				in.SetNow(in.Now() + 3_600_000)
				happen(t, in, event("RESUME", nil))
				wantIn(t, in, l.path)
				if got := in.Data(); !reflect.DeepEqual(got, data) {
					t.Fatalf("the data is now %v, was %v", got, data)
				}
				if got := remaining(in); !reflect.DeepEqual(got, timers) {
					t.Fatalf("the timers are now %v, were %v", got, timers)
				}
			}
		})
	}
}

// elsewhere moves a session to another machine: only its document travels.
func elsewhere(t *testing.T, in *statechart.Instance) *statechart.Instance {
	t.Helper()
	document, err := in.Snapshot().Encode()
	if err != nil {
		t.Fatal(err)
	}
	there := chart(t)
	snapshot, err := there.Decode(document)
	if err != nil {
		t.Fatal(err)
	}
	moved := new(statechart.Instance)
	if err := there.Resume(moved, snapshot); err != nil {
		t.Fatal(err)
	}
	return moved
}

// remaining is what each timer has left, in milliseconds.
func remaining(in *statechart.Instance) map[string]int64 {
	left := map[string]int64{}
	for _, timer := range in.Timers() {
		left[timer.Name] = timer.Due - in.Now()
	}
	return left
}

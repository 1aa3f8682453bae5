package statechart_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// pendingChart is a chart with timers, calls, a kept event and histories, in a
// state in which there is one of each.
func pendingChart(t testing.TB) (*statechart.Chart, string) {
	t.Helper()
	c := compile(t, Definition{Lists: []string{"rows"}, Events: []statechart.EventDeclaration{{Name: "x"}}, Root: State{Initial: "w",
		Entry: []Action{{Raise: "r", Delay: 50, ID: "rid", Data: "d"}, {Do: &Invocation{ID: "d", Src: "side"}}},
		On:    []Transition{on("r", ""), on("x", "", say("x"))},
		States: []State{
			{Name: "w", Type: statechart.Parallel, On: []Transition{on("leave", "v")}, States: []State{
				{Name: "h", Type: statechart.History}, {Name: "deep", Type: statechart.History, History: "deep"},
				{Name: "p", Initial: "a", Context: vars("n", int64(1)), States: []State{{Name: "hp", Type: statechart.History}, {Name: "a", After: []Timed{{Delay: 10, Keep: true}}}, {Name: "b"}}},
				{Name: "q", Initial: "c", States: []State{{Name: "c"}, {Name: "d", Context: vars("m", int64(2))}}},
			}},
			{Name: "v", Defer: []string{"x"}, Invoke: []Invocation{{ID: "i", Src: "tool"}}, On: []Transition{on("back", "w.h"), on("deep", "w.deep"), on("hp", "w.p.hp")},
				After: []Timed{{Delay: 100}}, Every: []Timed{{Delay: 20}}, WarnAfter: 30},
		}}})
	var in Instance
	c.Start(&in, statechart.Start{Session: "s"})
	if a, b := told(&in, "leave"), told(&in, "x"); a != "taken" || b != "deferred deferred" {
		t.Fatal(a, b)
	}
	return c, encode(t, &in)
}

// forgeries are changes of that document that no history of the session can
// lead to, with the place where they are refused.
var forgeries = []struct{ name, old, new, path string }{
	{"a timer of another state", `"kind":"after","name":"after.v:0"`, `"kind":"after","name":"after.w.p.a:0"`, "timers"},
	{"an after as an every", `"kind":"after","name":"after.v:0"`, `"kind":"every","name":"after.v:0"`, "timers"},
	{"a timer of a state that is not active", `"kind":"after","name":"after.v:0","source":{"entry":4,"id":"after.v:0","kind":"timer"},"state":"v"`, `"kind":"after","name":"after.w.p.a:0","source":{"entry":4,"id":"after.w.p.a:0","kind":"timer"},"state":"w.p.a"`, "timers"},
	{"an after without a state", `"source":{"entry":4,"id":"after.v:0","kind":"timer"},"state":"v"`, `"source":{"entry":4,"id":"after.v:0","kind":"timer"}`, "timers"},
	{"a raise with a state", `"source":{"entry":1,"id":"rid","kind":"timer"}`, `"source":{"entry":1,"id":"rid","kind":"timer"},"state":"v"`, "timers"},
	{"a raise of an engine's event", `"name":"r","source"`, `"name":"done.invoke.i","source"`, "timers"},
	{"a raise of no name", `"name":"r","source"`, `"name":"","source"`, "timers"},
	{"a timer whose source is none", `"source":{"entry":1,"id":"rid","kind":"timer"}`, `"source":{"entry":1,"id":"rid","kind":"invoke"}`, "timers"},
	{"a timer by another's id", `"source":{"entry":4,"id":"after.v:0","kind":"timer"}`, `"source":{"entry":4,"id":"zzz","kind":"timer"}`, "timers"},
	{"two of one counter", `"source":{"entry":4,"id":"after.v:0","kind":"timer"}`, `"source":{"entry":1,"id":"after.v:0","kind":"timer"}`, "timers"},
	{"a counter that is still to come", `"source":{"entry":1,"id":"rid","kind":"timer"}`, `"source":{"entry":99,"id":"rid","kind":"timer"}`, "timers"},
	{"an every of no period", `"period":20`, `"period":0`, "timers"},
	{"an after with a period", `"kind":"after","name":"after.v:0"`, `"kind":"after","name":"after.v:0","period":7`, "timers"},
	{"an after with data", `"kind":"after","name":"after.v:0"`, `"data":"x","kind":"after","name":"after.v:0"`, "timers"},
	{"a raise to somebody", `"kind":"raise"`, `"kind":"raise","to":"peer"`, "timers"},
	{"timers out of order", `"due":50`, `"due":5000`, "timers"},

	{"a call of another state", `"src":"tool","state":"v"`, `"src":"tool","state":"w.p.a"`, "live"},
	{"a call of no state", `"src":"tool","state":"v"`, `"src":"tool","state":"zzz"`, "live"},
	{"a call that the state does not make", `"source":{"entry":7,"id":"i","kind":"invoke"}`, `"source":{"entry":7,"id":"j","kind":"invoke"}`, "live"},
	{"a call of another kind", `"source":{"entry":7,"id":"i","kind":"invoke"}`, `"source":{"entry":7,"id":"i","kind":"timer"}`, "live"},
	{"two calls of one counter", `"source":{"entry":7,"id":"i","kind":"invoke"}`, `"source":{"entry":1,"id":"i","kind":"invoke"}`, "live"},
	{"a call whose counter is still to come", `"source":{"entry":7,"id":"i","kind":"invoke"}`, `"source":{"entry":77,"id":"i","kind":"invoke"}`, "live"},

	{"an engine's event kept", `"name":"x"`, `"name":"done.invoke.i"`, "deferred"},
	{"an unknown event kept", `"name":"x"`, `"name":"zzz"`, "deferred"},
	{"a kept event of no name", `"name":"x"`, `"name":""`, "deferred"},

	{"a record of nothing", `"w.h":["w.p","w.q"]`, `"w.h":[]`, "history.w.h"},
	{"a record of one region", `"w.h":["w.p","w.q"]`, `"w.h":["w.p"]`, "history.w.h"},
	{"a shallow record of leaves", `"w.h":["w.p","w.q"]`, `"w.h":["w.p.a","w.q.c"]`, "history.w.h"},
	{"a deep record of inner states", `"w.deep":["w.p.a","w.q.c"]`, `"w.deep":["w.p","w.q"]`, "history.w.deep"},
	{"a deep record of two of one region", `"w.deep":["w.p.a","w.q.c"]`, `"w.deep":["w.p.a","w.p.b","w.q.c"]`, "history.w.deep"},
	{"a deep record of one region", `"w.deep":["w.p.a","w.q.c"]`, `"w.deep":["w.p.a"]`, "history.w.deep"},
	{"two children of a compound state", `"w.p.hp":["w.p.a"]`, `"w.p.hp":["w.p.a","w.p.b"]`, "history.w.p.hp"},
	{"a record of a history", `"w.p.hp":["w.p.a"]`, `"w.p.hp":["w.p.hp"]`, "history.w.p.hp"},
	{"a record of a state elsewhere", `"w.p.hp":["w.p.a"]`, `"w.p.hp":["v"]`, "history.w.p.hp"},
	{"a record of no history", `"w.p.hp":["w.p.a"]`, `"w.p":["w.p.a"]`, "history"},

	{"a parked scope from elsewhere", `"w.p.hp":{"scopes":{"w.p":{"n":1}}`, `"w.p.hp":{"scopes":{"w.q.d":{"m":1}}`, "parked.w.p.hp"},
	{"a parked scope of a state without data", `"w.p.hp":{"scopes":{"w.p":{"n":1}}`, `"w.p.hp":{"scopes":{"v":{},"w.p":{"n":1}}`, "parked.w.p.hp"},
	{"a parked timer that is not kept", `"name":"after.w.p.a:0","remaining":10,"state":"w.p.a"`, `"name":"after.v:0","remaining":10,"state":"v"`, "parked"},
	{"a parking without a record", `"w.p.hp":["w.p.a"]`, `"zzz":1`, "history"},

	{"active and ended", `"format":1`, `"ended":true,"format":1`, "ended"},
	{"completed and not ended", `"status":"active"`, `"status":"completed"`, "status"},
	{"cancelled with timers", `"status":"active"`, `"status":"cancelled"`, "status"},
	{"another status", `"status":"active"`, `"status":"suspended"`, "status"},
	{"no macrostep", `"sequence":3`, `"sequence":0`, "sequence"},
	{"a list that does not exist", `"rows":0`, `"other":0`, "lists"},
}

// lateChart is an SCXML document with a session that has heard from others,
// made a call under an id of its own, and given a state's data its values.
func lateChart(t *testing.T) (*statechart.Chart, string) {
	in := scxmlStart(t, Definition{Binding: "late", Root: State{Initial: "a", Context: vars("x", int64(1)), States: []State{
		{Name: "a", Context: vars("y", int64(1)), Invoke: []Invocation{{Src: "tool"}, {ID: "named", Src: "tool"}}},
		{Name: "b", Context: vars("z", int64(1))}, {Name: "c"}}}}, nil)
	for _, origin := range []string{"one", "two"} {
		receive(in, "hello", nil, statechart.Envelope{Origin: origin})
	}
	return in.Chart(), encode(t, in)
}

// scxmlForgeries are those of the parts that only documents have.
var scxmlForgeries = []struct{ name, old, new, path string }{
	{"an empty parent", `"parent":"mother"`, `"parent":""`, "parent"},
	{"a parent that is no text", `"parent":"mother"`, `"parent":1`, "parent"},
	{"heard from twice", `"heard":["one","two"]`, `"heard":["one","one"]`, "heard"},
	{"heard from itself", `"heard":["one","two"]`, `"heard":["one","s"]`, "heard"},
	{"heard from nobody", `"heard":["one","two"]`, `"heard":[""]`, "heard"},
	{"data of a state that has none", `"bound":["","a"]`, `"bound":["","c"]`, "bound"},
	{"data out of order", `"bound":["","a"]`, `"bound":["a",""]`, "bound"},
	{"data of no state", `"bound":["","a"]`, `"bound":["zzz"]`, "bound"},
	{"a call at another place", `"index":0`, `"index":1`, "live"},
	{"a call beyond the last", `"index":0`, `"index":2`, "live"},
	{"a call at no place", `"index":0,`, ``, "live"},
	{"a made id of another state", `"id":"a.1"`, `"id":"b.1"`, "live"},
}

func TestRefusedForgeriesOfDocuments(t *testing.T) {
	c, text := lateChart(t)
	if s, err := c.Decode([]byte(text)); err != nil || encodeSnapshot(t, s) != text {
		t.Fatalf("the document itself: %v", err)
	}
	for _, f := range scxmlForgeries {
		t.Run(f.name, func(t *testing.T) {
			var e *statechart.Error
			if _, err := c.Decode(forged(t, text, f.old, f.new)); !errors.As(err, &e) || e.Code != statechart.CodeSnapshot || !strings.HasPrefix(e.Path, f.path) {
				t.Errorf("%v, want it at %s", err, f.path)
			}
		})
	}
	plain, text := pendingChart(t)
	for _, key := range []string{`"parent":"m"`, `"heard":["m"]`, `"bound":[""]`} {
		if _, err := plain.Decode(forged(t, text, `"format":1`, key+`,"format":1`)); err == nil {
			t.Errorf("%s is read for a chart", key)
		}
	}
}

// A document that no session of the chart can have is refused, with its
// place.
func TestRefusedForgeries(t *testing.T) {
	c, text := pendingChart(t)
	for _, f := range forgeries {
		t.Run(f.name, func(t *testing.T) {
			s, err := c.Decode(forged(t, text, f.old, f.new))
			var e *statechart.Error
			switch {
			case err == nil:
				t.Errorf("it is read")
				goOn(t, c, s, f.name)
			case !errors.As(err, &e) || e.Code != statechart.CodeSnapshot || !strings.HasPrefix(e.Path, f.path):
				t.Errorf("%v, want it at %s", err, f.path)
			}
		})
	}
}

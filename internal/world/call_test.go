package world_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/detent-run/detent/internal/world"
	"github.com/detent-run/detent/statechart"
)

// caller calls src and goes to the state that is named after the outcome.
func caller(t *testing.T, src string) *statechart.Chart {
	return compile(t, "caller",
		statechart.State{Name: "calling", Invoke: []statechart.Invocation{{
			ID: "call", Src: src, Input: "question",
			OnDone:     []statechart.Transition{on("", "done")},
			OnError:    []statechart.Transition{on("", "failed")},
			OnUnknown:  []statechart.Transition{on("", "unknown")},
			OnProgress: []statechart.Transition{on("", "")},
		}}, On: []statechart.Transition{on("leave", "done")}},
		statechart.State{Name: "done", On: []statechart.Transition{on("again", "calling")}},
		statechart.State{Name: "failed", On: []statechart.Transition{on("again", "calling")}},
		statechart.State{Name: "unknown"})
}

func TestPerformersAnswer(t *testing.T) {
	tests := map[string]struct {
		answers []world.Answer
		want    []string
	}{
		"done":    {[]world.Answer{world.Done("yes")}, []string{"s#2 done.invoke.call: taken [done]"}},
		"error":   {[]world.Answer{world.Error("no").In(70)}, []string{"s#2 error.invoke.call: taken [failed]"}},
		"unknown": {[]world.Answer{world.Unknown(nil).In(5)}, []string{"s#2 unknown.invoke.call: taken [unknown]"}},
		"progress": {[]world.Answer{world.Done("yes").In(20), world.Progress(0.5).In(10)}, []string{
			"s#2 progress.invoke.call: ignored forbidden [calling]", "s#3 done.invoke.call: taken [done]"}},
		"open": {nil, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var heard world.Call
			w := world.New(world.Options{Performers: map[string]world.Performer{"tool:x": func(c world.Call) []world.Answer {
				heard = c
				return test.answers
			}}})
			begin(t, w, "s", caller(t, "tool:x"))
			must(t, w.Advance(100))
			wantRecords(t, w, 1, test.want...)
			if heard.Session != "s" || heard.Effect.Data != "question" || heard.Effect.Source.ID != "call" {
				t.Errorf("the performer heard %+v", heard)
			}
			if want := test.answers == nil; want != (len(w.Calls()) == 1) {
				t.Errorf("%d calls are open", len(w.Calls()))
			}
		})
	}
}

func TestAnswersCarryTheirData(t *testing.T) {
	w := world.New(world.Options{Performers: map[string]world.Performer{"tool:x": world.Always(world.Done("yes").In(30))}})
	begin(t, w, "s", caller(t, "tool:x"))
	must(t, w.Advance(30))
	r := w.Records()[1]
	if r.Event.Data != "yes" || r.Now != 30 || r.Event.Envelope.Source != w.Records()[0].Effects[0].Source {
		t.Errorf("got %+v at %d", r.Event, r.Now)
	}
}

func TestPerformersInTurn(t *testing.T) {
	w := world.New(world.Options{Performers: map[string]world.Performer{
		"tool:x": world.InTurn([]world.Answer{world.Error("first")}, []world.Answer{world.Done("second")}),
	}})
	begin(t, w, "s", caller(t, "tool:x"))
	must(t, w.Run())
	for range 2 {
		send(t, w, "s", "again")
		must(t, w.Run())
	}
	wantRecords(t, w, 1,
		"s#2 error.invoke.call: taken [failed]",
		"s#3 again: taken [calling]",
		"s#4 done.invoke.call: taken [done]",
		"s#5 again: taken [calling]")
	if len(w.Calls()) != 1 {
		t.Errorf("open are %v, want the third call", w.Calls())
	}
}

func TestAnOpenCallIsAnsweredOnce(t *testing.T) {
	w := world.New(world.Options{})
	begin(t, w, "s", caller(t, "human:approve"))
	must(t, w.Answer("s", "call", world.Progress("read")))
	must(t, w.Answer("s", "call", world.Done("yes").In(1000)))
	if err := w.Answer("s", "call", world.Done("no")); err == nil {
		t.Error("a second end is accepted")
	}
	must(t, w.Advance(1000))
	wantRecords(t, w, 1, "s#2 progress.invoke.call: ignored forbidden [calling]", "s#3 done.invoke.call: taken [done]")
}

// Leaving the state stops the call: an answer that was to come never does,
// one that is in the inbox already is stale, and a new call is another call.
func TestStoppedCallsAreNotHeardOf(t *testing.T) {
	w := world.New(world.Options{})
	begin(t, w, "s", caller(t, "tool:x"))
	must(t, w.Answer("s", "call", world.Done("too late").In(10)))
	send(t, w, "s", "leave")
	must(t, w.Advance(10))
	wantRecords(t, w, 1, "s#2 leave: taken [done]")

	send(t, w, "s", "again", "leave")
	w.Step()
	must(t, w.Answer("s", "call", world.Done("crossed")))
	send(t, w, "s", "again")
	must(t, w.Run())
	wantRecords(t, w, 2,
		"s#3 again: taken [calling]",
		"s#4 leave: taken [done]",
		"s#5 done.invoke.call: ignored stale [done]",
		"s#6 again: taken [calling]")
	if len(w.Calls()) != 1 || w.Calls()[0].Effect.Source.Entry == w.Records()[2].Effects[0].Source.Entry {
		t.Errorf("open are %+v", w.Calls())
	}
}

// A do outlives the state that asked for it.
func TestDoCalls(t *testing.T) {
	c := compile(t, "c",
		statechart.State{Name: "a", Entry: []statechart.Action{{Do: &statechart.Invocation{ID: "mail", Src: "tool:mail"}}},
			On: []statechart.Transition{on("leave", "b")}},
		statechart.State{Name: "b", On: []statechart.Transition{on("done.do.mail", "sent"), on("drop", "", statechart.Action{Cancel: "mail"})}},
		statechart.State{Name: "sent"})
	run := func(events ...string) *world.World {
		w := world.New(world.Options{Performers: map[string]world.Performer{"tool:mail": world.Always(world.Done(nil).In(50))}})
		begin(t, w, "s", c)
		send(t, w, "s", events...)
		must(t, w.Advance(100))
		return w
	}
	wantRecords(t, run("leave"), 2, "s#3 done.do.mail: taken [sent]")
	w := run("leave", "drop")
	wantRecords(t, w, 2, "s#3 drop: taken [b]")
	if len(w.Calls()) != 0 {
		t.Errorf("open are %v", w.Calls())
	}
}

// A scenario with everything in it gives the same records when each session
// is written out and read back before each step, and when it is run again.
func TestRunsAreRepeatable(t *testing.T) {
	scenario := func(reload bool) []string {
		w := world.New(world.Options{
			Reload: reload,
			Charts: map[string]*statechart.Chart{"child": child(t)},
			Performers: map[string]world.Performer{
				"tool:slow": world.Always(world.Progress(1).In(5), world.Done("slow").In(10)),
			},
		})
		begin(t, w, "p", parent(t))
		begin(t, w, "s", caller(t, "tool:slow"))
		begin(t, w, "l", light(t))
		send(t, w, "l", "go", "nonsense", "stop")
		send(t, w, "p", "ask")
		must(t, w.Advance(2000))
		var lines []string
		for _, r := range w.Records() {
			lines = append(lines, r.String())
		}
		return lines
	}
	first := scenario(false)
	if len(first) < 10 {
		t.Fatalf("too little happens: %v", first)
	}
	for _, reload := range []bool{false, true} {
		if again := scenario(reload); !reflect.DeepEqual(again, first) {
			t.Errorf("reload %v:\n\t%s\nwant\n\t%s", reload, strings.Join(again, "\n\t"), strings.Join(first, "\n\t"))
		}
	}
}

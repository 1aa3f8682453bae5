package main

import (
	"slices"
	"strings"
	"testing"
	"time"
)

const (
	tool   = "Active.Executing.ToolInvocation"
	review = tool + ".ManualReview"
)

// collect is the whole of a command that starts the second agent.
var collect = []string{"run", "collections.yaml", "--id", "case", "--set", "customer=c-17", "--json"}

// The second agent as it is shipped, from the start to its end: the bank turns
// it down three times, a person says yes, the bank calls back by detent send.
func TestAgent2RunsThrough(t *testing.T) {
	w := newWorld(t, "collections")
	w.openBank("--limit", "4", "--decide", "10ms", "--", w.programs+"/detent", "send")
	run := w.start("detent", nil, collect...)
	run.rowIn(review)
	w.asked("case")
	w.ok("answer", "case", "review", "--approve", "--by", "ann")
	rows, code := run.rest()
	if end := rows[len(rows)-1]; code != 0 || end.Status != "completed" {
		t.Fatalf("it ends with %d, %s: %s", code, end.Status, run.errors.String())
	}
	v := w.show("case")
	if _, inRoot := v.Data[""]["attempts"]; inRoot || v.Data[""]["decision"] == nil {
		t.Errorf("the root's data is %v", v.Data[""])
	}
	want := []string{"limited", "limited", "limited", "limited", "handshake", "told"}
	if got := w.happened(); !slices.Equal(got, want) {
		t.Errorf("the bank's record has %q, want %q", got, want)
	}
	w.verified("case")
}

// verified sees that the journal is whole.
func (w *world) verified(id string) {
	w.t.Helper()
	w.ok("verify", id)
}

// "Killed in the third retry, it comes back in the third retry: the retry
// count, the last HTTP status and the backoff's remaining time are there;
// nothing restarts from Active, Executing or Planning."
func TestAgent2KilledInTheThirdRetry(t *testing.T) {
	w := newWorld(t, "collections")
	w.openBank("--limit", "3")
	run := w.start("detent", nil, collect...)
	var third row
	for range 3 {
		third = run.rowIn(tool + ".Retrying")
	}
	run.kill()
	due := third.Time + 1500
	inThirdRetry := func(when string) {
		t.Helper()
		v := w.show("case")
		own := v.Data[tool]
		if !slices.Equal(v.Configuration, []string{tool + ".Retrying"}) || own["attempts"] != 3.0 || own["lastStatus"] != 429.0 || own["backoff"] != 1500.0 {
			t.Errorf("%s it is in %v with %v", when, v.Configuration, own)
		}
		if len(v.Timers) != 1 || v.Timers[0].Due != due {
			t.Errorf("%s its timers are %v, want one at %d", when, v.Timers, due)
		}
	}
	inThirdRetry("killed once,")
	w.diesAt("timer.before:1", "resume", "case", "--json")
	inThirdRetry("killed when the backoff was over,")
	if time.Now().UnixMilli() < due {
		t.Error("it did not wait for what was left of the backoff")
	}

	again := w.start("detent", nil, "resume", "case", "--json", "--until", tool+".WaitingAck")
	rows, code := again.rest()
	if code != 0 || len(rows) < 2 {
		t.Fatalf("resume ends with %d after %+v: %s", code, rows, again.errors.String())
	}
	if rows[0].Time < due || rows[0].Sequence != third.Sequence+1 || !slices.Equal(rows[0].From, third.To) {
		t.Errorf("it goes on with %+v, and the retry was due at %d in %v", rows[0], due, third.To)
	}
	for _, r := range rows {
		if !slices.Contains([]string{tool + ".Handshake", tool + ".WaitingAck", ""}, strings.Join(r.To, "")) {
			t.Errorf("it went to %v", r.To)
		}
	}
	if got, want := w.happened(), []string{"limited", "limited", "limited", "handshake"}; !slices.Equal(got, want) {
		t.Errorf("the bank's record has %q, want %q", got, want)
	}
	w.verified("case")
}

// "Killed between the call and the recording of its answer, the engine asks the
// bank by that key whether it happened before it calls again": the bank's own
// record shows one handshake, wherever the process ends.
func TestAgent2ShakesHandsOnce(t *testing.T) {
	for _, c := range []struct {
		point string
		want  []string
	}{
		// The third call is the handshake: a plan and a letter come first.
		{"claim.before:3", []string{"handshake"}},
		{"claim.after:3", []string{"asked Not Found", "handshake"}},
		{"call.before:3", []string{"asked Not Found", "handshake"}},
		{"call.after:3", []string{"handshake", "asked OK"}},
		{"result.before:3", []string{"handshake", "asked OK"}},
	} {
		t.Run(c.point, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "collections")
			w.openBank()
			w.diesAt(c.point, collect...)
			w.comesBack(c.want)
		})
	}
	// The process is killed from outside while the bank is at it.
	for hold, want := range map[string][]string{"before": {"asked Not Found", "handshake"}, "after": {"handshake", "asked OK"}} {
		t.Run("held "+hold, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "collections")
			w.openBank()
			w.mood(object{"hold": hold})
			run := w.start("detent", nil, collect...)
			run.rowIn(tool + ".Handshake")
			w.until("case", "shaking hands", func(v view) bool {
				return len(v.Effects) == 1 && v.Effects[0].ID == "handshake" && v.Effects[0].Stands == "claimed" && (hold == "before" || len(w.happened()) == 1)
			})
			run.kill()
			w.mood(object{})
			w.comesBack(want)
		})
	}
}

// comesBack resumes the case until it waits for the callback, kills it there
// with the callback in its hands, and resumes it once more: the credential is
// there already, and the bank is left alone.
func (w *world) comesBack(want []string) {
	w.t.Helper()
	w.ok("resume", "case", "--json", "--until", tool+".WaitingAck")
	callback := []string{"send", "case", `CALLBACK={"status":"ok","file":"output = 1"}`, "--key", "first"}
	w.diesAt("step.before:1", callback...)
	if v := w.in("case", tool+".WaitingAck"); v.Data[tool]["credential"] != "k-1" {
		w.t.Errorf("it waits with %v", v.Data[tool])
	}
	w.ok(callback...)
	if _, code := w.start("detent", nil, "resume", "case", "--json").rest(); code != 0 {
		w.t.Errorf("it ends with %d", code)
	}
	if got := w.happened(); !slices.Equal(got, want) {
		w.t.Errorf("the bank's record has %q, want %q", got, want)
	}
	w.verified("case")
}

// "A bank that cannot say (an error on the look-up) is never taken for a no":
// the case goes to a person, and there is no second handshake, however often
// it is tried.
func TestAgent2TheBankCannotSay(t *testing.T) {
	for name, begin := range map[string]func(w *world){
		"lost": func(w *world) { // the bank has closed the connection
			w.mood(object{"lose": 1, "mute": true})
			w.start("detent", nil, collect...).rowIn(review)
		},
		"killed": func(w *world) {
			w.mood(object{"mute": true})
			w.diesAt("call.after:3", collect...)
			w.start("detent", nil, "resume", "case", "--json").rowIn(review)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "collections")
			w.openBank()
			begin(w)
			first := w.asked("case")
			w.ok("answer", "case", "review", "--approve", "--by", "ann") // it still cannot say
			w.until("case", "with a person again", func(v view) bool { return v.Sequence > first.Sequence && len(v.Pending) == 1 })
			w.mood(object{}) // now it can
			w.ok("answer", "case", "review", "--approve", "--by", "ann")
			w.in("case", tool+".WaitingAck")
			got := w.happened()
			made, mute := 0, 0
			for _, what := range got {
				switch what {
				case "handshake":
					made++
				case "asked Service Unavailable":
					mute++
				}
			}
			if made != 1 || mute < 2 || slices.Contains(got, "again") || got[len(got)-1] != "asked OK" {
				t.Errorf("the bank's record has %q", got)
			}
			if v := w.show("case"); v.Data[tool]["credential"] != "k-1" {
				t.Errorf("it waits with %v", v.Data[tool])
			}
		})
	}
}

// asked waits until a person is asked.
func (w *world) asked(id string) view {
	w.t.Helper()
	return w.until(id, "with a person", func(v view) bool { return len(v.Pending) == 1 })
}

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// leaves are the atomic states of the second agent, and how the real programs
// are brought to stay there. examples/collections sees that none is missing.
var leaves = []struct {
	path string
	hold string // what the gate holds
	mood object // of the bank
	then string // an event that is sent on the way, in WaitingAck
}{
	{path: "Active.Planning", hold: "plan"},
	{path: tool + ".AssembleMessage", hold: "letter"},
	{path: tool + ".Handshake", mood: object{"hold": "before"}},
	{path: tool + ".WaitingAck"},
	{path: tool + ".Retrying", mood: object{"limit": 1}},
	{path: review, mood: object{"limit": 1}},
	{path: "Active.CodeVerifying.SyntaxChecking", hold: "syntax", then: verdict},
	{path: "Active.CodeVerifying.SandboxRunning", hold: "sandbox", then: verdict},
}

const verdict = `CALLBACK={"status":"ok","file":"output = 1"}`

// "SUSPEND from any leaf under Active leads to Suspended; RESUME leads back by
// deep history to the very leaf that was left, with every level's data as it
// was, however many times this is done, also after the process was killed in
// between and also on another machine that opens the same store"; exported,
// moved and imported it goes on in the same way. "ABORT_TIMEOUT is declared
// once, on the root, and is obeyed from every leaf at every depth."
func TestAgent2FromEveryLeaf(t *testing.T) {
	for _, l := range leaves {
		t.Run(l.path, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "collections")
			w.openBank()
			w.openGate().hold(l.hold)
			w.edit("collections.yaml", "(attempts + 1) * 500", "60000") // it is still backing off when all is over
			if l.path == review {
				w.edit("collections.yaml", "attempts < 3", "attempts < 0")
			}
			if l.mood != nil {
				w.mood(l.mood)
			}
			owner := w.start("detent", nil, collect...)
			if l.then != "" {
				owner.rowIn(tool + ".WaitingAck")
				w.ok("send", "case", l.then)
			}
			owner.rowIn(l.path)
			at := &leaf{w: w, path: l.path, owner: owner}
			at.remember()
			at.everyWay()
		})
	}
}

// leaf is a session that stays in a leaf.
type leaf struct {
	w     *world
	path  string
	owner *program
	was   view
	left  map[string]int64 // what each timer had left when it was suspended
}

// remember waits until the leaf's calls stand as they will, and keeps what a
// user sees.
func (l *leaf) remember() {
	l.was = l.w.until("case", "at rest in "+l.path, l.atRest)
}

func (l *leaf) atRest(v view) bool {
	return slices.Equal(v.Configuration, []string{l.path}) && !slices.ContainsFunc(v.Effects, func(e struct {
		ID, Key, Src, Stands string
		Attempt              int
	}) bool {
		return e.Stands != "claimed" && e.Stands != "held"
	})
}

// everyWay suspends and resumes the session in every way there is.
func (l *leaf) everyWay() {
	w := l.w
	l.suspend()
	l.resume("live")

	l.suspend()
	l.owner.kill()
	l.owner = w.work()
	l.resume("killed while suspended")

	l.owner.kill()
	l.owner = w.work()
	w.until("case", "back in "+l.path, l.atRest)
	l.suspend()
	l.owner.kill()
	other := l.elsewhere()
	moved := l.imported()

	l.owner = w.work()
	l.resume("killed twice")
	l.abort("from " + l.path)

	other.owner = other.w.work()
	other.resume("on another machine")
	other.suspend()
	other.abort("from Suspended")

	moved.owner = moved.w.work()
	moved.resume("imported")
	moved.abort("imported")
}

// suspend sends SUSPEND. The session holds nothing then.
func (l *leaf) suspend() {
	l.w.t.Helper()
	l.w.ok("send", "case", `SUSPEND={"reason":"night window"}`)
	v := l.w.in("case", "Suspended")
	if len(v.Timers) > 0 || v.Data["Suspended"]["reason"] != "night window" {
		l.w.t.Errorf("suspended from %s it has the timers %v and the data %v", l.path, v.Timers, v.Data)
	}
	at := l.w.last("case", "SUSPEND").Time
	l.left = map[string]int64{}
	for _, timer := range l.was.Timers {
		l.left[timer.Event] = timer.Due - at
	}
}

// resume sends RESUME, and sees that all is as it was.
func (l *leaf) resume(how string) {
	l.w.t.Helper()
	l.w.ok("send", "case", "RESUME")
	r := l.w.last("case", "RESUME")
	if !slices.Equal(r.To, []string{l.path}) {
		l.w.t.Fatalf("%s: RESUME leads to %v, not to %s", how, r.To, l.path)
	}
	v := l.w.until("case", "at rest in "+l.path, l.atRest)
	if !reflect.DeepEqual(v.Data, l.was.Data) {
		l.w.t.Errorf("%s: in %s the data is\n%v\nand was\n%v", how, l.path, v.Data, l.was.Data)
	}
	left := map[string]int64{}
	for _, timer := range v.Timers {
		left[timer.Event] = timer.Due - r.Time
	}
	if !reflect.DeepEqual(left, l.left) {
		l.w.t.Errorf("%s: in %s the timers have %v left, and had %v", how, l.path, left, l.left)
	}
	if a, b := calls(v), calls(l.was); !slices.Equal(a, b) {
		l.w.t.Errorf("%s: in %s it waits for %v, and did for %v", how, l.path, a, b)
	}
	l.was = v
}

// calls are those that are waited for; a key that the chart names is the same
// whenever it is made.
func calls(v view) []string {
	var all []string
	for _, e := range v.Effects {
		name := e.ID
		if e.ID == "handshake" {
			name += " " + e.Key
		}
		all = append(all, name)
	}
	return all
}

// abort sends ABORT_TIMEOUT and sees that nothing is left.
func (l *leaf) abort(how string) {
	l.w.t.Helper()
	l.w.ok("send", "case", "ABORT_TIMEOUT")
	v := l.w.in("case", "Aborted")
	if v.Status != "failed" || len(v.Timers)+len(v.Pending) > 0 {
		l.w.t.Errorf("%s: aborted it is %s with %v, %v", how, v.Status, v.Timers, v.Pending)
	}
	if out, code := l.w.detent("send", "case", "RESUME"); code != 3 {
		l.w.t.Errorf("%s: what was aborted takes RESUME: %d, %s", how, code, out)
	}
	l.w.verified("case")
}

// elsewhere is another machine that opens a copy of the same store.
func (l *leaf) elsewhere() *leaf {
	there := *l
	w := *l.w
	w.dir = l.w.t.TempDir()
	must(w.t, os.CopyFS(w.dir, os.DirFS(l.w.dir)))
	there.w = &w
	return &there
}

// imported is another store that has taken in the session's document.
func (l *leaf) imported() *leaf {
	there := *l
	w := *l.w
	w.dir = l.w.t.TempDir()
	must(w.t, os.CopyFS(w.dir, os.DirFS(l.w.dir)))
	stores, err := filepath.Glob(w.path("detent.db*"))
	must(w.t, err)
	for _, name := range stores {
		must(w.t, os.Remove(name))
	}
	document := l.w.ok("export", "case")
	l.whole(document)
	must(w.t, os.WriteFile(w.path("case.json"), []byte(document), 0o600))
	w.ok("import", "case.json", "--id", "case")
	there.w = &w
	there.w.ok("resume", "case", "--json", "--until", "Suspended")
	return &there
}

// "The snapshot of a suspended session is one self-contained JSON document:
// session id, chart and its version, active leaf paths (dotted), history, every
// scope's data, pending timers, pending calls."
func (l *leaf) whole(document string) {
	l.w.t.Helper()
	var d struct {
		Session, Chart, Digest, Source string
		State                          struct {
			Session       string
			Chart         struct{ ID, Version string }
			Configuration []string
			History       map[string][]string
			Data          map[string]object
			Parked        map[string]json.RawMessage
		}
	}
	must(l.w.t, json.Unmarshal([]byte(document), &d))
	s := d.State
	if d.Session != "case" || s.Chart.ID != "collections" || s.Chart.Version != "1" || !strings.Contains(d.Source, "CodeVerifying") ||
		!slices.Equal(s.Configuration, []string{"Suspended"}) || !slices.Equal(s.History["Active.Last"], []string{l.path}) ||
		s.Data[""]["customer"] != "c-17" || s.Parked["Active.Last"] == nil && len(l.was.Data) > 1 {
		l.w.t.Errorf("of the leaf %s the document has %+v", l.path, s)
	}
}

// rows is the whole journal of a session.
func (w *world) rows(id string) []row {
	w.t.Helper()
	var all []row
	for line := range bytes.Lines([]byte(w.ok("log", id, "--json"))) {
		var r row
		must(w.t, json.Unmarshal(line, &r))
		all = append(all, r)
	}
	return all
}

// last is the newest row of an event.
func (w *world) last(id, event string) row {
	w.t.Helper()
	all := w.rows(id)
	for i := range slices.Backward(all) {
		if all[i].Event == event {
			return all[i]
		}
	}
	w.t.Fatalf("%s has no row of %s", id, event)
	return row{}
}

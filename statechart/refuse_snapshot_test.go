package statechart_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// documents are snapshots that together hold every key there is, with their
// charts.
func documents(t *testing.T) map[string]document {
	t.Helper()
	out := map[string]document{}
	c := compile(t, rich())
	next, err := c.Begin(statechart.Start{Session: "s", Now: 10})
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range richScript {
		if next, err = l.step(c, next.Snapshot); err != nil {
			t.Fatal(err)
		}
		if i == 5 || i == 11 || i == len(richScript)-1 {
			out[fmt.Sprintf("rich after %v", l)] = document{c, encodeSnapshot(t, next.Snapshot)}
		}
	}
	kept := compile(t, Definition{Root: State{Initial: "a", States: []State{
		{Name: "a", Defer: []string{"x"}, Invoke: []Invocation{{ID: "i", Src: "y"}}, Entry: []Action{{Send: "s", To: "peer", Delay: 5, ID: "id", Data: int64(1)}}}}}})
	in := kept.Instance(nil)
	in.Receive(Delivery{Event: Event{Name: "x", Data: map[string]any{"k": []any{1.5}}}, Envelope: &statechart.Envelope{ID: "e", AcceptedAt: 5, From: "client", Effect: "f"}})
	out["kept with an envelope"] = document{kept, encode(t, in)}
	failed := unheard(t, State{Entry: []Action{fails}}, "")
	failed.Send(Event{Name: "go"})
	out["failed"] = document{failed.Chart(), encode(t, failed)}
	cycle := root(t, State{On: []Transition{on("go", "", say("x"))}, Always: []Transition{guarded("", "true", "", say("y"))}})
	out["failed at the start"] = document{cycle.Chart(), encode(t, cycle)}
	typed := compile(t, Definition{Root: State{On: []Transition{on("e", "", note("n"))}}}, diarist(nil, "n")).Instance(newDiary())
	typed.Send(Event{Name: "e"})
	out["typed"] = document{typed.Chart(), encode(t, typed)}
	return out
}

type document struct {
	chart *statechart.Chart
	text  string
}

// tree reads a document keeping numbers as they are written.
func tree(t testing.TB, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// written writes a tree with sorted keys and no white space, as canonical
// JSON is; text without escapes but those it needs.
func written(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// mutation is a changed document: where, and how.
type mutation struct {
	keys []string
	how  string
	text string
}

func (m mutation) String() string { return strings.Join(m.keys, "/") + " " + m.how }

// mutations are all documents with one thing changed: a key or an element
// removed, replaced by a value of each type, or an unknown key added.
func mutations(top any) []mutation {
	var out []mutation
	add := func(keys []string, how string) {
		out = append(out, mutation{slices.Clone(keys), how, written(top)})
	}
	replace := func(keys []string, was any, set func(any)) {
		for _, with := range []any{nil, true, json.Number("-1"), json.Number("0.5"), json.Number("9223372036854775807"), "zzz", "", []any{}, []any{"zzz"}, map[string]any{}, map[string]any{"zzz": "zzz"}} {
			set(with)
			add(keys, "is "+written(with))
		}
		set(was)
	}
	var walk func(keys []string, v any)
	walk = func(keys []string, v any) {
		switch x := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(x)) {
				at, was := append(keys, k), x[k]
				replace(at, was, func(v any) { x[k] = v })
				delete(x, k)
				add(at, "removed")
				x[k] = was
				walk(at, was)
			}
			x["zzz"] = "zzz"
			add(append(keys, "zzz"), "added")
			delete(x, "zzz")
		case []any:
			for i := range x {
				at, was := append(keys, fmt.Sprint(i)), x[i]
				replace(at, was, func(v any) { x[i] = v })
				walk(at, was)
			}
		}
	}
	walk(nil, top)
	return out
}

// A document with anything removed, of another type or added is refused with
// a code and a place, or means just what it says: nothing is read as if it
// were not there, and what was read can go on.
func TestRefusedSnapshots(t *testing.T) {
	for name, d := range documents(t) {
		t.Run(name, func(t *testing.T) {
			for _, m := range mutations(tree(t, d.text)) {
				checkMutation(t, d, m)
			}
		})
	}
}

func checkMutation(t *testing.T, d document, m mutation) {
	t.Helper()
	s, err := d.chart.Decode([]byte(m.text))
	if err != nil {
		var e *statechart.Error
		if !errors.As(err, &e) || e.Code != statechart.CodeSnapshot && e.Code != statechart.CodeChartMismatch && e.Code != statechart.CodeSemantics {
			t.Errorf("%v: refused with %v", m, err)
		} else if e.Path == "" && len(m.keys) > 1 {
			t.Errorf("%v: refused without a place: %v", m, err)
		}
		if !s.IsZero() {
			t.Errorf("%v: refused, and a snapshot is returned", m)
		}
		return
	}
	again, err := s.Encode()
	if err != nil {
		t.Errorf("%v: read, and cannot be written: %v", m, err)
		return
	}
	if m.keys[0] == "context" {
		return // what encoding/json makes of it
	}
	if means := meaning(t, m); written(tree(t, string(again))) != means {
		t.Errorf("%v: read, and written as something else:\n%.300s\n%.300s", m, means, again)
	}
	goOn(t, d.chart, s, m.String())
}

// meaning is the canonical document that the changed one must mean if it is
// read at all: where something may be left out, null and emptiness say that
// it is.
func meaning(t *testing.T, m mutation) string {
	v := tree(t, m.text)
	last := m.keys[len(m.keys)-1]
	if m.how == "is null" && nullable[last] || (m.how == "is []" || m.how == "is {}") && container[last] || m.how == `is ""` && (last == "place" || last == "to") {
		leaveOut(v, m.keys)
	}
	if m.keys[0] == "parked" {
		prune(v.(map[string]any), "parked", 2)
	}
	return written(v)
}

// nullable are the keys that are left out when there is nothing to say,
// container those of them that hold others.
var (
	nullable  = map[string]bool{"reason": true, "place": true, "cycle": true, "output": true, "ended": true, "data": true, "history": true, "parked": true, "scopes": true, "timers": true, "live": true, "deferred": true, "to": true, "envelope": true, "lists": true, "period": true, "state": true}
	container = map[string]bool{"cycle": true, "history": true, "parked": true, "scopes": true, "timers": true, "live": true, "deferred": true, "lists": true}
)

// leaveOut removes the key at the end of the way.
func leaveOut(v any, keys []string) {
	switch x := v.(type) {
	case map[string]any:
		if len(keys) > 1 {
			leaveOut(x[keys[0]], keys[1:])
		} else {
			delete(x, keys[0])
		}
	case []any:
		if k, err := strconv.Atoi(keys[0]); err == nil && len(keys) > 1 {
			leaveOut(x[k], keys[1:])
		}
	}
}

// prune removes what holds nothing, from the inside, down to a depth.
func prune(x map[string]any, key string, depth int) {
	inner, ok := x[key].(map[string]any)
	for _, k := range slices.Sorted(maps.Keys(inner)) {
		if depth > 0 {
			prune(inner, k, depth-1)
		}
	}
	if x[key] == nil || ok && len(inner) == 0 {
		delete(x, key)
	}
}

// goOn drives a snapshot by everything it waits for; nothing may panic, every
// configuration must be legal, and every state must be encoded again.
func goOn(t testing.TB, c *statechart.Chart, s statechart.Snapshot, what string) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%s: read, and then it panics: %v", what, r)
		}
	}()
	var lines []line
	for _, l := range s.Live() {
		lines = append(lines, line{event: l.Source.ID, answer: "done"})
	}
	for range s.Timers() {
		lines = append(lines, line{timer: true})
	}
	for _, e := range []string{"resume", "go", "pause", "resume", "anew", "back", "x", "e", "leave", "deep", "leave", "hp", "stop"} {
		lines = append(lines, line{event: e, at: s.Now()})
	}
	for _, l := range lines {
		next, err := l.step(c, s)
		if err != nil {
			continue // there is no such timer or call any more
		}
		s = next.Snapshot
		text, err := s.Encode()
		if err != nil {
			t.Errorf("%s: after %v it cannot be written: %v", what, l, err)
			return
		}
		if back, err := c.Decode(text); err != nil {
			t.Errorf("%s: after %v it cannot be read: %v", what, l, err)
			return
		} else {
			s = back
		}
	}
}

// A document that is cut off anywhere, or changed in one byte, is refused or
// means what it says.
func TestRefusedSnapshotsCutOff(t *testing.T) {
	for name, d := range documents(t) {
		for n := range len(d.text) {
			if _, err := d.chart.Decode([]byte(d.text[:n])); err == nil {
				t.Errorf("%s: the first %d bytes are read", name, n)
			}
		}
	}
}

// What is no document of one state is refused.
func TestRefusedSnapshotTexts(t *testing.T) {
	d := documents(t)["failed"]
	for name, text := range map[string]string{
		"nothing": "", "null": "null", "a list": "[]", "text": `"x"`, "an empty object": "{}", "two documents": d.text + d.text, "a tail": d.text + "x",
		"a key twice": strings.Replace(d.text, `"format":1`, `"format":1,"format":1`, 1), "bad UTF-8": strings.Replace(d.text, `"session":"s"`, "\"session\":\"\xff\"", 1),
		"a huge number": strings.Replace(d.text, `"now":0`, `"now":99999999999999999999`, 1), "nesting": strings.Repeat("[", 100_000), "deep objects": strings.Repeat(`{"a":`, 100_000),
		"nested data":    strings.Replace(d.text, `"n":1`, `"n":`+strings.Repeat("[", 70)+strings.Repeat("]", 70), 1),
		"another format": strings.Replace(d.text, `"format":1`, `"format":2`, 1),
	} {
		s, err := d.chart.Decode([]byte(text))
		var e *statechart.Error
		if !errors.As(err, &e) || e.Code != statechart.CodeSnapshot || !s.IsZero() {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := d.chart.Decode([]byte(strings.Replace(d.text, `"semantics":1`, `"semantics":2`, 1)))
	var e *statechart.Error
	if !errors.As(err, &e) || e.Code != statechart.CodeSemantics || e.Path != "semantics" {
		t.Errorf("other semantics: %v", err)
	}
}

// A snapshot belongs to the chart with its digest, and to no other.
func TestRefusedOtherCharts(t *testing.T) {
	s := State{Initial: "a", States: []State{{Name: "a", On: []Transition{on("e", "b")}}, {Name: "b"}}}
	c := compile(t, Definition{Root: s})
	text := encode(t, c.Instance(nil))
	same := compile(t, Definition{Root: s})
	if _, err := same.Decode([]byte(text)); err != nil {
		t.Errorf("the same definition again: %v", err)
	}
	var in Instance
	if err := same.Resume(&in, c.Instance(nil).Snapshot()); err != nil {
		t.Errorf("resumed on the same definition: %v", err)
	}
	other := s
	other.States = append(slices.Clone(s.States), State{Name: "z"})
	changed := compile(t, Definition{Root: other})
	var e *statechart.Error
	if _, err := changed.Decode([]byte(text)); !errors.As(err, &e) || e.Code != statechart.CodeChartMismatch || e.Path != "chart.digest" {
		t.Errorf("decoded by another chart: %v", err)
	}
	if err := changed.Resume(&in, c.Instance(nil).Snapshot()); !errors.As(err, &e) || e.Code != statechart.CodeChartMismatch || e.Hint == "" {
		t.Errorf("resumed on another chart: %v", err)
	}
	if _, err := statechart.Step(changed, c.Instance(nil).Snapshot(), Delivery{}, 0); !errors.As(err, &e) || e.Code != statechart.CodeChartMismatch {
		t.Errorf("stepped by another chart: %v", err)
	}
}

// forged replaces a part of a document.
func forged(t *testing.T, text, old, new string) []byte {
	t.Helper()
	if !strings.Contains(text, old) {
		t.Fatalf("%s does not stand in %s", old, text)
	}
	return []byte(strings.Replace(text, old, new, 1))
}

// A configuration that is not legal is refused.
func TestRefusedConfigurations(t *testing.T) {
	c := compile(t, Definition{Root: State{Initial: "p", States: []State{
		{Name: "p", Type: statechart.Parallel, States: []State{
			{Name: "q", Initial: "x", States: []State{{Name: "x"}, {Name: "y"}, {Name: "h", Type: statechart.History}}}, {Name: "r"}}},
		{Name: "z"}}}})
	text := encode(t, c.Instance(nil))
	for list, legal := range map[string]bool{
		`["p.q.x","p.r"]`: true, `["p.q.y","p.r"]`: true, `["z"]`: true,
		`[]`: false, `[""]`: false, `["p"]`: false, `["p.q.x"]`: false, `["p.r"]`: false, `["p.q","p.r"]`: false, `["p.q.x","p.q.y","p.r"]`: false,
		`["p.q.x","p.r","z"]`: false, `["z","z"]`: false, `["p.r","p.q.x"]`: false, `["p.q.x","p.r","p"]`: false, `["p.q.h","p.r"]`: false, `["nosuch"]`: false, `"z"`: false, `[1]`: false, `null`: false,
	} {
		_, err := c.Decode(forged(t, text, `["p.q.x","p.r"]`, list))
		var e *statechart.Error
		if legal && err != nil || !legal && (!errors.As(err, &e) || e.Code != statechart.CodeSnapshot || e.Path != "configuration") {
			t.Errorf("%s: %v", list, err)
		}
	}
}

// A configuration is written in one way.
func TestRefusedWaysToWriteAConfiguration(t *testing.T) {
	c := compile(t, Definition{Root: State{Type: statechart.Parallel, States: []State{{Name: "p"}, {Name: "q"}}}})
	text := encode(t, c.Instance(nil))
	for _, list := range []string{`["p","p","q"]`, `["q","p"]`, `["p","q",""]`} {
		if _, err := c.Decode(forged(t, text, `["p","q"]`, list)); err == nil {
			t.Errorf("%s is read", list)
		}
	}
}

package statechart_test

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// fuzzRegistry knows a few names, so that definitions made of bytes can use
// them.
func fuzzRegistry() *Registry {
	r := spoken()
	r.Guard("g", func(s *Scope) (bool, error) { return s.Event().Data == nil, nil })
	r.Action("a", func(s *Scope) error { return s.Set("n", s.Event().Name) })
	r.Value("v", func(s *Scope) (any, error) { return s.Now(), nil })
	statechart.Guard(r, "q", func(d *diary, _ Event) bool { return len(d.Notes) < 3 })
	statechart.Assign(r, "c", func(d *diary, e Event) { d.Notes = append(d.Notes, e.Name) })
	return r
}

// seeds are the JSON of definitions of every kind: of the rules' tests, and
// the refused ones.
func seeds() []string {
	var out []string
	add := func(d Definition) {
		if b, err := json.Marshal(d); err == nil {
			out = append(out, string(b))
		}
	}
	add(rich())
	add(ended(State{}))
	add(Definition{ID: "c", Root: remembering()})
	add(Definition{ID: "c", Root: recalled()})
	add(Definition{ID: "c", Dialect: "scxml", Root: finishing()})
	add(Definition{ID: "c", Root: deepWork(), Unhandled: "defer"})
	add(Definition{ID: "c", Root: State{Initial: "x", Context: vars("n", nil), States: []State{
		{Name: "x", Entry: []Action{note("c")}, On: []Transition{{Event: "e", Guard: statechart.When("q"), Target: "y", Actions: []Action{{Call: "a"}}}}}, {Name: "y", Always: []Transition{{Guard: statechart.When("g"), Target: "x"}}}}}})
	for _, table := range []string{"definition", "state", "transition", "condition", "action", "call", "timer"} {
		for _, r := range allRefusals[table] {
			add(Definition{ID: "c", Root: r.root})
		}
	}
	return out
}

// bent reads bytes as a program that changes a document: of each three, which
// node, how, and by what. The nodes of the document are what it is bent with,
// so that the result mostly still has the shape of one.
func bent(document any, program []byte) any {
	for ; len(program) >= 3; program = program[3:] {
		var places []func(any)
		var values []any
		collect(document, func(v any, set func(any)) { values, places = append(values, v), append(places, set) })
		if len(places) == 0 || len(places) > 2_000 {
			break
		}
		other := values[(int(program[2])*7+int(program[1]))%len(values)]
		with := []any{nil, true, json.Number("-1"), json.Number("7"), "zzz", "*", []any{}, map[string]any{}, other, other, other, other, other, []any{other, other}, map[string]any{"name": other}}
		places[(int(program[0])+256*int(program[2]%3))%len(places)](clone(with[int(program[1])%len(with)]))
	}
	return document
}

// collect walks a document and hands out each value with a way to replace it.
func collect(v any, each func(v any, set func(any))) {
	switch x := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(x)) {
			each(x[k], func(n any) { x[k] = n })
			collect(x[k], each)
		}
	case []any:
		for i := range x {
			each(x[i], func(n any) { x[i] = n })
			collect(x[i], each)
		}
	}
}

// clone copies a document, so that no part of it stands in two places.
func clone(v any) any {
	switch x := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, e := range x {
			out[k] = clone(e)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = clone(e)
		}
		return out
	}
	return v
}

// FuzzCompile makes definitions of bytes: as JSON, or as a change of one of
// the seeds. Whatever the bytes are, reading and compiling them ends with a
// chart or with errors that have codes; and a chart starts, takes its events,
// timers and answers, and is written and read again after each.
func FuzzCompile(f *testing.F) {
	all := seeds()
	for i, text := range all {
		f.Add(byte(i), []byte(text))
		f.Add(byte(i), []byte{byte(i), byte(i * 3), byte(i * 5), byte(i * 7), 11, byte(i)})
	}
	for _, text := range []string{"", "{}", "null", `{"id":"c","root":{"states":[{"name":"a"}],"initial":"a"}}`} {
		f.Add(byte(0), []byte(text))
	}
	reg := fuzzRegistry()
	f.Fuzz(func(t *testing.T, seed byte, data []byte) {
		var d Definition
		if !json.Valid(data) {
			data = []byte(written(bent(tree(t, all[int(seed)%len(all)]), data[:min(len(data), 60)])))
		}
		if len(data) > 1<<16 || json.Unmarshal(data, &d) != nil {
			return
		}
		c, err := statechart.Compile(d, reg)
		if err != nil {
			checkErrors(t, c, err)
			return
		}
		var in Instance
		c.Start(&in, statechart.Start{Session: "s", Now: 1})
		for _, l := range linesFor(&in) {
			checkStep(t, c, &in, l)
		}
	})
}

func checkErrors(t *testing.T, c *statechart.Chart, err error) {
	t.Helper()
	var list statechart.Errors
	if c != nil || !errors.As(err, &list) || len(list) == 0 {
		t.Fatalf("a chart %v with the error %v", c != nil, err)
	}
	for _, e := range list {
		if e.Code == "" || e.Message == "" {
			t.Fatalf("an error without code or message: %+v", e)
		}
	}
}

// linesFor are the first things to try on a new instance: what it waits for.
func linesFor(in *Instance) []line {
	var lines []line
	for range 2 {
		for i, e := range in.Events() {
			if i < 8 {
				lines = append(lines, line{event: strings.ReplaceAll(e.Name, "*", "x"), at: in.Now() + 1})
			}
		}
		for i, l := range in.Live() {
			if i < 3 {
				lines = append(lines, line{event: l.Source.ID, answer: []string{"done", "error", "unknown"}[i%3], at: in.Now()})
			}
		}
		lines = append(lines, line{timer: true}, line{keep: true})
	}
	return lines
}

// checkStep does a line on an instance by Step, and checks that the pure step
// says the same, that the configuration is legal, and that the state can be
// written and read.
func checkStep(t *testing.T, c *statechart.Chart, in *Instance, l line) {
	t.Helper()
	before := in.Snapshot()
	text, err := before.Encode()
	if err != nil {
		return // data that is not JSON-like, of a typed context
	}
	decoded, err := c.Decode(text)
	if err != nil {
		t.Fatalf("before %v it cannot be read: %v\n%s", l, err, text)
	}
	if again := encodeSnapshot(t, decoded); again != string(text) {
		t.Fatalf("before %v it changes by encoding:\n%s\n%s", l, text, again)
	}
	r, done := tryLine(in, l)
	if !done {
		return
	}
	next, err := l.step(c, decoded)
	if err != nil {
		t.Fatalf("%v as a value: %v", l, err)
	}
	after := encode(t, in)
	if result(r) != result(next.Result) || compact(in.Effects()) != compact(next.Effects) || encodeSnapshot(t, next.Snapshot) != after {
		t.Fatalf("%v: in place %s, as a value %s\n%s\n%s\n%s\n%s", l, result(r), result(next.Result), asked(in), rendered(next.Effects), after, encodeSnapshot(t, next.Snapshot))
	}
	if len(in.Configuration()) > 0 {
		checkLegal(t, in)
	}
}

// tryLine does a line if there is such a timer, call or kept event.
func tryLine(in *Instance, l line) (statechart.Result, bool) {
	if l.keep {
		in.SetNow(l.at)
		_, r, ok := in.Next()
		return r, ok
	}
	d, now, ok := l.delivery(in.Timers(), in.Live())
	if !ok {
		return statechart.Result{}, false
	}
	in.SetNow(now)
	return in.Step(d), true
}

// FuzzDecode makes snapshots of bytes: as text, or as a change of a valid
// one. What is read at all is written again as the same state, and can go on
// from there.
func FuzzDecode(f *testing.F) {
	c, text := pendingChart(f)
	f.Add(false, []byte(text))
	for i, forgery := range forgeries {
		f.Add(false, []byte(strings.Replace(text, forgery.old, forgery.new, 1)))
		f.Add(true, []byte{byte(i), byte(i * 3), byte(i * 5)})
	}
	for i := 1; i < len(text); i += 97 {
		f.Add(false, []byte(text[:i]))
	}
	f.Fuzz(func(t *testing.T, bend bool, data []byte) {
		if bend {
			data = []byte(written(bent(tree(t, text), data[:min(len(data), 60)])))
		}
		s, err := c.Decode(data)
		if err != nil {
			var e *statechart.Error
			if !errors.As(err, &e) || e.Code == "" || !s.IsZero() {
				t.Fatalf("refused with %v", err)
			}
			return
		}
		first, err := s.Encode()
		if err != nil {
			t.Fatalf("read, and cannot be written: %v", err)
		}
		again, err := c.Decode(first)
		if err != nil {
			t.Fatalf("written as what cannot be read: %v\n%s", err, first)
		}
		if second := encodeSnapshot(t, again); second != string(first) {
			t.Fatalf("it changes by encoding:\n%s\n%s", first, second)
		}
		for _, e := range []string{"hp", "deep", "back"} {
			goOn(t, c, s, "decoded")
			next, err := line{event: e, at: s.Now()}.step(c, s)
			if err != nil {
				t.Fatal(err)
			}
			s = next.Snapshot
		}
	})
}

// FuzzStep makes scripts of bytes for two charts: one with everything, one of
// typed callbacks only. In every form, in place and as a value, before and
// after encoding, the same happens.
func FuzzStep(f *testing.F) {
	for _, seed := range []string{"", "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c", "gggggggggggg", "\xff\xfe\xfd\xfc\x10\x20\x30", "abcabcabcabcabcabcabcabc"} {
		f.Add([]byte(seed))
	}
	var script []byte
	for i := range byte(60) {
		script = append(script, i, i*7)
	}
	f.Add(script)
	d, reg := crowd()
	charts := []*statechart.Chart{compile(f, rich()), compile(f, d, reg)}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 100 {
			data = data[:100]
		}
		for _, c := range charts {
			fuzzScript(t, c, data)
		}
	})
}

// fuzzScript drives one chart in all its forms.
func fuzzScript(t *testing.T, base *statechart.Chart, data []byte) {
	var forms []*Instance
	for _, c := range []*statechart.Chart{base, base.WithCache(statechart.Cache{Configurations: -1}), base.WithCache(statechart.Cache{Configurations: -1, Regions: -1}), base.WithCache(statechart.Cache{Configurations: 2})} {
		in := &Instance{}
		c.Start(in, statechart.Start{Session: "s", Now: 5})
		forms = append(forms, in)
	}
	for i, b := range data {
		l := byteLine(forms[0], b, int64(i))
		for _, in := range forms[1:] {
			tryLine(in, l)
		}
		checkStep(t, base, forms[0], l)
		for k, in := range forms[1:] {
			if a, b := encode(t, forms[0]), encode(t, in); a != b {
				t.Fatalf("after %v form %d is in\n%s\nthe first in\n%s", l, k+1, b, a)
			}
		}
	}
}

// byteLine is the line that a byte stands for.
func byteLine(in *Instance, b byte, i int64) line {
	names := []string{"go", "note", "back", "speed", "pause", "resume", "anew", "again", "call", "side", "e0", "e1", "e2", "step", "all", "nosuch", "error.execution", "retry.x", "stop"}
	switch {
	case b >= 0xf0:
		return line{keep: true, at: in.Now()}
	case b >= 0xc0:
		return line{timer: true}
	case b >= 0x80:
		return line{event: []string{"call", "side"}[b%2], answer: []string{"done", "error", "progress", "unknown"}[b/2%4], n: int64(b % 8), at: in.Now() + int64(b%5)*100}
	}
	if names[int(b)%len(names)] == "stop" && i < 20 {
		return line{event: "go", at: in.Now()}
	}
	return line{event: names[int(b)%len(names)], n: int64(b), at: in.Now() + int64(b%7)*50}
}

package xstate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/statechart"
)

type oursT struct {
	sources  []string
	programs []statechart.Program
	errs     []error
	values   []any
	next     int
}

func (o *oursT) Version() string { return "corpus" }
func (o *oursT) Compile(_ string, names statechart.Names) (statechart.Program, error) {
	for i, s := range o.sources {
		o.programs[i], o.errs[i] = expression.Language{}.Compile(s, names)
	}
	return o, nil
}
func (o *oursT) Evaluate(s *statechart.Scope) (any, error) {
	o.values[o.next], o.errs[o.next] = o.programs[o.next].Evaluate(s)
	return nil, nil
}

func TestZZ(t *testing.T) {
	names := map[string]any{
		"ok": true, "f64": 0.5, "f32": 0.5, "i": 1, "i32": 1, "i64": 1, "neg": -3, "big": 9007199254740991, "nul": nil,
		"array": []any{1, 2, 3, 4, 5}, "nested": []any{1, []any{2, []any{3.5, "x"}}, nil}, "empty": []any{},
		"list":  []any{map[string]any{"Bar": "bar"}, map[string]any{"Bar": "baz"}},
		"foo":   map[string]any{"Bar": "bar"}, "deep": map[string]any{"a": map[string]any{"b": []any{1, map[string]any{"c": "d"}}}, "n": nil, "z": 1.5},
		"str":   "str", "uni": "Grüße, Ödön 😀 ß", "texts": []any{"b", "a", "c", "a"}, "attempts": 2, "customer": "Ada",
		"plan": map[string]any{"steps": []any{map[string]any{"id": "a", "done": true}, map[string]any{"id": "b", "done": false}}},
	}
	var sources []string
	if os.Getenv("CORPUS") != "" {
		dir, _ := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/expr-lang/expr").Output()
		for _, name := range []string{"test/fuzz/fuzz_corpus.txt", "testdata/generated.txt"} {
			text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), name))
			if err != nil {
				t.Fatal(err)
			}
			sources = append(sources, strings.Split(strings.TrimSpace(string(text)), "\n")...)
		}
	}
	more, _ := os.ReadFile("/tmp/x2/exprs.txt")
	sources = append(sources, strings.Split(strings.TrimSpace(string(more)), "\n")...)
	// own tests' literals
	files, _ := filepath.Glob("../../expression/*_test.go")
	lit := regexp.MustCompile("`([^`\n]+)`|\"((?:[^\"\\\\\n]|\\\\.)*)\"")
	for _, f := range files {
		if strings.Contains(f, "hostile") || strings.Contains(f, "meter") || strings.Contains(f, "many") || strings.Contains(f, "bench") || strings.Contains(f, "fuzz") {
			continue
		}
		b, _ := os.ReadFile(f)
		for _, m := range lit.FindAllStringSubmatch(string(b), -1) {
			s := m[1]
			if s == "" {
				json.Unmarshal([]byte(`"`+m[2]+`"`), &s)
			}
			if s != "" && !strings.Contains(s, "\n") {
				sources = append(sources, s)
			}
		}
	}
	slices.Sort(sources)
	sources = slices.Compact(sources)
	o := &oursT{sources: sources, programs: make([]statechart.Program, len(sources)), errs: make([]error, len(sources)), values: make([]any, len(sources))}
	r := statechart.NewRegistry()
	r.Language(o)
	var vars []statechart.Variable
	for _, k := range slices.Sorted(maps.Keys(names)) {
		vars = append(vars, statechart.Variable{Name: k, Value: names[k]})
	}
	def := statechart.Definition{ID: "c", Root: statechart.State{Context: vars,
		On: []statechart.Transition{{Event: "go", Actions: []statechart.Action{{Log: statechart.Expression("all")}}}}}}
	chart, err := statechart.Compile(def, r)
	if err != nil {
		t.Fatal(err)
	}
	in := &statechart.Instance{}
	chart.Start(in, statechart.Start{Session: "s"})
	compiled := make([]bool, len(sources))
	event := map[string]any{"code": "rate_limited", "n": 1, "list": []any{1, 2}}
	for o.next = range sources {
		if compiled[o.next] = o.errs[o.next] == nil; compiled[o.next] {
			in.Send(statechart.Event{Name: "go", Data: event})
		}
	}
	m := &module{def: &def, used: map[string]bool{}}
	m.index()
	var b bytes.Buffer
	fmt.Fprintln(&b, "const out = []; function want(i, f) { let r; try { const v = f(); r = v === undefined ? {bad: 'undefined'} : {v}; } catch (e) { r = {e: e.message, bad: e.constructor !== Error ? e.stack : undefined}; } console.log(JSON.stringify([i, r])); }")
	ctx, _ := json.Marshal(names)
	ev, _ := json.Marshal(event)
	fmt.Fprintf(&b, "const context = %s; const self = {sessionId: 's', clock: {now: () => 0}}; const scope = {context: {'detent.ids': 0}, enqueue: {assign() {}}}; const event = {...%s, type: 'go'}; const args = {context, event, self, scope};\n", ctx, ev)
	refused := map[string]int{}
	n := 0
	for i, s := range sources {
		if !compiled[i] {
			continue
		}
		tr := m.translator(where{path: "x", state: m.states[0], event: ownEvent, block: true, sure: true})
		term := tr.source(statechart.Expression(s))
		if tr.err != nil {
			refused[tr.err.message]++
			continue
		}
		n++
		fmt.Fprintf(&b, "want(%d, %s); // %s\n", i, "() => ("+tr.parameters()+" => ("+term.at(levelArrow)+"))(args)", oneLine(s))
	}
	fmt.Fprintln(&b)
	for _, h := range helpers {
		fmt.Fprintln(&b, h.source)
	}
	// constants must come first
	src := b.String()
	os.WriteFile("/tmp/x2/corpus.mjs", []byte("import { enqueueActions, log } from 'xstate';\n"+strings.Replace(src, "want(", "const END = new Error('x'); const SPACE = '\\t\\n\\v\\f\\r \\x85\\xa0'; const IDS='detent.ids';\nwant(", 0)), 0o644)
	// move consts to top
	for _, h := range helpers {
		if strings.Contains(h.source, "\nconst ") {
			src = h.source + "\n" + strings.Replace(src, h.source, "", 1)
		}
	}
	os.WriteFile("/tmp/x2/corpus.mjs", []byte("import { enqueueActions, log } from 'xstate';\n"+src), 0o644)
	out, err := exec.Command("node", "/tmp/x2/corpus.mjs").Output()
	if err != nil {
		t.Fatal(err, string(err.(*exec.ExitError).Stderr))
	}
	bad := 0
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		var pair []json.RawMessage
		json.Unmarshal([]byte(line), &pair)
		var i int
		json.Unmarshal(pair[0], &i)
		var r struct {
			V   any
			E   *string
			Bad any
		}
		json.Unmarshal(pair[1], &r)
		ours, _ := json.Marshal(o.values[i])
		var want any
		json.Unmarshal(ours, &want)
		ok := r.Bad == nil && (o.errs[i] != nil) == (r.E != nil) && (r.E != nil || reflect.DeepEqual(want, r.V))
		if !ok {
			if bad++; bad < 60 {
				t.Errorf("%s\n  ours %s %v\n  js   %s", sources[i], ours, o.errs[i], pair[1])
			}
		}
	}
	t.Logf("%d compared, %d different, refused %v", n, bad, refused)
}

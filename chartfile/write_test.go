package chartfile_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

type (
	State      = statechart.State
	Transition = statechart.Transition
	Action     = statechart.Action
	Condition  = statechart.Condition
	Expression = statechart.Expression
	Variable   = statechart.Variable
)

// chart is a definition with this root.
func chart(root State) statechart.Definition { return statechart.Definition{ID: "c", Root: root} }

// onX is a root that does this with the event x.
func onX(t Transition) State {
	t.Event = "x"
	return State{Context: []Variable{{Name: "n", Value: int64(1)}}, On: []Transition{t}}
}

// act is a root that does this action.
func act(a Action) State { return onX(Transition{Actions: []Action{a}}) }

// Each thing is written in its shortest form, and read back.
func TestWriteForms(t *testing.T) {
	for _, c := range []struct {
		name string
		root State
		want string // a line of the file
	}{
		{"a target is a text", onX(Transition{Target: "#c"}), `on: {x: "#c"}`},
		{"several targets are a list", onX(Transition{Target: "a  b"}), `on: {x: {target: [a, b]}}`},
		{"nothing is forbidden", onX(Transition{}), `on: {x: {}}`},
		{"external is reenter", onX(Transition{Target: "#c", Type: statechart.External}), `on: {x: {target: "#c", reenter: true}}`},
		{"internal from a leaf is external", onX(Transition{Target: "#c", Type: statechart.Internal}), `on: {x: {target: "#c", reenter: true}}`},
		{"internal without a target is plain", onX(Transition{Type: statechart.Internal}), `on: {x: {}}`},
		{"several transitions are a list", State{On: []Transition{{Event: "x", Guard: statechart.When("g"), Target: "#c"}, {Event: "y"}, {Event: "x"}}},
			`on: {x: [{target: "#c", guard: g}, {}], y: {}}`},
		{"an expression is bare", onX(Transition{Guard: Condition{Expression: "n > 0"}}), `on: {x: {guard: n > 0}}`},
		{"a guard with parameters", onX(Transition{Guard: Condition{Name: "g", Params: map[string]any{"of": Expression("n")}}}), `on: {x: {guard: {type: g, params: {of: "${ n }"}}}}`},
		{"a guard called like a variable", onX(Transition{Guard: statechart.When("n")}), `on: {x: {guard: {type: "n"}}}`},
		{"guards joined", onX(Transition{Guard: statechart.All(statechart.When("g"), statechart.Not(Condition{In: "a"}), statechart.Any(Condition{Expression: "true"}))}),
			`on: {x: {guard: {and: [g, {not: {in: a}}, {or: ["true"]}]}}}`},
		{"a registered action", act(Action{Call: "ring"}), `on: {x: {actions: [ring]}}`},
		{"an action with parameters", act(Action{Call: "ring", Params: map[string]any{}}), `on: {x: {actions: [{type: ring, params: {}}]}}`},
		{"assign", act(Action{Assign: []Variable{{Name: "n", Value: nil}}}), `on: {x: {actions: [{assign: {"n": null}}]}}`},
		{"raise", act(Action{Raise: "y", Data: map[string]any{"a": 1.0}, Delay: "short", ID: "i"}), `on: {x: {actions: [{raise: "y", data: {a: 1.0}, delay: short, id: i}]}}`},
		{"send", act(Action{Send: "y", To: Expression("n"), Delay: Expression("n * 2")}), `on: {x: {actions: [{send: "y", to: "${ n }", delay: "${ n * 2 }"}]}}`},
		{"cancel", act(Action{Cancel: "i"}), `on: {x: {actions: [{cancel: i}]}}`},
		{"append", act(Action{Append: "rows"}), `on: {x: {actions: [{append: {rows: null}}]}}`},
		{"emit", act(Action{Emit: "seen"}), `on: {x: {actions: [{emit: seen}]}}`},
		{"log", act(Action{Log: false, Level: "warn"}), `on: {x: {actions: [{log: false, level: warn}]}}`},
		{"if", act(Action{If: &Condition{Expression: "n > 0"}, Else: []Action{{Call: "ring"}}}), `on: {x: {actions: [{if: n > 0, then: [], else: [ring]}]}}`},
		{"foreach", act(Action{Foreach: Expression("[n]"), As: "i", Then: []Action{{Log: Expression("i")}}}), `on: {x: {actions: [{foreach: "${ [n] }", as: i, do: [{log: "${ i }"}]}]}}`},
		{"do", act(Action{Do: &statechart.Invocation{Src: "tool:t", ID: "d", Key: "k", Retry: map[string]any{"on": []any{"busy"}, "max": int64(2)}}}),
			`on: {x: {actions: [{do: tool:t, retry: {max: 2, on: [busy]}, key: k, id: d}]}}`},
		{"one call", State{Invoke: []statechart.Invocation{{Src: "tool:t", OnDone: []Transition{{Target: "#c"}}}}}, `invoke: {src: tool:t, onDone: "#c"}`},
		{"a timer that is kept", State{After: []statechart.Timed{{Delay: "5s", Keep: true, Transitions: []Transition{{Target: "#c"}}}}}, `after: {5s: {target: "#c", keep: true}}`},
		{"milliseconds", State{After: []statechart.Timed{{Delay: 250, Transitions: []Transition{{Target: "#c"}}}}}, `after: {250ms: "#c"}`},
		{"a computed delay", State{Every: []statechart.Timed{{Delay: Expression("n"), Missed: "all", Transitions: []Transition{{}}}}, Context: []Variable{{Name: "n", Value: 5}}},
			`every: {"${ n }": {missed: all}}`},
		{"the tools alone", State{Tools: []string{"a"}, ToolsOnly: true}, `tools: {only: [a]}`},
		{"no tools", State{ToolsOnly: true}, `tools: {only: []}`},
		{"the initial with actions", State{Initial: "a", InitialActions: []Action{{Call: "ring"}}, States: []State{{Name: "a"}}}, `initial: {target: a, actions: [ring]}`},
		{"a history", State{Initial: "h", States: []State{{Name: "a"}, {Name: "h", Type: statechart.History, Initial: "a"}}}, `states: {a: {}, h: {type: history, target: a}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			def := chart(c.root)
			def.Delays = []Variable{{Name: "short", Value: "10ms"}}
			def.Lists = []string{"rows"}
			text := write(t, def, chartfile.YAML)
			// One line of the block layout says it, or several: compare on one.
			if got := flat(t, text, c.want); got != c.want {
				t.Errorf("it is written\n%s", text)
			}
			again := readBack(t, "c.yaml", []byte(text))
			if second := write(t, again.Definition, chartfile.YAML); second != text {
				t.Errorf("read and written again it is\n%s\nnot\n%s", second, text)
			}
		})
	}
}

func write(t *testing.T, def statechart.Definition, f document.Format) string {
	t.Helper()
	text, err := chartfile.Write(def, f)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// flat finds what stands under the key of want and puts it on one line.
func flat(t *testing.T, text, want string) string {
	t.Helper()
	key, _, _ := strings.Cut(want, ":")
	n, problems := document.Parse([]byte(text), document.YAML, document.Limits{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	wanted, problems := document.Parse([]byte(want), document.YAML, document.Limits{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	got, _ := n.Field(key)
	if w, _ := wanted.Field(key); got == nil || !document.Equal(got, w) {
		return ""
	}
	return want
}

// Texts and expressions come back as they were.
func TestWriteValues(t *testing.T) {
	for _, c := range []struct {
		name  string
		value any
		want  string // as JSON, where no marks of YAML stand in the way
	}{
		{"an expression", Expression("n + 1"), `"${ n + 1 }"`},
		{"white space around it", Expression("  n "), `"${ n }"`},
		{"a comment at its end", Expression("n // one"), `"${ n // one\n}"`},
		{"braces in it", Expression(`{a: "}"}`), `"${ {a: \"}\"} }"`},
		{"a text with parts", Expression(`text("Call ", n, " again?")`), `"Call ${ n } again?"`},
		{"parts with commas and quotes", Expression(`text(max(n, 1), ", \"", "a,b" + 'c)', "\"")`), `"${ max(n, 1) }, \"${ \"a,b\" + 'c)' }\""`},
		{"parts with a mark", Expression(`text("${ ", n)`), `"$${ ${ n }"`},
		{"a text() that no text stands for", Expression(`text(n)`), `"${ text(n) }"`},
		{"a text() written otherwise", Expression(`text('a', n)`), `"${ 'a' }${ n }"`},
		{"a text() that goes on", Expression(`text("a", n) + "b"`), `"${ text(\"a\", n) + \"b\" }"`},
		{"plain text", "hello", `"hello"`},
		{"text with a mark", "${ n }", `"$${ n }"`},
		{"text with a mark for a mark", "$${ n }", `"$$${ n }"`},
		{"text that is an expression", "n + 1", `{"text": "n + 1"}`},
		{"an object that looks like the marker", map[string]any{"text": "n + 1"}, `{"text": {"text": "n + 1"}}`},
		{"an object with an ordinary text", map[string]any{"text": "hello"}, `{"text": "hello"}`},
		{"numbers", []any{1, 2.0, float32(0.5), uint8(3), int64(-1 << 63)}, `[1, 2.0, 0.5, 3, -9223372036854775808]`},
		{"texts", []string{"n", "b"}, `[{"text": "n"}, "b"]`},
		{"nothing", map[string]any{"a": nil}, `{"a": null}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			def := chart(State{Context: []Variable{{Name: "n", Value: 1}, {Name: "v", Value: c.value}}})
			text := write(t, def, chartfile.JSON)
			n, _ := document.Parse([]byte(text), document.JSON, document.Limits{})
			context, _ := n.Field("context")
			got, _ := context.Field("v")
			want, _ := document.Parse([]byte(c.want), document.JSON, document.Limits{})
			if !document.Equal(got, want) {
				t.Errorf("it is written\n%s", text)
			}
			read := readBack(t, "c.json", []byte(text)).Definition.Root.Context[1].Value
			if want := plainValue(c.value); !reflect.DeepEqual(read, want) {
				t.Errorf("it is read as %#v, not %#v", read, want)
			}
		})
	}
}

// plainValue is a value as files have it.
func plainValue(v any) any {
	switch x := v.(type) {
	case int:
		return int64(x)
	case uint8:
		return int64(x)
	case float32:
		return float64(x)
	case Expression:
		return Expression(strings.TrimSpace(string(x)))
	case []string:
		out := make([]any, len(x))
		for i := range x {
			out[i] = x[i]
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i] = plainValue(x[i])
		}
		return out
	}
	return v
}

// What no file can say is refused with its place, all of it at once.
func TestWriteRefuses(t *testing.T) {
	for _, c := range []struct {
		name, path string
		def        statechart.Definition
	}{
		{"the rules of SCXML, whatever else", "dialect", statechart.Definition{ID: "c", Dialect: "scxml", Root: State{ID: "other"}}},
		{"an id of the root", "root.id", chart(State{ID: "other"})},
		{"two descriptions", "root.description", statechart.Definition{ID: "c", Description: "a", Root: State{Description: "b"}}},
		{"a block", "root.on[0].actions[0].block", chart(act(Action{Block: []Action{{Call: "ring"}}}))},
		{"two actions in one", "root.on[0].actions[0]", chart(act(Action{Call: "ring", Emit: "x"}))},
		{"an internal transition that may leave", "root.on[0].type", chart(State{Initial: "a", States: []State{{Name: "a"}}, On: []Transition{{Event: "x", Target: "#c.a", Type: statechart.Internal}}})},
		{"a transition of no event", "root.on[0].event", chart(State{On: []Transition{{Target: "#c"}}})},
		{"an event where none stands", "root.always[0].event", chart(State{Always: []Transition{{Event: "x", Target: "#c"}}})},
		{"a timer without transitions", "root.after[0]", chart(State{After: []statechart.Timed{{Delay: "5s"}}})},
		{"a delay twice", "root.after[1]", chart(State{After: []statechart.Timed{{Delay: "5s", Transitions: []Transition{{}}}, {Delay: "5s", Transitions: []Transition{{}}}}})},
		{"actions without an initial", "root.initialActions", chart(State{InitialActions: []Action{{Call: "ring"}}})},
		{"an assignment twice", "root.on[0].actions[0].assign.n", chart(act(Action{Assign: []Variable{{Name: "n"}, {Name: "n"}}}))},
		{"a state twice", "root.states.a", chart(State{Initial: "a", States: []State{{Name: "a"}, {Name: "a"}}})},
		{"an expression in meta", "root.meta", chart(State{Meta: Expression("n")})},
		{"an expression without an end", "root.on[0].actions[0].log", chart(act(Action{Log: Expression(`n "`)}))},
		{"an empty expression", "root.on[0].actions[0].log", chart(act(Action{Log: Expression(" ")}))},
		{"an expression called like a guard", "root.on[0].guard", chart(State{On: []Transition{{Event: "x", Guard: Condition{Expression: "g"}}, {Event: "y", Guard: statechart.When("g")}}})},
		{"a guard of two forms", "root.on[0].guard", chart(onX(Transition{Guard: Condition{In: "a", Name: "g"}}))},
		{"NaN", "root.context.v", chart(State{Context: []Variable{{Name: "v", Value: math.NaN()}}})},
		{"a Go type", "root.context.v", chart(State{Context: []Variable{{Name: "v", Value: struct{}{}}}})},
		{"transitions of a do", "root.on[0].actions[0].do", chart(act(Action{Do: &statechart.Invocation{Src: "tool:t", OnDone: []Transition{{}}}}))},
		{"an approval of a do", "root.on[0].actions[0].do.approval", chart(act(Action{Do: &statechart.Invocation{Src: "tool:t", Approval: map[string]any{"who": "me"}}}))},
		{"more levels than a file may have", "root", chart(State{Meta: levels(64)})},
		{"more than a file may hold", "root", chart(State{Meta: strings.Repeat("long ", 300_000)})},
		{"a computed name", "root.on[0].actions[0].raise", chart(act(Action{Raise: "${ n }"}))},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := chartfile.Write(c.def, chartfile.YAML)
			var all statechart.Errors
			if !errors.As(err, &all) {
				t.Fatalf("the error is %v", err)
			}
			if len(all) != 1 || all[0].Code != chartfile.CodeUnwritable || all[0].Path != c.path || all[0].Hint == "" {
				t.Errorf("the errors are\n%v", all)
			}
		})
	}
	if _, err := chartfile.Write(chart(State{Meta: levels(63)}), chartfile.JSON); err != nil {
		t.Errorf("at the bound: %v", err)
	}
	two := chart(State{Meta: Expression("n"), On: []Transition{{Target: "#c"}}})
	if _, err := chartfile.Write(two, chartfile.YAML); strings.Count(err.Error(), "\n") != 1 {
		t.Errorf("of two errors it lists\n%v", err)
	}
}

// levels is a list in a list and so on.
func levels(n int) any {
	var v any = "x"
	for range n {
		v = []any{v}
	}
	return v
}

// What no document can hold is refused, too.
func TestWriteRefusesText(t *testing.T) {
	for _, text := range []string{"a\x00b", "caf\xe9"} {
		_, err := chartfile.Write(chart(State{Meta: text}), chartfile.YAML)
		var all statechart.Errors
		if !errors.As(err, &all) || all[0].Code != "unsupported" {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// The files of the examples can be written and read, with the same digest.
func TestWriteExamples(t *testing.T) {
	files, err := filepath.Glob("../examples/*/*.yaml")
	if err != nil || len(files) < 4 {
		t.Fatalf("there are %d example files: %v", len(files), err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		first := readBack(t, name, data)
		want, found := first.Compile(nil)
		if len(found) > 0 {
			t.Fatal(found)
		}
		for _, f := range []document.Format{chartfile.YAML, chartfile.JSON} {
			text := write(t, first.Definition, f)
			again := readBack(t, "again."+strings.ToLower(f.String()), []byte(text))
			if !reflect.DeepEqual(normal(again.Definition), normal(first.Definition)) {
				t.Errorf("%s: read again it is another definition:\n%s", name, text)
			}
			if got, found := again.Compile(nil); len(found) > 0 || got.Digest() != want.Digest() {
				t.Errorf("%s: as %s it has another digest; %v", name, f, found)
			}
		}
	}
}

package ecmascript

import (
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/detent-run/detent/chartfile/scxml"
	"github.com/detent-run/detent/statechart"
)

// The program of these tests is its own child, unless it is told to be a
// program that forgot to say so.
func TestMain(m *testing.M) {
	if os.Getenv("FORGETFUL") == "" {
		Main()
	}
	os.Exit(m.Run())
}

// hostile is code that would hurt the process it runs in. What runs in the
// engine's own loops is out of reach of its limits.
var hostile = map[string]string{
	"join of a hundred million":  `new Array(1e8).join("ab").length`,
	"search in a sparse list":    `(function () { var a=[]; a[4294967294]=1; return a.indexOf(2) })()`,
	"backtracking":               `/^(a+)+$/.test("a".repeat(40) + "b")`,
	"a long text":                `"x".repeat(2 ** 30).length`,
	"long texts":                 `[1, 2, 3, 4, 5, 6, 7, 8].map(n => "x".repeat(2 ** 29 + n)).length`,
	"recursion":                  `(function f() { return f() + 1 })()`,
	"recursion that goes on":     `(function f() { try { f() } finally { f() } })()`,
	"an endless loop":            `(function () { for (;;) {} })()`,
	"much memory":                `(function () { var a = []; for (;;) a.push(new Array(1000).fill(0)) })()`,
	"much memory in one piece":   `new Uint8Array(2 ** 31).length`,
	"much text":                  `(function () { var s = "x"; for (;;) s += s })()`,
	"a large result":             `new Array(1e6).fill("many values")`,
	"a result like a bomb":       `(function () { var a = ["x"]; for (var i = 0; i < 60; i++) a = [a, a]; return a })()`,
	"JSON nested deep":           `JSON.parse("[".repeat(1e6) + "]".repeat(1e6))`,
	"a source nested deep":       `eval("(".repeat(1e6))`,
	"a pattern nested deep":      `new RegExp("(".repeat(1e6))`,
	"a promise that comes again": `(function f() { return Promise.resolve().then(f) })()`,
	"a comparison that hangs":    `[2, 1].sort(() => { for (;;) {} })`,
	"a field that hangs":         `({get a() { for (;;) {} }})`,
	"a date that hangs":          `(function () { var d = new Date; d.toJSON = () => { for (;;) {} }; return d })()`,
	"a proxy without an end":     `new Proxy([], {get: (t, k) => k == "length" ? 2 ** 53 - 1 : 1})`,
	"an error that hangs":        `(function () { throw Object.defineProperty(new Error, "message", {get() { for (;;) {} }}) })()`,
	"a generator":                `[...(function* () { for (;;) yield 1 })()]`,
	"a large number":             `(2n ** 100000000n) % 7n == 1n && [][0].x`,
}

// The session gets error.execution and goes on, the program is unhurt, and
// the next evaluation works.
func TestHostileCode(t *testing.T) {
	m := &DataModel{Limits: Limits{Time: time.Second}, Children: 1}
	for name, code := range hostile {
		t.Run(name, func(t *testing.T) {
			data := document{
				variables: map[string]any{"before": nil, "result": nil, "after": nil},
				blocks: [][]statechart.Action{
					block(assign("before", "1")), block(assign("result", code)), block(assign("after", "before + 1")),
				},
			}.played(t, m)
			if failed := data["failed"].([]any); len(failed) != 1 || data["result"] != nil || data["after"] != int64(2) {
				t.Errorf("the session did not go on: %v", data)
			} else {
				t.Log(failed[0])
			}
		})
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	if left := childProcesses(t); left != "" {
		t.Errorf("after Close there are the processes %s", left)
	}
}

// What is too large to be sent is refused alike, wherever the code runs.
func TestLargeRequests(t *testing.T) {
	text := strings.Repeat("\x01", 3e6) // JSON has six letters for each
	for _, trust := range []bool{true, false} {
		m := &DataModel{Trusted: trust, Limits: Limits{Time: time.Minute}}
		defer m.Close()
		in := document{
			variables: map[string]any{"result": nil},
			blocks:    [][]statechart.Action{block(assign("result", "_event.data.length")), block(assign("result", "1 + 1"))},
		}.chart(t, m).Instance(nil)
		in.Send(statechart.Event{Name: "go", Data: text})
		if data := in.Data()[""]; !reflect.DeepEqual(data["failed"], []any{errLarge.Error()}) || data["result"] != int64(2) {
			t.Errorf("trusted %v: the errors are %q, the result is %v", trust, data["failed"], data["result"])
		}
	}
}

// Hostile code in every place where code can stand.
func TestHostileEverywhere(t *testing.T) {
	m := &DataModel{Limits: Limits{Time: time.Second}, Children: 1}
	defer m.Close()
	const code = `new Array(1e8).join("ab")`
	data := document{
		variables: map[string]any{"order": map[string]any{}, "initial": statechart.Expression(code), "after": nil},
		blocks: [][]statechart.Action{
			block(script(code)), block(assign("order["+code+"]", "1")), block(assign("after", "typeof order")),
		},
	}.played(t, m)
	if failed := data["failed"].([]any); len(failed) != 3 || data["initial"] != nil || data["after"] != "object" {
		t.Errorf("the session did not go on: %v", data)
	}
}

// Whoever lets evaluation after evaluation run into its limit does not get
// all the time that there is: a few end the macrostep.
func TestManyTimeouts(t *testing.T) {
	m := &DataModel{Limits: Limits{Time: time.Second}, Children: 1}
	defer m.Close()
	d := document{variables: map[string]any{"count": int64(0)}}
	for range 10 {
		d.blocks = append(d.blocks, block(assign("count", "count + 1"), assign("x", "(() => { for (;;) {} })()")))
	}
	in := d.chart(t, m).Instance(nil)
	result := in.Send(statechart.Event{Name: "go"})
	if result.Reason == nil || result.Reason.Code != statechart.CodeFuel {
		t.Errorf("the macrostep ends as %+v", result)
	}
}

func TestClosed(t *testing.T) {
	for _, trust := range []bool{true, false} {
		m := &DataModel{Trusted: trust}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
		_, err := compiled(m)
		if err == nil || !strings.Contains(err.Error(), "the ECMAScript data model was closed") {
			t.Errorf("trusted %v: the error is %v", trust, err)
		}
	}
}

// compiled compiles a chart with one expression.
func compiled(m *DataModel) (*statechart.Chart, error) {
	registry := statechart.NewRegistry()
	registry.Language(m.Language(scxml.Details{}))
	return statechart.Compile(statechart.Definition{ID: "c", Dialect: "scxml", Root: statechart.State{
		Context: []statechart.Variable{{Name: "v", Value: statechart.Expression("1 + 1")}},
	}}, registry)
}

// A program that did not call Main is told so and starts nothing.
func TestWithoutMain(t *testing.T) {
	if os.Getenv("FORGETFUL") != "" {
		_, err := compiled(&DataModel{})
		t.Log("refused:", err)
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestWithoutMain$", "-test.v")
	cmd.Env = append(os.Environ(), "FORGETFUL=yes")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "did not call ecmascript.Main first thing in its main; call it there, or trust the document") {
		t.Errorf("%v, %s", err, out)
	}
	m := &DataModel{Command: []string{os.Args[0]}}
	defer m.Close()
	if _, err := compiled(m); err != nil {
		t.Errorf("another program as child: %v", err)
	}
}

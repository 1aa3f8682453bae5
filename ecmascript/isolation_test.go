package ecmascript

import (
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/detent-run/detent/statechart"
)

// Nothing of the host can be reached.
func TestNoHost(t *testing.T) {
	for _, name := range []string{
		"std", "os", "print", "console", "scriptArgs", "require", "process", "module", "setTimeout", "setInterval", "queueMicrotask", "fetch",
		"load", "loadScript", "evalScript", "Worker", "navigator", "performance", "Atomics", "SharedArrayBuffer", "WeakRef", "FinalizationRegistry",
		"_globals", "request", "limits", "answer",
	} {
		if got, failed := evaluated(t, trusted, "typeof globalThis['"+name+"'] + typeof "+name); got != "undefinedundefined" || len(failed) > 0 {
			t.Errorf("%s is a %v, %v", name, got, failed)
		}
	}
	for _, module := range []string{"os", "std", "/etc/passwd", "./harness.js"} {
		got, failed := evaluated(t, trusted, fmt.Sprintf("(() => { var got = 'nothing'; import(%q).then(m => got = m, e => got = e); return got })()", module))
		if got != "nothing" || len(failed) > 0 {
			t.Errorf("import(%q) gives %v, %v", module, got, failed)
		}
	}
}

// What one evaluation does to the built-in objects, no other sees: not of
// another session, and not of the same.
func TestNothingLeaks(t *testing.T) {
	for _, trust := range []bool{true, false} {
		m := &DataModel{Trusted: trust, Children: 1, Limits: Limits{Time: time.Minute}}
		defer m.Close()
		stir := `
			Object.prototype.leak = 1;
			Array.prototype.concat = function () { return ["leak"] };
			JSON.stringify = JSON.parse = null;
			Object.keys = Object.defineProperty = () => { throw 1 };
			String.prototype.isWellFormed = () => true;
			Reflect.apply = Function.prototype.toString = null;
			Math.random = Date.now = () => 0;
			globalThis.Array = 1;
			delete globalThis.Object;
			Object.freeze && 0`
		for _, source := range []string{
			"typeof ({}).leak + [1].concat(2) + typeof Array + typeof Object + JSON.stringify(1)",
			"typeof Array + typeof Object + typeof list.leak", // certainly calm
		} {
			d := document{
				variables: map[string]any{"first": nil, "second": nil, "list": []any{}},
				blocks:    [][]statechart.Action{block(assign("first", source)), block(script(stir)), block(assign("second", source))},
			}
			data := d.played(t, m)
			if data["first"] == nil || data["first"] != data["second"] {
				t.Errorf("trusted %v: %s was %v and is %v; %q", trust, source, data["first"], data["second"], data["failed"])
			}
		}
	}
}

// A variable may have the name of a built-in object. Where there is no such
// variable, the object is there.
func TestVariablesThatHideBuiltins(t *testing.T) {
	for range 2 {
		d := document{variables: map[string]any{"Array": int64(5), "result": nil}, blocks: [][]statechart.Action{block(assign("result", "Array + 1"))}}
		if data := d.played(t, trusted); data["result"] != int64(6) {
			t.Errorf("the variable is %v, %q", data["result"], data["failed"])
		}
		if got, failed := evaluated(t, trusted, "list instanceof Array"); got != true {
			t.Errorf("the built-in object is gone: %v, %q", got, failed)
		}
	}
}

// Nor does a variable hide what the data model itself needs.
func TestVariablesThatHideWhatIsNeeded(t *testing.T) {
	d := document{
		variables: map[string]any{"String": int64(1), "Number": int64(2), "isNaN": int64(3), "Reflect": int64(4), "globalThis": int64(6), "f": nil, "result": nil},
		blocks: [][]statechart.Action{
			block(assign("f", "({m() { return 5 }})")),
			block(assign("result", "[In(String), new Date(Number).getTime(), typeof (new Date(isNaN) + ''), Reflect, f.m()]")),
			block(script("globalThis = 7")),
		},
	}
	want := []any{false, int64(2), "string", int64(4), int64(5)}
	if data := d.played(t, trusted); !reflect.DeepEqual(data["result"], want) || data["globalThis"] != int64(7) {
		t.Errorf("the result is %v, %q", data["result"], data["failed"])
	}
}

// One data model serves many documents and sessions at once.
func TestConcurrentSessions(t *testing.T) {
	for _, trust := range []bool{true, false} {
		m := &DataModel{Trusted: trust, Limits: Limits{Time: time.Minute}}
		var all sync.WaitGroup
		for i := range 8 {
			d := document{
				variables: map[string]any{"x": int64(i), "result": nil},
				blocks:    [][]statechart.Action{block(script("y = x + 1"), assign("x", "x * 10"), assign("result", "[x, y, x + y].map(n => n + 1)"))},
			}
			chart := d.chart(t, m)
			for range 3 {
				all.Go(func() {
					in := chart.Instance(nil)
					in.Send(statechart.Event{Name: "go"})
					n := int64(i)
					if got := in.Data()[""]["result"]; !reflect.DeepEqual(got, []any{10*n + 1, n + 2, 11*n + 2}) {
						t.Errorf("session %d: %v", i, got)
					}
				})
			}
		}
		all.Wait()
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}

package main

import (
	"fmt"
	"os"
	"testing"

	"github.com/dop251/goja"

	"github.com/detent-run/detent/chartfile/scxml"
	"github.com/detent-run/detent/ecmascript"
	"github.com/detent-run/detent/statechart"
)

func TestMain(m *testing.M) {
	ecmascript.Main() // this program is also the child process that is measured
	os.Exit(m.Run())
}

// ecmascripts are what conditions and values of SCXML documents are like. The
// second calls functions, so that Detent evaluates it in a new engine.
var ecmascripts = []struct{ name, source string }{
	{"condition", `attempts < 3 && order.id == 7`},
	{"filter", `order.items.filter(item => !item.done).map(item => item.name)`},
}

// BenchmarkECMAScript evaluates an expression as the data model does, from a
// chart's variables to a value of the chart, in this process and in a child,
// and compiled on a goja engine whose variables are there already.
func BenchmarkECMAScript(b *testing.B) {
	for _, e := range ecmascripts {
		for _, trusted := range []bool{true, false} {
			b.Run(fmt.Sprintf("%s/peer=detent/trusted=%t", e.name, trusted), func(b *testing.B) { detentECMAScript(b, e.source, trusted) })
		}
		b.Run(e.name+"/peer=goja", func(b *testing.B) { gojaECMAScript(b, e.source) })
	}
}

func detentECMAScript(b *testing.B, source string, trusted bool) {
	model := &ecmascript.DataModel{Trusted: trusted}
	defer model.Close()
	registry := statechart.NewRegistry()
	registry.Language(model.Language(scxml.Details{}))
	chart, err := statechart.Compile(statechart.Definition{ID: "c", Dialect: "scxml", Root: statechart.State{Initial: "a",
		Context: []statechart.Variable{{Name: "attempts", Value: 1}, {Name: "order", Value: order()}, {Name: "result"}},
		On: []statechart.Transition{{Event: "go", Actions: []statechart.Action{{
			Assign: []statechart.Variable{{Name: "result", Value: statechart.Expression(source)}},
		}}}},
		States: []statechart.State{{Name: "a"}},
	}}, registry)
	if err != nil {
		b.Fatal(err)
	}
	in := chart.Instance(nil)
	for b.Loop() {
		in.Send(statechart.Event{Name: "go"})
	}
	if in.Data()[""]["result"] == nil {
		b.Fatal("the expression gives nothing")
	}
}

func gojaECMAScript(b *testing.B, source string) {
	program, err := goja.Compile("", source, true)
	if err != nil {
		b.Fatal(err)
	}
	engine := goja.New()
	if err := engine.Set("attempts", 1); err != nil {
		b.Fatal(err)
	}
	if err := engine.Set("order", order()); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		v, err := engine.RunProgram(program)
		if err != nil || v.Export() == nil {
			b.Fatal(err)
		}
	}
}

func order() any {
	item := func(name string, done bool) any { return map[string]any{"name": name, "done": done} }
	return map[string]any{"id": 7, "items": []any{item("tea", true), item("cup", false)}}
}

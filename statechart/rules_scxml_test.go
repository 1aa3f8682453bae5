package statechart_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/detent-run/detent/internal/chartgen/prefix"
	"github.com/detent-run/detent/statechart"
)

// statements adds to the tests' language what documents need: a statement
// "name = expression" or "(fail)", the location "name/field" of an object,
// and (sender) in the place of an expression.
type statements struct{ prefix.Language }

func (l statements) Compile(source string, names statechart.Names) (statechart.Program, error) {
	if source == "(sender)" {
		return senderProgram{}, nil
	}
	return l.Language.Compile(source, names)
}

type senderProgram struct{}

func (senderProgram) Evaluate(s *Scope) (any, error) {
	from := s.Sender()
	return strings.Join([]string{from.Type, from.SendID, from.Origin, from.Invocation}, ","), nil
}

func (l statements) CompileScript(source string, names statechart.Names) (statechart.Script, error) {
	name, expression, ok := strings.Cut(source, " = ")
	if !ok {
		return nil, errors.New("no statement: " + source)
	}
	p, err := l.Compile(expression, names)
	return statement{name, p}, err
}

type statement struct {
	name  string
	value statechart.Program
}

func (s statement) Run(scope *Scope) error {
	v, err := s.value.Evaluate(scope)
	if err != nil {
		return err
	}
	return scope.Set(s.name, v)
}

func (statements) CompileLocation(source string, names statechart.Names) (statechart.Location, error) {
	name, field, ok := strings.Cut(source, "/")
	slot, known := names.Variable(name)
	if !ok || !known {
		return nil, fmt.Errorf("no location: %s", source)
	}
	return fieldOf{slot, field}, nil
}

type fieldOf struct {
	slot  statechart.Slot
	field string
}

func (p fieldOf) Assign(s *Scope, v any) error {
	return s.Store(p.slot, map[string]any{p.field: v})
}

func scripted() *Registry {
	r := statechart.NewRegistry()
	r.Language(statements{})
	return r
}

// scxmlStart starts a document's session "s", whose parent is "mother".
func scxmlStart(t *testing.T, d Definition, input any) *Instance {
	t.Helper()
	d.Dialect = "scxml"
	in := &Instance{}
	compile(t, d, scripted()).Start(in, statechart.Start{Session: "s", Parent: "mother", Input: input})
	return in
}

// errorsHeard logs each error event with its kind and the send that failed.
var errorsHeard = []Transition{
	{Event: "error.execution", Actions: []Action{{Log: Expression("(data place)")}, {Log: Expression("(data sendid)")}}},
	{Event: "error.communication", Actions: []Action{{Log: "unreachable"}, {Log: Expression("(data sendid)")}}},
}

// receive delivers an event with what a host knows of it.
func receive(in *Instance, name string, data any, envelope statechart.Envelope) statechart.Result {
	return in.Receive(Delivery{Event: Event{Name: name, Data: data}, Envelope: &envelope})
}

// R36: finalize runs before the event is looked at, with the event bound, and
// only for the call that it comes from.
func TestR36_Finalize(t *testing.T) {
	finalize := func(name string) []Action { return []Action{assign(name, Expression("(data n)"))} }
	in := scxmlStart(t, Definition{Root: State{Context: vars("a", int64(0), "b", int64(0)),
		Invoke: []Invocation{{ID: "one", Src: "x", Finalize: finalize("a")}, {ID: "two", Src: "y", Finalize: finalize("b")}},
		On:     []Transition{{Event: "*", Guard: when("(= b 7)"), Actions: []Action{say("seven")}}}}}, nil)
	two := in.Live()[1].Source
	receive(in, "news", map[string]any{"n": int64(7)}, statechart.Envelope{Invocation: "two"})
	wantAsked(t, in, "log seven")
	wantVar(t, in, "", "a", int64(0))
	receive(in, "done.invoke.two", map[string]any{"n": int64(8)}, statechart.Envelope{Source: two})
	wantVar(t, in, "", "b", int64(8))
	receive(in, "late", map[string]any{"n": int64(9)}, statechart.Envelope{Invocation: "two"})
	wantVar(t, in, "", "b", int64(8)) // it has ended
	wantTold(t, in, "plain", "ignored guard_false")
	wantVar(t, in, "", "a", int64(0))
}

// R36: an error in finalize stops its block, and the event goes on.
func TestR36_FailingFinalize(t *testing.T) {
	in := scxmlStart(t, Definition{Root: State{Context: vars("a", int64(0)),
		Invoke: []Invocation{{ID: "one", Src: "x", Finalize: []Action{fails, assign("a", int64(1))}}},
		On:     append([]Transition{{Event: "news", Actions: []Action{say("news")}}}, errorsHeard...)}}, nil)
	receive(in, "news", nil, statechart.Envelope{Invocation: "one"})
	wantAsked(t, in, "log news", "log root.invoke[0].finalize[0]", "log <nil>")
	wantVar(t, in, "", "a", int64(0))
}

// R37: every external event is passed on to the calls that say so, in
// document order, before it is looked at; internal ones are not.
func TestR37_Forward(t *testing.T) {
	in := scxmlStart(t, Definition{Root: State{Initial: "p", States: []State{{Name: "p", Type: statechart.Parallel,
		On: []Transition{{Event: "go", Actions: []Action{say("taken"), {Raise: "inner"}}}},
		States: []State{
			{Name: "q", Invoke: []Invocation{{ID: "first", Src: "x", Forward: true}, {ID: "deaf", Src: "x"}}},
			{Name: "r", Invoke: []Invocation{{ID: "last", Src: "x", Forward: true}}},
		}}}}}, nil)
	in.Send(Event{Name: "go", Data: int64(3)})
	var got []string
	for _, e := range in.Effects() {
		got = append(got, fmt.Sprint(e.Type, " ", e.Source.ID, " ", e.Event, " ", e.Data))
	}
	if want := []string{"forward first go 3", "forward last go 3", "log   taken"}; !slices.Equal(got, want) {
		t.Errorf("asked for %q, want %q", got, want)
	}
}

// R37: also where the event does nothing that has to be written down.
func TestR37_ForwardPlainEvents(t *testing.T) {
	in := scxmlStart(t, Definition{Root: State{Initial: "a", Invoke: []Invocation{{ID: "child", Src: "x", Forward: true}},
		States: []State{{Name: "a", On: []Transition{on("go", "b")}}, {Name: "b", On: []Transition{on("go", "a")}}}}}, nil)
	for range 3 {
		wantTold(t, in, "go", "taken")
		wantAsked(t, in, "forward")
	}
	wantTold(t, in, "unknown", "ignored not_taken")
	wantAsked(t, in, "forward")
}

// R37: the copy says of its sender what the event says, and answers nothing.
func TestR37_ForwardTheSender(t *testing.T) {
	in := scxmlStart(t, Definition{Root: State{Invoke: []Invocation{{ID: "first", Src: "x"}, {ID: "last", Src: "y", Forward: true}},
		On: []Transition{{Event: "start", Actions: []Action{{Send: "late", ID: "waits", Delay: int64(5)}}}}}}, nil)
	first := in.Live()[0].Source
	send(t, in, "start")
	passed := func(want string) {
		t.Helper()
		var got []string
		for _, e := range in.Effects() {
			if e.Type == statechart.EffectForward {
				got = append(got, fmt.Sprintf("%s %+v", e.Event, *e.Envelope))
			}
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("passed on %q, want %q", got, want)
		}
	}
	in.SetNow(5)
	in.Receive(in.Timers()[0].Delivery())
	passed("late {ID: AcceptedAt:0 From: Source:{Kind: ID: Entry:0} Effect: SendID:waits Origin:s Invocation:}")
	receive(in, "e", nil, statechart.Envelope{SendID: "mine", Origin: "s/first/1", Invocation: "first", Effect: "k"})
	passed("e {ID: AcceptedAt:0 From: Source:{Kind: ID: Entry:0} Effect: SendID:mine Origin:s/first/1 Invocation:first}")
	receive(in, "done.invoke.first", nil, statechart.Envelope{Source: first})
	passed("done.invoke.first {ID: AcceptedAt:0 From: Source:{Kind: ID: Entry:0} Effect: SendID: Origin: Invocation:first}")
	receive(in, "error.communication", nil, statechart.Envelope{Source: statechart.Source{Kind: "send", ID: "lost"}})
	passed("")
}

// R38: all data is one scope. Early, it gets its first values at the start,
// whatever state declares it.
func TestR38_EarlyBinding(t *testing.T) {
	for _, binding := range []string{"", "early"} {
		in := scxmlStart(t, Definition{Binding: binding, Root: State{Initial: "a", Context: vars("x", Expression("(+ 1 1)")),
			Entry: []Action{{Log: Expression("deep")}},
			States: []State{{Name: "a", On: []Transition{on("go", "b"), {Event: "set", Actions: []Action{assign("deep", int64(5))}}}},
				{Name: "b", Context: vars("deep", Expression("(+ x 1)")), Entry: []Action{say("+b")}, On: []Transition{on("back", "a")}}}}}, nil)
		wantAsked(t, in, "log 3")
		send(t, in, "set", "go")
		wantVar(t, in, "", "deep", int64(5))
		wantScopes(t, in, "")
	}
}

// R38: late, a state's data gets its values when it is first entered, and
// not again, also not after a restart of the program.
func TestR38_LateBinding(t *testing.T) {
	in := scxmlStart(t, Definition{Binding: "late", Root: State{Initial: "a", Context: vars("x", int64(1)),
		States: []State{
			{Name: "a", On: []Transition{on("go", "b"), {Event: "set", Actions: []Action{assign("deep", int64(5))}}}},
			{Name: "b", Context: vars("deep", Expression("(+ x 1)")), Entry: []Action{{Log: Expression("deep")}}, On: []Transition{on("back", "a")}}}}}, nil)
	wantVar(t, in, "", "deep", nil)
	send(t, in, "set", "go")
	wantAsked(t, in, "log 2") // it has its value before the entry actions
	in = reloaded(t, in)
	send(t, in, "back", "set", "go")
	wantAsked(t, in, "log 5")
}

// R38: a state that does nothing else on entry has its data made all the same.
func TestR38_LateBindingOfAPlainState(t *testing.T) {
	in := scxmlStart(t, Definition{Binding: "late", Root: State{Initial: "a", States: []State{
		{Name: "a", On: []Transition{on("go", "b")}}, {Name: "b", Context: vars("deep", int64(1)), On: []Transition{on("back", "a")}}}}}, nil)
	send(t, in, "go")
	wantVar(t, in, "", "deep", int64(1))
}

// R38: a value that cannot be made leaves its variable unbound; the rest goes
// on. SCXML 5.3.3.
func TestR38_FailingValue(t *testing.T) {
	in := scxmlStart(t, Definition{Root: State{Context: vars("x", Expression("(fail)"), "y", int64(2)), On: errorsHeard}}, nil)
	wantAsked(t, in, "log root.context.x", "log <nil>")
	wantVar(t, in, "", "x", nil)
	wantVar(t, in, "", "y", int64(2))
}

// R38: what the parent gives replaces the first values of the top level's
// data, of those that are declared there. SCXML 6.4.3.
func TestR38_GivenByTheParent(t *testing.T) {
	in := scxmlStart(t, Definition{Root: State{Initial: "a", Context: vars("x", Expression("(fail)"), "y", int64(1)), On: errorsHeard,
		States: []State{{Name: "a", Context: vars("z", int64(3))}}}},
		map[string]any{"x": int64(10), "z": int64(30), "unknown": int64(5)})
	wantAsked(t, in)
	wantVar(t, in, "", "x", int64(10))
	wantVar(t, in, "", "y", int64(1))
	wantVar(t, in, "", "z", int64(3))
}

// R38: nothing is given to variables that the document does not declare.
func TestR38_UndeclaredVariables(t *testing.T) {
	in := scxmlStart(t, Definition{Undeclared: []string{"item", "k"}, Root: State{Context: vars("x", int64(1)),
		Entry: []Action{{Log: Expression("item")}, {Foreach: []any{"p", "q"}, As: "item", Then: []Action{{Log: Expression("item")}}}}}},
		map[string]any{"item": int64(5), "k": int64(6), "x": int64(7)})
	wantAsked(t, in, "log <nil>", "log p", "log q")
	wantVar(t, in, "", "item", "q")
	wantVar(t, in, "", "k", nil)
	wantVar(t, in, "", "x", int64(7))
	_, err := statechart.Compile(Definition{ID: "c", Undeclared: []string{"x"}}, spoken())
	if err == nil || !strings.Contains(err.Error(), "undeclared: only a chart of the scxml dialect has this") {
		t.Errorf("a chart has undeclared variables: %v", err)
	}
	_, err = statechart.Compile(Definition{ID: "c", Dialect: "scxml", Undeclared: []string{"x", "x"}}, spoken())
	if err == nil || !strings.Contains(err.Error(), `undeclared[1]: the variable "x" is declared twice`) {
		t.Errorf("twice the same: %v", err)
	}
}

// R39: a failing part of the data raises error.execution first, and the done
// event comes without data.
func TestR39_FailingDoneData(t *testing.T) {
	in := scxmlStart(t, Definition{Root: State{Initial: "a", States: []State{
		{Name: "a", ID: "a", Initial: "f", States: []State{{Name: "f", Type: statechart.Final, Output: map[string]any{"good": int64(1), "bad": Expression("(fail)")}}}}},
		On: []Transition{{Event: "error.execution done.state.a", Actions: []Action{{Log: Expression("(data good)")}, {Log: Expression("(sender)")}}}}}}, nil)
	wantAsked(t, in, "log <nil>", "log platform,,,", "log <nil>", "log platform,,,")
}

// R40: what is known of the sender.
func TestR40_Sender(t *testing.T) {
	log := []Action{{Log: Expression("(sender)")}}
	in := scxmlStart(t, Definition{Root: State{
		Entry:  []Action{{Log: Expression("(sender)")}, {Raise: "inner"}},
		Invoke: []Invocation{{ID: "child", Src: "x"}},
		On: []Transition{
			{Event: "start", Actions: []Action{{Send: "to.self", ID: "mine"}, {Send: "to.self", ID: "waits", Delay: int64(5)},
				{Send: "to.queue", To: "#_internal", ID: "quick"}, {Send: "x", To: "nowhere", ID: "bad"}}},
			{Event: "*", Actions: log},
		}}}, nil)
	wantAsked(t, in, "log ,,,", "log internal,,,", "invoke child x")
	child := in.Live()[0].Source
	send(t, in, "start")
	wantAsked(t, in, "send to.self to self", "schedule to.self at 5", "log internal,quick,,", "log platform,bad,,")
	for _, c := range []struct {
		envelope statechart.Envelope
		want     string
	}{
		{statechart.Envelope{}, "external,,,"},
		{statechart.Envelope{SendID: "mine", Origin: "s"}, "external,mine,s,"},
		{statechart.Envelope{Origin: "s/child/1", Invocation: "child"}, "external,,s/child/1,child"},
		{statechart.Envelope{Source: child}, "external,,,child"},
		{statechart.Envelope{Source: statechart.Source{Kind: "send", ID: "lost"}}, "platform,lost,,"},
	} {
		receive(in, "x", nil, c.envelope)
		wantAsked(t, in, "log "+c.want)
	}
	in.SetNow(5)
	in.Receive(in.Timers()[0].Delivery())
	wantAsked(t, in, "log external,waits,s,")
}

// Sends go where SCXML's targets say; what is no target is an error of the
// action, and who cannot be reached is an event at once (SCXML 6.2, C.1).
func TestR40_Targets(t *testing.T) {
	in := scxmlStart(t, Definition{Root: State{Context: vars("to", nil, "n", int64(5)), Invoke: []Invocation{{ID: "child", Src: "x"}},
		On: append([]Transition{
			{Event: "to", Actions: []Action{assign("to", Expression("(data v)")), {Send: "e", To: Expression("to"), ID: "i"}, say("on")}},
			{Event: "e", Actions: []Action{say("heard")}}}, errorsHeard...)}}, nil)
	for target, want := range map[any]string{
		nil: "send e to self; log on", "#_scxml_s": "send e to self; log on", "#_parent": "send e to parent; log on",
		"#_scxml_mother": "send e to mother; log on", "#_child": "send e to child; log on", "#_internal": "log on; log heard",
		"#_scxml_internal": "log on; log unreachable; log i", "#_scxml_self": "log on; log unreachable; log i", "#_scxml_parent": "log on; log unreachable; log i",
		"#_self": "log on; log unreachable; log i", "#_scxml_stranger": "log on; log unreachable; log i", "#_nochild": "log on; log unreachable; log i",
		"#_": "log root.on[0].actions[1]; log i", "#_scxml_": "log on; log unreachable; log i", "http://example.org": "log root.on[0].actions[1]; log i",
		int64(5): "log root.on[0].actions[1]; log i",
	} {
		in.Send(Event{Name: "to", Data: map[string]any{"v": target}})
		if got := asked(in); got != want {
			t.Errorf("to %v: %s, want %s", target, got, want)
		}
	}
	// Whoever was heard from can be reached from then on.
	receive(in, "hello", nil, statechart.Envelope{Origin: "stranger"})
	in = reloaded(t, in)
	in.Send(Event{Name: "to", Data: map[string]any{"v": "#_scxml_stranger"}})
	wantAsked(t, in, "send e to stranger", "log on")
}

// Whether a delayed send has a receiver is asked when it is due: a call that
// starts with the macrostep is one then, and one that has ended is not.
func TestR40_TargetsOfDelayedSends(t *testing.T) {
	in := scxmlStart(t, Definition{Root: State{Initial: "a", On: append([]Transition{{Event: "e", Actions: []Action{say("heard")}}}, errorsHeard...), States: []State{
		{Name: "a", Invoke: []Invocation{{ID: "child", Src: "x"}}, On: []Transition{{Event: "leave", Target: "b"}}, Entry: []Action{
			{Send: "e", To: "#_child", Delay: "5ms", ID: "soon"}, {Send: "e", To: "#_child", Delay: "10ms", ID: "late"},
			{Send: "e", To: "#_scxml_stranger", Delay: "10ms"}, {Send: "e", To: "#_self", Delay: "10ms", ID: "no"}, {Send: "e", To: "#_scxml_mother", Delay: "10ms"}}},
		{Name: "b"}}}}, nil)
	wantAsked(t, in, "schedule e at 5", "schedule e at 10", "schedule e at 10", "schedule e at 10", "log unreachable", "log no", "invoke child x")
	due := func(want ...string) {
		t.Helper()
		in = reloaded(t, in)
		in.SetNow(in.Timers()[0].Due)
		in.Receive(in.Timers()[0].Delivery())
		wantAsked(t, in, want...)
	}
	due("send e to child")
	in.Send(Event{Name: "leave"})
	due("log unreachable", "log late")
	due("log unreachable", "log <nil>")
	due("send e to mother")
}

// A session without a parent has nobody there.
func TestR40_NoParent(t *testing.T) {
	in := &Instance{}
	compile(t, Definition{Dialect: "scxml", Root: State{Entry: []Action{{Send: "e", To: "#_parent"}}, On: errorsHeard}}, scripted()).Start(in, statechart.Start{Session: "s"})
	wantAsked(t, in, "log unreachable", "log <nil>")
}

// What a send says is evaluated when it is executed, and what is wrong in it
// discards the message and the rest of the block.
func TestR40_PartsOfASend(t *testing.T) {
	for _, c := range []struct {
		name string
		send Action
		want string
	}{
		{"a computed name", Action{Send: Expression("(data v)")}, "send x to self; log on"},
		{"no name", Action{Send: Expression("nothing")}, "bad"},
		{"a name with a space", Action{Send: Expression("'a b'")}, "bad"},
		{"the processor", Action{Send: "x", Processor: "http://www.w3.org/TR/scxml/#SCXMLEventProcessor/"}, "send x to self; log on"},
		{"its short name", Action{Send: "x", Processor: "scxml"}, "send x to self; log on"},
		{"another processor", Action{Send: "x", Processor: "http://example.org"}, "bad"},
		{"a delay of CSS", Action{Send: "x", Delay: ".5s"}, "schedule x at 500; log on"},
		{"a computed delay", Action{Send: "x", Delay: Expression("'1.5s'")}, "schedule x at 1500; log on"},
		{"no delay at all", Action{Send: "x", Delay: "0s"}, "send x to self; log on"},
		{"no delay", Action{Send: "x", Delay: "soon"}, "bad"},
		{"milliseconds", Action{Send: "x", Delay: "10ms"}, "schedule x at 10; log on"},
		{"computed milliseconds", Action{Send: "x", Delay: int64(10)}, "schedule x at 10; log on"},
		{"another unit", Action{Send: "x", Delay: "2h"}, "bad"},
		{"two units", Action{Send: "x", Delay: "1m5s"}, "bad"},
		{"a computed delay of another unit", Action{Send: "x", Delay: Expression("'1m'")}, "bad"},
		{"a delay below zero", Action{Send: "x", Delay: "-1s"}, "bad"},
		{"a delay with a plus", Action{Send: "x", Delay: "+1s"}, "bad"},
		{"a point without digits", Action{Send: "x", Delay: "1.s"}, "bad"},
		{"a delay without a unit", Action{Send: "x", Delay: "5"}, "bad"},
		{"a unit alone", Action{Send: "x", Delay: "s"}, "bad"},
		{"a named delay", Action{Send: "x", Delay: "nap"}, "schedule x at 3600000; log on"},
		{"an internal event with a delay", Action{Send: "x", To: "#_internal", Delay: "1s"}, "bad"},
		{"failing data", Action{Send: "x", Data: map[string]any{"a": Expression("(fail)")}}, "bad"},
		{"a stored id", Action{Send: "x", IDLocation: "id"}, "send x to self; log on"},
		{"an id stored nowhere", Action{Send: "x", IDLocation: "nowhere"}, "bad"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := scxmlStart(t, Definition{Delays: []statechart.Variable{{Name: "nap", Value: "1h"}}, Root: State{Context: vars("id", nil, "nothing", nil),
				On: []Transition{{Event: "go", Actions: []Action{c.send, say("on")}}, {Event: "error.execution", Actions: []Action{say("bad")}}}}}, nil)
			in.Send(Event{Name: "go", Data: map[string]any{"v": "x"}})
			if got := strings.ReplaceAll(asked(in), "log bad", "bad"); got != c.want {
				t.Errorf("asked for %s, want %s", got, c.want)
			}
			if stored := in.Data()[""]["id"]; (c.send.IDLocation == "id") != (stored == "1") {
				t.Errorf("the id is %v", stored)
			}
		})
	}
}

// Calls without an id get one when they start, and it is stored before
// (SCXML 6.4.1); other kinds of process cannot be started.
func TestR40_Calls(t *testing.T) {
	in := scxmlStart(t, Definition{Root: State{Initial: "a", Context: vars("id", nil, "kind", "http://www.w3.org/TR/scxml/"), On: errorsHeard,
		States: []State{{Name: "a", ID: "room.1", Invoke: []Invocation{
			{Src: Expression("id"), IDLocation: "id", Type: Expression("kind")}, {Src: "y"}, {Src: "z", Type: "http://example.org"}, {ID: "named", Src: "u"}}}}}}, nil)
	wantAsked(t, in, "invoke room.1.1 room.1.1", "invoke room.1.2 y", "invoke named u", "log root.states.a.invoke[2]", "log <nil>")
	in = reloaded(t, in)
	receive(in, "done.invoke.room.1.2", nil, statechart.Envelope{Source: in.Live()[1].Source})
	if len(in.Live()) != 2 {
		t.Errorf("live are %v", in.Live())
	}
}

// Locations that are no variable are the language's, and a wrong one is an
// error when it is used; so is a script.
func TestR40_LocationsAndScripts(t *testing.T) {
	in := scxmlStart(t, Definition{Root: State{Context: vars("o", nil, "x", int64(0)), On: append([]Transition{
		{Event: "field", Actions: []Action{assign("o/k", int64(1), "x", int64(2))}},
		{Event: "script", Actions: []Action{{Script: "x = (+ x 5)"}}},
		{Event: "nowhere", Actions: []Action{assign("nowhere", int64(1)), say("on")}},
		{Event: "nonsense", Actions: []Action{{Script: "nonsense"}, say("on")}},
		{Event: "wrong", Actions: []Action{{Fail: "this is wrong"}, say("on")}},
	}, errorsHeard...)}}, nil)
	send(t, in, "field", "script")
	wantVar(t, in, "", "x", int64(7))
	if got := compact(in.Data()[""]["o"]); got != `{"k":1}` {
		t.Errorf("o is %s", got)
	}
	for i, event := range []string{"nowhere", "nonsense", "wrong"} {
		send(t, in, event)
		wantAsked(t, in, fmt.Sprintf("log root.on[%d].actions[0]", i+2), "log <nil>")
	}
}

// What only documents have is refused elsewhere, and what they lack, in them.
func TestRefusalsOfDialects(t *testing.T) {
	d := Definition{ID: "c", Binding: "late", Root: State{
		Entry:  []Action{{Script: "x = 1"}, {Send: "e", IDLocation: "x", Processor: "scxml"}},
		Invoke: []Invocation{{Src: "x", Type: "scxml", IDLocation: "x", Forward: true, Finalize: []Action{say("f")}}}}}
	_, err := statechart.Compile(d, scripted())
	for _, place := range []string{"binding", "entry[0].script", "entry[1].idLocation", "entry[1].processor",
		"invoke[0].type", "invoke[0].idLocation", "invoke[0].forward", "invoke[0].finalize"} {
		if err == nil || !strings.Contains(err.Error(), place+": only a chart of the scxml dialect has this") {
			t.Errorf("%s is not refused: %v", place, err)
		}
	}
	d = Definition{ID: "c", Dialect: "scxml", Binding: "sometimes", Constants: vars("k", int64(1)), Root: State{Entry: []Action{{Script: "x = 1"}}}}
	_, err = statechart.Compile(d, spoken())
	for _, text := range []string{`the binding "sometimes" is not known`, "has no constants", "has no statements"} {
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%s is not said: %v", text, err)
		}
	}
	for _, id := range []string{"internal", "scxml_s", "parent"} {
		_, err = statechart.Compile(Definition{ID: "c", Dialect: "scxml", Root: State{Invoke: []Invocation{{ID: id, Src: "x"}}}}, scripted())
		if want := fmt.Sprintf("root.invoke[0].id: %q is taken", id); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s is not said: %v", want, err)
		}
	}
	if _, err = statechart.Compile(Definition{ID: "c", Root: State{Invoke: []Invocation{{ID: "internal", Src: "x"}}}}, scripted()); err != nil {
		t.Errorf("a chart's call: %v", err)
	}
}

// reloaded goes on from the instance's encoded snapshot.
func reloaded(t *testing.T, in *Instance) *Instance {
	t.Helper()
	snapshot, err := in.Chart().Decode([]byte(encode(t, in)))
	if err != nil {
		t.Fatal(err)
	}
	again := &Instance{}
	if err := in.Chart().Resume(again, snapshot); err != nil {
		t.Fatal(err)
	}
	return again
}

// R40: only the last thousand sessions are remembered.
func TestMutantR40_HeardIsBounded(t *testing.T) {
	in := scxmlStart(t, Definition{Root: State{On: append([]Transition{{Event: "to", Actions: []Action{{Send: "e", To: Expression("(data v)")}}}}, errorsHeard...)}}, nil)
	for i := range 1001 {
		receive(in, "hello", nil, statechart.Envelope{Origin: fmt.Sprint("s", i)})
	}
	for to, want := range map[string]string{"s0": "log unreachable; log <nil>", "s1": "send e to s1", "s1000": "send e to s1000"} {
		in.Send(Event{Name: "to", Data: map[string]any{"v": "#_scxml_" + to}})
		if got := asked(in); got != want {
			t.Errorf("to %s: %s, want %s", to, got, want)
		}
	}
}

// In SCXML a name stands for the longer ones, too; they are not listed.
func TestFace_EventsOfADocument(t *testing.T) {
	in := scxmlStart(t, Definition{Root: State{On: []Transition{{Event: "a b.c.* error done.state", Actions: []Action{say("x")}}, {Event: "*", Guard: shut, Actions: []Action{say("y")}}}}}, nil)
	var names []string
	for _, e := range in.Events() {
		names = append(names, e.Name)
	}
	if got := strings.Join(names, " "); got != "a b.c error done.state *" {
		t.Errorf("possible are %s", got)
	}
}

package statechart_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// kinds is a schema language for tests: a schema is the name of a kind.
type kinds struct{}

func (kinds) Version() string { return "kinds 1" }

func (kinds) Compile(schema any) (statechart.Check, error) {
	kind, ok := schema.(string)
	if !ok || kind != "text" && kind != "number" {
		return nil, fmt.Errorf("%v is no kind", schema)
	}
	return func(v any) error {
		_, text := v.(string)
		if text != (kind == "text") {
			return errors.New("it is not a " + kind)
		}
		return nil
	}, nil
}

// heard is a registry with the value "payload": the event's data.
func heard() *Registry {
	r := spoken()
	r.Value("payload", func(s *Scope) (any, error) { return s.Event().Data, nil })
	return r
}

func checked() *Registry {
	r := heard()
	r.Schemas(kinds{})
	return r
}

// callback is a chart that takes a payload of the kind text and, on other
// events, raises or sends one.
func callback(actions ...Action) Definition {
	return Definition{
		Events: []statechart.EventDeclaration{{Name: "CALLBACK", Data: "text", From: []string{"client", "human"}}},
		Root: State{Initial: "a", Context: vars("got", nil), States: []State{
			{Name: "a", On: []Transition{
				{Event: "CALLBACK", Target: "b"},
				{Event: "tell", Actions: actions},
				{Event: "error.execution", Actions: []Action{assign("got", Expression("payload"))}},
			}},
			{Name: "b"},
		}},
	}
}

// The data of a declared event is checked at the door: what does not fit is
// refused, and nothing has happened.
func TestDataOfEventsAtTheDoor(t *testing.T) {
	in := compile(t, callback(), checked()).Instance(nil)
	r := in.Send(Event{Name: "CALLBACK", Data: int64(7)})
	if r.Outcome != statechart.Refused || r.Reason.Code != statechart.CodeData || !strings.Contains(r.Reason.Message, "it is not a text") {
		t.Errorf("a payload that does not fit: %v %+v", r.Outcome, r.Reason)
	}
	if in.Sequence() != 1 {
		t.Errorf("a refused event counts: sequence %d", in.Sequence())
	}
	if r := in.Send(Event{Name: "CALLBACK", Data: "ok"}); r.Outcome != statechart.Taken {
		t.Errorf("a payload that fits: %v %+v", r.Outcome, r.Reason)
	}
}

// A chart of typed functions only plans its steps, but not past a check.
func TestDataOfEventsIsCheckedOnEveryWay(t *testing.T) {
	d := Definition{
		Events: []statechart.EventDeclaration{{Name: "go", Data: "text"}},
		Root:   State{Initial: "a", States: []State{{Name: "a", On: []Transition{{Event: "go", Target: "b"}}}, {Name: "b", On: []Transition{{Event: "go", Target: "a"}}}}},
	}
	c := compile(t, d, checked())
	for _, bound := range []statechart.Cache{{}, {Configurations: -1}, {Configurations: -1, Regions: -1}} {
		in := c.WithCache(bound).Instance(nil)
		id, _ := c.EventID("go")
		for i := range 4 {
			if r := in.SendID(id, "x"); r.Outcome != statechart.Taken {
				t.Fatalf("%+v, round %d: %v %+v", bound, i, r.Outcome, r.Reason)
			}
			if r := in.SendID(id, int64(1)); r.Outcome != statechart.Refused {
				t.Fatalf("%+v, round %d: a payload that does not fit is %v", bound, i, r.Outcome)
			}
		}
	}
}

// Who sends is checked where the host says it.
func TestSendersOfEvents(t *testing.T) {
	anybody := callback()
	anybody.Events[0].From = nil // clients and sessions
	for _, x := range []struct {
		def  Definition
		from string
		want statechart.Outcome
	}{
		{callback(), "", statechart.Taken}, {callback(), "client", statechart.Taken}, {callback(), "human", statechart.Taken},
		{callback(), "model", statechart.Refused}, {callback(), "session", statechart.Refused},
		{anybody, "client", statechart.Taken}, {anybody, "session", statechart.Taken}, {anybody, "human", statechart.Refused}, {anybody, "model", statechart.Refused},
	} {
		in := compile(t, x.def, checked()).Instance(nil)
		r := in.Receive(Delivery{Event: Event{Name: "CALLBACK", Data: "ok"}, Envelope: &statechart.Envelope{From: x.from}})
		if r.Outcome != x.want {
			t.Errorf("from %q: %v %+v", x.from, r.Outcome, r.Reason)
		}
		if r.Outcome == statechart.Refused && r.Reason.Code != statechart.CodeSender {
			t.Errorf("from %q: %+v", x.from, r.Reason)
		}
	}
}

// Raising and sending a declared event with data that does not fit is an
// error of the action.
func TestDataOfEventsThatAreRaised(t *testing.T) {
	for name, a := range map[string]Action{
		"raise":         {Raise: "CALLBACK", Data: int64(1)},
		"delayed raise": {Raise: "CALLBACK", Data: int64(1), Delay: "1s"},
		"send":          {Send: "CALLBACK", To: "other", Data: int64(1)},
	} {
		in := compile(t, callback(a), checked()).Instance(nil)
		in.Send(Event{Name: "tell"})
		got, _ := in.Data()[""]["got"].(map[string]any)
		if text, _ := got["message"].(string); !strings.Contains(text, `the data of "CALLBACK" does not fit its schema: it is not a text`) {
			t.Errorf("%s: error.execution says %v", name, got)
		}
		if len(in.Timers())+len(in.Effects()) > 0 {
			t.Errorf("%s: something was sent", name)
		}
	}
}

// A bad input refuses the start.
func TestInputIsCheckedAtTheStart(t *testing.T) {
	d := Definition{Input: "text", Root: State{Initial: "a", States: []State{{Name: "a"}}}}
	c := compile(t, d, checked())
	in := new(Instance)
	r := c.Start(in, statechart.Start{Input: int64(1)})
	if r.Outcome != statechart.Refused || r.Reason.Code != statechart.CodeInput || in.Status() != statechart.FailedStatus {
		t.Errorf("bad input: %v %+v, %s", r.Outcome, r.Reason, in.Status())
	}
	if next, err := c.Begin(statechart.Start{Input: "fine"}); err != nil || next.Result.Outcome != statechart.Taken {
		t.Errorf("good input: %v %v", next.Result, err)
	}
}

// A schema that the language does not know does not compile, and the
// language's version is part of the digest of charts with schemas only.
func TestSchemasWhenCompiled(t *testing.T) {
	d := callback()
	d.Events[0].Data = "colour"
	d.Input = "flavour"
	d.ID = "c"
	_, err := statechart.Compile(d, checked())
	var es statechart.Errors
	if !errors.As(err, &es) || len(es) != 2 || es[0].Code != statechart.CodeSchema || es[0].Path != "input" || es[1].Path != "events[0].data" {
		t.Errorf("bad schemas: %v", err)
	}
	plain := Definition{Root: State{Initial: "a", States: []State{{Name: "a"}}}}
	if compile(t, plain).Digest() != compile(t, plain, checked()).Digest() {
		t.Error("a chart without schemas depends on the schema language")
	}
	if compile(t, callback(), heard()).Digest() == compile(t, callback(), checked()).Digest() {
		t.Error("a chart with schemas does not depend on the schema language")
	}
}

package oracle

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// doError is an error of a do's arguments, whose kind is its own (dec. 112).
type doError struct{ error }

// runBlock runs a list of actions as a block: an error stops it, raises
// error.execution, and goes no further (R20).
func (s *Session) runBlock(at *state, actions []statechart.Action) { s.scope(at).guarded(actions) }

func (x *Scope) guarded(actions []statechart.Action) {
	err := x.run(actions)
	var ofDo doError
	switch {
	case errors.As(err, &ofDo):
		x.s.fail("do", err)
	case err != nil:
		x.s.fail("action", err)
	}
}

func (x *Scope) run(actions []statechart.Action) error {
	for i := range actions {
		if err := x.act(&actions[i]); err != nil {
			return err
		}
	}
	return nil
}

func (x *Scope) act(a *statechart.Action) error {
	switch {
	case a.Call != "":
		return x.call(a)
	case a.Assign != nil:
		return x.assign(a.Assign)
	case a.Raise != nil && a.Delay == nil:
		name, err := x.text(a.Raise)
		if err != nil {
			return err
		}
		data, err := x.value(a.Data)
		if err != nil {
			return err
		}
		return x.Raise(statechart.Event{Name: name, Data: data})
	case a.Raise != nil, a.Send != nil:
		return x.send(a)
	case a.Cancel != nil:
		return x.cancel(a.Cancel)
	case a.Append != "", a.Emit != nil, a.Log != nil:
		return x.report(a)
	case a.Do != nil:
		return x.do(a.Do)
	case a.If != nil:
		return x.branch(a)
	case a.Foreach != nil:
		return x.foreach(a)
	case a.Block != nil:
		x.guarded(a.Block)
	}
	return nil
}

func (x *Scope) call(a *statechart.Action) error {
	params, err := x.given(a.Params)
	if err != nil {
		return err
	}
	y := *x
	y.params = params
	_ = x.Charge(1)
	return x.s.chart.behaviour.Actions[a.Call](&y)
}

// assign evaluates all values before it writes any (R22).
func (x *Scope) assign(list []statechart.Variable) error {
	values := make([]any, len(list))
	for i, v := range list {
		var err error
		_ = x.Charge(1)
		if values[i], err = x.value(v.Value); err != nil {
			return err
		}
	}
	for i, v := range list {
		if err := x.Set(v.Name, values[i]); err != nil {
			return err
		}
	}
	return nil
}

// send is Send, and Raise with a delay (R24). Arguments are evaluated now.
func (x *Scope) send(a *statechart.Action) error {
	kind, event := "send", a.Send
	if a.Raise != nil {
		kind, event = "raise", a.Raise
	}
	name, err := x.text(event)
	if err != nil {
		return err
	}
	data, err := x.value(a.Data)
	if err != nil {
		return err
	}
	to, err := x.text(a.To)
	if err != nil {
		return err
	}
	if x.s.chart.scxml && kind == "send" {
		return x.scxmlSend(a, name, to, data)
	}
	if to == "" {
		to = "self"
	}
	id, err := x.text(a.ID)
	if err != nil {
		return err
	}
	if a.Delay == nil {
		x.s.effect(statechart.Effect{Type: statechart.EffectSend, State: x.at.path, Event: name, To: to, Data: data,
			Source: statechart.Source{Kind: "send", ID: id}})
		return nil
	}
	ms, err := x.delay(a.Delay)
	if err != nil {
		return err
	}
	x.s.arm(timer{kind: kind, name: name, id: id, due: x.s.now + max(0, ms), state: x.at, to: to, data: data})
	return nil
}

// scxmlSend is a send as documents write it (SCXML 6.2, C.1): to the session
// itself, or to nobody, for there are no others here; that is found out when
// the message is on its way, which for a delayed one is later.
func (x *Scope) scxmlSend(a *statechart.Action, name, to string, data any) error {
	id, err := x.text(a.ID)
	if err != nil {
		return err
	}
	ms := int64(0)
	if a.Delay != nil {
		if ms, err = x.delay(a.Delay); err != nil {
			return err
		}
	}
	switch {
	case to == "#_internal" && ms > 0:
		return errors.New("an internal event cannot wait")
	case to == "#_internal":
		x.s.raise(statechart.Event{Name: name, Data: data})
	case to != "" && !strings.HasPrefix(to, "#_"):
		return errors.New("no target")
	case ms > 0:
		receiver := strings.TrimPrefix(strings.TrimPrefix(to, "#_"), "scxml_")
		x.s.arm(timer{kind: "send", name: name, id: id, due: x.s.now + ms, state: x.at, to: cmp.Or(receiver, "self"), data: data})
	case to != "":
		x.s.raise(statechart.Event{Name: "error.communication"})
	default:
		x.s.effect(statechart.Effect{Type: statechart.EffectSend, State: x.at.path, Event: name, To: "self", Data: data,
			Source: statechart.Source{Kind: "send", ID: id}})
	}
	return nil
}

// cancel takes back delayed sends and raises, then dos, under one id.
func (x *Scope) cancel(v any) error {
	v, err := x.value(v)
	if err != nil {
		return err
	}
	id, ok := v.(string)
	if !ok {
		return fmt.Errorf("%v is no id", v)
	}
	if id == "" {
		return nil // that is no id
	}
	for _, t := range byDue(x.s.timersIn(func(t timer) bool { return t.id == id && (t.kind == "raise" || t.kind == "send") })) {
		x.s.unschedule(t, x.at)
	}
	for _, c := range x.s.callsIn(func(c call) bool { return c.source.Kind == "do" && c.source.ID == id }) {
		x.s.stop(c, x.at)
	}
	return nil
}

// report is Append, Emit and Log: effects in order with everything else.
func (x *Scope) report(a *statechart.Action) error {
	data := a.Data
	e := statechart.Effect{State: x.at.path}
	switch {
	case a.Append != "":
		e.Type, e.Name = statechart.EffectAppend, a.Append
	case a.Emit != nil:
		name, err := x.text(a.Emit)
		if err != nil {
			return err
		}
		if name == "" {
			return errors.New("an emitted event has a name")
		}
		e.Type, e.Event = statechart.EffectEmit, name
	default:
		data = a.Log
		e.Type, e.Name = statechart.EffectLog, a.Level
		if a.Level == "" {
			e.Name = "info"
		}
	}
	var err error
	if e.Data, err = x.value(data); err != nil {
		return err
	}
	x.s.effect(e)
	if a.Append != "" {
		x.s.lists[a.Append]++
	}
	return nil
}

func (x *Scope) branch(a *statechart.Action) error {
	holds, err := x.condition(a.If)
	switch {
	case err != nil:
		return err
	case holds:
		return x.run(a.Then)
	}
	return x.run(a.Else)
}

// foreach runs its body over a copy of the list (R22).
func (x *Scope) foreach(a *statechart.Action) error {
	v, err := x.value(a.Foreach)
	if err != nil {
		return err
	}
	list, ok := v.([]any)
	if !ok {
		return fmt.Errorf("foreach over %v", v)
	}
	for i, element := range list {
		_ = x.Charge(1)
		locals := []local{{a.As, element}, {a.Index, int64(i)}}
		if err := x.with(locals...).run(a.Then); err != nil {
			return err
		}
	}
	return nil
}

// prepared is a call with its arguments evaluated.
type prepared struct {
	input   any
	options statechart.CallOptions
}

// prepare evaluates the arguments of an invocation or a do.
func (x *Scope) prepare(inv *statechart.Invocation) (*prepared, error) {
	p := &prepared{options: statechart.CallOptions{Mode: inv.Mode, Retry: maps.Clone(inv.Retry), Approval: maps.Clone(inv.Approval), Choices: inv.Choices}}
	src, err := x.value(inv.Src)
	if err != nil {
		return nil, err
	}
	var ok bool
	if p.options.Src, ok = src.(string); !ok {
		return nil, fmt.Errorf("%v is no source", src)
	}
	if p.input, err = x.value(inv.Input); err != nil {
		return nil, err
	}
	if p.options.DeclaredKey, err = x.value(inv.Key); err != nil {
		return nil, err
	}
	for _, d := range []struct {
		value any
		ms    *int64
	}{{inv.Timeout, &p.options.Timeout}, {inv.Heartbeat, &p.options.Heartbeat}} {
		if d.value == nil {
			continue
		}
		if *d.ms, err = x.delay(d.value); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// do starts a call that its state does not wait for.
func (x *Scope) do(inv *statechart.Invocation) error {
	p, err := x.prepare(inv)
	if err != nil {
		return doError{err}
	}
	id := inv.ID
	if id == "" {
		id = x.at.place + ":do"
	}
	x.s.startCall(statechart.EffectDo, "do", id, x.at, p)
	return nil
}

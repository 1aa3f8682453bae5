package statechart

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// LiveCall is an outside call that was started and has not ended.
type LiveCall struct {
	Source Source `json:"source"`
	Key    string `json:"key"`
	Src    string `json:"src"`
	// State is the path of the state that invoked it; of a do, the one whose
	// block asked for it.
	State string `json:"state,omitempty"`
	state int32  // of an invocation; -1 of a do
	index int32
}

// prepareCalls evaluates the invocations of a state that was just entered.
// In SCXML that waits for the start (R25).
func (in *Instance) prepareCalls(s int32) {
	r, n := in.rare, &in.chart.nodes[s]
	for i := range n.invocations {
		p := pendingCall{state: s, index: int32(i), id: n.invocations[i].id}
		if !in.chart.scxml {
			if err := in.evaluateCall(&p); err != nil {
				in.executionError("action", n.invocations[i].place, err)
				continue
			}
		}
		r.pending = append(r.pending, p)
	}
}

func (in *Instance) evaluateCall(p *pendingCall) (err error) {
	v := &in.chart.nodes[p.state].invocations[p.index]
	p.src, p.input, p.options, err = in.arguments(v, p.state, func(x *value) (any, error) { return in.evaluate(x, p.state) })
	return err
}

// arguments evaluates what a call says.
func (in *Instance) arguments(v *invocation, s int32, get func(*value) (any, error)) (src, input any, o CallOptions, err error) {
	o = CallOptions{Mode: v.def.Mode, Retry: maps.Clone(v.def.Retry), Approval: maps.Clone(v.def.Approval), Choices: slices.Clone(v.def.Choices)}
	if src, err = get(v.src); err != nil {
		return nil, nil, o, err
	}
	name, ok := src.(string)
	if !ok || name == "" {
		return nil, nil, o, &Error{Code: CodeInvalid, Path: v.place, Message: "the source of a call must be text, not " + describeValue(src)}
	}
	if in.chart.lacksSource(name) {
		return nil, nil, o, &Error{Code: CodeUnknownSource, Path: v.place, Message: "the performer " + quote(name) + " is not registered"}
	}
	o.Src = name
	if v.input != nil {
		if input, err = get(v.input); err != nil {
			return nil, nil, o, err
		}
	}
	if v.key != nil {
		if o.DeclaredKey, err = get(v.key); err != nil {
			return nil, nil, o, err
		}
	}
	for _, d := range []struct {
		from *value
		into *int64
	}{{v.timeout, &o.Timeout}, {v.heartbeat, &o.Heartbeat}} {
		if d.from == nil {
			continue
		}
		x, err := get(d.from)
		if err == nil {
			*d.into, err = in.milliseconds(x)
		}
		if err != nil {
			return nil, nil, o, err
		}
	}
	return src, input, o, nil
}

// startPending starts the invocations of states still active, in document
// order (R25).
func (in *Instance) startPending() {
	r := in.rare
	if len(r.pending) == 0 {
		return
	}
	slices.SortStableFunc(r.pending, func(a, b pendingCall) int {
		if a.state != b.state {
			return int(a.state - b.state)
		}
		return int(a.index - b.index)
	})
	for i := range r.pending {
		p := &r.pending[i]
		v := &in.chart.nodes[p.state].invocations[p.index]
		if in.chart.scxml {
			err := in.nameCall(p)
			if err == nil {
				err = in.evaluateCall(p)
			}
			if err != nil {
				if r.broken == nil {
					in.executionError("action", v.place, err)
				}
				continue
			}
		}
		in.startCall(v, p)
	}
	r.pending = r.pending[:0]
}

// startCall gives out an invoke or a do and notes it as live.
func (in *Instance) startCall(v *invocation, p *pendingCall) {
	r, o := in.rare, p.options
	r.counter++
	e := Effect{Type: EffectInvoke, State: in.chart.nodes[p.state].path, Data: p.input, Call: &o,
		Source: Source{Kind: "invoke", ID: p.id, Entry: r.counter}}
	live := LiveCall{Src: o.Src, State: e.State, state: p.state, index: p.index}
	if v.isDo {
		e.Type, e.Source.Kind, live.state = EffectDo, "do", -1
	}
	live.Source = e.Source
	live.Key = in.keyFor(&o)
	e.Key = live.Key
	r.live = append(r.live, live)
	in.effect(e)
}

// stopCallsOf ends the calls of a state that is left: those that run are
// stopped, those not started yet are forgotten.
func (in *Instance) stopCallsOf(s int32) {
	r := in.rare
	r.pending = slices.DeleteFunc(r.pending, func(p pendingCall) bool { return p.state == s })
	in.stop(s, func(l *LiveCall) bool { return l.state == s })
}

// stop cancels the live calls that match, because the state asks for it.
func (in *Instance) stop(asking int32, match func(*LiveCall) bool) {
	r := in.rare
	kept := r.live[:0]
	for i := range r.live {
		l := r.live[i]
		if !match(&l) {
			kept = append(kept, l)
			continue
		}
		in.effect(Effect{Type: EffectStop, Key: l.Key, State: in.chart.nodes[asking].path, Source: l.Source})
	}
	r.live = kept
}

// consume takes up an event of the engine: it must answer something that is
// still live, which ends with it (R26). over is true when nothing is left to
// process; real, when the event was replaced by what a timer holds.
func (in *Instance) consume(e *Delivery) (result Result, over, real bool) {
	r, source := in.rare, e.Envelope.Source
	switch source.Kind {
	case "timer":
		return in.fire(e)
	case "invoke", "do":
		i := slices.IndexFunc(r.live, func(l LiveCall) bool { return l.Source == source })
		if i < 0 && in.chart.scxml {
			// SCXML keeps what stands in the queue when its sender is gone.
			return Result{}, false, false
		}
		kind, answers := answerOf(e.Name, source)
		if i < 0 || !answers && !in.chart.scxml {
			return Result{Ignored, reasonStale}, true, false
		}
		if answers && kind != "progress" {
			r.live = slices.Delete(r.live, i, i+1)
		}
	}
	return Result{}, false, false
}

// answerOf returns done, error, unknown or progress when the name is that of
// an answer of the source.
func answerOf(name string, s Source) (kind string, ok bool) {
	kind, rest, _ := strings.Cut(name, ".")
	switch kind {
	case "done", "error", "unknown", "progress":
		return kind, rest == s.Kind+"."+s.ID
	}
	return "", false
}

// effect adds an effect to the step's result. Taking something back does not
// count against the bound: leaving a state must always be possible.
func (in *Instance) effect(e Effect) {
	r := in.rare
	if r.broken != nil {
		return
	}
	if e.Type != EffectUnschedule && e.Type != EffectStop {
		if r.counted++; r.counted > in.chart.limits.Effects {
			in.breakOff(CodeEffects, "the macrostep has too many effects")
			return
		}
	}
	e.Sequence = in.sequence()
	e.Index = in.indexOfNext()
	if e.Type == EffectSend {
		e.Key = effectKey(r.session, strconv.FormatUint(e.Sequence, 10), strconv.Itoa(e.Index))
	}
	r.effects = append(r.effects, e)
}

// indexOfNext is the place of the next effect in its macrostep.
func (in *Instance) indexOfNext() int {
	effects, sequence := in.rare.effects, in.sequence()
	n := len(effects)
	if n == 0 || effects[n-1].Sequence != sequence {
		return 0
	}
	return effects[n-1].Index + 1
}

// keyFor is the key of a call that is about to be given out: of its place in
// the session's history, or of what the chart declares.
func (in *Instance) keyFor(o *CallOptions) string {
	r := in.rare
	if o.DeclaredKey != nil {
		return effectKey(r.session, "src", o.Src, canonical(o.DeclaredKey))
	}
	return effectKey(r.session, strconv.FormatUint(in.sequence(), 10), strconv.Itoa(in.indexOfNext()))
}

// effectKey hashes its parts, each with its length before it.
func effectKey(parts ...string) string {
	var b []byte
	for _, p := range parts {
		b = strconv.AppendInt(b, int64(len(p)), 10)
		b = append(b, ':')
		b = append(b, p...)
	}
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:16])
}

// eventOf returns the name of a message's event.
func (s *Scope) eventOf(m *message) (string, error) {
	if m.name == nil {
		return m.event, nil
	}
	v, err := m.name.get(s)
	if err != nil {
		return "", err
	}
	name, ok := v.(string)
	switch {
	case !ok:
		return "", &Error{Code: CodeInvalidName, Message: "the name of an event must be text, not " + describeValue(v)}
	case !isEventName(name) || !s.in.chart.scxml && strings.Contains(name, "*"):
		return "", &Error{Code: CodeInvalidName, Message: quote(name) + " is no event name"}
	case !s.in.chart.scxml && reserved(name):
		return "", &Error{Code: CodeReserved, Message: quote(name) + " is one of the engine's names"}
	}
	return name, nil
}

// message sends or raises, now or after a delay (R24).
func (s *Scope) message(m *message) error {
	if s.in.chart.scxml && !m.isRaise {
		return s.scxmlMessage(m)
	}
	event, err := s.eventOf(m)
	if err != nil {
		return err
	}
	var data, id, to any
	for _, part := range []struct {
		from *value
		into *any
	}{{m.data, &data}, {m.id, &id}, {m.to, &to}} {
		if part.from == nil {
			continue
		}
		if *part.into, err = part.from.get(s); err != nil {
			return err
		}
	}
	if err := s.in.chart.misfit(event, data); err != nil {
		return err
	}
	receiver, name, err := texts(to, id)
	if err != nil {
		return err
	}
	if receiver == "" && !m.isRaise {
		receiver = "self"
	}
	if m.delay != nil {
		return s.delayed(m, event, receiver, name, data)
	}
	if m.isRaise {
		s.in.raise(Event{Name: event, Data: data})
	} else {
		s.in.sendNow(event, receiver, name, data, s.state)
	}
	return nil
}

// texts reads a receiver and an id, which must be text where given.
func texts(to, id any) (receiver, name string, err error) {
	for _, p := range []struct {
		v    any
		into *string
		what string
	}{{to, &receiver, "receiver"}, {id, &name, "id"}} {
		text, ok := p.v.(string)
		if !ok && p.v != nil {
			return "", "", &Error{Code: CodeInvalid, Message: "the " + p.what + " of an event must be text, not " + describeValue(p.v)}
		}
		*p.into = text
	}
	return receiver, name, nil
}

func (s *Scope) delayed(m *message, event, to, id string, data any) error {
	delay, err := s.delayOf(m)
	if err != nil {
		return err
	}
	kind := "send"
	if m.isRaise {
		kind = "raise"
	}
	s.in.arm(Timer{Name: event, Kind: kind, Due: s.in.due(delay), To: to, Data: data, state: -1}, id, s.state)
	return nil
}

func (in *Instance) sendNow(event, to, id string, data any, asking int32) {
	in.effect(Effect{Type: EffectSend, State: in.chart.nodes[asking].path, Event: event, To: to, Data: data, Source: Source{Kind: "send", ID: id}})
}

func (s *Scope) cancel(id *value) error {
	v, err := id.get(s)
	if err != nil {
		return err
	}
	name, ok := v.(string)
	if !ok {
		return &Error{Code: CodeInvalid, Message: "cancel needs an id as text, not " + describeValue(v)}
	}
	if name == "" {
		return nil // what has no id cannot be found by it
	}
	s.in.unschedule(s.state, func(t *Timer) bool { return t.state < 0 && t.Source.ID == name }, nil)
	s.in.stop(s.state, func(l *LiveCall) bool { return l.state < 0 && l.Source.ID == name })
	return nil
}

func (s *Scope) append(list int, data *value) error {
	if err := s.effectOf(data, Effect{Type: EffectAppend, Name: s.in.chart.lists[list]}); err != nil {
		return err
	}
	s.in.rare.lists[list]++
	return nil
}

// effectOf gives out an effect that carries a value.
func (s *Scope) effectOf(data *value, e Effect) error {
	v, err := data.get(s)
	if err != nil {
		return err
	}
	e.Data, e.State = v, s.in.chart.nodes[s.state].path
	s.in.effect(e)
	return nil
}

func (s *Scope) do(v *invocation) error {
	_, input, options, err := s.in.arguments(v, s.state, func(x *value) (any, error) { return x.get(s) })
	if err != nil {
		return err
	}
	s.in.startCall(v, &pendingCall{state: s.state, id: v.id, input: input, options: options})
	return nil
}

package durable

import (
	"fmt"
	"strings"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// step lets the chart take one message: one macrostep, one journal row.
func (t *turn) step(m *message, deferred bool) (statechart.Result, error) {
	hit("step.before")
	next, err := statechart.Step(t.s.chart, t.s.snap, m.delivery(), t.now)
	if err != nil {
		return statechart.Result{}, err
	}
	if drowned, err := t.drowned(m, next.Result.Outcome); drowned || err != nil {
		return next.Result, err
	}
	return t.accept(m, next, deferred)
}

// deferred lets the chart take a kept event, if one can be taken now (R32).
func (t *turn) deferred() (bool, error) {
	next, d, ok, err := statechart.Deliver(t.s.chart, t.s.snap, t.now)
	if !ok || err != nil {
		return false, err
	}
	m := &message{Kind: messageEvent, Name: d.Name, Data: d.Data}
	if v := d.Envelope; v != nil {
		m.At, m.ID, m.From, m.SendID, m.Origin, m.Invocation, m.Effect = v.AcceptedAt, v.ID, v.From, v.SendID, v.Origin, v.Invocation, v.Effect
	}
	_, err = t.accept(m, next, true)
	return true, err
}

// dueTimer returns the timer that is due.
func (t *turn) dueTimer() (statechart.Timer, bool) {
	if t.s.snap.IsZero() {
		return statechart.Timer{}, false
	}
	timers := t.s.snap.Timers()
	if len(timers) == 0 || timers[0].Due > t.now {
		return statechart.Timer{}, false
	}
	return timers[0], true
}

// fire lets a timer become its event.
func (t *turn) fire(timer statechart.Timer) error {
	hit("timer.before")
	d := timer.Delivery()
	_, err := t.step(&message{Kind: messageEvent, At: timer.Due, Name: d.Name, Data: d.Data, Source: &d.Envelope.Source}, false)
	return err
}

// begin runs the initial macrostep of a session that stands in the store
// already: a child's.
func (t *turn) begin(m *entry) error {
	s := t.s
	next, err := s.chart.Begin(statechart.Start{Session: s.id, User: s.head.User, Parent: s.head.Parent, Input: m.Data, Now: t.now})
	if err != nil {
		return err
	}
	if next.Snapshot.IsZero() || next.Result.Outcome == statechart.Refused {
		s.head.Status = Failed
		t.setReason(next.Result.Reason)
		t.dirty = true
		return t.reportEnd(host.Failed(host.Failure{Code: reasonCode(next.Result.Reason), Message: reasonText(next.Result.Reason), Final: true}))
	}
	_, err = t.accept(m.message, next, false)
	return err
}

// accept makes the result of a macrostep the session's, unless the state has
// outgrown its bound, and writes the row.
func (t *turn) accept(m *message, next statechart.Next, deferred bool) (statechart.Result, error) {
	s := t.s
	t.steps++
	doc, err := next.Snapshot.Encode()
	if err != nil {
		return next.Result, err
	}
	before := configurationOf(s.snap)
	if len(doc) > t.e.config.StateBytes && len(doc) > len(s.doc) && !statusOf(next.Snapshot.Status()).Over() {
		return t.outgrown(m, before)
	}
	hit("step.after")
	r := rowOf(m)
	r.Deferred = deferred
	r.Outcome, r.Reason = next.Result.Outcome.String(), next.Result.Reason
	stepped := next.Snapshot.Sequence() != s.snap.Sequence() || s.snap.IsZero()
	if stepped {
		r.Step, r.Effects = next.Snapshot.Sequence(), next.Effects
	}
	ended := t.adopt(next)
	if stepped {
		t.appendRows(next.Effects)
		if err := t.carryOut(m, next.Effects, r); err != nil {
			return next.Result, err
		}
	}
	if err := t.write(r, before, doc); err != nil {
		return next.Result, err
	}
	if ended {
		return next.Result, t.ended(next)
	}
	return next.Result, nil
}

// adopt makes the new state the session's and reports whether it has ended.
func (t *turn) adopt(next statechart.Next) (ended bool) {
	s := t.s
	if s.snap.IsZero() && len(s.chart.Definition().Lists) > 0 {
		s.snap = next.Snapshot.WithRows(t.e.rowsOf(s))
	} else {
		s.snap = next.Snapshot
	}
	was := s.head.Status
	if now := statusOf(s.snap.Status()); now != Active {
		s.head.Status = now
	}
	if s.head.Status != was && s.snap.Reason() != nil {
		t.setReason(s.snap.Reason())
	}
	return s.head.Status.Over() && !was.Over()
}

func configurationOf(s statechart.Snapshot) []string {
	if s.IsZero() {
		return nil
	}
	return s.Configuration()
}

// rowOf begins the journal row of a message.
func rowOf(m *message) *host.Record {
	r := &host.Record{AcceptedAt: m.At, Event: m.Name, Data: m.Data, ID: m.ID, Sender: m.From, By: m.By, Effect: m.Effect,
		Source: m.Source, Origin: m.Origin, SendID: m.SendID, Invocation: m.Invocation}
	if m.Kind == messageStart {
		r.Event = "detent.init"
	}
	return r
}

// outgrown records an event whose step would make the state too large. It is
// undone; an event of the engine would come again for ever, so it parks the
// session (S5).
func (t *turn) outgrown(m *message, before []string) (statechart.Result, error) {
	why := &statechart.Reason{Code: statechart.CodeLimit, Message: fmt.Sprintf("the session's state would be larger than %d bytes", t.e.config.StateBytes)}
	r := rowOf(m)
	r.Outcome, r.Reason = statechart.Failed.String(), why
	if m.Source != nil {
		t.s.head.Status = Parked
		t.setReason(why)
	}
	return statechart.Result{Outcome: statechart.Failed, Reason: why}, t.write(r, before, t.s.doc)
}

// appendRows stores what the step added to append-only lists: one row each.
func (t *turn) appendRows(effects []statechart.Effect) {
	s := t.s
	for i := range effects {
		f := &effects[i]
		if f.Type != statechart.EffectAppend {
			continue
		}
		if s.appended == nil {
			s.appended = map[string][]any{}
		}
		n := s.listed[f.Name] + int64(len(s.appended[f.Name]))
		s.appended[f.Name] = append(s.appended[f.Name], f.Data)
		body, err := statechart.AppendJSON(nil, f.Data)
		if err != nil {
			panic(err) // the core keeps only what can be written
		}
		t.own.Records = append(t.own.Records, Record{Namespace: SpaceList, Session: s.id, Key: listKey(f.Name, n), Body: body})
		t.later(func() {
			if s.listed == nil {
				s.listed = map[string]int64{}
			}
			if k := s.appended[f.Name]; len(k) > 0 {
				s.listed[f.Name] += int64(len(k))
				delete(s.appended, f.Name)
			}
		})
	}
}

// ended does what the end of a session means: its calls are taken back and
// its parent hears of it (R19, R26).
func (t *turn) ended(next statechart.Next) error {
	s := t.s
	last := map[string]bool{} // what the last step still asks for
	for _, f := range next.Effects {
		if f.Type == statechart.EffectDo {
			last[f.Key] = true
		}
	}
	for _, f := range effectsInOrder(s.effects) {
		if !last[f.Key] && f.Parent == "" {
			t.stop(f, "the session ended")
		}
	}
	outcome := host.Done(s.snap.Output())
	if s.head.Status != Completed {
		failure := host.Failure{Code: string(s.head.Status), Message: fmt.Sprintf("the session %s is %s", s.id, s.head.Status), Final: true}
		if r := s.snap.Reason(); r != nil {
			failure.Code, failure.Message = string(r.Code), r.Message
		}
		if out := s.snap.Output(); out != nil {
			failure.Detail = out
		}
		outcome = host.Failed(failure)
	}
	if t.quiet {
		outcome = host.Outcome{Kind: host.KindCancelled}
	}
	return t.reportEnd(outcome)
}

// reportEnd tells the parent how the session ended.
func (t *turn) reportEnd(outcome host.Outcome) error {
	h := &t.s.head
	if h.Parent == "" {
		return nil
	}
	return t.post(h.Parent, &message{Kind: messageOutcome, At: t.now, Effect: h.ParentKey, Origin: h.Session, Outcome: &outcome})
}

// carryOut turns a step's effects into rows and messages. Timers need none:
// the state has them.
func (t *turn) carryOut(m *message, effects []statechart.Effect, r *host.Record) error {
	for i := range effects {
		f := &effects[i]
		var err error
		switch f.Type {
		case statechart.EffectInvoke, statechart.EffectDo:
			err = t.ask(f, r)
		case statechart.EffectStop:
			if live := t.s.effects[f.Key]; live != nil {
				t.leave(live, f.Source, r)
			}
		case statechart.EffectSend:
			err = t.send(f)
		case statechart.EffectForward:
			err = t.forward(f)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// send routes an event to its receiver; without one the sender hears of it.
func (t *turn) send(f *statechart.Effect) error {
	m := &message{Kind: messageEvent, At: t.now, Name: f.Event, Data: f.Data, ID: f.Key, From: "session", SendID: f.Source.ID, Origin: t.s.id}
	to, err := t.receiver(f.To)
	if err != nil {
		return err
	}
	switch to {
	case t.s.id:
		t.postSelf(m)
		return nil
	case "":
		source := f.Source
		source.Kind = "send"
		t.postSelf(&message{Kind: messageEvent, At: t.now, Name: "error.communication", Source: &source, Effect: f.Key,
			Data: map[string]any{"kind": "send", "event": f.Event, "to": f.To, "message": "no session to send to"}})
		return nil
	case t.s.head.Parent:
		m.Invocation = invocationOf(t.s.id)
	}
	return t.post(to, m)
}

// invocationOf is the id of the call that a child's id is made from.
func invocationOf(child string) string {
	parts := strings.Split(child, "/")
	if len(parts) < 3 {
		return ""
	}
	return parts[len(parts)-2]
}

func (t *turn) forward(f *statechart.Effect) error {
	for _, live := range t.s.effects {
		if live.Stands == standsChild && hasSource(live, f.Source) {
			m := &message{Kind: messageEvent, At: t.now, Name: f.Event, Data: f.Data, From: "session"}
			if v := f.Envelope; v != nil {
				m.ID, m.SendID, m.Origin, m.Invocation = v.ID, v.SendID, v.Origin, v.Invocation
			}
			return t.post(live.Child, m)
		}
	}
	return nil
}

func hasSource(f *effect, s statechart.Source) bool {
	for _, x := range f.Sources {
		if x == s {
			return true
		}
	}
	return false
}

// receiver finds who an address means: the session itself, its parent, the
// child that a call of it started, or any session by id; "" is nobody.
func (t *turn) receiver(to string) (string, error) {
	s := t.s
	switch to {
	case "", "self", s.id:
		return s.id, nil
	case "parent":
		to = s.head.Parent
	default:
		for _, f := range effectsInOrder(s.effects) {
			if f.Stands == standsChild && f.name() == to {
				to = f.Child
			}
		}
	}
	if to == "" {
		return "", nil
	}
	for i := range t.unit.changes {
		if c := &t.unit.changes[i]; c.Session == to {
			return to, nil // made in this very turn
		}
	}
	heads, err := t.e.headOf(t.e.context, to)
	if err != nil || heads == nil || heads.Status.Over() {
		return "", err
	}
	return to, nil
}

// postSelf puts a message behind what the session has accepted already (R24).
func (t *turn) postSelf(m *message) {
	t.e.mu.Lock()
	defer t.e.mu.Unlock()
	t.e.position++
	t.s.events = append(t.s.events, &entry{message: m, position: t.e.position, mustStore: true})
	t.e.queued++
	t.dirty = true
}

// post puts a message into another session's inbox, in this transaction.
func (t *turn) post(to string, m *message) error {
	body, err := m.encode()
	if err != nil {
		return err
	}
	e := t.e
	e.mu.Lock()
	e.position++
	position := e.position
	e.mu.Unlock()
	t.unit.changes = append(t.unit.changes, Change{Session: to, Put: []InboxRow{{Position: position, Body: body}}})
	t.dirty = true
	t.later(func() { e.delivered(to, &entry{message: m, position: position, stored: true}) })
	return nil
}

// delivered tells a session of an inbox row that was just stored. The
// engine's lock is held.
func (e *Engine) delivered(to string, m *entry) {
	s := e.session(to)
	switch {
	case s.read[m.position]:
	case s.loaded && s.exists && !s.more && !s.missed:
		s.events = append(s.events, m)
		e.queued++
	case s.loaded || s.busy:
		s.missed = true // it reads it from the store
	}
	e.wake(s)
}

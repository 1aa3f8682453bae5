package durable

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// maxID is how long an id may be, in bytes.
const maxID = 200

// checkID says what is wrong with an id that a caller gives.
func checkID(what, id, forbidden string) error {
	switch {
	case len(id) > maxID:
		return problem(CodeBadID, "", "%s has at most %d bytes", what, maxID)
	case !utf8.ValidString(id) || strings.ContainsFunc(id, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return problem(CodeBadID, "", "%s is text without control characters", what)
	case strings.ContainsAny(id, forbidden):
		return problem(CodeBadID, "", "%s may not hold any of %q", what, forbidden)
	}
	return nil
}

// checkData says whether a payload can be kept, and gives its canonical JSON.
func (e *Engine) checkData(v any) ([]byte, error) {
	body, err := statechart.AppendJSON(nil, v)
	if err != nil {
		return nil, problem(statechart.CodeData, "send JSON: text, numbers, lists, objects", "the payload cannot be kept: %v", err)
	}
	if len(body) > e.config.EventBytes {
		return nil, problem(statechart.CodeLimit, "keep large values outside and send a reference", "the payload has %d bytes, %d are allowed", len(body), e.config.EventBytes)
	}
	return body, nil
}

// Send gives a session an event and waits as the event says. An event that
// the chart does not take is an answer, not an error. After an error other
// than a refusal nobody knows whether the event was accepted: send it again
// under the same ID.
func (e *Engine) Send(ctx context.Context, v Event) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	m, err := e.message(v)
	if err != nil {
		return Answer{}, err
	}
	p := e.promise()
	e.mu.Lock()
	if err := e.door(v.Session); err != nil {
		e.mu.Unlock()
		return Answer{}, err
	}
	m.At = e.now()
	e.position++
	entry := &entry{message: m, position: e.position, promise: p}
	s := e.session(v.Session)
	if v.Until.level == levelAccepted {
		s.control = append(s.control, &control{promise: p, do: func(t *turn) error { return t.acceptNow(entry) }})
	} else {
		s.events = append(s.events, entry)
		e.queued++
	}
	e.wake(s)
	e.mu.Unlock()
	return e.answered(ctx, p, v.Session, v.Until)
}

func (e *Engine) message(v Event) (*message, error) {
	if v.From == "" {
		v.From = "client"
	}
	if err := checkID("an event's id", v.ID, ""); err != nil {
		return nil, err
	}
	if err := checkID("the name of who sends", v.By, ""); err != nil {
		return nil, err
	}
	body, err := e.checkData(v.Data)
	if err != nil {
		return nil, err
	}
	return &message{Kind: messageEvent, Name: v.Name, Data: v.Data, ID: v.ID, From: v.From, By: v.By, body: body}, nil
}

// door says why nothing comes in. The engine's lock is held.
func (e *Engine) door(session string) error {
	if err := e.usable(); err != nil {
		return err
	}
	if e.draining {
		return errClosed()
	}
	if s := e.sessions[session]; e.queued >= e.config.Queue || s != nil && len(s.events) >= e.config.SessionQueue {
		return problem(CodeOverload, "send again later, under the same id", "too many events wait")
	}
	return nil
}

// acceptNow puts an event into the inbox, durably, before its turn has come.
func (t *turn) acceptNow(m *entry) error {
	if first, known, err := t.known(m); err != nil || known {
		t.answer(m, first, nil)
		return err
	}
	a := t.answerNow(m)
	if t.s.head.Status.Over() {
		t.refuseEnded(m)
		return nil
	}
	a.Queued = true
	body, err := m.encode()
	if err != nil {
		return err
	}
	t.remember(m, a)
	t.answer(m, a, nil)
	kept := &entry{message: m.message, position: m.position, stored: true}
	t.own.Put = append(t.own.Put, InboxRow{Position: m.position, Body: body})
	t.dirty = true
	t.later(func() { t.e.delivered(t.s.id, kept) })
	return nil
}

// answered waits for the answer and then for what else was asked for.
func (e *Engine) answered(ctx context.Context, p *promise, session string, until Until) (Answer, error) {
	got, err := e.await(ctx, p)
	if err != nil {
		return Answer{}, err
	}
	a := got.(Answer)
	if until.level <= levelAccepted {
		return a, nil
	}
	v, err := e.Wait(ctx, session, until)
	a.Status, a.Configuration = v.Status, v.Configuration
	return a, err
}

// Start makes a session and runs its initial macrostep. The same id, chart
// and input again is a duplicate; another start under the id is a conflict.
func (e *Engine) Start(ctx context.Context, v Start) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	if v.ID == "" {
		v.ID = drawID(e.runtime)
	}
	if err := checkID("a session's id", v.ID, "/"); err != nil {
		return Answer{}, err
	}
	if _, err := e.checkData(v.Input); err != nil {
		return Answer{}, err
	}
	typed, err := e.checkContext(v.Context)
	if err != nil {
		return Answer{}, err
	}
	chart, source, ok := e.chart(v.Chart)
	if !ok {
		return Answer{}, problem(CodeNoChart, "name one of the engine's charts", "there is no chart %q", v.Chart)
	}
	p := e.promise()
	e.mu.Lock()
	if err := e.door(v.ID); err != nil {
		e.mu.Unlock()
		return Answer{}, err
	}
	e.order(v.ID, &control{absent: true, promise: p, do: func(t *turn) error { return t.create(v, typed, chart, source, p) }})
	e.mu.Unlock()
	return e.answered(ctx, p, v.ID, v.Until)
}

// checkContext says whether a typed context can be kept, and how it reads.
func (e *Engine) checkContext(v any) (string, error) {
	if v == nil {
		return "", nil
	}
	body, err := json.Marshal(v)
	if err != nil {
		return "", problem(statechart.CodeData, "the session's state is JSON: export the fields, or give the type MarshalJSON", "the context cannot be kept: %v", err)
	}
	if len(body) > e.config.EventBytes {
		return "", problem(statechart.CodeLimit, "keep large values outside and hold a reference", "the context has %d bytes, %d are allowed", len(body), e.config.EventBytes)
	}
	return string(body), nil
}

// chart finds a chart to start: one of the program's, or one that another
// process has handed over.
func (e *Engine) chart(id string) (*statechart.Chart, []byte, bool) {
	if c, source, ok := e.config.Charts.Chart(id); ok {
		return c, source, true
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	h, ok := e.handed[id]
	return h.chart, h.source, ok
}

// drawID draws an id that nobody has.
func drawID(r Runtime) string {
	return fmt.Sprintf("%016x%04x", r.Draw(), uint16(r.Draw()))
}

// create starts a session in this turn.
func (t *turn) create(v Start, typed string, chart *statechart.Chart, source []byte, p *promise) error {
	s, e := t.s, t.e
	said := map[string]any{"chart": chart.Digest(), "input": v.Input, "user": v.User}
	if typed != "" {
		said["context"] = typed
	}
	same := digestOf(said)
	if s.exists {
		return t.existing(v, same, p)
	}
	next, err := chart.Begin(statechart.Start{Context: v.Context, Session: v.ID, User: v.User, Input: v.Input, Now: t.now})
	if err != nil {
		return err
	}
	if next.Snapshot.IsZero() || next.Result.Outcome == statechart.Refused {
		r, hint := next.Result.Reason, "look at the chart's input"
		if r != nil && r.Code == statechart.CodeContextType {
			hint = "give a pointer of the type that the chart's functions were registered with"
		}
		return &statechart.Error{Code: statechart.Code(reasonCode(r)), Message: reasonText(r), Hint: hint}
	}
	t.establish(chart, Head{Session: v.ID, User: v.User, Tags: v.Tags, Priority: v.Priority})
	s.ids = ids{whole: true}
	e.library.keep(chart)
	if source != nil {
		t.own.Records = append(t.own.Records, Record{Namespace: SpaceChart, Key: chart.Digest(), Body: source})
	}
	body, err := host.Encode(seen{Digest: same, Time: t.now})
	if err != nil {
		return err
	}
	t.own.Records = append(t.own.Records, Record{Namespace: SpaceDedupe, Session: v.ID, Key: startKey, Body: body})
	result, err := t.accept(&message{Kind: messageStart, At: t.now, Data: v.Input, From: "client"}, next, false)
	if err != nil {
		return err
	}
	a := Answer{Session: v.ID, Sequence: s.head.Sequence, Outcome: result.Outcome, Reason: result.Reason, Status: s.head.Status, Configuration: configurationOf(s.snap), snap: s.snap}
	t.unit.promises = append(t.unit.promises, kept{promise: p, answer: a})
	return nil
}

// startKey is the key of a start among the ids of events. No event's id can
// be it.
const startKey = "\x01start"

// existing answers a start under an id that is taken.
func (t *turn) existing(v Start, same string, p *promise) error {
	body, err := t.record(SpaceDedupe, startKey)
	if err != nil {
		return err
	}
	var first seen
	if body != nil {
		if err := host.Decode(body, &first); err != nil {
			return err
		}
	}
	if first.Digest != same {
		return problem(CodeSessionExists, "detent resume "+v.ID+" goes on with it; a new one needs another id", "there is a session %q with another chart or input", v.ID)
	}
	a := Answer{Session: v.ID, Sequence: 1, Duplicate: true, Outcome: statechart.Taken, Status: t.s.head.Status, Configuration: configurationOf(t.s.snap), snap: t.s.snap}
	t.unit.promises = append(t.unit.promises, kept{promise: p, answer: a})
	return nil
}

// establish makes the memory of a session that the store does not have yet.
func (t *turn) establish(chart *statechart.Chart, h Head) {
	s := t.s
	h.Chart, h.Digest, h.Status = chart.Definition().ID, chart.Digest(), Active
	h.Created, h.Since = t.now, t.now
	t.e.mu.Lock()
	defer t.e.mu.Unlock()
	s.exists, s.chart, s.head, s.effects = true, chart, h, map[string]*effect{}
	s.read, s.listed = map[uint64]bool{}, map[string]int64{}
	t.dirty = true
}

// keep remembers a chart that was found by its id.
func (l *library) keep(c *statechart.Chart) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.known[c.Digest()] = c
}

// childID is the id of the session that a call starts.
func childID(parent, call string, entry uint64) string {
	return parent + "/" + call + "/" + strconv.FormatUint(entry, 10)
}

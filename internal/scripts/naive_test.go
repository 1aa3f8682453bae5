package scripts

import (
	"fmt"
	"slices"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// naive runs one session with nothing but lists: no store, no batches, nothing
// side by side. What it writes down is what the engine must write down.
type naive struct {
	chart   *statechart.Chart
	session string
	now     int64
	status  string
	wake    int64
	snap    statechart.Snapshot
	queue   []waiting
	calls   []*pending
	ids     map[string]string // of events → the event
	rows    map[string][]string
	// unclear is set when two things happen in the same millisecond and the
	// contract does not say which is first, or when the chart never comes to
	// rest: the script ends there.
	unclear bool
	problem error
}

// maxRows is how many rows a chart may write before it counts as one that never
// comes to rest.
const maxRows = 300

// waiting is an event in the queue.
type waiting struct {
	host.Record // as far as it is known before the step
}

// pending is a call: pending, running, lost (nobody saw how it ended, and nobody has
// looked yet) or unknown.
type pending struct {
	key    string
	source statechart.Source
	mode   string
	input  map[string]any
	stands string
	endsAt int64
}

func newNaive(c *statechart.Chart, session string, now int64) *naive {
	m := &naive{chart: c, session: session, now: now, status: "active", rows: map[string][]string{}, ids: map[string]string{}}
	next, err := c.Begin(statechart.Start{Session: session, Now: now})
	m.check(err)
	m.accept(host.Record{Event: "detent.init", AcceptedAt: now, Sender: "client"}, next)
	m.run()
	return m
}

func (m *naive) check(err error) {
	if err != nil && m.problem == nil {
		m.problem = err
	}
}

func (m *naive) over() bool {
	return m.status == "completed" || m.status == "failed" || m.status == "cancelled"
}

// write adds a row.
func (m *naive) write(r host.Record, from []string) {
	r.Time, r.From, r.To, r.Status = m.now, from, m.snap.Configuration(), m.status
	m.rows[m.session] = append(m.rows[m.session], plain(r))
}

// plain is a row as text, without what the engine alone knows.
func plain(r host.Record) string {
	r.Sequence, r.Hash, r.Calls, r.Change, r.Chart = 0, "", nil, nil, ""
	if r.Event == "detent.import" {
		r.Data = nil // it names the journal that it comes from
	}
	body, err := r.Encode()
	if err != nil {
		return err.Error()
	}
	return string(body)
}

// accept makes what follows from a step the session's.
func (m *naive) accept(r host.Record, next statechart.Next) {
	var from []string
	if !m.snap.IsZero() {
		from = m.snap.Configuration()
	}
	stepped := m.snap.IsZero() || next.Snapshot.Sequence() != m.snap.Sequence()
	r.Outcome, r.Reason = next.Result.Outcome.String(), next.Result.Reason
	m.snap = next.Snapshot
	m.status = string(m.snap.Status())
	if stepped {
		r.Step, r.Effects = m.snap.Sequence(), next.Effects
		for _, f := range next.Effects {
			m.effect(f)
		}
	}
	m.write(r, from)
	if m.over() {
		m.calls, m.queue = nil, nil // what the last step asked for is performed, and nobody hears of it
	}
}

func (m *naive) effect(f statechart.Effect) {
	switch f.Type {
	case statechart.EffectInvoke, statechart.EffectDo:
		input, _ := f.Data.(map[string]any)
		m.calls = append(m.calls, &pending{key: f.Key, source: f.Source, mode: f.Call.Mode, input: input, stands: "pending"})
	case statechart.EffectStop:
		m.calls = slices.DeleteFunc(m.calls, func(c *pending) bool { return c.key == f.Key && c.stands != "unknown" })
	case statechart.EffectSend:
		m.queue = append(m.queue, waiting{host.Record{Event: f.Event, Data: f.Data, AcceptedAt: m.now, ID: f.Key, Sender: "session", SendID: f.Source.ID, Origin: m.session}})
	}
}

// deliver takes one event up.
func (m *naive) deliver(r host.Record) {
	e := &statechart.Envelope{ID: r.ID, AcceptedAt: r.AcceptedAt, From: r.Sender, Effect: r.Effect, SendID: r.SendID, Origin: r.Origin}
	if r.Source != nil {
		e.Source = *r.Source
	}
	next, err := statechart.Step(m.chart, m.snap, statechart.Delivery{Event: statechart.Event{Name: r.Event, Data: r.Data}, Envelope: e}, m.now)
	m.check(err)
	if err == nil {
		m.accept(r, next)
	}
}

// run does what can be done now: kept events first, then what waits and what is
// due by its time, events first when both are of one time (R32, R35).
func (m *naive) run() {
	for m.status == "active" && m.problem == nil && !m.unclear {
		if len(m.rows[m.session]) > maxRows {
			m.unclear = true
			return
		}
		if next, d, ok, err := statechart.Deliver(m.chart, m.snap, m.now); ok || err != nil {
			m.check(err)
			r := host.Record{Event: d.Name, Data: d.Data, Deferred: true}
			if v := d.Envelope; v != nil {
				r.AcceptedAt, r.ID, r.Sender, r.SendID, r.Origin, r.Effect = v.AcceptedAt, v.ID, v.From, v.SendID, v.Origin, v.Effect
			}
			m.accept(r, next)
			continue
		}
		timers := m.snap.Timers()
		switch {
		case len(timers) > 0 && timers[0].Due <= m.now && (len(m.queue) == 0 || timers[0].Due < m.queue[0].AcceptedAt):
			d := timers[0].Delivery()
			m.deliver(host.Record{Event: d.Name, Data: d.Data, AcceptedAt: timers[0].Due, Source: &d.Envelope.Source})
		case len(m.queue) > 0:
			r := m.queue[0].Record
			m.queue = m.queue[1:]
			m.deliver(r)
		default:
			m.begin()
			return
		}
	}
}

// begin makes the calls that can be made.
func (m *naive) begin() {
	for _, c := range m.calls {
		if c.stands == "pending" && m.status == "active" {
			c.stands, c.endsAt = "running", m.now+c.input["after"].(int64)
		}
	}
}

// tell puts the end of a call into the queue.
func (m *naive) tell(c *pending, o host.Outcome) {
	source := c.source
	m.queue = append(m.queue, waiting{host.Record{Event: fmt.Sprintf("%s.%s.%s", o.Kind, source.Kind, source.ID), Data: o.Event(), AcceptedAt: m.now,
		ID: c.key + "/" + string(o.Kind), Source: &source, Effect: c.key}})
}

// outcome is what the call gives, by its input.
func outcome(input map[string]any) host.Outcome {
	switch input["gives"] {
	case "error":
		return host.Fail("no", "not done")
	case "unknown":
		return host.Unknown("lost", "no answer")
	}
	return host.Done(map[string]any{"k": int64(1)})
}

// end ends a call.
func (m *naive) end(c *pending, o host.Outcome) {
	if c.stands = "unknown"; o.Kind != host.KindUnknown {
		m.calls = slices.DeleteFunc(m.calls, func(x *pending) bool { return x == c })
	}
	m.tell(c, o)
}

// pass lets time go by, from one thing that happens to the next.
func (m *naive) pass(until int64) {
	for !m.unclear && m.problem == nil {
		at, what := m.next()
		if at == 0 || at > until {
			break
		}
		m.now = at
		switch {
		case len(what) > 1:
			m.unclear = true
			return
		case what[0] != nil:
			m.end(what[0], outcome(what[0].input))
		case m.status == "suspended":
			m.resume("clock")
		}
		m.run()
	}
	m.now = max(m.now, until)
}

// next is when something happens next, and what: calls that end, nil for a
// timer and for waking up.
func (m *naive) next() (at int64, what []*pending) {
	add := func(t int64, c *pending) {
		switch {
		case at == 0 || t < at:
			at, what = t, []*pending{c}
		case t == at:
			what = append(what, c)
		}
	}
	for _, c := range m.calls {
		if c.stands == "running" {
			add(c.endsAt, c)
		}
	}
	if timers := m.snap.Timers(); m.status == "active" && len(timers) > 0 {
		add(timers[0].Due, nil)
	}
	if m.status == "suspended" && m.wake > 0 {
		add(m.wake, nil)
	}
	return at, what
}

package scripts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// The answers that a script can get.
const (
	answered  = "answered"
	duplicate = "duplicate"
	conflict  = "event_conflict"
	queued    = "queued"
	wrong     = "wrong_status"
)

// do plays one step and says what the caller must be told.
func (m *naive) do(o op) string {
	switch o.Kind {
	case "send":
		return m.send(o)
	case "pass":
		m.pass(m.now + o.Ms)
		return answered
	case "restart":
		m.restart(o.Ms)
		return answered
	case "suspend":
		if m.over() || m.status == "parked" {
			m.touch()
			return wrong
		}
		m.touch()
		m.status, m.wake = "suspended", 0
		if o.Ms > 0 {
			m.wake = m.now + o.Ms
		}
		m.mark("detent.suspend", "script", &statechart.Reason{Code: "suspended", Message: "script"})
		return answered
	case "resume":
		m.touch()
		if m.over() || m.status == "parked" {
			return wrong
		}
		if m.status == "suspended" {
			m.resume("script")
			m.run()
		}
		return answered
	case "cancel":
		m.touch()
		if m.over() && m.status != "cancelled" {
			return wrong
		}
		if !m.over() {
			next, err := m.snap.Cancel(m.now)
			m.check(err)
			m.accept(host.Record{Event: "detent.cancel", AcceptedAt: m.now, By: "script"}, next)
		}
		return answered
	}
	m.move()
	return answered
}

func (m *naive) mark(name, by string, why *statechart.Reason) {
	m.write(host.Record{AcceptedAt: m.now, Event: name, By: by, Outcome: "taken", Reason: why}, m.snap.Configuration())
}

func (m *naive) resume(by string) {
	m.status, m.wake = "active", 0
	m.touch()
	m.mark("detent.resume", by, nil)
}

func (m *naive) send(o op) string {
	event := fmt.Sprint(o.Name, o.K)
	if o.ID != "" {
		if known, ok := m.ids[o.ID]; ok {
			m.touch()
			if known != event {
				return conflict
			}
			return duplicate
		}
	}
	if m.over() {
		return answered
	}
	if o.ID != "" {
		m.ids[o.ID] = event
	}
	m.queue = append(m.queue, waiting{host.Record{Event: o.Name, Data: map[string]any{"k": o.K}, AcceptedAt: m.now, ID: o.ID, Sender: "client"}})
	m.touch()
	if m.status != "active" {
		return queued
	}
	m.run()
	return answered
}

// restart kills the engine. Calls that ran are made again, or nobody knows.
func (m *naive) restart(down int64) {
	m.now += down
	for _, c := range m.calls {
		if c.stands == "running" {
			c.stands = "lost"
		}
	}
	switch {
	case m.status == "active":
		m.touch()
		m.run()
	case m.status == "suspended" && m.wake > 0 && m.wake <= m.now:
		m.resume("clock")
		m.run()
	}
}

// touch has the session read again, which is when calls that were cut off are
// noticed: at once when it is active, else when somebody asks.
func (m *naive) touch() {
	for _, c := range slices.Clone(m.calls) {
		switch {
		case c.stands != "lost":
		case c.mode == "at_least_once":
			c.stands = "pending"
		default:
			m.end(c, host.Unknown("lost", "the engine ended while the call ran"))
		}
	}
}

// move takes the session to another store, under another name: it is suspended
// there, and what ran is unknown (S10).
func (m *naive) move() {
	id := fmt.Sprint("moved", len(m.rows))
	doc, err := m.snap.Encode()
	m.check(err)
	v, err := statechart.ReadJSON(doc)
	m.check(err)
	v.(map[string]any)["session"] = id
	doc, err = statechart.AppendJSON(nil, v)
	m.check(err)
	snap, err := m.chart.Decode(doc)
	m.check(err)
	if m.problem != nil {
		return
	}
	why := &statechart.Reason{Code: "suspended", Message: "imported from " + m.session}
	ids := map[string]string{} // the new session knows those of the events that wait (E1)
	for _, q := range m.queue {
		if event, ok := m.ids[q.ID]; ok && q.Sender == "client" {
			ids[q.ID] = event
		}
	}
	m.session, m.snap, m.wake, m.ids = id, snap, 0, ids
	if !m.over() && m.status != "parked" {
		m.status = "suspended"
	}
	slices.SortFunc(m.calls, func(a, b *pending) int { return strings.Compare(a.key, b.key) })
	for _, c := range m.calls {
		c.stands = "unknown"
		m.tell(c, host.Unknown("imported", "the call ran elsewhere"))
	}
	m.write(host.Record{AcceptedAt: m.now, Event: "detent.import", By: "script", Outcome: "taken", Reason: why}, nil)
}

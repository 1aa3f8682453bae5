package durable

import (
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// standing is why a session is not active, as its row keeps it.
type standing struct {
	Why    statechart.Reason `json:"why"`
	By     string            `json:"by,omitempty"`
	WakeAt int64             `json:"wakeAt,omitempty"`
}

func readStanding(body []byte) (s standing, err error) { return s, host.Decode(body, &s) }

func wakeAt(body []byte) int64 {
	if len(body) == 0 {
		return 0
	}
	s, err := readStanding(body)
	if err != nil {
		return 0
	}
	return s.WakeAt
}

// setReason notes why the session is not active any more; nil: nothing is.
func (t *turn) setReason(r *statechart.Reason) { t.setStanding(r, "", 0) }

func (t *turn) setStanding(r *statechart.Reason, by string, wake int64) {
	h := &t.s.head
	h.Reason, h.ReasonCode = nil, ""
	t.dirty = true
	if r == nil {
		return
	}
	body, err := host.Encode(standing{Why: *r, By: by, WakeAt: wake})
	if err != nil {
		panic(err) // what callers give is checked at the door
	}
	h.Reason, h.ReasonCode = body, string(r.Code)
}

func reasonCode(r *statechart.Reason) string {
	if r == nil {
		return string(statechart.CodeStart)
	}
	return string(r.Code)
}

func reasonText(r *statechart.Reason) string {
	if r == nil {
		return "the session could not start"
	}
	return r.Message
}

// Codes of reasons that the engine gives itself.
const (
	reasonSuspended statechart.Code = "suspended"
	reasonPreempted statechart.Code = "preempted"
)

// park stops a session that the engine cannot go on with by itself. It keeps
// what it has and is resumed by retry.
func (t *turn) park(why *statechart.Reason) error {
	if t.s.head.Status != Active {
		return nil
	}
	t.s.head.Status = Parked
	t.setReason(why)
	return t.mark("detent.park", "", why)
}

// mark writes a row for a control verb.
func (t *turn) mark(name, by string, why *statechart.Reason) error {
	r := &host.Record{AcceptedAt: t.now, Event: name, By: by, Outcome: statechart.Taken.String(), Reason: why}
	return t.write(r, configurationOf(t.s.snap), t.s.doc)
}

package durable

import (
	"encoding/binary"
	"encoding/json"
	"strconv"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// message is what stands in a session's inbox.
type message struct {
	Kind messageKind `json:"kind"`
	At   int64       `json:"at"` // when it was accepted
	Name string      `json:"name,omitempty"`
	Data any         `json:"data,omitempty"`
	ID   string      `json:"id,omitempty"`
	From string      `json:"from,omitempty"`
	By   string      `json:"by,omitempty"`
	// Of an engine's event: what it answers.
	Source *statechart.Source `json:"source,omitempty"`
	Effect string             `json:"effect,omitempty"`
	// Of a session's send.
	SendID     string `json:"sendID,omitempty"`
	Origin     string `json:"origin,omitempty"`
	Invocation string `json:"invocation,omitempty"`
	// Of the end of a child.
	Outcome *host.Outcome `json:"outcome,omitempty"`

	body []byte // Data's canonical JSON, where it is known already
}

type messageKind string

const (
	messageEvent   messageKind = "event"   // for the chart
	messageStart   messageKind = "start"   // the initial macrostep, with the input as data
	messageOutcome messageKind = "outcome" // a child has ended
	messageCancel  messageKind = "cancel"  // the parent wants it no more
)

func (m *message) encode() ([]byte, error) { return host.Encode(m) }

func decodeMessage(body []byte) (*message, error) {
	m := new(message)
	return m, host.Decode(body, m)
}

// delivery is the message as the chart takes it.
func (m *message) delivery() statechart.Delivery {
	e := &statechart.Envelope{ID: m.ID, AcceptedAt: m.At, From: m.From, Effect: m.Effect, SendID: m.SendID, Origin: m.Origin, Invocation: m.Invocation}
	if m.Source != nil {
		e.Source = *m.Source
	}
	return statechart.Delivery{Event: statechart.Event{Name: m.Name, Data: m.Data}, Envelope: e}
}

// entry is a message in the queue of a session in memory.
type entry struct {
	*message
	position uint64
	// stored: it stands in the inbox of the store, too. mustStore: it came
	// from a step and must not be lost, so it is stored unless the same
	// transaction takes it up.
	stored, mustStore bool
	promise           *promise // who waits for the answer, if anybody
}

// seen is what a dedupe record holds: the answer that the first one got.
type seen struct {
	Digest   string             `json:"digest"`
	Position uint64             `json:"position"`
	Sequence uint64             `json:"sequence,omitempty"` // 0: queued
	Time     int64              `json:"time"`
	Outcome  statechart.Outcome `json:"outcome"`
	Reason   json.RawMessage    `json:"reason,omitempty"`
}

// digest is that of {"data": …, "name": …}: what must be equal in events of one
// id.
func (m *message) digest() string {
	b, err := append(make([]byte, 4, 256), `{"data":`...), error(nil)
	if m.body != nil {
		b = append(b, m.body...)
	} else {
		b, err = statechart.AppendJSON(b, m.Data)
	}
	if err == nil {
		b, err = statechart.AppendJSON(append(b, `,"name":`...), m.Name)
	}
	if err != nil {
		return digestOf(map[string]any{"name": m.Name, "data": m.Data})
	}
	b = append(b, '}')
	binary.BigEndian.PutUint32(b, uint32(len(b)-4))
	return digestOver(b)
}

// encode is [host.Encode] of what is seen, which falls on every event.
func (s *seen) encode() ([]byte, error) {
	if s.Reason != nil {
		return host.Encode(s)
	}
	b := make([]byte, 0, 128)
	b = append(append(append(b, `{"digest":"`...), s.Digest...), `","outcome":`...)
	b = strconv.AppendUint(b, uint64(s.Outcome), 10)
	b = strconv.AppendUint(append(b, `,"position":`...), s.Position, 10)
	if s.Sequence != 0 {
		b = strconv.AppendUint(append(b, `,"sequence":`...), s.Sequence, 10)
	}
	b = strconv.AppendInt(append(b, `,"time":`...), s.Time, 10)
	return append(b, '}'), nil
}

package statechart

import (
	"errors"
	"slices"
	"strings"
)

// scxmlProcessor is the type of the one event processor (SCXML C.1).
const scxmlProcessor = "http://www.w3.org/TR/scxml/#SCXMLEventProcessor"

// maxHeard is how many other sessions one session remembers to have heard
// from. The one that was heard from longest ago is forgotten first.
const maxHeard = 1_000

// hear remembers who sent the event: a session can send to those it has heard
// from.
func (in *Instance) hear(origin string) {
	r := in.rare
	if origin == "" || origin == r.session || origin == r.parent {
		return
	}
	if i := slices.Index(r.heard, origin); i >= 0 {
		r.heard = slices.Delete(r.heard, i, i+1)
	} else if len(r.heard) >= maxHeard {
		r.heard = slices.Delete(r.heard, 0, 1)
	}
	r.heard = append(r.heard, origin)
}

// sendError is what goes wrong with a send that has an id (SCXML 5.10.1).
type sendError struct {
	id    string
	cause error
}

func (e *sendError) Error() string { return e.cause.Error() }
func (e *sendError) Unwrap() error { return e.cause }

// sendIDOf returns the id of the send that failed, "" if it has none.
func sendIDOf(err error) string {
	if failed := (*sendError)(nil); errors.As(err, &failed) {
		return failed.id
	}
	return ""
}

// scxmlMessage is message in the scxml dialect: the id is known first, so
// that what goes wrong afterwards can bear it (SCXML 6.2).
func (s *Scope) scxmlMessage(m *message) error {
	id, err := s.textOf(m.id, "id of a send")
	if err != nil {
		return err
	}
	if m.idLocation != nil {
		id = s.NextID()
		if err := m.idLocation(s, id); err != nil {
			return err
		}
	}
	if err := s.scxmlDispatch(m, id); err != nil {
		if id == "" || s.in.rare.broken != nil {
			return err
		}
		return &sendError{id, err}
	}
	return nil
}

// scxmlDispatch evaluates the rest of a send and gives it out. An error in a
// part discards the message.
func (s *Scope) scxmlDispatch(m *message, id string) error {
	processor, err := s.textOf(m.processor, "type of a send")
	if err != nil {
		return err
	}
	if processor != "" && processor != "scxml" && strings.TrimSuffix(processor, "/") != scxmlProcessor {
		return &Error{Code: CodeInvalid, Message: "there is no event processor " + quote(processor)}
	}
	target, err := s.textOf(m.to, "target of a send")
	if err != nil {
		return err
	}
	event, err := s.eventOf(m)
	if err != nil {
		return err
	}
	var data any
	if m.data != nil {
		if data, err = m.data.get(s); err != nil {
			return err
		}
	}
	if err := s.in.chart.misfit(event, data); err != nil {
		return err
	}
	delay, err := s.delayOf(m)
	if err != nil {
		return err
	}
	to, err := receiverOf(target, s.in.rare.session)
	switch {
	case err != nil:
		return err
	case to == "internal":
		if delay > 0 {
			return &Error{Code: CodeInvalid, Message: "an internal event cannot wait"}
		}
		s.in.raiseAs(queued{Event: Event{Name: event, Data: data}, sendID: id})
	case delay > 0 && to != "": // who is there is asked when it is due
		s.in.arm(Timer{Name: event, Kind: "send", Due: s.in.due(delay), To: to, Data: data, state: -1}, id, s.state)
	case !s.in.reachable(to):
		s.in.raiseAs(queued{Event: unreachable(event, target, id), sendID: id, platform: true})
	default:
		s.in.sendNow(event, to, id, data, s.state)
	}
	return nil
}

// textOf evaluates what must be text where it is given.
func (s *Scope) textOf(v *value, what string) (string, error) {
	if v == nil {
		return "", nil
	}
	x, err := v.get(s)
	if err != nil {
		return "", err
	}
	text, ok := x.(string)
	if !ok && x != nil {
		return "", &Error{Code: CodeInvalid, Message: "the " + what + " must be text, not " + describeValue(x)}
	}
	return text, nil
}

// delayOf evaluates the delay of a message; none is zero.
func (s *Scope) delayOf(m *message) (int64, error) {
	if m.delay == nil {
		return 0, nil
	}
	v, err := m.delay.get(s)
	if err != nil {
		return 0, err
	}
	if text, ok := v.(string); ok && m.delay.eval != nil && s.in.chart.scxml && s.in.chart.delays[text] == nil {
		if err := checkCSSTime(text); err != nil {
			return 0, err
		}
	}
	return s.in.milliseconds(v)
}

// checkCSSTime refuses a text that is no time as CSS2 writes it, which is how
// SCXML writes a delay (6.2): a number and s or ms, without a sign.
func checkCSSTime(text string) error {
	number, timed := strings.CutSuffix(text, "s")
	number = strings.TrimSuffix(number, "m")
	if !timed || strings.Trim(number, "0123456789.") != "" || number == "" || number[len(number)-1] == '.' {
		return &Error{Code: CodeInvalid, Message: quote(text) + " is no delay"}
	}
	_, err := milliseconds(text)
	return err
}

// receiverOf reads a target as SCXML writes it (C.1). It is empty for a
// session or a call whose id is one of the words for other receivers: there
// is none of that id.
func receiverOf(target, session string) (string, error) {
	rest, marked := strings.CutPrefix(target, "#_")
	switch {
	case target == "":
		return "self", nil
	case marked && (rest == "internal" || rest == "parent"):
		return rest, nil
	case !marked || rest == "":
		return "", &Error{Code: CodeInvalid, Message: quote(target) + " is no target of a send"}
	}
	id, named := strings.CutPrefix(rest, "scxml_")
	switch {
	case named && id == session:
		return "self", nil
	case id == "self" || id == "internal" || id == "parent":
		return "", nil
	case id == "":
		return rest, nil
	}
	return id, nil
}

// reachable reports whether a receiver can be sent to: the session itself,
// its parent, a call that runs, or a session that was heard from.
func (in *Instance) reachable(to string) bool {
	r := in.rare
	switch to {
	case "self":
		return true
	case "parent":
		return r.parent != ""
	}
	return to == r.parent || slices.Contains(r.heard, to) ||
		slices.ContainsFunc(r.live, func(l LiveCall) bool { return l.Source.Kind == "invoke" && l.Source.ID == to })
}

// unreachable is the error.communication of a send that nobody receives.
func unreachable(event, target, id string) Event {
	data := map[string]any{"kind": "send", "event": event, "to": target, "message": "nobody can be reached at " + quote(target)}
	if id != "" {
		data["sendid"] = id
	}
	return Event{Name: "error.communication", Data: data}
}

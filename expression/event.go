package expression

import (
	"slices"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// reading is how a field of an object is read: found is false when there is
// no such field.
type reading func(s *statechart.Scope) (v any, found bool)

// answers are the events of the engine that answer something, by the
// beginning of their names, and the fields that stand for the whole payload
// in them. Other names, such as error.card, are the user's.
var answers = []struct {
	begin  string
	fields []string
}{
	{"done.invoke.", []string{"output"}},
	{"done.do.", []string{"output"}},
	{"done.state.", []string{"output"}},
	{"error.invoke.", []string{"error"}},
	{"error.do.", []string{"error"}},
	{"error.execution", []string{"error"}},
	{"error.communication", []string{"error"}},
	{"error.platform", []string{"error"}},
	{"error.budget", []string{"error"}},
	{"unknown.", []string{"error"}},
	{"progress.", []string{"output"}},
}

// answerOf returns the fields of answers for an event's name or descriptor.
func answerOf(name string) []string {
	for _, a := range answers {
		if rest, ok := strings.CutPrefix(name, a.begin); ok && (rest == "" || a.begin[len(a.begin)-1] == '.') {
			return a.fields
		}
	}
	return nil
}

// ownFields are the fields that an event has whatever its payload is.
func ownFields(name string) []string {
	own := []string{"type", "id", "acceptedAt", "data"}
	if answer := answerOf(name); answer != nil {
		own = append(append(own, answer...), "effect")
	}
	return own
}

// eventField is how event.name is read. The engine's own fields win over
// those of the payload.
func eventField(name string) reading {
	switch name {
	case "type":
		return func(s *statechart.Scope) (any, bool) { return s.Event().Name, true }
	case "id":
		return func(s *statechart.Scope) (any, bool) { return s.Envelope().ID, true }
	case "acceptedAt":
		return func(s *statechart.Scope) (any, bool) { return s.Envelope().AcceptedAt, true }
	case "effect":
		return func(s *statechart.Scope) (any, bool) {
			if answerOf(s.Event().Name) != nil {
				return s.Envelope().Effect, true
			}
			return payloadField(s, name)
		}
	case "output", "error":
		return func(s *statechart.Scope) (any, bool) {
			e := s.Event()
			if slices.Contains(answerOf(e.Name), name) {
				return e.Data, true
			}
			return payloadField(s, name)
		}
	case "data":
		return func(s *statechart.Scope) (any, bool) {
			if v, ok := payloadField(s, name); ok {
				return v, true
			}
			return s.Event().Data, true
		}
	}
	return func(s *statechart.Scope) (any, bool) { return payloadField(s, name) }
}

func payloadField(s *statechart.Scope, name string) (any, bool) {
	m, _ := s.Event().Data.(map[string]any)
	v, ok := m[name]
	return v, ok
}

// wholeEvent makes the object that event is.
func wholeEvent(s *statechart.Scope) (map[string]any, error) {
	e := s.Event()
	payload, _ := e.Data.(map[string]any)
	if err := chargeObject(s, len(payload)+6); err != nil {
		return nil, err
	}
	out := make(map[string]any, len(payload)+6)
	for k, v := range payload {
		out[k] = v
	}
	for _, name := range ownFields(e.Name) {
		out[name], _ = eventField(name)(s)
	}
	return out, nil
}

// eventShape is what the chart says of event.name: unless found, no event
// that comes here has such a field.
func (c *compiler) eventShape(name string) (sh shape, found bool) {
	descriptor, schema := c.names.Event()
	payload := shapeOf(schema)
	answer := answerOf(descriptor)
	switch name {
	case "type", "id":
		return only(textual), true
	case "acceptedAt":
		return only(integer), true
	case "effect":
		if answer != nil {
			return only(textual), true
		}
	case "data":
		if _, ok := payload.field(name); !ok || payload.kinds&object == 0 {
			return payload, true
		}
		return unknown, true
	}
	switch {
	case slices.Contains(answer, name):
		return payload, true
	case descriptor == "" || schema == nil:
		return unknown, true
	case payload.kinds&object == 0:
		return unknown, false
	}
	return payload.field(name)
}

// eventFields are the fields that an event has here, for hints.
func (c *compiler) eventFields() []string {
	descriptor, schema := c.names.Event()
	return append(shapeOf(schema).fields(), ownFields(descriptor)...)
}

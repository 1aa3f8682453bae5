package expression

import (
	"slices"

	"github.com/detent-run/detent/statechart"
)

// The names of SCXML's system variables (R40).
const (
	systemEvent      = "_event"
	systemSession    = "_sessionid"
	systemName       = "_name"
	systemProcessors = "_ioprocessors"
	systemPlatform   = "_x"
)

var systemNames = []string{systemEvent, systemSession, systemName, systemProcessors, systemPlatform}

// processor is the SCXML event processor's URI.
const processor = "http://www.w3.org/TR/scxml/#SCXMLEventProcessor"

// isSystem says that the name is one of the document's own; no variable of
// that name counts beside it.
func (c *compiler) isSystem(name string) bool {
	return c.document != nil && slices.Contains(systemNames, name)
}

// system is a system variable on its own; the fields of _event are read in
// member without making the object.
func (c *compiler) system(name string, at int) code {
	switch name {
	case systemSession:
		return yields(textual, at, func(s *statechart.Scope, _ []any) (any, error) { return s.Session(), nil })
	case systemName:
		if c.document.Name == "" {
			return constant(nil, at)
		}
		return constant(c.document.Name, at)
	case systemProcessors:
		return yields(object, at, processors)
	case systemPlatform:
		return constant(map[string]any{}, at)
	}
	return yields(object, at, func(s *statechart.Scope, _ []any) (any, error) {
		e, err := systemEventOf(s)
		if err == errShort {
			return nil, refuse(statechart.CodeExpression, at, "?. and ?? read an _event that may be absent", "there is no _event while the session starts")
		}
		return e, err
	})
}

// eventOrNone is _event where it may be absent.
func (c *compiler) eventOrNone(at int) code {
	return yields(object, at, func(s *statechart.Scope, _ []any) (any, error) { return systemEventOf(s) })
}

// location is where a session's events are sent to.
func location(session string) string { return "#_scxml_" + session }

// processors are the ways in which events reach the session: one, which has
// two names.
func processors(s *statechart.Scope, _ []any) (any, error) {
	if err := s.Charge(2*(perObject+perEntry) + perObject + 2*perEntry + textCost(len(s.Session())+len("#_scxml_"))); err != nil {
		return nil, err
	}
	at := location(s.Session())
	return map[string]any{
		"scxml":   map[string]any{"location": at},
		processor: map[string]any{"location": at},
	}, nil
}

// systemField is a field of _event: found is false where it is not known.
type systemField struct {
	name string
	kind kind
	read func(s *statechart.Scope) (v any, found bool)
}

// known is a text that is there unless it is empty.
func known(text string) (any, bool) { return text, text != "" }

var systemFields = []systemField{
	{"name", textual, func(s *statechart.Scope) (any, bool) { return s.Event().Name, true }},
	{"type", textual, func(s *statechart.Scope) (any, bool) { return s.Sender().Type, true }},
	{"sendid", textual, func(s *statechart.Scope) (any, bool) { return known(s.Sender().SendID) }},
	{"origin", textual, func(s *statechart.Scope) (any, bool) {
		from := s.Sender().Origin
		return location(from), from != ""
	}},
	{"origintype", textual, func(s *statechart.Scope) (any, bool) { return processor, s.Sender().Origin != "" }},
	{"invokeid", textual, func(s *statechart.Scope) (any, bool) { return known(s.Sender().Invocation) }},
	{"data", anything &^ null, func(s *statechart.Scope) (any, bool) {
		data := s.Event().Data
		return data, data != nil
	}},
}

// systemFieldNames are the names of the fields, for hints.
func systemFieldNames() []string {
	out := make([]string, len(systemFields))
	for i, f := range systemFields {
		out[i] = f.name
	}
	return out
}

// noSystemEvent says that no event came yet: the session starts.
func noSystemEvent(s *statechart.Scope) bool { return s.Sender().Type == "" }

// systemEventOf makes the object that _event is, or gives errShort.
func systemEventOf(s *statechart.Scope) (any, error) {
	if noSystemEvent(s) {
		return nil, errShort
	}
	if err := chargeObject(s, len(systemFields)); err != nil {
		return nil, err
	}
	out := make(map[string]any, len(systemFields))
	for _, f := range systemFields {
		if v, ok := f.read(s); ok {
			out[f.name] = v
		}
	}
	return out, nil
}

// fieldOfSystemEvent is _event.name.
func (c *compiler) fieldOfSystemEvent(name string, at int, mode missing) (code, error) {
	i := slices.IndexFunc(systemFields, func(f systemField) bool { return f.name == name })
	if i < 0 {
		return code{}, refuse(statechart.CodeExpression, at, didYouMean(name, systemFieldNames()), "_event has no field %s", quote(name))
	}
	f, sh := systemFields[i], only(systemFields[i].kind)
	if mode != missingFails {
		sh.kinds |= null
	}
	return code{shape: sh, at: at, eval: func(s *statechart.Scope, _ []any) (any, error) {
		if noSystemEvent(s) {
			if mode != missingFails {
				return nil, errShort
			}
			return nil, refuse(statechart.CodeExpression, at, "?. and ?? read an _event that may be absent", "there is no _event while the session starts")
		}
		v, ok := f.read(s)
		switch {
		case ok:
			return v, nil
		case mode == missingNull:
			return nil, nil
		case mode == missingShort:
			return nil, errShort
		}
		return nil, refuse(statechart.CodeExpression, at, "?. and ?? read a field that may be absent", "the event %s has no %s", quote(s.Event().Name), name)
	}}, nil
}

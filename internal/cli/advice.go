package cli

import (
	"strings"

	"github.com/detent-run/detent/internal/world"
	"github.com/detent-run/detent/statechart"
)

// advice is what to do about an event that was not taken. Where people read
// what is possible beside the event, an ignored one needs no more.
func (d *drive) advice(r *world.Record) string {
	def := &statechart.Definition{}
	if c := r.After.Chart(); c != nil {
		*def = c.Definition()
	}
	name := r.Event.Name
	switch r.Reason.Code {
	case statechart.CodeSender:
		if e := declaration(def, name); e != nil && len(e.From) > 0 {
			return "say who sends it before it: --as " + e.From[0] + ", or the command as " + e.From[0]
		}
	case statechart.CodeUnknownEvent:
		return meant(name, eventsOf(def), "events")
	case statechart.CodeData:
		if e := declaration(def, name); e != nil {
			return "it takes " + takes(e.Data) + ", for example " + spaced.text(payloadOf(e.Data))
		}
	case statechart.CodeReserved:
		return "calls are answered with done, error, unknown or progress, and time passes with advance"
	case statechart.CodeEnded:
		return "begin again, or take the last input back with the command back"
	}
	switch possible := possibleEvents(r.After); {
	case r.Outcome == statechart.Refused:
		return "detent explain " + string(r.Reason.Code) + " says more"
	case !d.json:
		return "" // the macrostep is shown with it
	case len(possible) == 0:
		return "no event is possible now"
	default:
		return "possible now: " + strings.Join(possible, ", ")
	}
}

func declaration(def *statechart.Definition, event string) *statechart.EventDeclaration {
	for i := range def.Events {
		if def.Events[i].Name == event {
			return &def.Events[i]
		}
	}
	return nil
}

// takes tells the shape that a schema asks for.
func takes(schema any) string {
	if hint := schemaHint(schema, 0); hint != "" {
		return hint
	}
	return "what its schema says"
}

// maxListed is how many names are told in a row.
const maxListed = 40

// possibleEvents are the names of what a session takes now, with a last word
// about those that are left out.
func possibleEvents(s statechart.Snapshot) []string {
	in := revive(s)
	if in == nil {
		return nil
	}
	return eventNames(in.Events())
}

func eventNames(events []statechart.PossibleEvent) []string {
	var names []string
	for _, e := range events {
		names = append(names, plain(e.Name))
	}
	return atMost(maxListed, names)
}

// atMost keeps the first of many names and says how many follow.
func atMost(most int, names []string) []string {
	if len(names) <= most {
		return names
	}
	return append(names[:most:most], "… and "+spaced.text(len(names)-most)+" more")
}

package chartfile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// checkChoices refuses choices of models that no state takes, and warns of
// those that a model may not send: neither would ever be offered.
func (r *reader) checkChoices() {
	declared := map[string]statechart.EventDeclaration{}
	for _, e := range r.file.Definition.Events {
		declared[e.Name] = e
	}
	for _, n := range r.choices {
		if r.bad[n] || r.full() {
			continue
		}
		e, known := declared[n.Text]
		switch {
		case !r.isTaken(n.Text) && len(r.file.lostStates) == 0 && !r.lostTaken:
			r.refuse(n, statechart.CodeUnknownEvent, n.Start, fmt.Sprintf("no state takes the event %s", quote(n.Text)), nearest(n.Text, sortedNames(r.taken)))
		case !slices.Contains(e.From, "model") && !r.lostEvents && !r.lostSenders[n.Text]:
			r.warn(statechart.CodeSender, n.Start, fmt.Sprintf("%s may not come from a model, so it is never offered", quote(n.Text)), senderHint(n.Text, e, known))
		}
	}
}

func senderHint(name string, e statechart.EventDeclaration, known bool) string {
	if !known {
		return fmt.Sprintf("declare it: events: {%s: {from: [model]}}", name)
	}
	return fmt.Sprintf("list model: %s: {from: [%s]}", name, strings.Join(append(slices.Clone(e.From), "model"), ", "))
}

// isTaken reports whether some descriptor of the file matches an event.
func (r *reader) isTaken(name string) bool {
	if r.taken["*"] || r.taken[name] {
		return true
	}
	for stem := name; stem != ""; stem = stem[:max(strings.LastIndexByte(stem, '.'), 0)] {
		if r.taken[stem+".*"] {
			return true
		}
	}
	return false
}

// warn notes what stands in nobody's way.
func (r *reader) warn(code statechart.Code, at document.Position, message, hint string) {
	before := len(r.found)
	r.note(code, at, message, hint)
	if len(r.found) > before && r.found[before].Code == code {
		r.found[before].Severity = Warning
	}
}

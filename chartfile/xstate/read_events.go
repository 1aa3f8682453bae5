package xstate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// engineEvents pairs the beginnings of the names that XState gives its own
// events with those of Detent.
var engineEvents = []struct{ theirs, ours string }{
	{"xstate.done.state.", "done.state."},
	{"xstate.done.actor.", "done.invoke."},
	{"xstate.error.actor.", "error.invoke."},
	{"xstate.snapshot.", "progress.invoke."},
	{"xstate.after.", "after."},
}

// descriptors are those that stand for one of XState; none when it can never
// match.
func (a *adapter) descriptors(f document.Field) []string {
	stem, isPrefix := strings.CutSuffix(f.Key, ".*")
	switch {
	case f.Key == "":
		a.refuse(statechart.CodeMissing, f.KeyStart, "a transition of on has no event", `transitions without an event stand under "always"`)
		return nil
	case stem != "xstate" && !strings.HasPrefix(f.Key, "xstate."):
		a.ofXState4(f)
		return []string{f.Key}
	case isPrefix:
		return a.prefixes(f, stem+".")
	}
	for _, e := range engineEvents {
		if name, ok := strings.CutPrefix(f.Key, e.theirs); ok {
			return a.engineEvent(f, e.ours, name)
		}
	}
	a.neverTaken(f)
	return nil
}

// ofXState4 warns of a descriptor that is not the author's alone, or was
// XState's in its version 4.
func (a *adapter) ofXState4(f document.Field) {
	call, isError := strings.CutPrefix(f.Key, "error.platform.")
	_, known := a.calls[call]
	switch {
	case isError && known:
		a.warn(statechart.CodeReserved, f.KeyStart, fmt.Sprintf("%s is not the error of a call here", quoted(f.Key)), "XState v5 calls that "+quoted("xstate.error.actor."+call))
	case isEngines(f.Key):
		hint := "rename it if your own events are meant; those of XState begin with xstate."
		for _, e := range engineEvents[:2] {
			if name, ok := strings.CutPrefix(f.Key, e.ours); ok {
				hint = fmt.Sprintf("XState v5 has %s; rename it if your own events are meant", quoted(e.theirs+name))
			}
		}
		a.warn(statechart.CodeReserved, f.KeyStart, fmt.Sprintf("%s also stands for events of Detent's own, which nobody else can send", quoted(f.Key)), hint)
	}
}

func (a *adapter) neverTaken(f document.Field) {
	a.warn(statechart.CodeUnknownEvent, f.KeyStart, fmt.Sprintf("%s is never taken", quoted(f.Key)),
		"the events of XState that can be taken are xstate.done.state.ID, xstate.done.actor.ID, xstate.error.actor.ID, xstate.snapshot.ID and xstate.after.DELAY.ID")
}

// prefixes are the descriptors of all events that begin so.
func (a *adapter) prefixes(f document.Field, prefix string) []string {
	var out []string
	for _, e := range engineEvents {
		switch {
		case prefix == "xstate.done.state." || prefix == "xstate.done.actor.":
			if e.theirs == prefix {
				out = append(out, e.ours+"*")
			}
		case strings.HasPrefix(e.theirs, prefix):
			out = append(out, e.ours+"*")
		}
	}
	if out == nil {
		a.neverTaken(f)
	}
	return out
}

// engineEvent is the event of a state, a call or a timer.
func (a *adapter) engineEvent(f document.Field, prefix, name string) []string {
	switch prefix {
	case "done.state.":
		return []string{prefix + name}
	case "after.":
		if timer, ok := a.timers[f.Key]; ok {
			return []string{timer}
		}
	default:
		if id, ok := a.calls[name]; ok {
			return []string{prefix + id}
		}
	}
	a.warn(statechart.CodeUnknownEvent, f.KeyStart, fmt.Sprintf("%s is never taken", quoted(f.Key)), "no invoke or after of the machine gives this event")
	return nil
}

// isEngines reports whether a descriptor matches events of Detent's own.
func isEngines(name string) bool {
	stem, isPrefix := strings.CutSuffix(name, ".*")
	return slices.ContainsFunc(ownEvents, func(own string) bool {
		begins, many := strings.CutSuffix(own, ".")
		return own == name || many && strings.HasPrefix(name, own) || isPrefix && (stem == begins || strings.HasPrefix(begins, stem+"."))
	})
}

// ownEvents are the names of Detent's own events, or with a dot at the end
// their beginnings.
var ownEvents = []string{
	"done.state.", "done.invoke.", "done.do.", "error.invoke.", "error.do.", "unknown.", "progress.", "after.", "every.", "detent.",
	"error.execution", "error.communication", "error.platform", "error.budget",
}

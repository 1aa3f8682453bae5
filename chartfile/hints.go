package chartfile

import (
	"strings"

	"github.com/detent-run/detent/statechart"
)

// hintRule says what to do about diagnostics that do not say so themselves.
type hintRule struct {
	code statechart.Code
	part string // of the message; empty: any
	hint string
}

// hintRules are asked in order.
var hintRules = []hintRule{
	{statechart.CodeMissing, "needs an initial", "name the child to enter with initial"},
	{statechart.CodeMissing, "a compound state needs children", "list them under states, or leave type out"},
	{statechart.CodeMissing, "needs \"then\"", "write then: [ … ]; it may be empty"},
	{statechart.CodeMissing, "needs \"do\"", "write do: [ … ]"},
	{statechart.CodeMissing, "needs \"id\"", "begin with id: NAME"},
	{statechart.CodeMissing, "needs \"src\"", "write src: tool:NAME, or another source"},
	{statechart.CodeMissing, "needs \"target\"", "write target: NAME"},
	{statechart.CodeMissing, "", "add it"},
	{statechart.CodeUnknownState, "", "a target is a sibling, .CHILD, or #ID.PATH"},
	{statechart.CodeUnknownEvent, "", "correct the name, or take it with on"},
	{statechart.CodeUnknownName, "assigned", "declare it in the context of this state or of one above"},
	{statechart.CodeUnknownName, "of a state above", "declare it in the context of a state above"},
	{statechart.CodeUnknownName, "there is no list", "declare it: lists: {NAME: {}}"},
	{statechart.CodeUnknownName, "", "declare it in the context of this state or of one above, or correct the name"},
	{statechart.CodeUnknownGuard, "", "register it in Go before the file is loaded"},
	{statechart.CodeUnknownAction, "", "register it in Go before the file is loaded"},
	{statechart.CodeUnknownSource, "", "register it in Go before the file is loaded"},
	{statechart.CodeInvalidName, "descriptor, not a name", "name one event; only on and defer take descriptors"},
	{statechart.CodeInvalidName, "no event descriptor", "an event is a name without white space, NAME.* or *"},
	{statechart.CodeInvalidName, "", "use letters, digits, - and _"},
	{statechart.CodeDuplicate, "the id", "give one of them another id"},
	{statechart.CodeDuplicate, "", "keep one of the two"},
	{statechart.CodeTargets, "not below", "initial is relative to its state: name one of its children"},
	{statechart.CodeTargets, "", "name a state below it"},
	{statechart.CodeCondition, "says nothing", "list guards in it, or leave it out"},
	{statechart.CodeExpression, "ends where more", "a value or a closing bracket is missing at the end"},
	{statechart.CodeExpression, "", "the language is that of docs/expressions.md"},
	{statechart.CodeSchema, "", "write it as JSON Schema has it"},
	{statechart.CodeNotAllowed, "to promote to", "assign to its variables instead"},
	{statechart.CodeNotAllowed, "has an output", "move it to a final state, or assign it to a variable"},
	{statechart.CodeNotAllowed, "has a status", "leave it out, or move the state to the root"},
	{statechart.CodeNotAllowed, "is never done", "leave onDone out, or give the state children"},
	{statechart.CodeNotAllowed, "atomic state has no initial", "leave initial out, or give the state children"},
	{statechart.CodeNotAllowed, "no children", "leave type out, or write type: compound"},
	{statechart.CodeNotAllowed, "needs regions", "list them under states"},
	{statechart.CodeNotAllowed, "no initial", "leave initial out"},
	{statechart.CodeNotAllowed, "final state takes no", "a final state only ends its parent: move them to the state before it"},
	{statechart.CodeNotAllowed, "", "leave it out"},
	{statechart.CodeInvalid, "", "write a value within the bounds, or leave the key out"},
	{statechart.CodeLimit, "", "part the chart, or take out what it does not need"},
	{CodeUnknownKey, "", "detent schema lists all keys"},
	{CodeWrongType, "is an object", "an object is written {key: value}, or as indented lines of key: value"},
	{CodeWrongType, "whole number", "write a number without quotes and decimal point"},
	{CodeWrongType, "", "what is meant as text stands in quotes"},
	{CodeInterpolated, "", "write the text without ${…}"},
}

// withHint adds a hint where there is none.
func (d Diagnostic) withHint() Diagnostic {
	for _, rule := range hintRules {
		if d.Hint == "" && rule.code == d.Code && strings.Contains(d.Message, rule.part) {
			d.Hint = rule.hint
		}
	}
	if d.Hint == "" {
		d.Hint = "detent explain " + string(d.Code) + " says more"
	}
	return d
}

// initialHint helps with an initial that is missing, or names no state.
func (f *File) initialHint(e *statechart.Error) string {
	missing := strings.HasSuffix(e.Message, "needs an initial")
	if e.Hint != "" || !missing && e.Code != statechart.CodeUnknownState {
		return ""
	}
	_, state, _, _ := f.top.find(strings.TrimSuffix(e.Path, ".initial"))
	if state == nil {
		return ""
	}
	states, _ := state.Field("states")
	if _, given := state.Field("initial"); states == nil || len(states.Fields) == 0 || given == missing {
		return ""
	}
	return "name the child to enter, such as initial: " + states.Fields[0].Key
}

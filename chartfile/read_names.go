package chartfile

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/detent-run/detent/internal/edits"
	"github.com/detent-run/detent/statechart"
)

// The codes of the core that the reader uses, too.
const (
	codeMissing     = statechart.CodeMissing
	codeInvalid     = statechart.CodeInvalid
	codeInvalidName = statechart.CodeInvalidName
	codeAction      = statechart.CodeAction
	codeCondition   = statechart.CodeCondition
	codeNotAllowed  = statechart.CodeNotAllowed
	codeDuplicate   = statechart.CodeDuplicate
	codeLimit       = statechart.CodeLimit
)

// objectNames says in messages what an object is.
var objectNames = map[reflect.Type]string{
	reflect.TypeFor[fileObject]():               "a chart",
	reflect.TypeFor[stateObject]():              "a state",
	reflect.TypeFor[transitionObject]():         "a transition",
	reflect.TypeFor[timedTransitionObject]():    "a transition of after",
	reflect.TypeFor[repeatedTransitionObject](): "a transition of every",
	reflect.TypeFor[initialObject]():            "a default with actions",
	reflect.TypeFor[guardObject]():              "a guard",
	reflect.TypeFor[callAction]():               "a call of a registered action",
	reflect.TypeFor[assignAction]():             "assign",
	reflect.TypeFor[raiseAction]():              "raise",
	reflect.TypeFor[sendAction]():               "send",
	reflect.TypeFor[cancelAction]():             "cancel",
	reflect.TypeFor[appendAction]():             "append",
	reflect.TypeFor[foreachAction]():            "foreach",
	reflect.TypeFor[doAction]():                 "do",
	reflect.TypeFor[emitAction]():               "emit",
	reflect.TypeFor[logAction]():                "log",
	reflect.TypeFor[ifAction]():                 "if",
	reflect.TypeFor[invocationObject]():         "an invocation",
	reflect.TypeFor[retryObject]():              "retry",
	reflect.TypeFor[approvalObject]():           "approval",
	reflect.TypeFor[promotionObject]():          "a promotion",
	reflect.TypeFor[eventObject]():              "the declaration of an event",
	reflect.TypeFor[requiresObject]():           "requires",
	reflect.TypeFor[limitsObject]():             "limits",
	reflect.TypeFor[budgetObject]():             "budget",
	reflect.TypeFor[onlyObject]():               "tools",
	reflect.TypeFor[emptyObject]():              "the declaration of a list",
}

func objectName(t reflect.Type) string { return objectNames[t] }

// otherWords are keys that people know from elsewhere, with what stands for
// them here.
var otherWords = map[string]string{
	"cond": "guard", "condition": "guard", "when": "guard",
	"onEntry": "entry", "onExit": "exit", "services": "invoke", "activities": "invoke",
	"transitions": "on", "events": "on", "data": "context", "variables": "context",
	"external": "reenter", "internal": "reenter", "name": "id", "to": "target",
	"source": "src", "args": "input", "arguments": "input", "parameters": "params", "retries": "retry",
	"body": "do", "actions": "then", "payload": "data",
}

// keyHint says what was probably meant by a key.
func keyHint(key string, t reflect.Type, keys []formatKey) string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.Key
	}
	has := func(object reflect.Type) bool {
		return slices.ContainsFunc(keysOf(object), func(k formatKey) bool { return k.Key == key })
	}
	switch {
	case t == reflect.TypeFor[stateObject]() && has(reflect.TypeFor[fileObject]()):
		return "it stands at the root of the file only"
	case key == "keep" && has(reflect.TypeFor[timedTransitionObject]()):
		return "only a transition of after can be kept"
	case key == "missed":
		return "only every has ticks that can be missed"
	case strings.HasPrefix(key, "x-") && slices.Contains(names, "states"):
		return "keys of your own stand at the root only; meta is carried as it stands"
	case key == "parallel" && slices.Contains(names, "type"):
		return "write type: parallel"
	}
	if hint := nearest(key, names); hint != "" {
		return hint
	}
	if word := otherWords[key]; slices.Contains(names, word) {
		return "did you mean " + quote(word) + "?"
	}
	switch {
	case len(names) == 0:
		return "nothing can be said there; write {}"
	case len(names) == 1:
		return "its one key is " + names[0]
	case len(names) <= 12:
		return "its keys are " + strings.Join(names, ", ")
	}
	return ""
}

// nearest is the hint "did you mean …" for a name among others, or "".
func nearest(name string, among []string) string {
	best := edits.Nearest(name, among)
	if best == "" {
		return ""
	}
	return "did you mean " + quote(best) + "?"
}

// quote shows a text of the author in a message, shortened when it is long.
func quote(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		s = string(r[:most-1]) + "…"
	}
	return strconv.Quote(s)
}

// isDuration reports whether a text is a duration with its unit.
func isDuration(text string) bool {
	_, ok := durationMillis(text)
	return ok
}

// units are those of a duration in milliseconds; of two that begin alike the
// longer stands first.
var units = []struct {
	name   string
	millis float64
}{{"ms", 1}, {"us", 1e-3}, {"µs", 1e-3}, {"ns", 1e-6}, {"d", 864e5}, {"h", 36e5}, {"m", 6e4}, {"s", 1e3}}

// durationMillis reads a duration, to see that it is one and whether two are
// equal. The core reads it again, exactly.
func durationMillis(text string) (float64, bool) {
	rest := strings.TrimLeft(text, "+-")
	if len(text)-len(rest) > 1 || rest == "" {
		return 0, false
	}
	sum := 0.0
	for rest != "" {
		n := len(rest) - len(strings.TrimLeft(rest, "0123456789."))
		number, err := strconv.ParseFloat(rest[:n], 64)
		if err != nil {
			return 0, false
		}
		rest = rest[n:]
		i := slices.IndexFunc(units, func(u struct {
			name   string
			millis float64
		}) bool {
			return strings.HasPrefix(rest, u.name)
		})
		if i < 0 {
			return 0, false
		}
		sum += number * units[i].millis
		rest = rest[len(units[i].name):]
	}
	if text[0] == '-' {
		sum = -sum
	}
	return sum, true
}

// durationHint says how a duration is written.
func durationHint(text string) string {
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return fmt.Sprintf("a delay says its unit, such as %s", quote(text+"ms"))
	}
	return `a duration is "500ms", "45s", "15m", "72h" or "30d"`
}

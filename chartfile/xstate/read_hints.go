package xstate

import (
	"fmt"
	"maps"
	"strings"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/internal/document"
)

// notOfStates are hints for keys that a state does not have.
var notOfStates = withChartKeys(map[string]string{
	"onEntry": `did you mean "entry"?`, "onExit": `did you mean "exit"?`, "data": `did you mean "output"?`,
	"services": `did you mean "invoke"?`, "activities": `did you mean "invoke"?`, "parallel": `write "type": "parallel"`,
	"strict": `say it in the root's meta: {"detent": {"unhandled": "reject"}}`, "internal": "it is a key of transitions in XState 4; leave it out",
	"predictableActionArguments": oldOption, "preserveActionOrder": oldOption, "tsTypes": oldOption, "schema": oldOption, "delimiter": oldOption,
	"key": "leave it out; the key is the one that it stands under", "order": "leave it out; the order is that of the file",
	"transitions": `they stand in "on", "always" and "after"`,
	"route":       `write a transition at the root that leads to the state: "on": {"GO": "#id"}`,
	"context":     `the machine has one context, at its root; a state's own is said in its meta: {"detent": {"context": …}}`,
	"version":     atTheRoot, "types": atTheRoot, "schemas": atTheRoot, "options": atTheRoot,
	"guards": inStubs("guards"), "actions": inStubs("actions"), "delays": inStubs("delays"), "actors": inGo,
})

// notOfMachines are those for keys that a machine does not have.
var notOfMachines = func() map[string]string {
	hints := maps.Clone(notOfStates)
	hints["services"] = inGo
	return hints
}()

const (
	oldOption = "XState v5 does not have it any more; leave it out"
	atTheRoot = "it stands at the root only"
	inGo      = "actors are registered in Go, or called as tool:NAME, model:NAME and the like"
)

// notOfTransitions are hints for keys that a transition does not have.
var notOfTransitions = map[string]string{
	"cond": `did you mean "guard"?`, "in": `write "guard": {"stateIn": "#id"}`,
	"internal": `leave it out; what is not internal has "reenter": true`, "external": `did you mean "reenter"?`,
	"event": "the event is the key that the transition stands under", "delay": `write it as the key of an "after"`,
}

func inStubs(key string) string {
	return fmt.Sprintf(`say it in the root's meta: {"detent": {%q: {…}}}`, key)
}

func inCalls(key string) string {
	return fmt.Sprintf(`a chart file has it, XState has not; say it in the state's meta: {"detent": {"invoke": [{%q: …}]}}`, key)
}

// withChartKeys adds hints for the keys that only a chart file has.
func withChartKeys(hints map[string]string) map[string]string {
	for _, key := range ofCharts {
		hints[key] = fmt.Sprintf(`a chart file has it, XState has not; say it in meta: {"detent": {%q: …}}`, key)
	}
	return hints
}

// ofCharts are the keys that only a chart file has.
var ofCharts = []string{"promote", "defer", "tools", "every", "warnAfter", "status", "semantics", "input", "events", "constants", "lists", "unhandled", "limits", "budget"}

// livesWithState is the hint for what starts and stops actors by hand.
const livesWithState = "an actor lives as long as a state that invokes it"

// functions are how the JSON says what XState has functions for. Those that
// are missing here can only be named.
var functions = map[string]string{
	"raise": `write {"raise": {"type": "NAME"}}`, "emit": `write {"emit": {"type": "NAME"}}`,
	"send": aSend, "sendTo": aSend, "sendParent": `write {"send": {"type": "NAME"}, "to": "parent"}`,
	"cancel": `write {"cancel": "ID"}`, "log": `write {"log": "TEXT"}`,
	"spawnChild": livesWithState, "stopChild": livesWithState, "start": livesWithState, "stop": livesWithState,
	"and": `write {"and": […]}`, "or": `write {"or": […]}`, "not": `write {"not": …}`, "stateIn": `write {"stateIn": "#id"}`,
}

const aSend = `write {"send": {"type": "NAME"}, "to": "ID"}`

// ownFunction refuses a name that XState has for one of its functions, and
// reports that it did.
func (a *adapter) ownFunction(key string, name *document.Node) bool {
	function, own := strings.CutPrefix(name.Text, "xstate.")
	if !own || name.Kind != document.String {
		return false
	}
	hint := functions[function]
	if hint == "" {
		hint = "name it, and " + inStubs(key)
	}
	a.refuse(chartfile.CodeWrongType, name.Start, fmt.Sprintf("%s is a function of XState, which the JSON does not hold", quoted(name.Text)), hint)
	return true
}

// lostFunction is the hint for null, which JSON has for a function.
func lostFunction(key string) string {
	return "JSON has null where a function stood; name it, and " + inStubs(key)
}

package main

import "github.com/detent-run/detent/statechart"

// investigation tests hypotheses until one is confirmed or the rounds are
// spent. In each leaf a model is asked or a tool runs. A model answers with
// one of the events that its state offers; any other answer is turned down.
var investigation = statechart.Definition{
	ID: "investigation", Version: "1",
	Lists: []string{"evidence"},
	Constants: []statechart.Variable{
		{Name: "maxRounds", Value: 3},
		{Name: "maxRefusals", Value: 2},
	},
	Events: []statechart.EventDeclaration{
		choice("PLAN_READY", "plan"),
		choice("LOOK_UP", "query"),
		choice("HYPOTHESIS", "hypothesis", "test"),
		choice("CONFIRM", "conclusion"),
		choice("REJECT", "hypothesis", "test"),
		choice("MORE_DATA"),
		choice("REPLAN"),
		{Name: "SUSPEND", From: []string{"client", "human"}},
		{Name: "RESUME", From: []string{"client", "human"}},
	},
	Root: statechart.State{
		Initial: "Planning",
		Context: []statechart.Variable{
			{Name: "question", Value: value("question given")},
			{Name: "plan", Value: nil},
			{Name: "refusals", Value: 0},
			{Name: "findings", Value: []any{}}, // promoted by the loop
			{Name: "conclusion", Value: nil},
		},
		On: []statechart.Transition{{Event: "done.do.lookup", Actions: keepEvidence}},
		States: []statechart.State{
			{
				Name:   "Planning",
				Invoke: []statechart.Invocation{decide("Planning", "PLAN_READY")},
				On:     []statechart.Transition{{Event: "PLAN_READY", Target: "InvestigationSuperState", Actions: set("plan", value("plan given"))}},
			},
			loop,
			{Name: "Suspended", On: []statechart.Transition{{Event: "RESUME", Target: "InvestigationSuperState.Last"}}},
			{Name: "Completed", Type: statechart.Final, Output: map[string]any{"conclusion": value("conclusion"), "findings": value("findings")}},
		},
	},
}

// loop owns the count of rounds and what was tested; both come back when it
// is resumed.
var loop = statechart.State{
	Name: "InvestigationSuperState", Initial: "DataGathering",
	Context: []statechart.Variable{{Name: "round", Value: 0}, {Name: "tested", Value: []any{}}},
	Promote: []statechart.Promotion{{Variable: "findings", Value: value("tested"), Merge: "union"}},
	On:      []statechart.Transition{{Event: "SUSPEND", Target: "Suspended"}},
	States: []statechart.State{
		{Name: "Last", Type: statechart.History, History: "deep"},
		dataGathering,
		hypothesisTesting,
		reviewing,
	},
}

// dataGathering looks things up beside the state: what is found also counts
// when the loop is suspended meanwhile. Then the model is asked again.
var dataGathering = statechart.State{
	Name: "DataGathering", Tools: []string{"search"},
	Invoke: []statechart.Invocation{decide("DataGathering", "LOOK_UP", "HYPOTHESIS")},
	On: []statechart.Transition{
		{Event: "LOOK_UP", Actions: []statechart.Action{{Do: &statechart.Invocation{ID: "lookup", Src: "tool:search", Input: value("query given")}}}},
		{Event: "done.do.lookup", Target: "DataGathering", Type: statechart.External, Actions: keepEvidence},
		{Event: "error.do.lookup", Target: "DataGathering", Type: statechart.External},
		{Event: "unknown.do.lookup", Target: "DataGathering", Type: statechart.External},
		{Event: "HYPOTHESIS", Target: "HypothesisTesting", Actions: nextRound},
	},
}

// hypothesisTesting owns the hypothesis and what came of it.
var hypothesisTesting = statechart.State{
	Name: "HypothesisTesting", Initial: "SyntaxChecking",
	Context: []statechart.Variable{
		{Name: "hypothesis", Value: value("hypothesis given")},
		{Name: "test", Value: value("test given")},
		{Name: "outcome", Value: nil},
	},
	Promote: []statechart.Promotion{{Variable: "tested", Value: value("what came of it"), Merge: "union"}},
	States: []statechart.State{
		{Name: "SyntaxChecking", Invoke: []statechart.Invocation{{
			ID: "syntax", Src: "tool:syntax", Input: value("test"),
			OnDone:    []statechart.Transition{{Target: "SandboxRunning"}},
			OnError:   review("failed"),
			OnUnknown: review("unknown"),
		}}},
		{Name: "SandboxRunning", Invoke: []statechart.Invocation{{
			ID: "sandbox", Src: "tool:sandbox", Input: value("test"), Timeout: "60s",
			OnDone:    review("observed"),
			OnError:   review("failed"),
			OnUnknown: review("unknown"),
		}}},
	},
}

// reviewing ends the loop, or goes round again while there are rounds left.
var reviewing = statechart.State{
	Name:   "Reviewing",
	Invoke: []statechart.Invocation{decide("Reviewing", "CONFIRM", "REJECT", "MORE_DATA", "REPLAN")},
	On: []statechart.Transition{
		{Event: "CONFIRM", Target: "#investigation.Completed", Actions: set("conclusion", value("conclusion given"))},
		{Event: "REJECT", Guard: statechart.When("rounds are left"), Target: "HypothesisTesting", Actions: nextRound},
		{Event: "REJECT", Target: "#investigation.Completed", Actions: set("conclusion", "inconclusive")},
		{Event: "MORE_DATA", Guard: statechart.When("rounds are left"), Target: "DataGathering"},
		{Event: "MORE_DATA", Target: "#investigation.Completed", Actions: set("conclusion", "inconclusive")},
		{Event: "REPLAN", Target: "#investigation.Planning"},
	},
}

var (
	nextRound    = []statechart.Action{{Call: "count the round"}}
	keepEvidence = []statechart.Action{{Append: "evidence", Data: value("event data")}}
)

// decide asks the model which of the choices to take in a leaf. The one it
// takes is raised at once; after any other it is asked again, and twice is
// enough.
func decide(leaf string, choices ...string) statechart.Invocation {
	offered := make([]any, len(choices))
	for i, c := range choices {
		offered[i] = c
	}
	return statechart.Invocation{
		ID: leaf, Src: "decide:investigator", Choices: choices,
		Input: map[string]any{"question": value("question"), "plan": value("plan"), "evidence": value("pieces of evidence")},
		OnDone: []statechart.Transition{
			{Guard: statechart.Condition{Name: "choice is offered", Params: map[string]any{"choices": offered}}, Actions: []statechart.Action{{Call: "raise the choice"}}},
			{Guard: statechart.When("may ask again"), Target: leaf, Type: statechart.External, Actions: []statechart.Action{{Call: "count the refusal"}}},
			{Actions: []statechart.Action{{Call: "give up"}}},
		},
	}
}

// choice declares an event that a model may choose, with the fields that it
// must fill in.
func choice(name string, fields ...string) statechart.EventDeclaration {
	required, properties := []any{}, map[string]any{}
	for _, f := range fields {
		required = append(required, f)
		properties[f] = map[string]any{"type": "string"}
	}
	schema := map[string]any{"type": "object", "required": required, "properties": properties}
	return statechart.EventDeclaration{Name: name, From: []string{"model"}, Data: schema}
}

// review goes to Reviewing with how the test ended and what it said.
func review(how string) []statechart.Transition {
	outcome := map[string]any{how: value("event data")}
	return []statechart.Transition{{Target: "#investigation.InvestigationSuperState.Reviewing", Actions: set("outcome", outcome)}}
}

func value(name string) statechart.Expression { return statechart.Expression(name) }

func set(name string, v any) []statechart.Action {
	return []statechart.Action{{Assign: []statechart.Variable{{Name: name, Value: v}}}}
}

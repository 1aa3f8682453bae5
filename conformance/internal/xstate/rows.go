package xstate

// Row names one of the differences on purpose.
type Row string

// The rows, in the order of the list at the end of docs/semantics.md.
const (
	RowAncestors  Row = "ancestors"
	RowEventless  Row = "eventless"
	RowRegions    Row = "regions"
	RowErrors     Row = "errors"
	RowCommit     Row = "commit"
	RowUnknown    Row = "unknown"
	RowCancel     Row = "cancel"
	RowEngine     Row = "engine"
	RowFinal      Row = "final"
	RowTargetless Row = "targetless"
	RowInitial    Row = "initial"
	RowHistory    Row = "history"
)

// Rows says of each row what differs and how it is kept out of the
// comparison.
var Rows = []struct {
	Row    Row
	Differ string
	// Stops is set when a run notices that the situation arose and stops;
	// else the generator never makes it.
	Stops bool
	How   string
}{
	{RowAncestors, "an ancestor's handler runs beside one of a region (R3)", true,
		"for one event a transition of a state and one of its ancestor were both taken"},
	{RowEventless, "eventless transitions go in document order (R5)", true,
		"several eventless transitions were enabled, and leaves stand in another order by when they were entered"},
	{RowRegions, "a transition across regions, or with reenter on a region, leaves the parallel state (R9)", true,
		"the least common ancestor of an enabled transition's source and targets is a parallel state below the root"},
	{RowErrors, "errors in guards and actions are events (R7, R20, R21)", true,
		"a guard or the input of a call failed, or an error that nothing took ended the session; exported blocks raise error.execution as ours do"},
	{RowCommit, "effects are never performed before the commit (R23)", false,
		"it shows only when a macrostep is undone: no case passes a limit"},
	{RowUnknown, "unknown names, keys, delays and events, duplicate ids and several targets in one region are refused (R17, R34)", false,
		"such a chart does not compile here, and charts declare all events that scripts send"},
	{RowCancel, "cancel reaches every send under its id (R24)", true,
		"a delayed event was cancelled whose id another one has, or had while it waited"},
	{RowEngine, "engine events cannot be forged, and * does not catch them (R6, R28)", false,
		"scripts send no such event, and an exported * asks whether the event is the chart's own"},
	{RowFinal, "final states take nothing (R19)", false,
		"a final state with transitions does not compile here"},
	{RowTargetless, "an unguarded targetless always is refused (R29)", false,
		"it does not compile here"},
	{RowInitial, "the actions of an initial run wherever it is taken (R12)", true,
		"an initial with actions was taken in a region beside a target, in a state that a history restored, by a local transition to its own state, or for a history"},
	{RowHistory, "what is active is not entered again through a history (R9, R16)", true,
		"the parent of a history that is a target lies above what the transition leaves"},
}

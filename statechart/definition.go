package statechart

// A Definition is a statechart as plain data: it can be written as a Go
// literal, built by a program, or decoded from JSON, and it holds no
// functions. Behaviour is named and bound by a [Registry], or written as
// [Expression]s. [Compile] turns a Definition into a [Chart], which shares the
// Definition's slices: they must not be changed afterwards.
//
// Order is meaning: states and transitions are considered in the order in
// which they stand (R1).
type Definition struct {
	// ID names the chart. It is required, and "#ID" is the root as a target.
	ID string `json:"id"`
	// Version is the author's; it is recorded and has no meaning here.
	Version string `json:"version,omitempty"`
	// Semantics is the number of the rules the chart was written for.
	// Zero means [Semantics]; any other number is refused.
	Semantics int `json:"semantics,omitempty"`
	// Dialect is "" for Detent's own rules or "scxml" for those that differ
	// in SCXML documents: event descriptors match by token prefix in
	// document order, "*" also matches the engine's events, an error event
	// that nothing takes is ignored (R6, R21), variables are those of one
	// global scope, and what can only be wrong when it is executed is an
	// error then and no sooner (R36-R40).
	Dialect string `json:"dialect,omitempty"`
	// Binding, in the scxml dialect, is "early" (the default) or "late": when
	// the variables of a state get their first values, at the start or when
	// the state is first entered (R38).
	Binding string `json:"binding,omitempty"`
	// Undeclared, in the scxml dialect, are variables that the document does
	// not declare as data: those of its loops, and its data model's own. They
	// begin without a value, and no parent gives them one.
	Undeclared []string `json:"undeclared,omitempty"`
	// Description is for people.
	Description string `json:"description,omitempty"`
	// Input is the JSON Schema of what a new session takes. It is checked at
	// the start where the registry has a [SchemaLanguage].
	Input any `json:"input,omitempty"`
	// Events declares events, their payload's schema and who may send them.
	Events []EventDeclaration `json:"events,omitempty"`
	// Constants are variables of the root that nothing may assign.
	Constants []Variable `json:"constants,omitempty"`
	// Delays gives names to delays, for use in After, Every and Delay.
	Delays []Variable `json:"delays,omitempty"`
	// Lists names the append-only lists. The state holds their lengths; the
	// rows leave as effects.
	Lists []string `json:"lists,omitempty"`
	// Performers lists the sources of outside calls that must be registered
	// with [Registry.Performer]. Empty: sources are not checked here. Sources
	// of a kind, such as tool:search, are checked where the list has one of
	// that kind: others are the host's.
	Performers []string `json:"performers,omitempty"`
	// Unhandled says what becomes of a known event that nothing takes:
	// "ignore" (the default), "reject" or "defer" (R34).
	Unhandled string `json:"unhandled,omitempty"`
	// Limits lowers the bounds of a macrostep; zero fields keep the default.
	Limits Limits `json:"limits,omitzero"`
	// Budget is carried for the host, which counts it.
	Budget map[string]any `json:"budget,omitempty"`
	// Root is the state that contains all others. Its name is not used; it
	// may be compound (the default), parallel, or a single atomic state.
	Root State `json:"root"`
}

// Semantics is the number of the rules that this package follows. It is
// stamped on every snapshot; a change of meaning is a new number.
const Semantics = 1

// State is one state of a [Definition] with all that lies below it.
type State struct {
	// Name is the key among its siblings: not empty, without '.', '#', '*'
	// or white space.
	Name string `json:"name,omitempty"`
	// ID is a name for "#ID" targets and done events. Empty: the chart's id,
	// a dot, and the state's path.
	ID string `json:"id,omitempty"`
	// Type is "" (atomic, or compound when States is not empty), "parallel",
	// "final" or "history".
	Type StateType `json:"type,omitempty"`
	// Initial is where a compound state is entered by default: a child's
	// name, a path below this state, or several such paths parted by spaces
	// that lie in different regions of one parallel. It is required for a
	// compound state. Of a history state it is the default target, relative
	// to its parent, taken while nothing is recorded; empty means the
	// parent's own initial.
	Initial string `json:"initial,omitempty"`
	// InitialActions run when Initial is taken, after the state's entry
	// actions (R12).
	InitialActions []Action `json:"initialActions,omitempty"`
	// States are the children, in document order.
	States []State `json:"states,omitempty"`
	// On are the transitions that need an event.
	On []Transition `json:"on,omitempty"`
	// Always are the eventless transitions; their Event is empty.
	Always []Transition `json:"always,omitempty"`
	// After are transitions taken when the state has been active for a time.
	After []Timed `json:"after,omitempty"`
	// Every are transitions offered again and again while it is active.
	Every []Timed `json:"every,omitempty"`
	// Entry and Exit are blocks of actions (R20).
	Entry []Action `json:"entry,omitempty"`
	Exit  []Action `json:"exit,omitempty"`
	// OnDone are transitions for the state's own done event (R18).
	OnDone []Transition `json:"onDone,omitempty"`
	// Invoke are outside calls that live as long as the state is active.
	Invoke []Invocation `json:"invoke,omitempty"`
	// Context declares the state's own variables, in order (R33). In the
	// scxml dialect they are global, wherever they are declared (R38).
	Context []Variable `json:"context,omitempty"`
	// Promote says what of them is merged upward on exit.
	Promote []Promotion `json:"promote,omitempty"`
	// Defer lists event descriptors that are kept for later when nothing
	// takes them here (R32).
	Defer []string `json:"defer,omitempty"`
	// Tools are the tools that a model invoked by this state or below it may
	// call; with ToolsOnly the inherited ones are cut. Carried for the host.
	Tools     []string `json:"tools,omitempty"`
	ToolsOnly bool     `json:"toolsOnly,omitempty"`
	// WarnAfter is a delay; a state active for longer gives a warning effect.
	WarnAfter any `json:"warnAfter,omitempty"`
	// Status is the end that a final state of the root stands for:
	// "completed" (the default) or "failed".
	Status string `json:"status,omitempty"`
	// Output is a final state's output, or the root's.
	Output any `json:"output,omitempty"`
	// Tags are found by [Instance.HasTag].
	Tags []string `json:"tags,omitempty"`
	// Meta and Description are carried unchanged.
	Meta        any    `json:"meta,omitempty"`
	Description string `json:"description,omitempty"`
	// History is "shallow" (the default) or "deep", of a history state.
	History string `json:"history,omitempty"`
}

// StateType is the kind of a [State].
type StateType string

// The kinds of state. Atomic and compound are told apart by their children.
const (
	Atomic   StateType = "atomic"
	Compound StateType = "compound"
	Parallel StateType = "parallel"
	Final    StateType = "final"
	History  StateType = "history"
)

// Transition is one candidate of a state for an event, or, in Always and the
// like, without one.
type Transition struct {
	// Event is a descriptor: a name, "prefix.*", or "*" (R6). In the scxml
	// dialect it is a list of token prefixes parted by spaces.
	Event string `json:"event,omitempty"`
	// Guard must hold. The zero Condition always does.
	Guard Condition `json:"guard,omitzero"`
	// Target names one state, or several parted by spaces (R17): "#id" or
	// "#id.path"; ".path" below the source; otherwise the first segment is a
	// sibling of the source or the source itself. Empty: nothing is exited
	// or entered (R10). No target and no action forbids the event here.
	Target string `json:"target,omitempty"`
	// Actions run between the exits and the entries (R11).
	Actions []Action `json:"actions,omitempty"`
	// Type decides the domain (R9): "" is local, "external" leaves and
	// enters the source again, "internal" is SCXML's.
	Type TransitionType `json:"type,omitempty"`
	// Description and Meta are carried unchanged.
	Description string `json:"description,omitempty"`
	Meta        any    `json:"meta,omitempty"`
}

// TransitionType says how far a transition exits (R9).
type TransitionType string

// The types of transition.
const (
	Local    TransitionType = ""
	External TransitionType = "external"
	Internal TransitionType = "internal"
)

// Timed are transitions that a timer offers.
type Timed struct {
	// Delay is a duration such as "500ms", "15m" or "30d", the name of one of
	// the Definition's Delays, a number of milliseconds, or an [Expression]
	// that yields one of these. It is evaluated once, on entry (R27).
	Delay any `json:"delay"`
	// Keep, of an After only: when its state is restored by a history, the
	// timer goes on with what remained instead of being armed in full.
	Keep bool `json:"keep,omitempty"`
	// Missed, of an Every only, is "coalesce" (the default), "all" or
	// "skip": what becomes of the ticks that a host was down for.
	Missed string `json:"missed,omitempty"`
	// Transitions are the candidates, in order.
	Transitions []Transition `json:"transitions,omitempty"`
}

// Invocation is an outside call: of a state, which it lives and is cancelled
// with, or of a do action, which the state does not wait for.
type Invocation struct {
	// ID names the call: its end is the event done.invoke.ID (done.do.ID).
	// Empty: the state's path, a colon and the call's index in the state.
	ID string `json:"id,omitempty"`
	// Src is what is called: a string such as "tool:search", or an
	// Expression that yields one.
	Src any `json:"src"`
	// Input is the argument, evaluated right after the entry actions (R25).
	Input any `json:"input,omitempty"`
	// Mode is "at_most_once", "at_least_once" or "reconcile"; empty leaves
	// it to the host.
	Mode string `json:"mode,omitempty"`
	// Timeout and Heartbeat are delays, carried for the host.
	Timeout   any `json:"timeout,omitempty"`
	Heartbeat any `json:"heartbeat,omitempty"`
	// Retry and Approval are carried for the host.
	Retry    map[string]any `json:"retry,omitempty"`
	Approval map[string]any `json:"approval,omitempty"`
	// Key, when set, makes two calls with an equal value one call.
	Key any `json:"key,omitempty"`
	// Choices are the events that a deciding model may choose from.
	Choices []string `json:"choices,omitempty"`
	// The next four are of the scxml dialect only. Type is the kind of
	// process, a URI; one that is not an SCXML session cannot be started.
	// IDLocation is where the id that the call is given is stored before it
	// starts. Forward passes every external event on to it (R37). Finalize
	// runs before each event that comes from it is looked at (R36).
	Type       any      `json:"type,omitempty"`
	IDLocation string   `json:"idLocation,omitempty"`
	Forward    bool     `json:"forward,omitempty"`
	Finalize   []Action `json:"finalize,omitempty"`
	// The ends of an invocation, as transitions of the state that invokes.
	OnDone     []Transition `json:"onDone,omitempty"`
	OnError    []Transition `json:"onError,omitempty"`
	OnUnknown  []Transition `json:"onUnknown,omitempty"`
	OnProgress []Transition `json:"onProgress,omitempty"`
}

// Variable is a name with a value: a declaration of Context, an assignment,
// a constant or a named delay.
type Variable struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
}

// Promotion merges a value into a variable of an ancestor when its state is
// exited, innermost first (R11, R33).
type Promotion struct {
	// Variable is the outer variable.
	Variable string `json:"variable"`
	// Value is evaluated in the exiting state's scope.
	Value any `json:"value"`
	// Merge is "replace" (the default), "append", "union", "sum", "max" or
	// "min".
	Merge string `json:"merge,omitempty"`
}

// EventDeclaration declares an event.
type EventDeclaration struct {
	Name string `json:"name"`
	// Data is the JSON Schema of the payload. It is checked at the door, and
	// by raise and send, where the registry has a [SchemaLanguage].
	Data any `json:"data,omitempty"`
	// From lists who may send it: client, model, human, session, tool.
	// Empty: client and session. Checked at the door, against what the host
	// says in [Envelope.From].
	From []string `json:"from,omitempty"`
}

// Limits bounds a macrostep. A zero field means the default; a field above
// its default is refused.
type Limits struct {
	// Microsteps: default 1,000.
	Microsteps int `json:"microsteps,omitempty"`
	// Raised events: default 1,000.
	Raised int `json:"raised,omitempty"`
	// Effects: default 100.
	Effects int `json:"effects,omitempty"`
	// Deferred events kept: default 1,000.
	Deferred int `json:"deferred,omitempty"`
	// Data: of how many values one value may be made that is given as input,
	// kept with a deferred event or computed; lists and objects count with
	// what is in them. Default 100,000.
	Data int `json:"data,omitempty"`
	// Fuel for all expressions of a macrostep: default 1,000,000.
	Fuel int64 `json:"fuel,omitempty"`
}

// Condition is a guard as data. Exactly one field is set, Params aside; the
// zero Condition is no guard.
type Condition struct {
	// Name is a registered guard; Params are its parameters.
	Name   string         `json:"name,omitempty"`
	Params map[string]any `json:"params,omitempty"`
	// Expression is source in the registry's [Language]; it must yield a
	// boolean.
	Expression Expression `json:"expression,omitempty"`
	// And, Or and Not combine conditions. An empty And or Or is refused.
	And []Condition `json:"and,omitempty"`
	Or  []Condition `json:"or,omitempty"`
	Not *Condition  `json:"not,omitempty"`
	// In holds while the state it names is active: "#id" or a path from
	// the root.
	In string `json:"in,omitempty"`
}

// When is the condition that the registered guard called name holds.
func When(name string) Condition { return Condition{Name: name} }

// All holds when each of the conditions does; they are asked in order until
// one says no.
func All(conditions ...Condition) Condition { return Condition{And: conditions} }

// Any holds when one of the conditions does; they are asked in order until
// one says yes.
func Any(conditions ...Condition) Condition { return Condition{Or: conditions} }

// Not holds when the condition does not.
func Not(condition Condition) Condition { return Condition{Not: &condition} }

// Action is one action as data. Exactly one of the fields in the first group
// is set and says what is done; the others are its arguments.
type Action struct {
	// Call runs a registered action with Params.
	Call string `json:"call,omitempty"`
	// Assign writes variables; all right-hand sides are evaluated first (R22).
	// In the scxml dialect a name may be any location that the registry's
	// [LocationLanguage] knows.
	Assign []Variable `json:"assign,omitempty"`
	// Raise queues an internal event with Data; with a Delay it comes
	// through a timer and is external (R24). It is the event's name, or an
	// Expression that yields one.
	Raise any `json:"raise,omitempty"`
	// Send sends an event with Data to To: empty or "self", "parent", an
	// invocation's id, or another session's id. It is the event's name, or an
	// Expression that yields one.
	Send any `json:"send,omitempty"`
	// Cancel takes back delayed sends and raises, and do calls, by their id.
	Cancel any `json:"cancel,omitempty"`
	// Append adds Data to the append-only list of this name.
	Append string `json:"append,omitempty"`
	// Do starts an outside call that the state does not wait for.
	Do *Invocation `json:"do,omitempty"`
	// Emit gives an event with Data to whoever subscribes, after the commit.
	// It is the event's name, or an Expression that yields one.
	Emit any `json:"emit,omitempty"`
	// Log gives a value to the host's log, at Level ("info" by default).
	Log any `json:"log,omitempty"`
	// If runs Then when it holds, otherwise Else.
	If *Condition `json:"if,omitempty"`
	// Foreach runs Then for each element of a copy of the list; As and Index
	// name the element and its position (from 0).
	Foreach any `json:"foreach,omitempty"`
	// Block runs its actions as a block of their own: an error in it does
	// not stop what follows it (R20).
	Block []Action `json:"block,omitempty"`
	// Script runs a statement of the registry's [ScriptLanguage]. Only in the
	// scxml dialect.
	Script string `json:"script,omitempty"`
	// Fail is an error of the action with this text: what a document may say
	// and what is wrong only when it is executed.
	Fail string `json:"fail,omitempty"`

	// Data is the payload of Raise, Send, Append and Emit.
	Data any `json:"data,omitempty"`
	// Params are the parameters of Call.
	Params map[string]any `json:"params,omitempty"`
	// To is the receiver of Send. In the scxml dialect it is written as there:
	// nothing for the session itself, "#_internal", "#_parent",
	// "#_scxml_SESSION" or "#_INVOCATION".
	To any `json:"to,omitempty"`
	// Delay of Raise and Send, as in [Timed].
	Delay any `json:"delay,omitempty"`
	// ID of Raise and Send, by which Cancel finds it.
	ID any `json:"id,omitempty"`
	// IDLocation of Send, in the scxml dialect, is where a new id is stored
	// that the send then has.
	IDLocation string `json:"idLocation,omitempty"`
	// Processor of Send, in the scxml dialect, is the type of the event
	// processor, a URI; there is one.
	Processor any `json:"processor,omitempty"`
	// Level of Log.
	Level string `json:"level,omitempty"`
	// Then and Else of If; Then is also the body of Foreach.
	Then []Action `json:"then,omitempty"`
	Else []Action `json:"else,omitempty"`
	// As and Index are Foreach's own variables, visible in its body only.
	As    string `json:"as,omitempty"`
	Index string `json:"index,omitempty"`
}

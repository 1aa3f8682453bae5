package chartfile

// The format as Go types: a struct is an object, a field is a key with its
// shape, and the tags say how it is written ("key"), what it means ("doc"),
// whether it must stand ("required") and which words it allows ("enum").
//
// The reader takes the known keys from here, the JSON Schema is generated
// from here, and the documentation lists what stands here. What a value has
// to be beyond its shape is for the reader and the compiler to say.

// fileObject is the whole document: the chart and its root state.
type fileObject struct {
	Schema      literalText                   `key:"$schema" doc:"The JSON Schema of this format, for editors. Not part of the chart."`
	ID          nameText                      `key:"id" required:"true" doc:"The chart's name. '#' and it is the root as a target."`
	Version     literalText                   `key:"version" doc:"The author's version, as text. It is recorded and means nothing else."`
	Description literalText                   `key:"description" doc:"For people."`
	Semantics   int                           `key:"semantics" min:"1" doc:"The number of the rules that the chart is written for. The current ones if absent."`
	Input       jsonSchema                    `key:"input" doc:"The JSON Schema of what a new session takes. A start with another input is refused."`
	Events      keyed[eventName, eventObject] `key:"events" doc:"Events with the schema of their payload and who may send them."`
	Delays      keyed[nameText, delayText]    `key:"delays" doc:"Names for delays."`
	Constants   keyed[nameText, anyValue]     `key:"constants" doc:"Variables of the root that nothing may assign."`
	Lists       keyed[nameText, emptyObject]  `key:"lists" doc:"Append-only lists: the state holds their length, the rows live beside it."`
	Requires    requiresObject                `key:"requires" doc:"The registered names that the file uses."`
	Unhandled   literalText                   `key:"unhandled" enum:"ignore,reject,defer" doc:"What becomes of a known event that nothing takes; ignore unless said."`
	Limits      limitsObject                  `key:"limits" doc:"Lower bounds of a macrostep than the built-in ones."`
	Budget      budgetObject                  `key:"budget" doc:"What a session may use. Going over it is the event error.budget."`
	stateKeys
}

// stateObject is a state below the root.
type stateObject struct {
	stateKeys
}

// stateKeys are the keys that every state may have.
type stateKeys struct {
	Type        literalText                                        `key:"type" enum:"atomic,compound,parallel,final,history" doc:"The kind of state. Atomic and compound need not be said."`
	ID          nameText                                           `key:"id" doc:"A name for #ID targets. Without it: the root's id, a dot and the path."`
	Description literalText                                        `key:"description" doc:"For people."`
	Initial     either3[targetText, initialObject, []targetText]   `key:"initial" doc:"Where the state is entered by default: a child, with actions, or several states in different regions."`
	Context     keyed[nameText, anyValue]                          `key:"context" doc:"The state's own variables with their first values, made on entry in this order."`
	Promote     keyed[nameText, either[promotionObject, anyValue]] `key:"promote" doc:"Values that are merged into variables of states above when the state is left."`
	Tools       either[[]toolName, onlyObject]                     `key:"tools" doc:"The tools that a model called here or below may call, besides those from above."`
	Defer       []eventOf                                          `key:"defer" doc:"Events that are kept for later when nothing takes them here."`
	Entry       []action                                           `key:"entry" doc:"Actions when the state is entered."`
	Exit        []action                                           `key:"exit" doc:"Actions when the state is left."`
	Invoke      oneOrMany[invocationObject]                        `key:"invoke" doc:"Outside calls that live as long as the state is active."`
	On          keyed[eventOf, transitions]                        `key:"on" doc:"Transitions by event. {} forbids the event."`
	Always      transitions                                        `key:"always" doc:"Transitions that need no event."`
	After       keyed[delayText, timedTransitions]                 `key:"after" doc:"Transitions taken when the state has been active for a time."`
	Every       keyed[delayText, repeatedTransitions]              `key:"every" doc:"Transitions offered again and again while the state is active."`
	OnDone      transitions                                        `key:"onDone" doc:"Transitions for when the states below are done."`
	WarnAfter   delayText                                          `key:"warnAfter" doc:"Staying longer is a warning on the record."`
	States      keyed[nameText, *stateObject]                      `key:"states" doc:"The states below, in order."`
	History     literalText                                        `key:"history" enum:"shallow,deep" doc:"Of a history state: what it remembers; shallow unless said."`
	Target      either3[targetText, initialObject, []targetText]   `key:"target" doc:"Of a history state: where to go while nothing is remembered."`
	Status      literalText                                        `key:"status" enum:"completed,failed" doc:"Of a final state of the root: the end it stands for; completed unless said."`
	Output      anyValue                                           `key:"output" doc:"What a final state, a parallel state or the root yields."`
	Tags        []literalText                                      `key:"tags" doc:"Words by which programs find active states."`
	Meta        anyLiteral                                         `key:"meta" doc:"Carried as it stands."`
}

// transitions are the candidates for an event: the first whose guard holds.
type transitions = oneOrMany[either[targetText, transitionObject]]

// timedTransitions are the candidates of a timer.
type timedTransitions = oneOrMany[either[targetText, timedTransitionObject]]

// repeatedTransitions are the candidates of a repeating timer.
type repeatedTransitions = oneOrMany[either[targetText, repeatedTransitionObject]]

// transitionObject is a transition in long form.
type transitionObject struct {
	Target      oneOrMany[targetText] `key:"target" doc:"Where it goes. Without it nothing is left or entered."`
	Guard       guard                 `key:"guard" doc:"What must hold for it."`
	Actions     []action              `key:"actions" doc:"What is done between leaving and entering."`
	Reenter     bool                  `key:"reenter" doc:"Leave and enter the source again, also when the target lies below it."`
	Description literalText           `key:"description" doc:"For people."`
	Meta        anyLiteral            `key:"meta" doc:"Carried as it stands."`
}

// timedTransitionObject is a transition of after.
type timedTransitionObject struct {
	transitionObject
	Keep bool `key:"keep" doc:"When a history restores the state, the timer goes on with what remained."`
}

// repeatedTransitionObject is a transition of every.
type repeatedTransitionObject struct {
	transitionObject
	Missed literalText `key:"missed" enum:"coalesce,all,skip" doc:"What becomes of the ticks that the host was down for: one for all (unless said), each of them, or none."`
}

// initialObject is a default with actions.
type initialObject struct {
	Target  oneOrMany[targetText] `key:"target" required:"true" doc:"Where to go, as without actions."`
	Actions []action              `key:"actions" doc:"What is done when the default is taken, after the state's entry actions."`
}

// guard is an expression, the name of a registered guard that requires lists,
// or one of the forms of an object.
type guard = either[bareText, *guardObject]

// guardObject is a guard in long form: exactly one of its keys, params aside.
type guardObject struct {
	Type   listedName                       `key:"type" doc:"A registered guard, with params."`
	Params keyed[literalText, anyValue]     `key:"params" doc:"The parameters of a registered guard."`
	And    []either[bareText, *guardObject] `key:"and" doc:"All must hold; asked in order until one does not."`
	Or     []either[bareText, *guardObject] `key:"or" doc:"One must hold; asked in order until one does."`
	Not    either[bareText, *guardObject]   `key:"not" doc:"It must not hold."`
	In     targetText                       `key:"in" doc:"The state must be active: a path from the root, or #id."`
}

// action is the name of a registered action that requires lists, or an object
// that says one thing to do.
type action = either[listedName, *actionForms]

// actionForms are the forms of an action. An object is one of them, known by
// the first key of the form, which no other has; but do is also foreach's.
type actionForms struct {
	Call    callAction
	Assign  assignAction
	Raise   raiseAction
	Send    sendAction
	Cancel  cancelAction
	Append  appendAction
	Foreach foreachAction // before do, which is also its body
	Do      doAction
	Emit    emitAction
	Log     logAction
	If      ifAction
}

type callAction struct {
	Type   listedName                   `key:"type" required:"true" doc:"A registered action."`
	Params keyed[literalText, anyValue] `key:"params" doc:"Its parameters."`
}

type assignAction struct {
	Assign keyed[nameText, anyValue] `key:"assign" required:"true" doc:"Variables and what is written into them; all values see the data before."`
}

type raiseAction struct {
	Raise eventName `key:"raise" required:"true" doc:"An event of the session's own, taken in this macrostep; with a delay it comes through a timer."`
	Data  anyValue  `key:"data" doc:"Its payload."`
	Delay delayText `key:"delay" doc:"How long to wait."`
	ID    anyValue  `key:"id" doc:"A name for cancel."`
}

type sendAction struct {
	Send  eventName `key:"send" required:"true" doc:"An event for the session itself or for another."`
	To    anyValue  `key:"to" doc:"parent, the id of an invocation, or of another session. Without it: the session itself."`
	Data  anyValue  `key:"data" doc:"Its payload."`
	Delay delayText `key:"delay" doc:"How long to wait."`
	ID    anyValue  `key:"id" doc:"A name for cancel."`
}

type cancelAction struct {
	Cancel anyValue `key:"cancel" required:"true" doc:"The id of delayed events and do calls that are taken back."`
}

type appendAction struct {
	Append keyed[nameText, anyValue] `key:"append" required:"true" doc:"One list and the value that is added to it."`
}

type foreachAction struct {
	Foreach anyValue `key:"foreach" required:"true" doc:"A list; the actions run for each element of a copy of it."`
	As      nameText `key:"as" doc:"The variable that holds the element."`
	Index   nameText `key:"index" doc:"The variable that holds its position, from 0."`
	Do      []action `key:"do" required:"true" doc:"What is done for each."`
}

type doAction struct {
	Do      sourceText  `key:"do" required:"true" doc:"An outside call that the state does not wait for. Its end is done.do.ID, error.do.ID or unknown.do.ID."`
	Input   anyValue    `key:"input" doc:"Its argument."`
	Mode    literalText `key:"mode" enum:"at_most_once,at_least_once,reconcile" doc:"What may happen when nobody saw whether it happened."`
	Retry   retryObject `key:"retry" doc:"Further attempts after errors that allow them."`
	Timeout delayText   `key:"timeout" doc:"Ends one attempt."`
	Key     anyValue    `key:"key" doc:"Calls of one source with equal keys are one call."`
	ID      nameText    `key:"id" doc:"The call's name. Without it: the state's path and :do."`
}

type emitAction struct {
	Emit anyValue `key:"emit" required:"true" doc:"The name of an event for whoever subscribes, after the commit."`
	Data anyValue `key:"data" doc:"Its payload."`
}

type logAction struct {
	Log   anyValue    `key:"log" required:"true" doc:"A value for the log and the journal."`
	Level literalText `key:"level" enum:"debug,info,warn,error" doc:"Its level; info unless said."`
}

type ifAction struct {
	If   guard    `key:"if" required:"true" doc:"What decides."`
	Then []action `key:"then" required:"true" doc:"What is done when it holds."`
	Else []action `key:"else" doc:"What is done when it does not."`
}

// invocationObject is an outside call of a state.
type invocationObject struct {
	ID         nameText       `key:"id" doc:"The call's name: its end is done.invoke.ID. Without it: the state's path, a colon and the position."`
	Src        sourceText     `key:"src" required:"true" doc:"What is called."`
	Input      anyValue       `key:"input" doc:"Its argument, evaluated right after the entry actions."`
	Mode       literalText    `key:"mode" enum:"at_most_once,at_least_once,reconcile" doc:"What may happen when nobody saw whether it happened."`
	Timeout    delayText      `key:"timeout" doc:"Ends one attempt."`
	Heartbeat  delayText      `key:"heartbeat" doc:"An attempt that is silent for longer ends."`
	Retry      retryObject    `key:"retry" doc:"Further attempts after errors that allow them."`
	Key        anyValue       `key:"key" doc:"Calls of one source with equal keys are one call."`
	Approval   approvalObject `key:"approval" doc:"A person decides before the call is made."`
	Choices    []eventName    `key:"choices" min:"1" doc:"Of decide: the events a model may choose from. Without it: the state's own on keys."`
	OnDone     transitions    `key:"onDone" doc:"Transitions for its result, event.output."`
	OnError    transitions    `key:"onError" doc:"Transitions for its error, event.error."`
	OnUnknown  transitions    `key:"onUnknown" doc:"Transitions for when nobody saw whether it happened."`
	OnProgress transitions    `key:"onProgress" doc:"Transitions for its progress."`
}

// retryObject says when an attempt is followed by another.
type retryObject struct {
	Max         int           `key:"max" min:"0" doc:"Attempts after the first."`
	Initial     fixedDelay    `key:"initial" doc:"The wait before the first of them."`
	Factor      float64       `key:"factor" min:"1" doc:"How much longer each wait is than the one before."`
	MaxInterval fixedDelay    `key:"maxInterval" doc:"The longest wait."`
	Jitter      float64       `key:"jitter" min:"0" max:"1" doc:"Which share of a wait is left to chance, from 0 to 1."`
	On          []literalText `key:"on" doc:"The error codes that allow another attempt."`
}

// approvalObject says who decides on a call.
type approvalObject struct {
	Who      oneOrMany[literalText] `key:"who" doc:"Who may decide."`
	Question literalText            `key:"question" doc:"What is asked."`
	Deadline fixedDelay             `key:"deadline" doc:"How long the answer may take."`
}

// promotionObject is a promotion in long form: an object with a value.
type promotionObject struct {
	Value anyValue    `key:"value" required:"true" doc:"What is merged."`
	Merge literalText `key:"merge" enum:"replace,append,union,sum,max,min" doc:"How it is merged; replace unless said."`
}

// eventObject declares an event.
type eventObject struct {
	Data jsonSchema    `key:"data" min:"1" max:"100000" doc:"The JSON Schema of its payload."`
	From []literalText `key:"from" min:"1" enum:"client,model,human,session,tool" doc:"Who may send it; client and session unless said."`
}

// requiresObject lists the registered names that a file uses.
type requiresObject struct {
	Guards     []listedName `key:"guards" doc:"Guards that Go code registers."`
	Actions    []listedName `key:"actions" doc:"Actions that Go code registers."`
	Performers []listedName `key:"performers" doc:"Performers that Go code registers."`
}

// limitsObject lowers the bounds of a macrostep.
type limitsObject struct {
	Microsteps int `key:"microsteps" min:"1" max:"1000" doc:"Sets of transitions taken; 1,000 unless lowered."`
	Raised     int `key:"raised" min:"1" max:"1000" doc:"Events raised; 1,000 unless lowered."`
	Effects    int `key:"effects" min:"1" max:"100" doc:"Effects; 100 unless lowered."`
	Deferred   int `key:"deferred" min:"1" max:"1000" doc:"Deferred events kept; 1,000 unless lowered."`
	Fuel       int `key:"fuel" min:"1" max:"1000000" doc:"Work of all expressions; 1,000,000 unless lowered."`
	Data       int `key:"data" min:"1" max:"100000" doc:"Of how many values one value may be made; 100,000 unless lowered."`
}

// budgetObject bounds what a session uses.
type budgetObject struct {
	Tokens    int        `key:"tokens" min:"0" doc:"Tokens of models."`
	Calls     int        `key:"calls" min:"0" doc:"Outside calls."`
	Cost      float64    `key:"cost" min:"0" doc:"What the calls may cost, in the deployment's currency."`
	Time      fixedDelay `key:"time" doc:"How long the session may last."`
	IdleSteps int        `key:"idleSteps" min:"0" doc:"Macrosteps in a row that change nothing."`
}

// onlyObject cuts the inheritance of tools.
type onlyObject struct {
	Only []toolName `key:"only" required:"true" doc:"The tools that may be called, whatever stands above."`
}

// emptyObject is {}: nothing can be said yet.
type emptyObject struct{}

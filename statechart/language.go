package statechart

import (
	"encoding/json"
	"slices"

	"github.com/detent-run/detent/internal/strictjson"
)

// Expression is source text in the [Language] of a chart's [Registry]. It
// may stand wherever a value may, also inside lists and objects; every other
// string is literal text. Without a language, an Expression is the name of a
// value registered with [Compute] or [Registry.Value].
type Expression string

// A Language compiles the expressions of definitions. It is called while a
// chart is compiled only.
type Language interface {
	// Version names the language and its version; it goes into the digest.
	Version() string
	// Compile checks source against names and returns its program. The
	// error's text is shown to the author of the chart.
	Compile(source string, names Names) (Program, error)
}

// A Program is a compiled expression.
type Program interface {
	// Evaluate computes the value in a scope. It must be a function of the
	// scope alone, must charge its work to it, must not keep it, and must
	// not change any value it reads. It may be called concurrently with
	// different scopes.
	Evaluate(scope *Scope) (any, error)
}

// A ScriptLanguage also compiles statements, for the scripts of SCXML
// documents.
type ScriptLanguage interface {
	Language
	// CompileScript is Compile for a statement.
	CompileScript(source string, names Names) (Script, error)
}

// A Script is a compiled statement.
type Script interface {
	// Run executes the statement. It may write variables with [Scope.Set] and
	// [Scope.Store]; everything else is as for [Program.Evaluate].
	Run(scope *Scope) error
}

// A LocationLanguage also compiles locations: what a value can be assigned
// to beside a variable, such as a field of one (SCXML 5.9.3).
type LocationLanguage interface {
	Language
	// CompileLocation is Compile for a location.
	CompileLocation(source string, names Names) (Location, error)
}

// A Location is a compiled location.
type Location interface {
	// Assign stores a value, which it takes over. Rules as for [Script.Run].
	Assign(scope *Scope, value any) error
}

// A WatchfulLanguage also looks at the values that reach variables without
// it. It may then keep what is more than data, such as functions, in a form
// that data from outside cannot have.
type WatchfulLanguage interface {
	Language
	// Admit reports why value must not become that of the variable: a field
	// of [Start.Input] (SCXML 6.4.3), or what is written with [Scope.Set], as
	// registered functions do. [Scope.Store], which the language itself has
	// the slots for, does not ask. Admit may be called concurrently, and must
	// not change value.
	Admit(variable string, value any) error
}

// A Slot is the place of one variable in an instance's data.
type Slot int

// Names is what an expression may refer to at its place in a chart.
type Names struct {
	c     *compiler
	state int32
	local []localName
	event string
	guard bool
}

type localName struct {
	name string
	slot Slot
}

// Variable returns the slot of the variable that is called name and visible
// here: one of the state's or an ancestor's, a constant, or one of foreach.
func (n Names) Variable(name string) (Slot, bool) {
	for i := len(n.local) - 1; i >= 0; i-- {
		if n.local[i].name == name {
			return n.local[i].slot, true
		}
	}
	v, ok := n.c.visible(n.state, name)
	return v.slot, ok
}

// Visible returns the names of all variables that can be read here, sorted,
// for hints. After the first hundred errors of a chart there are none: a chart
// with many variables and many errors must not take long to refuse.
func (n Names) Visible() []string {
	if !n.c.hinting() {
		return nil
	}
	names := sortedKeys(n.c.namesAt(n.state))
	for _, l := range n.local {
		names = append(names, l.name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Event returns the descriptor of the transition that the expression belongs
// to and the JSON Schema that is declared for the data of that event. The
// descriptor is "" where any event may be in process, and the schema nil
// where none is declared.
func (n Names) Event() (descriptor string, schema any) {
	if d := n.c.events.declared[n.event]; d != nil {
		schema = d.Data
	}
	return n.event, schema
}

// Guard reports whether the expression is a condition, so that it must yield
// a boolean.
func (n Names) Guard() bool { return n.guard }

// Input returns the JSON Schema of the session's input, or nil.
func (n Names) Input() any { return n.c.chart.definition.Input }

// Tools returns the tools that a model invoked here may call: the state's
// own, then those of the states above, up to one that cuts the inheritance.
// The slice is shared and must not be changed.
func (n Names) Tools() []string {
	if tools, known := n.c.tools[n.state]; known {
		return tools
	}
	var tools []string
	seen := map[string]bool{}
	for s := n.state; s >= 0; s = n.c.chart.nodes[s].parent {
		def := n.c.chart.nodes[s].def
		for _, t := range def.Tools {
			if !seen[t] {
				seen[t] = true
				tools = append(tools, t)
			}
		}
		if def.ToolsOnly {
			break
		}
	}
	n.c.tools[n.state] = tools
	return tools
}

// Granted returns the tools that the deployment grants; known is false when
// the registry was not told.
func (n Names) Granted() (tools []string, known bool) {
	return n.c.registry.grants, n.c.registry.granted
}

// States returns the paths of all states, sorted, for hints. After the first
// hundred errors of a chart there are none.
func (n Names) States() []string {
	if !n.c.hinting() {
		return nil
	}
	return sortedKeys(n.c.chart.paths)
}

// State reports whether path, parted by dots and without the root, or an
// "#id", names a state.
func (n Names) State(path string) bool {
	_, ok := n.c.chart.find(path)
	return ok
}

// List reports whether name is an append-only list.
func (n Names) List(name string) bool {
	_, ok := n.c.lists[name]
	return ok
}

// MarshalJSON writes {"$expression": source}, which tells it from text.
func (e Expression) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{"$expression": string(e)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (e *Expression) UnmarshalJSON(data []byte) error {
	var m map[string]string
	if err := strictjson.Unmarshal(data, exact, &m); err != nil {
		return err
	}
	source, ok := m["$expression"]
	if !ok || len(m) != 1 {
		return &Error{Code: CodeInvalid, Message: `an expression is written {"$expression": "source"}`}
	}
	*e = Expression(source)
	return nil
}

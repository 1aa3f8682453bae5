package expression

import (
	"strconv"

	"github.com/expr-lang/expr/ast"

	"github.com/detent-run/detent/statechart"
)

// Document is the language of SCXML documents whose data model is "detent",
// for [statechart.Registry.Language]: [Language] and, read-only, _event,
// _sessionid, _name, _ioprocessors, _x and In("id") (R40). A variable may
// have the name of a function. It must not be changed after its first use,
// and may then be used concurrently.
type Document struct {
	// Name is the document's, which _name gives; "" if it has none.
	Name string
	// States has the path in the Definition of each state that the document
	// names, by its id there, for In.
	States map[string]string
}

var _ statechart.LocationLanguage = Document{}

// Version names the language and the document, which _name tells.
func (d Document) Version() string { return "detent-document/1 " + strconv.Quote(d.Name) }

// Compile checks a source against the names that are visible in its place.
// The error is always an [Error].
func (d Document) Compile(source string, names statechart.Names) (statechart.Program, error) {
	return compile(source, names, &d)
}

// inFunction is In, which only documents have.
var inFunction struct {
	name string
	*function
}

func init() {
	inFunction.name = "In"
	inFunction.function = &function{usage: `In("id")`, does: "whether the state with that id is active", least: 1, most: 1, gives: boolean, build: buildIn}
}

// buildIn looks a literal id up at once, so that a state that is not there is
// noticed; a computed one that names no state is not active.
func buildIn(c *compiler, n ast.Node, args []ast.Node) (code, error) {
	states := c.document.States
	if literal, ok := args[0].(*ast.StringNode); ok {
		path, ok := states[literal.Value]
		if !ok {
			return code{}, refuse(statechart.CodeUnknownState, c.at(literal), didYouMean(literal.Value, sortedKeys(states)), "there is no state %s", quote(literal.Value))
		}
		c.cost++
		return decides(c.at(n), func(s *statechart.Scope, _ []any) (bool, error) { return s.Active(path), nil }), nil
	}
	id, err := c.node(args[0])
	if err != nil {
		return code{}, err
	}
	if id.kinds&textual == 0 {
		return code{}, refuse(statechart.CodeExpression, id.at, `write In("id")`, "a state is named by text, not by %s", id.kinds)
	}
	return decides(c.at(n), func(s *statechart.Scope, l []any) (bool, error) {
		v, err := id.eval(s, l)
		if err != nil {
			return false, err
		}
		name, ok := v.(string)
		if !ok {
			return false, refuse(statechart.CodeExpression, id.at, `write In("id")`, "a state is named by text, not by %s", describe(v))
		}
		path, ok := states[name]
		return ok && s.Active(path), nil
	}), nil
}

// Parse reads a source of a document, as the function Parse reads one of a
// chart.
func (d Document) Parse(source string) (*Tree, error) { return parse(source, true) }

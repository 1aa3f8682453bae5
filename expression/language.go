package expression

import (
	"github.com/detent-run/detent/statechart"
)

// Language is the expression language, for [statechart.Registry.Language].
// Its zero value is ready, and it may be used concurrently.
type Language struct{}

var _ statechart.Language = Language{}

// Version names the language; it goes into the digest of charts. It rises
// when an expression changes its meaning.
func (Language) Version() string { return "detent-expression/1" }

// Compile checks a source against the names that are visible in its place.
// The error is always an [Error].
func (Language) Compile(source string, names statechart.Names) (statechart.Program, error) {
	return compile(source, names, nil)
}

// compile is Compile, for a chart or for an SCXML document.
func compile(source string, names statechart.Names, document *Document) (statechart.Program, error) {
	tree, err := parse(source, document != nil)
	if err != nil {
		return nil, err
	}
	c := &compiler{source: source, names: names, document: document}
	out, err := c.node(tree.node)
	if err != nil {
		return nil, placed(err, 0)
	}
	if names.Guard() && out.kinds&boolean == 0 {
		return nil, placed(noBoolean("a guard", out.kinds), out.at)
	}
	return &program{code: out, cost: c.cost, locals: c.slots}, nil
}

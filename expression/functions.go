package expression

import (
	"fmt"
	"maps"

	"github.com/expr-lang/expr/ast"

	"github.com/detent-run/detent/statechart"
)

// function is one that expressions can call. Exactly one of one, many, turns
// and build is set.
type function struct {
	usage       string // how it is written, for hints and the page
	does        string // one line for the page
	least, most int    // arguments; most is -1 for any number
	takes       []kind // of the arguments; the last goes for all that follow
	gives       kind

	one   func(m meter, x any) (any, error)
	many  func(m meter, args []any) (any, error)
	turns func(c *compiler, t *turns) (code, error)
	build func(c *compiler, n ast.Node, args []ast.Node) (code, error)
}

// counts says how many arguments there may be.
func (f *function) counts() string {
	plural := func(n int) string {
		if n == 1 {
			return "1 argument"
		}
		return fmt.Sprintf("%d arguments", n)
	}
	switch {
	case f.most < 0:
		return "at least " + plural(f.least)
	case f.least == f.most:
		return plural(f.least)
	}
	return fmt.Sprintf("%d to %s", f.least, plural(f.most))
}

// taken is the kinds that the argument i may have.
func (f *function) taken(i int) kind {
	if len(f.takes) == 0 {
		return anything
	}
	return f.takes[min(i, len(f.takes)-1)]
}

// functions are all of them; the page lists the same. It is filled when the
// program begins, because some of them call the compiler, which knows them
// by this table.
var functions = map[string]*function{}

// functionNames are their names, sorted.
var functionNames []string

func init() {
	for _, table := range []map[string]*function{
		textFunctions, numberFunctions, listFunctions, turnFunctions, objectFunctions, bitFunctions, chartFunctions,
	} {
		maps.Copy(functions, table)
	}
	functionNames = sortedKeys(functions)
}

func (c *compiler) call(n ast.Node, name string, arguments []ast.Node) (code, error) {
	f := functions[name]
	if c.document != nil && name == inFunction.name {
		f = inFunction.function
	}
	switch {
	case f.turns != nil:
		return c.callTurns(n, name, f, arguments)
	case f.build != nil:
		return f.build(c, n, arguments)
	}
	return c.callPlain(n, name, f, arguments)
}

// callPlain calls a function of values.
func (c *compiler) callPlain(n ast.Node, name string, f *function, arguments []ast.Node) (code, error) {
	args, err := c.nodes(arguments)
	if err != nil {
		return code{}, err
	}
	for i, a := range args {
		if k := f.taken(i); a.kinds&k == 0 {
			return code{}, refuse(statechart.CodeExpression, a.at, "write "+f.usage, "%s", badArgument(name, k, a.kinds))
		}
	}
	at := c.at(n)
	if f.one != nil {
		return callOne(name, f, args[0], at), nil
	}
	return yields(f.gives, at, func(s *statechart.Scope, l []any) (any, error) {
		if err := chargeList(s, len(args)); err != nil {
			return nil, err
		}
		values := make([]any, len(args))
		for i := range args {
			v, err := args[i].eval(s, l)
			if err != nil {
				return nil, err
			}
			if k := f.taken(i); k != anything && kindOf(v)&k == 0 {
				return nil, refuse(statechart.CodeExpression, args[i].at, "write "+f.usage, "%s", badArgument(name, k, kindOf(v)))
			}
			values[i] = v
		}
		out, err := f.many(s, values)
		if err != nil {
			return nil, placed(err, at)
		}
		return out, nil
	}), nil
}

func callOne(name string, f *function, arg code, at int) code {
	inner, takes, run := arg.eval, f.taken(0), f.one
	return yields(f.gives, at, func(s *statechart.Scope, l []any) (any, error) {
		v, err := inner(s, l)
		if err != nil {
			return nil, err
		}
		if takes != anything && kindOf(v)&takes == 0 {
			return nil, refuse(statechart.CodeExpression, arg.at, "write "+f.usage, "%s", badArgument(name, takes, kindOf(v)))
		}
		out, err := run(s, v)
		if err != nil {
			return nil, placed(err, at)
		}
		return out, nil
	})
}

func badArgument(name string, want, got kind) string {
	return fmt.Sprintf("%q needs %s, not %s", name, want, got)
}

package expression

import (
	"github.com/expr-lang/expr/ast"

	"github.com/detent-run/detent/statechart"
)

// compiler turns a checked tree into code, looking names up and telling what
// can never work from the kinds of the values.
type compiler struct {
	source   string
	names    statechart.Names
	document *Document // the SCXML document whose names there are besides
	cost     int64     // of the parts since the body began
	slots    int       // of locals that are taken
	lets     []local
	bodies   []body // of functions, innermost last
}

// local is a variable of let.
type local struct {
	name string
	slot int
	shape
}

// body is what # means inside a function's body.
type body struct {
	function            string
	element, index, acc int // slots of locals; -1 for one that it has not
	shape                   // of the element
}

func (c *compiler) at(n ast.Node) int { return byteOffset(c.source, n.Location().From) }

// slot takes a new local.
func (c *compiler) slot() int {
	c.slots++
	return c.slots - 1
}

// refuse is an error at a place.
func refuse(code statechart.Code, at int, hint, format string, args ...any) error {
	e := wrong(hint, format, args...)
	e.Code, e.Offset = code, at
	return e
}

func (c *compiler) node(n ast.Node) (code, error) {
	c.cost++
	switch x := n.(type) {
	case *ast.NilNode:
		return constant(nil, c.at(n)), nil
	case *ast.BoolNode:
		return constant(x.Value, c.at(n)), nil
	case *ast.IntegerNode:
		return constant(int64(x.Value), c.at(n)), nil
	case *ast.FloatNode:
		return constant(x.Value, c.at(n)), nil
	case *ast.StringNode:
		return constant(x.Value, c.at(n)), nil
	case *ast.IdentifierNode:
		return c.identifier(x)
	case *ast.PointerNode:
		return c.pointer(x)
	case *ast.UnaryNode:
		return c.unary(x)
	case *ast.BinaryNode:
		return c.binary(x)
	case *ast.ConditionalNode:
		return c.conditional(x)
	case *ast.VariableDeclaratorNode:
		return c.let(x)
	case *ast.SequenceNode:
		return c.sequence(x)
	case *ast.ChainNode:
		return c.chain(x)
	case *ast.MemberNode:
		return c.member(x, false)
	case *ast.SliceNode:
		return c.slice(x, false)
	case *ast.ArrayNode:
		return c.array(x)
	case *ast.MapNode:
		return c.object(x)
	case *ast.BuiltinNode:
		return c.call(n, x.Name, x.Arguments)
	case *ast.CallNode:
		return c.call(n, x.Callee.(*ast.IdentifierNode).Value, x.Arguments)
	}
	return code{}, refuse(statechart.CodeExpression, c.at(n), "", "this form is not part of the language")
}

func (c *compiler) nodes(nodes []ast.Node) ([]code, error) {
	out := make([]code, len(nodes))
	for i, n := range nodes {
		var err error
		if out[i], err = c.node(n); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (c *compiler) conditional(x *ast.ConditionalNode) (code, error) {
	parts, err := c.nodes([]ast.Node{x.Cond, x.Exp1, x.Exp2})
	if err != nil {
		return code{}, err
	}
	when, err := parts[0].condition("a condition")
	if err != nil {
		return code{}, err
	}
	yes, no := parts[1].eval, parts[2].eval
	out := yields(parts[1].kinds|parts[2].kinds, parts[0].at, func(s *statechart.Scope, l []any) (any, error) {
		b, err := when(s, l)
		if err != nil {
			return nil, err
		}
		if b {
			return yes(s, l)
		}
		return no(s, l)
	})
	return out, nil
}

func (c *compiler) let(x *ast.VariableDeclaratorNode) (code, error) {
	if c.isSystem(x.Name) {
		return code{}, refuse(statechart.CodeExpression, c.at(x), "choose another name", "let would hide %s", quote(x.Name))
	}
	if _, ok := c.names.Variable(x.Name); ok || c.names.List(x.Name) {
		return code{}, refuse(statechart.CodeExpression, c.at(x), "choose another name", "let would hide the variable %s", quote(x.Name))
	}
	for _, l := range c.lets {
		if l.name == x.Name {
			return code{}, refuse(statechart.CodeExpression, c.at(x), "choose another name", "let defines %s twice", quote(x.Name))
		}
	}
	value, err := c.node(x.Value)
	if err != nil {
		return code{}, err
	}
	slot := c.slot()
	c.lets = append(c.lets, local{x.Name, slot, value.shape})
	rest, err := c.node(x.Expr)
	c.lets = c.lets[:len(c.lets)-1]
	if err != nil {
		return code{}, err
	}
	first, then := value.eval, rest.eval
	return code{shape: rest.shape, at: rest.at, eval: func(s *statechart.Scope, l []any) (any, error) {
		v, err := first(s, l)
		if err != nil {
			return nil, err
		}
		l[slot] = v
		return then(s, l)
	}}, nil
}

func (c *compiler) sequence(x *ast.SequenceNode) (code, error) {
	parts, err := c.nodes(x.Nodes)
	if err != nil {
		return code{}, err
	}
	last := parts[len(parts)-1]
	before := parts[:len(parts)-1]
	return code{shape: last.shape, at: last.at, eval: func(s *statechart.Scope, l []any) (any, error) {
		for _, p := range before {
			if _, err := p.eval(s, l); err != nil {
				return nil, err
			}
		}
		return last.eval(s, l)
	}}, nil
}

// array makes a list. One of literals is made once and shared: values are
// never changed.
func (c *compiler) array(x *ast.ArrayNode) (code, error) {
	parts, err := c.nodes(x.Nodes)
	if err != nil {
		return code{}, err
	}
	at := c.at(x)
	values, literal := literals(parts)
	if literal {
		return constant(values, at), nil
	}
	return yields(list, at, func(s *statechart.Scope, l []any) (any, error) {
		if err := chargeList(s, len(parts)); err != nil {
			return nil, err
		}
		out := make([]any, len(parts))
		for i := range parts {
			v, err := parts[i].eval(s, l)
			if err != nil {
				return nil, err
			}
			out[i] = v
		}
		return out, nil
	}), nil
}

func literals(parts []code) (values []any, ok bool) {
	values = make([]any, len(parts))
	for i, p := range parts {
		if !p.literal {
			return nil, false
		}
		values[i] = p.value
	}
	return values, true
}

// object makes an object; of two pairs with one key the last counts.
func (c *compiler) object(x *ast.MapNode) (code, error) {
	keys, values := make([]code, len(x.Pairs)), make([]code, len(x.Pairs))
	seen := map[string]bool{}
	for i, p := range x.Pairs {
		pair := p.(*ast.PairNode)
		var err error
		if keys[i], err = c.node(pair.Key); err != nil {
			return code{}, err
		}
		if keys[i].kinds&textual == 0 {
			return code{}, refuse(statechart.CodeExpression, keys[i].at, "turn it into text with string(x)", "a key must be text, not %s", keys[i].kinds)
		}
		if k, ok := keys[i].value.(string); ok {
			if seen[k] {
				return code{}, refuse(statechart.CodeExpression, keys[i].at, "remove one of them", "the key %s comes twice in one object", quote(k))
			}
			seen[k] = true
		}
		if values[i], err = c.node(pair.Value); err != nil {
			return code{}, err
		}
	}
	return yields(object, c.at(x), makeObject(keys, values)), nil
}

func makeObject(keys, values []code) eval {
	return func(s *statechart.Scope, l []any) (any, error) {
		if err := chargeObject(s, len(keys)); err != nil {
			return nil, err
		}
		out := make(map[string]any, len(keys))
		for i := range keys {
			k, err := keys[i].eval(s, l)
			if err != nil {
				return nil, err
			}
			name, ok := k.(string)
			if !ok {
				return nil, placed(wrong("turn it into text with string(x)", "a key must be text, not %s", describe(k)), keys[i].at)
			}
			if out[name], err = values[i].eval(s, l); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
}

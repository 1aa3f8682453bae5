package expression

import (
	"errors"
	"unicode/utf8"

	"github.com/expr-lang/expr/ast"

	"github.com/detent-run/detent/statechart"
)

// errShort ends a chain whose value is null: a?.b.c where a is null, or any
// step of what stands left of ?? that is not there.
var errShort = errors.New("the chain ends here")

// chain catches errShort.
func (c *compiler) chain(x *ast.ChainNode) (code, error) {
	inner, err := c.lenient(x.Node, false)
	if err != nil {
		return code{}, err
	}
	return orNull(inner), nil
}

// orNull makes null of what is not there.
func orNull(inner code) code {
	f := inner.eval
	return code{shape: shape{inner.kinds | null, inner.schema}, at: inner.at, eval: func(s *statechart.Scope, l []any) (any, error) {
		v, err := f(s, l)
		if err == errShort {
			return nil, nil
		}
		return v, err
	}}
}

// lenient compiles a part; with it set, each step of a chain of members may
// miss, as if it were written with ?.
func (c *compiler) lenient(n ast.Node, on bool) (code, error) {
	switch x := n.(type) {
	case *ast.MemberNode:
		c.cost++
		return c.member(x, on)
	case *ast.BinaryNode:
		if on && x.Operator == "??" {
			c.cost++
			return c.otherwise(x, on)
		}
	case *ast.SliceNode:
		c.cost++
		return c.slice(x, on)
	case *ast.ChainNode:
		if on {
			c.cost++
			return c.lenient(x.Node, on)
		}
	case *ast.IdentifierNode:
		if on && x.Value == systemEvent && c.isSystem(x.Value) {
			c.cost++
			return c.eventOrNone(c.at(x)), nil
		}
	}
	return c.node(n)
}

// missing is the value of a member that is not there.
type missing uint8

const (
	missingFails missing = iota // x.a
	missingNull                 // x?.a
	missingShort                // left of ??
)

func (c *compiler) member(x *ast.MemberNode, lenient bool) (code, error) {
	mode := missingFails
	switch {
	case lenient:
		mode = missingShort
	case x.Optional:
		mode = missingNull
	}
	if name, ok := x.Property.(*ast.StringNode); ok {
		return c.field(x, name, mode)
	}
	base, err := c.lenient(x.Node, lenient)
	if err != nil {
		return code{}, err
	}
	index, err := c.node(x.Property)
	if err != nil {
		return code{}, err
	}
	return c.element(base, index, mode)
}

// field is x.name or x["name"].
func (c *compiler) field(x *ast.MemberNode, property *ast.StringNode, mode missing) (code, error) {
	name, at := property.Value, c.at(property)
	c.cost++
	if isName(x.Node, systemEvent) && c.isSystem(systemEvent) {
		c.cost++
		return c.fieldOfSystemEvent(name, at, mode)
	}
	if base, ok := x.Node.(*ast.IdentifierNode); ok && !c.isLocal(base.Value) {
		switch base.Value {
		case "event":
			c.cost++
			return c.fieldOfEvent(name, at, mode)
		case "session":
			c.cost++
			return c.sessionField(name, at)
		}
	}
	base, err := c.lenient(x.Node, mode == missingShort)
	if err != nil {
		return code{}, err
	}
	sh, err := fieldShape(base.shape, name, at, mode)
	if err != nil {
		return code{}, err
	}
	inner, input := base.eval, isName(x.Node, "input")
	return code{shape: sh, at: at, eval: func(s *statechart.Scope, l []any) (any, error) {
		v, err := inner(s, l)
		if err != nil {
			return nil, err
		}
		if m, ok := v.(map[string]any); ok {
			if f, ok := m[name]; ok {
				return f, nil
			}
		}
		return noField(v, name, at, mode, input)
	}}, nil
}

func (c *compiler) isLocal(name string) bool {
	for _, l := range c.lets {
		if l.name == name {
			return true
		}
	}
	_, ok := c.names.Variable(name)
	return ok
}

func isName(n ast.Node, name string) bool {
	i, ok := n.(*ast.IdentifierNode)
	return ok && i.Value == name
}

// fieldShape refuses a field that cannot be there.
func fieldShape(base shape, name string, at int, mode missing) (shape, error) {
	if base.kinds&object == 0 && (mode == missingFails || base.kinds&null == 0) {
		return unknown, refuse(statechart.CodeExpression, at, fieldHint(base.kinds, mode), "%s has no fields, so no %s", base.kinds, quote(name))
	}
	sh, ok := base.field(name)
	if !ok {
		return unknown, refuse(statechart.CodeExpression, at, didYouMean(name, base.fields()), "there is no field %s", quote(name))
	}
	if mode != missingFails {
		sh.kinds |= null
	}
	return sh, nil
}

func fieldHint(k kind, mode missing) string {
	switch {
	case k == list:
		return "name the element first, as in x[0].a"
	case k == null && mode == missingFails:
		return "?. reads what may be null"
	}
	return ""
}

// noField is what reading a field comes to that is not there.
func noField(v any, name string, at int, mode missing, input bool) (any, error) {
	fields, isObject := v.(map[string]any)
	switch {
	case v == nil && mode != missingFails:
		return nil, errShort
	case v == nil && input:
		return nil, refuse(statechart.CodeExpression, at, "keep it in a variable: its initial value may be ${ input."+name+" }",
			"the input is known only while the session starts")
	case v == nil:
		return nil, refuse(statechart.CodeExpression, at, "?. reads what may be null", "null has no field %s", quote(name))
	case !isObject:
		return nil, refuse(statechart.CodeExpression, at, fieldHint(kindOf(v), mode), "%s has no fields, so no %s", describe(v), quote(name))
	case mode == missingNull:
		return nil, nil
	case mode == missingShort:
		return nil, errShort
	}
	return nil, refuse(statechart.CodeExpression, at, absentHint(name, fields), "there is no field %s", quote(name))
}

// absentHint looks for a field that was meant, in objects of a sane size;
// own are names besides.
func absentHint(name string, fields map[string]any, own ...string) string {
	if len(fields) <= 64 {
		if hint := didYouMean(name, append(sortedKeys(fields), own...)); hint != "" {
			return hint
		}
	}
	return "?. and ?? read a field that may be absent"
}

func (c *compiler) fieldOfEvent(name string, at int, mode missing) (code, error) {
	sh, ok := c.eventShape(name)
	if !ok {
		descriptor, _ := c.names.Event()
		return code{}, refuse(statechart.CodeExpression, at, didYouMean(name, c.eventFields()), "the event %s has no field %s", quote(descriptor), quote(name))
	}
	read := eventField(name)
	if mode != missingFails {
		sh.kinds |= null
	}
	return code{shape: sh, at: at, eval: func(s *statechart.Scope, _ []any) (any, error) {
		v, ok := read(s)
		if ok {
			return v, nil
		}
		return noEventField(s, name, at, mode)
	}}, nil
}

func noEventField(s *statechart.Scope, name string, at int, mode missing) (any, error) {
	switch mode {
	case missingNull:
		return nil, nil
	case missingShort:
		return nil, errShort
	}
	payload, _ := s.Event().Data.(map[string]any)
	return nil, refuse(statechart.CodeExpression, at, absentHint(name, payload, ownFields(s.Event().Name)...), "the event %s has no field %s", quote(s.Event().Name), quote(name))
}

// element is x[i]: of a list or text by number, of an object by name.
func (c *compiler) element(base, index code, mode missing) (code, error) {
	of := base.kinds & (list | textual | object)
	if index.kinds&(integer|textual) == 0 {
		return code{}, refuse(statechart.CodeExpression, index.at, "", "an element is read by an integer or a field's name, not by %s", index.kinds)
	}
	if of == 0 && (mode == missingFails || base.kinds&null == 0) {
		return code{}, refuse(statechart.CodeExpression, index.at, "", "%s has no elements", base.kinds)
	}
	sh, at := unknown, index.at
	if of == list {
		sh = base.element()
	}
	if mode != missingFails {
		sh.kinds |= null
	}
	from, by := base.eval, index.eval
	return code{shape: sh, at: at, eval: func(s *statechart.Scope, l []any) (any, error) {
		v, err := from(s, l)
		if err != nil {
			return nil, err
		}
		if v == nil && mode != missingFails {
			return nil, errShort
		}
		i, err := by(s, l)
		if err != nil {
			return nil, err
		}
		x, found, err := elementOf(s, v, i)
		switch {
		case err != nil:
			return nil, placed(err, at)
		case found:
			return x, nil
		}
		return noElement(v, i, at, mode)
	}}, nil
}

// elementOf reads an element; a negative number counts from the end.
func elementOf(m meter, v, i any) (x any, found bool, err error) {
	switch from := v.(type) {
	case []any:
		n, ok := i.(int64)
		if !ok {
			return nil, false, wrong("", "a list's element is read by an integer, not by %s", describe(i))
		}
		if n < 0 {
			n += int64(len(from))
		}
		if n < 0 || n >= int64(len(from)) {
			return nil, false, nil
		}
		return from[n], true, nil
	case map[string]any:
		name, ok := i.(string)
		if !ok {
			return nil, false, wrong("turn it into text with string(x)", "an object's field is named by text, not by %s", describe(i))
		}
		x, found = from[name]
		return x, found, nil
	case string:
		n, ok := i.(int64)
		if !ok {
			return nil, false, wrong("", "a character is read by an integer, not by %s", describe(i))
		}
		return character(m, from, n)
	}
	hint := ""
	if v == nil {
		hint = "?.[ ] reads what may be null"
	}
	return nil, false, wrong(hint, "%s has no elements", describe(v))
}

func character(m meter, s string, n int64) (any, bool, error) {
	if err := chargeText(m, len(s)); err != nil {
		return nil, false, err
	}
	if n < 0 {
		n += int64(utf8.RuneCountInString(s))
	}
	for _, r := range s {
		if n == 0 {
			return string(r), true, nil
		}
		n--
	}
	return nil, false, nil
}

func noElement(v, i any, at int, mode missing) (any, error) {
	switch mode {
	case missingNull:
		return nil, nil
	case missingShort:
		return nil, errShort
	}
	switch x := v.(type) {
	case map[string]any:
		return noField(v, i.(string), at, mode, false)
	case []any:
		return nil, refuse(statechart.CodeExpression, at, "?.[ ] and ?? read an element that may be absent", "there is no element %d in a list of %d", i, len(x))
	}
	return nil, refuse(statechart.CodeExpression, at, "?.[ ] and ?? read a character that may be absent", "there is no character %d in the text", i)
}

package prefix

import (
	"errors"
	"fmt"
	"math"
)

// arity is the number of arguments of each operator; -1 is any number.
var arity = map[string]int{
	"+": 2, "-": 2, "*": 2, "mod": 2, "<": 2, "=": 2, "not": 1, "and": 2, "or": 2, "if": 3,
	"list": -1, "push": 2, "size": 1, "cat": 2, "float": 1,
	"fail": 0, "now": 0, "event": 0, "in": 1, "data": 1, "rows": 1,
}

// named are the operators whose argument is a bare name.
var named = map[string]bool{"in": true, "data": true, "rows": true}

// keep is how many elements push leaves, so that no loop grows a list.
const keep = 4

// Evaluate computes x.
func (x *Expression) Evaluate(s Scope) (any, error) {
	if err := s.Charge(1); err != nil {
		return nil, err
	}
	switch x.form {
	case "literal":
		return x.lit, nil
	case "variable":
		return s.Variable(x.name), nil
	case "fail":
		return nil, errors.New("fail was evaluated")
	case "now":
		return s.Now(), nil
	case "event":
		return s.Event().Name, nil
	case "in":
		return s.Active(x.name), nil
	case "rows":
		return s.Len(x.name), nil
	case "data":
		fields, _ := s.Event().Data.(map[string]any)
		return fields[x.name], nil
	case "and", "or", "if":
		return x.branch(s)
	}
	args := make([]any, len(x.args))
	for i, a := range x.args {
		v, err := a.Evaluate(s)
		if err != nil {
			return nil, err
		}
		args[i] = v
	}
	return apply(x.form, args)
}

// branch evaluates the forms that do not evaluate all their arguments.
func (x *Expression) branch(s Scope) (any, error) {
	v, err := x.args[0].Evaluate(s)
	if err != nil {
		return nil, err
	}
	b, ok := v.(bool)
	switch {
	case !ok:
		return nil, fmt.Errorf("%s needs a boolean", x.form)
	case x.form == "if" && !b:
		return x.args[2].Evaluate(s)
	case x.form == "and" && !b, x.form == "or" && b:
		return b, nil
	}
	return x.args[1].Evaluate(s)
}

func apply(form string, args []any) (any, error) {
	switch form {
	case "list":
		return args, nil
	case "=":
		return equal(args[0], args[1]), nil
	case "not":
		if b, ok := args[0].(bool); ok {
			return !b, nil
		}
	case "push":
		if l, ok := args[0].([]any); ok {
			l = append(append([]any{}, l...), args[1])
			return l[max(0, len(l)-keep):], nil
		}
	case "size":
		switch v := args[0].(type) {
		case []any:
			return int64(len(v)), nil
		case string:
			return int64(len(v)), nil
		}
	case "cat":
		a, ok := args[0].(string)
		b, ok2 := args[1].(string)
		if ok && ok2 {
			a += b
			return a[max(0, len(a)-2*keep):], nil
		}
	case "float":
		if n, ok := args[0].(int64); ok {
			return float64(n) + 0.5, nil
		}
	default:
		a, ok := args[0].(int64)
		b, ok2 := args[1].(int64)
		if ok && ok2 {
			return integer(form, a, b)
		}
	}
	return nil, fmt.Errorf("%s does not take %v", form, args)
}

func integer(form string, a, b int64) (any, error) {
	switch form {
	case "<":
		return a < b, nil
	case "mod":
		if b == 0 {
			return nil, errors.New("mod by zero")
		}
		return a % b, nil
	}
	// Small operands only, so that overflow is an error and not a value.
	if max(a, -a, b, -b) > math.MaxInt32 {
		return nil, errors.New("a number is too large")
	}
	switch form {
	case "+":
		return a + b, nil
	case "-":
		return a - b, nil
	default:
		return a * b, nil
	}
}

// equal compares scalars; lists and objects equal nothing.
func equal(a, b any) bool {
	switch a.(type) {
	case []any, map[string]any:
		return false
	}
	switch b.(type) {
	case []any, map[string]any:
		return false
	}
	return a == b
}

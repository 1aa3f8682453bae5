package prefix

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/bits"
)

// arity is the number of arguments of each operator; -1 is any number.
var arity = map[string]int{
	"+": 2, "-": 2, "*": 2, "mod": 2, "<": 2, "=": 2, "not": 1, "and": 2, "or": 2, "if": 3,
	"list": -1, "text": -1, "push": 2, "size": 1, "cat": 2, "float": 1,
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
	v, err = x.args[1].Evaluate(s)
	if _, ok := v.(bool); err == nil && !ok && x.form != "if" {
		return nil, fmt.Errorf("%s needs a boolean", x.form)
	}
	return v, err
}

func apply(form string, args []any) (any, error) {
	switch form {
	case "list":
		return args, nil
	case "text":
		return joinedText(args)
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
		s, ok := args[0].(string)
		t, ok2 := args[1].(string)
		if form == "<" && ok && ok2 {
			return s < t, nil
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
	switch form {
	case "+":
		if (a+b > a) == (b > 0) {
			return a + b, nil
		}
	case "-":
		if (a-b < a) == (b > 0) {
			return a - b, nil
		}
	case "*":
		if hi, lo := bits.Mul64(magnitude(a), magnitude(b)); hi == 0 && lo <= math.MaxInt64 {
			return a * b, nil
		}
	}
	return nil, errors.New("the result does not fit 64 bits")
}

func magnitude(a int64) uint64 { return uint64(max(a, -a)) }

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

// joinedText joins values as text; null has none.
func joinedText(args []any) (any, error) {
	var b bytes.Buffer
	for _, a := range args {
		if a == nil {
			return nil, errors.New("null is no text")
		}
		if s, ok := a.(string); ok {
			b.WriteString(s)
			continue
		}
		encoder := json.NewEncoder(&b)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(a); err != nil {
			return nil, err
		}
		b.Truncate(b.Len() - 1) // the line break
	}
	return b.String(), nil
}

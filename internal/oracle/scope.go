package oracle

import (
	"errors"
	"fmt"
	"sort"

	"github.com/detent-run/detent/statechart"
)

// Behaviour is what a chart's names and expressions stand for.
type Behaviour struct {
	Guards  map[string]func(*Scope) (bool, error)
	Actions map[string]func(*Scope) error
	// Evaluate computes an expression.
	Evaluate func(source string, x *Scope) (any, error)
	// CloneContext copies a typed context, so that a macrostep can be undone.
	CloneContext func(any) any
}

// Scope is what an expression, a guard or an action sees at one place.
type Scope struct {
	s      *Session
	at     *state
	params map[string]any
	locals []local // of foreach, innermost last
}

type local struct {
	name  string
	value any
}

func (s *Session) scope(at *state) *Scope { return &Scope{s: s, at: at} }

// Event is the event that is being processed.
func (x *Scope) Event() statechart.Event { return x.s.m.event }

// Params are the parameters of the call.
func (x *Scope) Params() map[string]any { return x.params }

// Context is the typed context, nil for charts with data.
func (x *Scope) Context() any { return x.s.context }

// Now is the time of the macrostep (R30).
func (x *Scope) Now() int64 { return x.s.now }

// Len is the length of an append-only list.
func (x *Scope) Len(list string) int64 { return x.s.lists[list] }

// Active reports whether the state at path is active.
func (x *Scope) Active(path string) bool { return x.s.config[x.s.chart.find(path)] }

// Raise queues an internal event.
func (x *Scope) Raise(e statechart.Event) error {
	x.s.raise(e)
	return nil
}

// Charge takes fuel (R29).
func (x *Scope) Charge(n int64) error {
	if !x.s.m.silent {
		if x.s.m.fuel -= n; x.s.m.fuel < 0 && !x.s.m.unbounded {
			panic(bound{statechart.CodeFuel})
		}
	}
	return nil
}

// holder returns the scope that declares name, from here outward.
func (x *Scope) holder(name string) map[string]any {
	for st := x.at; st != nil; st = st.parent {
		if _, ok := x.s.scopes[st][name]; ok {
			return x.s.scopes[st]
		}
	}
	return nil
}

// Get returns the visible variable of that name.
func (x *Scope) Get(name string) (any, bool) {
	for i := len(x.locals) - 1; i >= 0; i-- {
		if x.locals[i].name == name {
			return x.locals[i].value, true
		}
	}
	v, ok := x.holder(name)[name]
	return v, ok
}

// Variable is Get for names that are known to be declared.
func (x *Scope) Variable(name string) any {
	v, _ := x.Get(name)
	return v
}

// Set writes the variable of that name in the nearest scope that has it.
func (x *Scope) Set(name string, v any) error {
	scope := x.holder(name)
	if scope == nil {
		return fmt.Errorf("%s is not declared", name)
	}
	for _, constant := range x.s.chart.def.Constants {
		if constant.Name == name {
			return fmt.Errorf("%s is constant", name)
		}
	}
	scope[name] = v
	return nil
}

// with returns x with further foreach variables.
func (x *Scope) with(more ...local) *Scope {
	y := *x
	y.locals = append(append([]local{}, x.locals...), more...)
	return &y
}

// value evaluates the expressions in v, at any depth. What is computed is
// looked through, which costs (R29): once by itself, and once more as a part
// of a list or an object.
func (x *Scope) value(v any) (any, error) {
	out, err := x.parts(v)
	if err != nil || !computes(v) {
		return out, err
	}
	if _, alone := v.(statechart.Expression); !alone {
		x.lookThrough(out)
	}
	return out, nil
}

func (x *Scope) parts(v any) (any, error) {
	switch v := v.(type) {
	case statechart.Expression:
		out, err := x.s.chart.behaviour.Evaluate(string(v), x)
		if err == nil {
			x.lookThrough(out)
		}
		return out, err
	case []any:
		if !computes(v) {
			return v, nil
		}
		_ = x.Charge(1 + int64(len(v)))
		out := make([]any, len(v))
		for i := range v {
			var err error
			if out[i], err = x.parts(v[i]); err != nil {
				return nil, err
			}
		}
		return out, nil
	case map[string]any:
		out, err := x.object(v)
		if err != nil {
			return nil, err // and no map, not even a nil one
		}
		return out, nil
	}
	return v, nil
}

func (x *Scope) object(v map[string]any) (map[string]any, error) {
	if v == nil || !computes(v) {
		return v, nil
	}
	_ = x.Charge(8 + 4*int64(len(v)))
	keys := make([]string, 0, len(v))
	for k := range v {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	out := map[string]any{}
	for _, k := range keys {
		var err error
		if out[k], err = x.parts(v[k]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// given evaluates the parameters of a registered name.
func (x *Scope) given(p map[string]any) (map[string]any, error) {
	v, err := x.value(p)
	params, _ := v.(map[string]any)
	return params, err
}

// text evaluates v to a string; nil is the empty one.
func (x *Scope) text(v any) (string, error) {
	v, err := x.value(v)
	if err != nil {
		return "", err
	}
	text, ok := v.(string)
	if !ok && v != nil {
		return "", fmt.Errorf("%v is no text", v)
	}
	return text, nil
}

// condition asks a guard; an error anywhere in it is an error of the whole.
func (x *Scope) condition(c *statechart.Condition) (bool, error) {
	switch {
	case c.Name != "":
		return x.guard(c)
	case c.Expression != "":
		v, err := x.value(c.Expression)
		if err != nil {
			return false, err
		}
		b, ok := v.(bool)
		if !ok {
			return false, errors.New("a guard must be a boolean")
		}
		return b, nil
	case c.And != nil:
		return x.all(c.And, true)
	case c.Or != nil:
		return x.all(c.Or, false)
	case c.Not != nil:
		b, err := x.condition(c.Not)
		return !b && err == nil, err
	case c.In != "":
		return x.Active(c.In), nil
	}
	return true, nil
}

// all asks the parts of And (until = true) and Or (until = false) in order,
// up to the first that decides.
func (x *Scope) all(parts []statechart.Condition, until bool) (bool, error) {
	for i := range parts {
		b, err := x.condition(&parts[i])
		if err != nil || b != until {
			return b && err == nil, err
		}
	}
	return until, nil
}

func (x *Scope) guard(c *statechart.Condition) (bool, error) {
	params, err := x.given(c.Params)
	if err != nil {
		return false, err
	}
	y := *x
	y.params = params
	_ = x.Charge(1)
	return x.s.chart.behaviour.Guards[c.Name](&y)
}

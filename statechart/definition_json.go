package statechart

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/detent-run/detent/internal/strictjson"
)

// UnmarshalJSON reads what encoding/json writes of a Definition. Unknown keys,
// duplicate keys and numbers that do not fit are errors. In values,
// {"$expression": "source"} is an Expression, and a number without point and
// exponent is an integer. Chart files have a friendlier format; this one is
// exact.
func (def *Definition) UnmarshalJSON(data []byte) error {
	type plain Definition // without this method
	var read plain
	if err := strictjson.Unmarshal(data, exact, &read); err != nil {
		return &Error{Code: CodeInvalid, Message: "the definition cannot be read: " + err.Error(), Cause: err}
	}
	*def = Definition(read)
	if err := (&valueVisitor{f: parsed}).definition(def); err != nil {
		return &Error{Code: CodeInvalid, Message: err.Error(), Cause: err}
	}
	return nil
}

// parsed turns marked objects into Expressions.
func parsed(v any) (any, error) {
	switch x := v.(type) {
	case []any:
		for i, e := range x {
			n, err := parsed(e)
			if err != nil {
				return nil, err
			}
			x[i] = n
		}
	case map[string]any:
		if source, ok := x["$expression"].(string); ok && len(x) == 1 {
			return Expression(source), nil
		}
		for _, k := range sortedKeys(x) {
			n, err := parsed(x[k])
			if err != nil {
				return nil, err
			}
			x[k] = n
		}
	}
	return v, nil
}

// MarshalJSON writes the definition so that reading gives back the same Go
// values: a float64 always has a point or an exponent.
func (def Definition) MarshalJSON() ([]byte, error) {
	type plain Definition // without this method
	v := valueVisitor{f: exactly, copying: true}
	if err := v.definition(&def); err != nil {
		return nil, err
	}
	return json.Marshal(plain(def))
}

// exactly turns the numbers in a value into their canonical text.
func exactly(v any) (any, error) {
	b, err := appendJSON(nil, v)
	return json.RawMessage(b), err
}

// valueVisitor replaces every value position of a definition by what f makes
// of it; copying, it does so on a copy.
type valueVisitor struct {
	f       func(any) (any, error)
	copying bool
	err     error
}

func (v *valueVisitor) definition(def *Definition) error {
	v.value(&def.Input)
	own(v, &def.Events)
	for i := range def.Events {
		v.value(&def.Events[i].Data)
	}
	v.variables(&def.Constants)
	v.variables(&def.Delays)
	v.object(&def.Budget)
	v.state(&def.Root)
	return v.err
}

// own makes a list the visitor's to change.
func own[T any](v *valueVisitor, list *[]T) {
	if v.copying {
		*list = slices.Clone(*list)
	}
}

func (v *valueVisitor) value(x *any) {
	if *x == nil || v.err != nil {
		return
	}
	n, err := v.f(*x)
	if err != nil {
		v.err = err
		return
	}
	*x = n
}

func (v *valueVisitor) object(m *map[string]any) {
	if v.copying {
		*m = maps.Clone(*m)
	}
	for _, k := range sortedKeys(*m) {
		x := (*m)[k]
		v.value(&x)
		(*m)[k] = x
	}
}

func (v *valueVisitor) variables(list *[]Variable) {
	own(v, list)
	for i := range *list {
		v.value(&(*list)[i].Value)
	}
}

func (v *valueVisitor) state(s *State) {
	v.actions(&s.InitialActions)
	v.transitions(&s.On)
	v.transitions(&s.Always)
	v.transitions(&s.OnDone)
	for _, list := range []*[]Timed{&s.After, &s.Every} {
		own(v, list)
		for i := range *list {
			v.value(&(*list)[i].Delay)
			v.transitions(&(*list)[i].Transitions)
		}
	}
	v.actions(&s.Entry)
	v.actions(&s.Exit)
	own(v, &s.Invoke)
	for i := range s.Invoke {
		v.invocation(&s.Invoke[i])
	}
	v.variables(&s.Context)
	own(v, &s.Promote)
	for i := range s.Promote {
		v.value(&s.Promote[i].Value)
	}
	v.value(&s.WarnAfter)
	v.value(&s.Output)
	v.value(&s.Meta)
	own(v, &s.States)
	for i := range s.States {
		v.state(&s.States[i])
	}
}

func (v *valueVisitor) transitions(list *[]Transition) {
	own(v, list)
	for i := range *list {
		t := &(*list)[i]
		v.condition(&t.Guard)
		v.actions(&t.Actions)
		v.value(&t.Meta)
	}
}

func (v *valueVisitor) condition(c *Condition) {
	v.object(&c.Params)
	for _, list := range []*[]Condition{&c.And, &c.Or} {
		own(v, list)
		for i := range *list {
			v.condition(&(*list)[i])
		}
	}
	v.inner(&c.Not)
}

// inner visits a condition that is held by a pointer.
func (v *valueVisitor) inner(c **Condition) {
	if *c == nil {
		return
	}
	if v.copying {
		copied := **c
		*c = &copied
	}
	v.condition(*c)
}

func (v *valueVisitor) invocation(c *Invocation) {
	for _, x := range []*any{&c.Src, &c.Input, &c.Timeout, &c.Heartbeat, &c.Key, &c.Type} {
		v.value(x)
	}
	v.actions(&c.Finalize)
	v.object(&c.Retry)
	v.object(&c.Approval)
	for _, list := range []*[]Transition{&c.OnDone, &c.OnError, &c.OnUnknown, &c.OnProgress} {
		v.transitions(list)
	}
}

func (v *valueVisitor) actions(list *[]Action) {
	own(v, list)
	for i := range *list {
		a := &(*list)[i]
		v.variables(&a.Assign)
		for _, x := range []*any{&a.Raise, &a.Send, &a.Cancel, &a.Emit, &a.Log, &a.Foreach, &a.Data, &a.To, &a.Delay, &a.ID, &a.Processor} {
			v.value(x)
		}
		v.object(&a.Params)
		if a.Do != nil {
			if v.copying {
				copied := *a.Do
				a.Do = &copied
			}
			v.invocation(a.Do)
		}
		v.inner(&a.If)
		for _, block := range []*[]Action{&a.Then, &a.Else, &a.Block} {
			v.actions(block)
		}
	}
}

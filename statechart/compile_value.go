package statechart

import "fmt"

// What an object costs that a definition writes out with expressions in it,
// and each of its fields: a unit buys at most 64 bytes. Elements of lists
// cost one.
const (
	perObject = 8
	perField  = 4
)

// value is a compiled value position: a constant, or something to evaluate.
type value struct {
	constant any
	eval     func(*Scope) (any, error) // nil: constant
}

func (v *value) get(s *Scope) (any, error) {
	if v.eval == nil {
		return v.constant, nil
	}
	return v.eval(s)
}

func (c *compiler) optional(v any, state int32, place string) *value {
	return c.optionalIn(v, state, place, nil)
}

func (c *compiler) optionalIn(v any, state int32, place string, local []localName) *value {
	if v == nil {
		return nil
	}
	return c.value(v, state, place, local)
}

// value compiles what stands in a value position.
func (c *compiler) value(v any, state int32, place string, local []localName) *value {
	n, ok := c.literal(v, place)
	if !ok {
		return &value{}
	}
	out := c.part(n, state, place, local)
	if _, single := n.(Expression); out.eval != nil && !single {
		parts := out.eval
		out.eval = func(s *Scope) (any, error) {
			v, err := parts(s)
			if err != nil {
				return nil, err
			}
			return s.bounded(v) // each part is small enough, together they may not be
		}
	}
	return out
}

// carried checks data that the core only hands on.
func (c *compiler) carried(v any, place string) {
	c.literal(v, place)
}

// literal checks data of the definition, and that there is not too much of
// it in all.
func (c *compiler) literal(v any, place string) (any, bool) {
	n := normalizer{limit: min(maxValueSize, maxData-c.data), bytes: c.text, definition: true}
	out, _, err := n.normal(v, 0)
	c.data += n.size
	c.text = n.bytes
	switch {
	case err == nil:
		return out, true
	case c.data > maxData || c.text > maxValueBytes:
		if !c.tooLarge {
			c.fail(CodeLimit, place, fmt.Sprintf("the definition holds more than %d values, or %d bytes of text in them", maxData, maxValueBytes), "")
		}
		c.tooLarge = true
	default:
		c.fail(CodeInvalid, place, "this cannot be a value: "+err.Error(), "use null, booleans, numbers, text, lists and objects")
	}
	return nil, false
}

func (c *compiler) carriedMap(m map[string]any, place string) {
	if m != nil {
		c.carried(m, place)
	}
}

func (c *compiler) part(v any, state int32, place string, local []localName) *value {
	switch x := v.(type) {
	case Expression:
		return &value{eval: c.expression(x, state, place, local)}
	case []any:
		return c.list(x, state, place, local)
	case map[string]any:
		if _, marked := x["$expression"]; marked && len(x) == 1 {
			c.fail(CodeInvalid, place, `an object with the one key "$expression" stands for an expression in JSON`, "use the Go type Expression, or another key")
		}
		return c.object(x, state, place, local)
	}
	return &value{constant: v}
}

func (c *compiler) list(x []any, state int32, place string, local []localName) *value {
	parts, constant := make([]*value, len(x)), true
	for i, e := range x {
		parts[i] = c.part(e, state, fmt.Sprintf("%s[%d]", place, i), local)
		constant = constant && parts[i].eval == nil
	}
	if constant {
		return &value{constant: x}
	}
	return &value{eval: func(s *Scope) (any, error) {
		if err := s.Charge(1 + int64(len(parts))); err != nil {
			return nil, err
		}
		out := make([]any, len(parts))
		for i, p := range parts {
			v, err := p.get(s)
			if err != nil {
				return nil, err
			}
			out[i] = v
		}
		return out, nil
	}}
}

func (c *compiler) object(x map[string]any, state int32, place string, local []localName) *value {
	keys := sortedKeys(x)
	parts, constant := make([]*value, len(keys)), true
	for i, k := range keys {
		parts[i] = c.part(x[k], state, place+"."+k, local)
		constant = constant && parts[i].eval == nil
	}
	if constant {
		return &value{constant: x}
	}
	return &value{eval: func(s *Scope) (any, error) {
		if err := s.Charge(perObject + perField*int64(len(keys))); err != nil {
			return nil, err
		}
		out := make(map[string]any, len(keys))
		for i, k := range keys {
			v, err := parts[i].get(s)
			if err != nil {
				return nil, err
			}
			out[k] = v
		}
		return out, nil
	}}
}

// expression compiles source by the language, or finds the registered value
// of that name.
func (c *compiler) expression(source Expression, state int32, place string, local []localName) func(*Scope) (any, error) {
	bad := func(message, hint string) func(*Scope) (any, error) {
		c.fail(CodeExpression, place, message, hint)
		return func(*Scope) (any, error) { return nil, nil }
	}
	if len(source) > maxExpression {
		return bad(fmt.Sprintf("an expression is longer than %d bytes", maxExpression), "")
	}
	if f, ok := c.registry.values[string(source)]; ok {
		c.used["value "+string(source)] = true
		return func(s *Scope) (any, error) {
			if err := s.Charge(1); err != nil {
				return nil, err
			}
			return s.computed(f)
		}
	}
	if c.registry.language == nil {
		return bad("no value "+quote(string(source))+" is registered, and there is no expression language", nearest(c, string(source), c.registry.values))
	}
	if len(c.errors) > maxErrors {
		// The chart is refused anyway, and reading on takes time.
		return func(*Scope) (any, error) { return nil, nil }
	}
	program, err := c.registry.language.Compile(string(source), Names{c, state, local, c.event, c.guard})
	if err != nil {
		c.failAs(CodeExpression, place, err)
		return func(*Scope) (any, error) { return nil, nil }
	}
	return func(s *Scope) (any, error) { return s.computed(program.Evaluate) }
}

// namedDelays compiles the definition's delays for computed ones, which are
// names only while running.
func (c *compiler) namedDelays() {
	c.chart.delays = map[string]*value{}
	for i, d := range c.chart.definition.Delays {
		if name, ok := d.Value.(string); ok && c.delays[name] != nil {
			c.fail(CodeInvalid, fmt.Sprintf("delays[%d]", i), "a named delay cannot be another's name", "give the duration itself")
			continue
		}
		c.chart.delays[d.Name] = c.delay(d.Value, 0, fmt.Sprintf("delays[%d]", i), nil)
	}
}

// sendDelay compiles the delay of a message. A document's is an error when it
// is sent, not before (SCXML 6.2.4).
func (c *compiler) sendDelay(v any, state int32, place string, local []localName) *value {
	if text, ok := v.(string); ok && c.chart.scxml && c.delays[text] == nil {
		if err := checkCSSTime(text); err != nil {
			return &value{eval: func(*Scope) (any, error) { return nil, err }}
		}
	}
	return c.delay(v, state, place, local)
}

// delay compiles a delay; a name of the definition's Delays stands for that.
func (c *compiler) delay(v any, state int32, place string, local []localName) *value {
	if name, ok := v.(string); ok {
		if named, ok := c.delays[name]; ok {
			v = named
		} else if _, err := milliseconds(name); err != nil {
			c.fail(CodeUnknownName, place, err.Error(), c.delayHint(name))
			return &value{}
		}
	}
	if v == nil {
		c.fail(CodeMissing, place, "a delay is missing", "")
		return &value{}
	}
	out := c.value(v, state, place, local)
	if out.eval != nil {
		return out
	}
	if _, err := milliseconds(out.constant); err != nil {
		c.fail(CodeInvalid, place, err.Error(), c.delayHint(""))
	}
	return out
}

func (c *compiler) delayHint(name string) string {
	if hint := nearest(c, name, c.delays); hint != "" {
		return hint
	}
	return `a delay is "500ms", "15m" or "30d", a number of milliseconds, or a name from delays`
}

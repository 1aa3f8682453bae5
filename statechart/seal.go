package statechart

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// seal computes what a correct chart needs to run.
func (c *compiler) seal() {
	ch := c.chart
	ch.context = c.registry.context
	ch.fillDense()
	ch.digest = c.digest()
	ch.calm = c.isCalm()
	for i := range ch.nodes {
		n := &ch.nodes[i]
		n.plain = len(n.timed) == 0 && len(n.invocations) == 0 && len(n.variables) == 0 && len(n.promotions) == 0 &&
			len(n.histories) == 0 && n.kind != Final && n.entry.isQuick() && n.exit.isQuick() && n.initialActions.isQuick()
	}
	for i := range ch.transitions {
		t := &ch.transitions[i]
		if t.actions.isQuick() && !t.dynamic && (t.guard == nil || !t.guard.fallible) && len(t.descriptors) > 0 {
			ch.quick = true
		}
	}
	*ch = *ch.WithCache(Cache{})
}

// isCalm reports whether a macrostep is always one microstep of quick
// callbacks: nothing is raised, sent, timed, called, kept or deferred.
func (c *compiler) isCalm() bool {
	ch := c.chart
	if ch.hasDefer || ch.unhandled == Deferred || len(ch.slots) > 0 || len(ch.histories) > 0 {
		return false
	}
	for i := range ch.nodes {
		n := &ch.nodes[i]
		if len(n.timed)+len(n.invocations)+len(n.always) > 0 || n.kind == Final ||
			!n.entry.isQuick() || !n.exit.isQuick() || !n.initialActions.isQuick() {
			return false
		}
	}
	for i := range ch.transitions {
		t := &ch.transitions[i]
		if !t.actions.isQuick() || t.guard != nil && t.guard.fallible {
			return false
		}
	}
	return true
}

// digest hashes the definition's normal form and the versions of what it
// uses.
func (c *compiler) digest() string {
	h := sha256.New()
	h.Write(c.normalForm())
	// Once more the values alone, since JSON does not tell 1 from 1.0.
	_ = (&valueVisitor{only: true, f: func(v any) (any, error) {
		b, err := appendJSON(nil, v)
		h.Write(b)
		return v, err
	}}).definition(&c.chart.definition)
	for _, name := range sortedKeys(c.used) {
		h.Write([]byte("\x00" + name + "\x00" + c.registry.version(bareName(name))))
	}
	if c.registry.language != nil {
		h.Write([]byte("\x00language\x00" + c.registry.language.Version()))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// normalForm is the definition as JSON without what is for people only.
func (c *compiler) normalForm() []byte {
	text, err := json.Marshal(c.chart.definition)
	if err != nil {
		c.fail(CodeInvalid, "", "the definition cannot be written as JSON: "+err.Error(), "")
		return nil
	}
	var plain Definition
	if err := json.Unmarshal(text, &plain); err != nil {
		c.fail(CodeInvalid, "", "the definition cannot be read back: "+err.Error(), "")
		return nil
	}
	plain.Description = ""
	undescribe(&plain.Root)
	text, _ = json.Marshal(plain) // it came from JSON
	return text
}

// undescribe takes the descriptions out of a state and all below it.
func undescribe(s *State) {
	s.Description = ""
	lists := [][]Transition{s.On, s.Always, s.OnDone}
	for _, t := range s.After {
		lists = append(lists, t.Transitions)
	}
	for _, t := range s.Every {
		lists = append(lists, t.Transitions)
	}
	for _, v := range s.Invoke {
		lists = append(lists, v.OnDone, v.OnError, v.OnUnknown, v.OnProgress)
	}
	for _, list := range lists {
		for i := range list {
			list[i].Description = ""
		}
	}
	for i := range s.States {
		undescribe(&s.States[i])
	}
}

// bareName strips the kind from a used name.
func bareName(used string) string {
	for i := range len(used) {
		if used[i] == ' ' {
			return used[i+1:]
		}
	}
	return used
}

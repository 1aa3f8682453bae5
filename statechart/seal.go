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
	for i := range ch.events {
		ch.checked = ch.checked || ch.events[i].check != nil
	}
	ch.digest = c.digest()
	ch.calm = c.isCalm()
	for i := range ch.nodes {
		n := &ch.nodes[i]
		n.plain = len(n.timed) == 0 && len(n.invocations) == 0 && len(n.variables) == 0 && len(n.promotions) == 0 &&
			len(n.histories) == 0 && n.kind != Final && (len(n.data) == 0 || !ch.late()) && n.entry.isQuick() && n.exit.isQuick() && n.initialActions.isQuick()
	}
	for i := range ch.transitions {
		if ch.limits.Fuel < plannedFuel {
			break
		}
		t := &ch.transitions[i]
		if t.actions.isQuick() && !t.dynamic && (t.guard == nil || !t.guard.fallible) && len(t.descriptors) > 0 {
			ch.quick = true
		}
	}
	*ch = *ch.WithCache(Cache{})
}

// plannedFuel is more than the callbacks of one microstep can cost: planned
// steps do not count it, so a chart with less does not plan.
const plannedFuel = 2 * maxActions

// isCalm reports whether a macrostep is always one microstep of quick
// callbacks: nothing is raised, sent, timed, called, kept or deferred.
func (c *compiler) isCalm() bool {
	ch := c.chart
	if ch.limits.Fuel < plannedFuel || ch.checked || ch.hasDefer || ch.unhandled == Deferred || len(ch.slots) > 0 || len(ch.histories) > 0 {
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
	for _, name := range sortedKeys(c.used) {
		h.Write([]byte("\x00" + name + "\x00" + c.registry.version(bareName(name))))
	}
	if c.registry.language != nil {
		h.Write([]byte("\x00language\x00" + c.registry.language.Version()))
	}
	if c.schemas {
		h.Write([]byte("\x00schemas\x00" + c.registry.schemas.Version()))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// normalForm is the definition as JSON without what is for people only.
func (c *compiler) normalForm() []byte {
	plain := c.chart.definition
	same := valueVisitor{copying: true, f: func(v any) (any, error) { return v, nil }}
	_ = same.definition(&plain) // a copy, to leave the definition as it is
	plain.Description = ""
	undescribe(&plain.Root)
	text, err := json.Marshal(plain)
	if err != nil {
		c.fail(CodeInvalid, "", "the definition cannot be written as JSON: "+err.Error(), "")
	}
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

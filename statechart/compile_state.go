package statechart

import (
	"fmt"
	"slices"
	"strings"
)

// variables gives slots to all variables, outer states first, so that the
// values compiled later can refer to them.
func (c *compiler) variables() {
	if c.chart.scxml {
		c.declareData()
		return
	}
	for i := range c.chart.nodes {
		n := &c.chart.nodes[i]
		if i == 0 {
			for k := range c.chart.definition.Constants {
				c.declare(n, &c.chart.definition.Constants[k], fmt.Sprintf("constants[%d]", k), true)
			}
		}
		for k := range n.def.Context {
			c.declare(n, &n.def.Context[k], fmt.Sprintf("%s.context[%d]", n.place, k), false)
		}
	}
}

func (c *compiler) declare(n *node, v *Variable, place string, constant bool) {
	if !c.checkName(v.Name, place, "a variable's name") {
		return
	}
	if _, taken := c.visible(n.index, v.Name); taken {
		c.fail(CodeDuplicate, place, "the variable "+quote(v.Name)+" is declared twice on the way from the root", "choose another name: nothing is shadowed")
		return
	}
	if _, list := c.lists[v.Name]; list {
		c.fail(CodeDuplicate, place, "the variable "+quote(v.Name)+" has the name of a list", "choose another name: nothing is shadowed")
		return
	}
	n.variables = append(n.variables, variable{name: v.Name, slot: c.slot(v.Name, n.index), constant: constant})
}

func (c *compiler) slot(name string, state int32) Slot {
	c.chart.slots = append(c.chart.slots, slotInfo{name, state})
	return Slot(len(c.chart.slots) - 1)
}

// states compiles each state's own part.
func (c *compiler) states() {
	for i := range c.chart.nodes {
		n := &c.chart.nodes[i]
		c.allowed(n)
		c.carried(n.def.Meta, n.place+".meta")
		c.initial(n)
		c.initializers(n)
		n.entry = c.block(n.def.Entry, n.index, n.place+".entry", nil)
		n.exit = c.block(n.def.Exit, n.index, n.place+".exit", nil)
		at := n.index
		if n.kind == History && n.parent >= 0 {
			at = n.parent
		}
		n.initialActions = c.block(n.def.InitialActions, at, n.place+".initialActions", nil)
		n.output = c.optional(n.def.Output, n.index, n.place+".output")
		c.promotions(n)
		c.ownTransitions(n)
		c.timers(n)
		c.invocations(n)
		c.deferred(n)
	}
}

// allowed refuses fields that a state of this kind cannot have.
func (c *compiler) allowed(n *node) {
	d := n.def
	refuse := func(is bool, field, message, hint string) {
		if is {
			c.fail(CodeNotAllowed, n.place+"."+field, message, hint)
		}
	}
	active := len(d.On)+len(d.Always)+len(d.After)+len(d.Every)+len(d.OnDone)+len(d.Invoke)+len(d.Defer) > 0 || d.WarnAfter != nil
	switch n.kind {
	case Final:
		refuse(active, "on", "a final state takes no transitions, timers or calls", "")
		refuse(len(d.States) > 0, "states", "a final state has no children", "")
		refuse(d.Initial != "", "initial", "a final state has no initial", "")
	case History:
		refuse(active || len(d.Context)+len(d.Promote)+len(d.Entry)+len(d.Exit)+len(d.Tags) > 0, "on", "a history state has only a default and its actions", "")
		refuse(len(d.States) > 0, "states", "a history state has no children", "")
		refuse(n.parent < 0, "type", "the root cannot be a history", "")
	case Parallel:
		refuse(d.Initial != "", "initial", "a parallel state enters all its regions; it has no initial", "")
		refuse(len(n.children) == 0, "states", "a parallel state needs regions", "")
	case Atomic:
		refuse(d.Initial != "", "initial", "an atomic state has no initial", "")
		refuse(len(d.OnDone) > 0, "onDone", "an atomic state is never done", "")
	}
	refuse(d.History != "" && n.kind != History, "history", "only a history state has this", `its type is "history"`)
	if d.History != "" && d.History != "shallow" && d.History != "deep" {
		c.fail(CodeInvalid, n.place+".history", quote(d.History)+" is not known", "shallow or deep")
	}
	refuse(len(d.InitialActions) > 0 && d.Initial == "", "initialActions", "there is no initial that these belong to", "")
	refuse(d.Output != nil && n.kind != Final && n.kind != Parallel && n.parent >= 0, "output", "only a final state, a parallel state or the root has an output", "")
	refuse(d.Status != "" && (n.kind != Final || n.parent != 0), "status", "only a final state of the root has a status", "")
	if d.Status != "" && d.Status != string(Completed) && d.Status != string(FailedStatus) {
		c.fail(CodeInvalid, n.place+".status", quote(d.Status)+" is not known", "completed or failed")
	}
	refuse(n.parent < 0 && d.ID != "" && d.ID != n.id, "id", "the root's id is the chart's", "leave it empty")
	refuse(n.parent < 0 && n.kind == Final, "type", "the root cannot be final", "")
}

// initial resolves a compound state's initial or a history's default.
func (c *compiler) initial(n *node) {
	base := n.index
	place := n.place + ".initial"
	switch {
	case n.kind == History && n.parent >= 0:
		base = n.parent
		if n.def.Initial == "" {
			if c.chart.nodes[base].kind == Parallel {
				n.initial = slices.Clone(c.chart.nodes[base].children)
				return
			}
			// The parent's own initial; resolved before its children's.
			n.initial = slices.Clone(c.chart.nodes[base].initial)
			return
		}
	case n.kind != Compound:
		return
	case n.def.Initial == "":
		c.fail(CodeMissing, place, "a compound state needs an initial", "")
		return
	}
	n.initial = c.targets(n.def.Initial, base, place, true)
	n.initial = slices.DeleteFunc(n.initial, func(t int32) bool {
		outside := !c.chart.isDescendant(t, base) || t == n.index
		if outside {
			c.fail(CodeTargets, place, quote(n.def.Initial)+" is not below "+quote(c.chart.pathOf(base)), "")
		}
		return outside
	})
}

func (c *compiler) initializers(n *node) {
	if c.chart.scxml {
		c.dataValues(n)
		return
	}
	values := n.def.Context
	if n.index == 0 {
		values = append(slices.Clone(c.chart.definition.Constants), values...)
	}
	all := n.variables
	for i := range all {
		k := slices.IndexFunc(values, func(v Variable) bool { return v.Name == all[i].name })
		n.variables = all[:i] // a value sees the ones before it only
		all[i].value = c.value(values[k].Value, n.index, n.place+".context."+all[i].name, nil)
	}
	n.variables = all
}

var merges = []string{"replace", "append", "union", "sum", "max", "min"}

func (c *compiler) promotions(n *node) {
	for i := range n.def.Promote {
		p := &n.def.Promote[i]
		place := fmt.Sprintf("%s.promote[%d]", n.place, i)
		if n.parent < 0 {
			c.fail(CodeNotAllowed, place, "the root has nowhere to promote to", "")
			return
		}
		merge := p.Merge
		if merge == "" {
			merge = "replace"
		}
		if !slices.Contains(merges, merge) {
			c.fail(CodeInvalid, place+".merge", quote(merge)+" is not known", "replace, append, union, sum, max or min")
		}
		v, ok := c.visible(n.parent, p.Variable)
		if !ok || v.constant {
			c.fail(CodeUnknownName, place, quote(p.Variable)+" is no variable of a state above", nearest(c, p.Variable, c.namesAt(n.parent)))
			continue
		}
		if (merge == "append" || merge == "sum") && c.parkable(n.index) {
			c.fail(CodeConflict, place, merge+" would count twice: the scope can be parked with a history and promoted again", "use union, max, min or replace")
		}
		n.promotions = append(n.promotions, promotion{name: p.Variable, merge: merge, target: v.slot, place: place,
			value: c.value(p.Value, n.index, place+".value", nil)})
	}
}

// parkable reports whether a history can keep the state's scope (R33): a deep
// one of the state or above it, or a shallow one whose restored child brings
// the state back by default.
func (c *compiler) parkable(s int32) bool {
	byDefault := true // s is entered when the state below up is
	for below, up := int32(-1), s; up >= 0; below, up = up, c.chart.nodes[up].parent {
		n := &c.chart.nodes[up]
		if below >= 0 && c.chart.nodes[below].index != s {
			byDefault = byDefault && c.entersByDefault(below, s)
		}
		for _, k := range n.histories {
			if c.chart.nodes[k].deep || byDefault {
				return true
			}
		}
	}
	return false
}

// entersByDefault reports whether entering the compound or parallel state
// also enters s, a state below it.
func (c *compiler) entersByDefault(state, s int32) bool {
	for x := s; x != state; x = c.chart.nodes[x].parent {
		p := &c.chart.nodes[c.chart.nodes[x].parent]
		on := func(t int32) bool {
			return t == x || c.chart.isDescendant(t, x) || c.chart.nodes[t].kind == History
		}
		if p.kind == Compound && !slices.ContainsFunc(p.initial, on) {
			return false
		}
	}
	return true
}

// namesAt lists the variables visible at a state, for hints.
func (c *compiler) namesAt(s int32) map[string]bool {
	names := map[string]bool{}
	for ; s >= 0; s = c.chart.nodes[s].parent {
		for _, v := range c.chart.nodes[s].variables {
			names[v.name] = true
		}
	}
	return names
}

func (c *compiler) timers(n *node) {
	name := c.chart.pathOf(n.index)
	add := func(prefix string, i int, d *Timed, every bool) {
		place := fmt.Sprintf("%s.%s[%d]", n.place, prefix, i)
		event := fmt.Sprintf("%s.%s:%d", prefix, name, i)
		if d.Missed != "" && (!every || d.Missed != "coalesce" && d.Missed != "all" && d.Missed != "skip") {
			c.fail(CodeInvalid, place+".missed", quote(d.Missed)+" is not known here", "coalesce, all or skip, of an every")
		}
		if d.Keep && every {
			c.fail(CodeNotAllowed, place+".keep", "only an after can be kept", "")
		}
		n.timed = append(n.timed, timed{name: event, delay: c.delay(d.Delay, n.index, place+".delay", nil), every: every, keep: d.Keep, missed: d.Missed, place: place})
		c.namedTransitions(n, d.Transitions, event, place+".transitions")
	}
	for i := range n.def.After {
		for k := range i {
			if a, b := n.def.After[i].Delay, n.def.After[k].Delay; a != nil && a == b && isScalar(a) {
				c.fail(CodeDuplicate, fmt.Sprintf("%s.after[%d]", n.place, i), "two timers with the same delay", "put both transitions into one")
			}
		}
		add("after", i, &n.def.After[i], false)
	}
	for i := range n.def.Every {
		add("every", i, &n.def.Every[i], true)
	}
	if n.def.WarnAfter != nil {
		n.timed = append(n.timed, timed{name: "after." + name + ":warn", warning: true, place: n.place + ".warnAfter",
			delay: c.delay(n.def.WarnAfter, n.index, n.place+".warnAfter", nil)})
	}
}

func isScalar(v any) bool {
	switch v.(type) {
	case []any, map[string]any, []string:
		return false
	}
	return true
}

func (c *compiler) invocations(n *node) {
	for i := range n.def.Invoke {
		d := &n.def.Invoke[i]
		place := fmt.Sprintf("%s.invoke[%d]", n.place, i)
		id := d.ID
		if id == "" {
			id = fmt.Sprintf("%s:%d", c.chart.pathOf(n.index), i)
		} else {
			c.checkCallID(id, place)
		}
		n.invocations = append(n.invocations, c.invocation(d, n.index, id, false, place, nil))
		n.forwards = n.forwards || d.Forward
		c.namedTransitions(n, d.OnDone, "done.invoke."+id, place+".onDone")
		c.namedTransitions(n, d.OnError, "error.invoke."+id, place+".onError")
		c.namedTransitions(n, d.OnUnknown, "unknown.invoke."+id, place+".onUnknown")
		c.namedTransitions(n, d.OnProgress, "progress.invoke."+id, place+".onProgress")
	}
}

func (c *compiler) checkCallID(id, place string) {
	c.checkName(id, place+".id", "a call's id")
	if id == "parent" || id == "self" || c.chart.scxml && (id == "internal" || strings.HasPrefix(id, "scxml_")) {
		c.fail(CodeReserved, place+".id", quote(id)+" is taken", "it names a receiver of send")
	}
}

func (c *compiler) invocation(d *Invocation, s int32, id string, isDo bool, place string, local []localName) invocation {
	v := invocation{id: id, isDo: isDo, def: d, place: place}
	c.onlySCXML(d.Type != nil, place+".type")
	c.onlySCXML(d.IDLocation != "", place+".idLocation")
	c.onlySCXML(d.Forward, place+".forward")
	c.onlySCXML(d.Finalize != nil, place+".finalize")
	v.kind = c.optionalIn(d.Type, s, place+".type", local)
	v.idLocation = c.optionalLocation(d.IDLocation, s, place+".idLocation", local)
	v.finalize = c.block(d.Finalize, s, place+".finalize", local)
	if isDo {
		if len(d.OnDone)+len(d.OnError)+len(d.OnUnknown)+len(d.OnProgress) > 0 {
			c.fail(CodeNotAllowed, place, "a do has no transitions of its own", "its end is the event done.do."+id)
		}
	}
	if d.Mode != "" && !slices.Contains([]string{"at_most_once", "at_least_once", "reconcile"}, d.Mode) {
		c.fail(CodeInvalid, place+".mode", quote(d.Mode)+" is not known", "at_most_once, at_least_once or reconcile")
	}
	if d.Src == nil || d.Src == "" {
		c.fail(CodeMissing, place+".src", "a call has no source", "")
	}
	if src, fixed := d.Src.(string); fixed && c.chart.lacksSource(src) {
		c.fail(CodeUnknownSource, place+".src", "the performer "+quote(src)+" is not registered", nearest(c, src, c.registry.performers))
	}
	c.carriedMap(d.Retry, place+".retry")
	c.carriedMap(d.Approval, place+".approval")
	v.src = c.value(d.Src, s, place+".src", local)
	v.input = c.optionalIn(d.Input, s, place+".input", local)
	v.key = c.optionalIn(d.Key, s, place+".key", local)
	if d.Timeout != nil {
		v.timeout = c.delay(d.Timeout, s, place+".timeout", local)
	}
	if d.Heartbeat != nil {
		v.heartbeat = c.delay(d.Heartbeat, s, place+".heartbeat", local)
	}
	return v
}

func (c *compiler) deferred(n *node) {
	for i, text := range n.def.Defer {
		place := fmt.Sprintf("%s.defer[%d]", n.place, i)
		if !c.checkDescriptor(text, place) {
			continue
		}
		n.defers = append(n.defers, c.events.descriptor(text))
		c.chart.hasDefer = true
	}
}

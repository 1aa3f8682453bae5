package statechart

import "fmt"

// datum is a variable that a state of an SCXML document declares. The
// variable is one of the root's, for all data is global (SCXML 5.3.3); the
// state says when it gets its first value.
type datum struct {
	variable int // in the root's
	value    *value
	place    string
}

// declareData declares the data of all states, and the variables that are
// none.
func (c *compiler) declareData() {
	for i := range c.chart.nodes {
		n := &c.chart.nodes[i]
		for k := range n.def.Context {
			v := &n.def.Context[k]
			if at, ok := c.declareGlobal(v.Name, fmt.Sprintf("%s.context[%d]", n.place, k)); ok {
				n.data = append(n.data, datum{variable: at, place: n.place + ".context." + v.Name})
			}
		}
	}
	for k, name := range c.chart.definition.Undeclared {
		c.declareGlobal(name, fmt.Sprintf("undeclared[%d]", k))
	}
}

// declareGlobal declares a variable and returns its place among the root's.
func (c *compiler) declareGlobal(name, place string) (at int, ok bool) {
	root := &c.chart.nodes[0]
	at = len(root.variables)
	if c.declare(root, &Variable{Name: name}, place, false); len(root.variables) == at {
		return 0, false
	}
	c.globals[name] = root.variables[at]
	return at, true
}

// dataValues compiles the first values of what a state declares. Each sees
// all data.
func (c *compiler) dataValues(n *node) {
	at := 0
	for i := range n.data {
		d := &n.data[i]
		for n.def.Context[at].Name != c.chart.nodes[0].variables[d.variable].name {
			at++ // one that was refused
		}
		d.value = c.value(n.def.Context[at].Value, n.index, d.place, nil)
		at++
	}
}

// bindData gives the data of an entered state its first values: with early
// binding all data at the start, with late binding a state's own when it is
// entered for the first time (R38).
func (in *Instance) bindData(s int32) {
	r, c := in.rare, in.chart
	if c.definition.Binding == "late" {
		if len(c.nodes[s].data) > 0 && !r.bound.has(s) {
			r.bound.add(s)
			in.firstValues(s)
		}
		return
	}
	if s > 0 {
		return
	}
	for i := range c.nodes {
		in.firstValues(int32(i))
	}
}

// firstValues evaluates the data of one state. A value that cannot be made is
// an error event, and the others go on. What the parent gives comes first,
// for data of the document's top level (SCXML 6.4.3).
func (in *Instance) firstValues(s int32) {
	r := in.rare
	given, _ := r.input.(map[string]any)
	for i := range in.chart.nodes[s].data {
		d := &in.chart.nodes[s].data[i]
		v := &in.chart.nodes[0].variables[d.variable]
		if x, ok := given[v.name]; ok && s == 0 {
			if err := in.chart.admitted(v.name, x); err != nil {
				in.executionError("data", d.place, err)
				continue
			}
			r.slots[v.slot] = x
			continue
		}
		x, err := in.evaluate(d.value, s)
		if r.broken != nil {
			return
		}
		if err != nil {
			in.executionError("data", d.place, err)
			continue
		}
		r.slots[v.slot] = x
	}
}

// admission is [WatchfulLanguage.Admit] of the chart's language; nil: it takes
// anything.
type admission func(variable string, value any) error

// admitted asks the language about a value that it did not make.
func (c *Chart) admitted(variable string, v any) error {
	if c.admit == nil {
		return nil
	}
	return c.admit(variable, v)
}

// late reports whether a chart gives some data its first values on entry.
func (c *Chart) late() bool { return c.scxml && c.definition.Binding == "late" }

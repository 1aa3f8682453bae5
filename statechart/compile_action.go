package statechart

import (
	"fmt"
	"slices"
	"unsafe"
)

// block compiles a list of actions; an empty one is nil.
func (c *compiler) block(list []Action, state int32, place string, local []localName) *block {
	if len(list) == 0 {
		return nil
	}
	b := &block{place: place}
	quick := true
	for i := range list {
		at := fmt.Sprintf("%s[%d]", place, i)
		if c.overfull(1, at) {
			return nil
		}
		s, f := c.action(&list[i], state, at, local)
		b.steps = append(b.steps, s)
		if quick = quick && f != nil; quick {
			b.quick = append(b.quick, f)
		}
	}
	if !quick {
		b.quick = nil
	}
	return b
}

// overfull counts n actions, conditions or entries of lists, and reports
// whether there are too many, or they are nested too deep.
func (c *compiler) overfull(n int, place string) bool {
	if c.actions += n; c.actions > maxActions || len(place) > maxPath+20*maxDepth {
		if !c.tooLarge {
			c.fail(CodeLimit, place, fmt.Sprintf("more than %d actions, conditions and entries of lists, or nested too deep", maxActions), "")
		}
		c.tooLarge = true
	}
	return c.tooLarge
}

// action compiles one action; quick is set when it is a plain call of a
// typed function that cannot fail.
func (c *compiler) action(a *Action, state int32, place string, local []localName) (_ step, quick func(unsafe.Pointer, Event)) {
	forms := map[string]bool{
		"call": a.Call != "", "assign": a.Assign != nil, "raise": isSaid(a.Raise), "send": isSaid(a.Send), "cancel": a.Cancel != nil,
		"append": a.Append != "", "do": a.Do != nil, "emit": a.Emit != nil, "log": a.Log != nil, "if": a.If != nil,
		"foreach": a.Foreach != nil, "block": a.Block != nil, "script": a.Script != "", "fail": a.Fail != "",
	}
	form, count := "", 0
	for _, f := range sortedKeys(forms) {
		if forms[f] {
			form = f
			count++
		}
	}
	if count != 1 {
		c.fail(CodeAction, place, fmt.Sprintf("an action says one thing to do; this says %d", count), "call, assign, raise, send, cancel, append, do, emit, log, if, foreach, block, script or fail")
		return step{}, nil
	}
	c.stray(a, form, place)
	s := step{place: place, do: form == "do"}
	if form == "call" {
		s.run, quick = c.call(a, state, place, local)
	} else {
		s.run = c.actionForms(form)(a, state, place, local)
	}
	return s, quick
}

// arguments lists which of an action's arguments each form takes.
var arguments = map[string][]string{
	"call": {"params"}, "raise": {"data", "to", "delay", "id"}, "send": {"data", "to", "delay", "id", "idLocation", "processor"}, "append": {"data"},
	"emit": {"data"}, "log": {"level"}, "if": {"then", "else"}, "foreach": {"then", "as", "index"},
}

// stray refuses arguments that the action's form does not take.
func (c *compiler) stray(a *Action, form, place string) {
	given := map[string]bool{
		"data": a.Data != nil, "params": a.Params != nil, "to": a.To != nil, "delay": a.Delay != nil, "id": a.ID != nil,
		"idLocation": a.IDLocation != "", "processor": a.Processor != nil,
		"level": a.Level != "", "then": a.Then != nil, "else": a.Else != nil, "as": a.As != "", "index": a.Index != "",
	}
	for _, name := range sortedKeys(given) {
		if given[name] && !slices.Contains(arguments[form], name) {
			c.fail(CodeNotAllowed, place+"."+name, form+" takes no "+name, "")
		}
	}
	c.onlySCXML(form == "script", place+".script")
	c.onlySCXML(a.IDLocation != "", place+".idLocation")
	c.onlySCXML(a.Processor != nil, place+".processor")
}

type actionCompiler func(a *Action, state int32, place string, local []localName) func(*Scope) error

func (c *compiler) actionForms(form string) actionCompiler {
	return map[string]actionCompiler{
		"assign": c.assign, "raise": c.raise, "send": c.send, "cancel": c.cancel, "append": c.append,
		"do": c.do, "emit": c.emit, "log": c.log, "if": c.choose, "foreach": c.foreach, "block": c.nested, "script": c.script, "fail": c.failure,
	}[form]
}

func (c *compiler) call(a *Action, state int32, place string, local []localName) (func(*Scope) error, func(unsafe.Pointer, Event)) {
	f, ok := c.registry.actions[a.Call]
	if !ok {
		c.fail(CodeUnknownAction, place, "the action "+quote(a.Call)+" is not registered", nearest(c, a.Call, c.registry.actions))
		return nil, nil
	}
	c.used["action "+a.Call] = true
	if f.quick != nil {
		if len(a.Params) > 0 {
			c.fail(CodeNotAllowed, place+".params", "the action "+quote(a.Call)+" takes no parameters", "register it with Run or Registry.Action to read them")
		}
		quick := f.quick
		return func(s *Scope) error {
			if err := s.Charge(1); err != nil {
				return err
			}
			quick(s.in.ctx, s.Event())
			return nil
		}, quick
	}
	params := c.params(a.Params, state, place, local)
	return func(s *Scope) error { return s.call(f.general, params, true) }, nil
}

func (c *compiler) params(p map[string]any, state int32, place string, local []localName) *value {
	if len(p) == 0 {
		return nil
	}
	return c.value(p, state, place+".params", local)
}

func (c *compiler) assign(a *Action, state int32, place string, local []localName) func(*Scope) error {
	if !c.bounded(len(a.Assign), place+".assign") {
		return nil
	}
	values, stores := make([]*value, len(a.Assign)), make([]storer, len(a.Assign))
	for i, v := range a.Assign {
		at := place + ".assign." + v.Name
		store, ok := c.location(v.Name, state, at, local)
		if !ok {
			continue
		}
		values[i], stores[i] = c.value(v.Value, state, at, local), store
	}
	return func(s *Scope) error { return s.assign(stores, values) }
}

// message is what raise and send have in common.
type message struct {
	event      string // "": name is to be evaluated
	name       *value
	data       *value
	to         *value
	id, delay  *value
	processor  *value
	idLocation storer
	isRaise    bool
}

func (c *compiler) message(event any, a *Action, state int32, place string, local []localName) message {
	m := message{data: c.optionalIn(a.Data, state, place+".data", local),
		id: c.optionalIn(a.ID, state, place+".id", local), to: c.optionalIn(a.To, state, place+".to", local),
		processor:  c.optionalIn(a.Processor, state, place+".processor", local),
		idLocation: c.optionalLocation(a.IDLocation, state, place+".idLocation", local)}
	switch name := event.(type) {
	case string:
		m.event = name
		c.checkEventName(name, place)
		if c.chart.scxml {
			c.events.name(name)
		}
	case Expression:
		m.name = c.value(name, state, place, local)
	default:
		c.fail(CodeInvalidName, place, "the name of an event must be text or an expression, not "+describeValue(event), "")
	}
	if a.Delay != nil {
		m.delay = c.sendDelay(a.Delay, state, place+".delay", local)
	}
	return m
}

// isSaid reports whether a position holds anything.
func isSaid(v any) bool { return v != nil && v != "" }

func (c *compiler) raise(a *Action, state int32, place string, local []localName) func(*Scope) error {
	m := c.message(a.Raise, a, state, place, local)
	if a.To != nil {
		c.fail(CodeNotAllowed, place+".to", "a raise has no receiver", "use send")
	}
	m.isRaise = true
	return func(s *Scope) error { return s.message(&m) }
}

func (c *compiler) send(a *Action, state int32, place string, local []localName) func(*Scope) error {
	m := c.message(a.Send, a, state, place, local)
	return func(s *Scope) error { return s.message(&m) }
}

func (c *compiler) cancel(a *Action, state int32, place string, local []localName) func(*Scope) error {
	id := c.value(a.Cancel, state, place+".cancel", local)
	return func(s *Scope) error { return s.cancel(id) }
}

func (c *compiler) append(a *Action, state int32, place string, local []localName) func(*Scope) error {
	list, ok := c.lists[a.Append]
	if !ok {
		c.fail(CodeUnknownName, place+".append", "there is no list "+quote(a.Append), nearest(c, a.Append, c.lists))
	}
	data := c.value(a.Data, state, place+".data", local)
	return func(s *Scope) error { return s.append(list, data) }
}

func (c *compiler) do(a *Action, state int32, place string, local []localName) func(*Scope) error {
	id := a.Do.ID
	if id == "" {
		id = c.chart.pathOf(state) + ":do"
	} else {
		c.checkCallID(id, place+".do")
	}
	v := c.invocation(a.Do, state, id, true, place+".do", local)
	return func(s *Scope) error { return s.do(&v) }
}

func (c *compiler) emit(a *Action, state int32, place string, local []localName) func(*Scope) error {
	name, data := c.value(a.Emit, state, place+".emit", local), c.value(a.Data, state, place+".data", local)
	if _, err := emitted(name.constant); name.eval == nil && err != nil {
		c.fail(CodeInvalidName, place+".emit", err.Error(), "give it a name as text")
	}
	return func(s *Scope) error {
		v, err := name.get(s)
		if err != nil {
			return err
		}
		event, err := emitted(v)
		if err != nil {
			return err
		}
		return s.effectOf(data, Effect{Type: EffectEmit, Event: event})
	}
}

// emitted is the name of an event for subscribers.
func emitted(v any) (string, error) {
	name, ok := v.(string)
	if !ok || name == "" || len(name) > maxName || !validText(name) {
		return "", fmt.Errorf("the name of an emitted event must be text of 1 to %d bytes, not %s", maxName, describeValue(v))
	}
	return name, nil
}

func (c *compiler) log(a *Action, state int32, place string, local []localName) func(*Scope) error {
	data, level := c.value(a.Log, state, place+".log", local), a.Level
	if level == "" {
		level = "info"
	}
	return func(s *Scope) error {
		return s.effectOf(data, Effect{Type: EffectLog, Name: level})
	}
}

func (c *compiler) choose(a *Action, state int32, place string, local []localName) func(*Scope) error {
	condition := c.condition(a.If, state, place+".if", local)
	if condition == nil {
		c.fail(CodeCondition, place+".if", "an if needs a condition", "")
		return nil
	}
	then, otherwise := c.block(a.Then, state, place+".then", local), c.block(a.Else, state, place+".else", local)
	return func(s *Scope) error {
		holds, err := condition.holds(s)
		if err != nil {
			return err
		}
		if holds {
			return then.inline(s)
		}
		return otherwise.inline(s)
	}
}

func (c *compiler) foreach(a *Action, state int32, place string, local []localName) func(*Scope) error {
	list := c.value(a.Foreach, state, place+".foreach", local)
	item, index := Slot(-1), Slot(-1)
	inner := slices.Clone(local)
	declare := func(name, field string, into *Slot) {
		if name == "" {
			return
		}
		c.checkName(name, place+"."+field, "a variable's name")
		if v, taken := c.visible(state, name); taken && c.chart.scxml {
			*into = v.slot // SCXML: an existing variable is used
			return
		} else if taken || slices.ContainsFunc(inner, func(l localName) bool { return l.name == name }) {
			c.fail(CodeDuplicate, place+"."+field, "the variable "+quote(name)+" is declared already", "choose another name: nothing is shadowed")
		} else if _, list := c.lists[name]; list {
			c.fail(CodeDuplicate, place+"."+field, "the variable "+quote(name)+" has the name of a list", "choose another name: nothing is shadowed")
		}
		*into = c.slot(name, -1)
		inner = append(inner, localName{name, *into})
	}
	declare(a.As, "as", &item)
	declare(a.Index, "index", &index)
	body := c.block(a.Then, state, place+".then", inner)
	return func(s *Scope) error { return s.foreach(list, item, index, body) }
}

func (c *compiler) nested(a *Action, state int32, place string, local []localName) func(*Scope) error {
	b := c.block(a.Block, state, place+".block", local)
	return func(s *Scope) error {
		if b != nil {
			s.in.runBlock(b, s.state)
		}
		return nil
	}
}

package ecmascript

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// collector gathers what one evaluation can see. Functions in the values
// name more of them, so it goes on until nothing new is named.
type collector struct {
	program  *program
	scope    *statechart.Scope
	mentions mentions

	sent      map[string][]byte // variables, as JSON
	unsayable map[string]any    // variables that are not: why
	globals   map[string]bool   // kept globals that are among sent
	revives   bool              // some are functions
}

// request is what the engine is asked: the source and all that it can see.
func (c *collector) request(value any) (request, error) {
	p := c.program
	w := writer{b: append([]byte{'{'}, requestLimits...)}
	w.b = appendField(w.b, "kind", string(p.kind))
	w.b = appendField(w.b, "source", p.source)
	if p.kind == aLocation {
		w.b = append(w.b, `,"value":`...)
		if err := w.value(value); err != nil {
			return request{}, err
		}
	}
	c.gather()
	again := p.calm && !c.revives
	if again {
		w.b = append(w.b, `,"again":true`...)
	}
	w.b = c.variables(w.b)
	if len(c.unsayable) > 0 {
		w.b = append(w.b, `,"unsayable":`...)
		if err := w.value(c.unsayable); err != nil {
			return request{}, err
		}
	}
	err := c.system(&w, again)
	if again {
		return request{evaluateAgain, w.b}, err
	}
	return request{evaluateOnce, w.b}, err
}

// gather fills sent.
func (c *collector) gather() {
	p := c.program
	c.mentions = mentions{names: maps.Clone(p.mentions.names), any: p.mentions.any}
	c.sent, c.unsayable, c.globals = map[string][]byte{}, map[string]any{}, map[string]bool{}
	var kept map[string]any
	if p.visible.keeps {
		kept, _ = c.scope.Load(p.visible.globals).(map[string]any)
	}
	names := slices.Sorted(maps.Keys(p.mentions.names))
	for {
		all := c.mentions.any
		if all {
			names = append(slices.Clone(p.visible.names), slices.Sorted(maps.Keys(kept))...)
		}
		var more []string
		for _, name := range names {
			more = append(more, c.send(name, kept)...)
		}
		if names = more; all || len(names) == 0 && !c.mentions.any {
			return
		}
	}
}

// send writes one variable and returns the names that the functions in it
// mention.
func (c *collector) send(name string, kept map[string]any) (more []string) {
	v, global := kept[name]
	slot, declared := c.program.visible.slots[name]
	switch {
	case c.sent[name] != nil || name == globalsName || slices.Contains(systemNames, name):
		return nil
	case declared:
		v = c.scope.Load(slot)
	case !global:
		return nil
	}
	c.globals[name] = global && !declared
	var w writer
	if err := w.value(v); err != nil {
		c.unsayable[name] = err.Error()
		return nil
	}
	c.sent[name] = w.b
	for _, source := range w.functions {
		c.revives = true
		more = append(more, c.mentions.add(source)...)
	}
	return more
}

// systemNames are those of the system variables, and In.
var systemNames = []string{"_event", "_sessionid", "_name", "_ioprocessors", "_x", "In"}

// variables writes what was gathered.
func (c *collector) variables(b []byte) []byte {
	for _, globals := range []bool{false, true} {
		if globals {
			b = append(b, `,"globals":{`...)
		} else {
			b = append(b, `,"variables":{`...)
		}
		first := true
		for _, name := range slices.Sorted(maps.Keys(c.sent)) {
			if c.globals[name] != globals {
				continue
			}
			if !first {
				b = append(b, ',')
			}
			first = false
			b = append(append(appendText(b, name), ':'), c.sent[name]...)
		}
		b = append(b, '}')
	}
	return fmt.Appendf(b, `,"functions":%t`, c.revives)
}

// system writes the system variables (SCXML 5.10) and what is deterministic
// in place of a clock and of chance.
func (c *collector) system(w *writer, again bool) error {
	names, scope := c.mentions, c.scope
	uses := func(name string) bool { return names.any || names.names[name] }
	if again {
		used := slices.DeleteFunc(slices.Clone(systemNames), func(name string) bool { return !uses(name) })
		w.b = append(w.b, `,"uses":`...)
		if err := w.foreign(used); err != nil {
			return err
		}
	}
	w.b = append(w.b, `,"system":{"processors":`...)
	if err := w.value(processors(scope.Session())); err != nil {
		return err
	}
	w.b = appendField(w.b, "session", scope.Session())
	w.b = appendField(w.b, "name", c.program.language.details.Name)
	if e := c.event(); e != nil && uses("_event") {
		w.b = append(w.b, `,"event":`...)
		if err := w.value(e); err != nil {
			return fmt.Errorf("_event: %w", err)
		}
	}
	w.b = append(w.b, `},"active":`...)
	active := []any{}
	if uses("In") {
		active = c.active()
	}
	if err := w.value(active); err != nil {
		return err
	}
	if !again {
		w.b = fmt.Appendf(w.b, `,"now":%d,"seed":%s`, scope.Now(), seed(scope, uses("Math")))
	}
	w.b = append(w.b, '}')
	return nil
}

func (c *collector) active() []any {
	var ids []any
	for _, id := range c.program.language.ids {
		if c.scope.Active(c.program.language.details.States[id]) {
			ids = append(ids, id)
		}
	}
	return ids
}

const processorType = "http://www.w3.org/TR/scxml/#SCXMLEventProcessor"

// processors is _ioprocessors.
func processors(session string) map[string]any {
	location := map[string]any{"location": "#_scxml_" + session}
	return map[string]any{processorType: location, "scxml": location}
}

// event returns the fields of _event, nil before the first event.
func (c *collector) event() map[string]any {
	from := c.scope.Sender()
	if from.Type == "" {
		return nil
	}
	e := c.scope.Event()
	fields := map[string]any{"name": e.Name, "type": from.Type}
	for name, text := range map[string]string{"sendid": from.SendID, "invokeid": from.Invocation} {
		if text != "" {
			fields[name] = text
		}
	}
	if from.Origin != "" {
		fields["origin"], fields["origintype"] = "#_scxml_"+from.Origin, processorType
	}
	data := e.Data
	if from.Type == "platform" {
		data = c.located(data)
	}
	if data != nil {
		fields["data"] = data
	}
	return fields
}

// located adds to the data of an error where in the document it happened.
func (c *collector) located(data any) any {
	fields, ok := data.(map[string]any)
	position := c.program.language.details.Position
	if !ok || position == nil {
		return data
	}
	place, _ := fields["place"].(string)
	at, known := position(place)
	if !known {
		return data
	}
	fields = maps.Clone(fields)
	fields["tagname"], fields["line"], fields["column"] = at.Element, int64(at.Line), int64(at.Column)
	fields["reason"] = fields["message"]
	return fields
}

// seed gives chance that is the same at each replay: four numbers from the
// session, the macrostep and, where code may ask for chance, an id of the
// session's own, so that two evaluations in a macrostep differ.
func seed(scope *statechart.Scope, chance bool) string {
	id := ""
	if chance {
		id = scope.NextID()
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %d %s", scope.Session(), scope.Sequence(), id))
	text := make([]string, 4)
	for i := range text {
		text[i] = strconv.FormatUint(uint64(binary.LittleEndian.Uint32(sum[4*i:])), 10)
	}
	return "[" + strings.Join(text, ",") + "]"
}

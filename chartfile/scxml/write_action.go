package scxml

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/detent-run/detent/statechart"
)

func (w *writer) actions(t *tag, list []statechart.Action, path string) {
	w.actionsAt(t, list, path, 0)
}

// actionsAt writes a list of which the first is entry number from of path.
func (w *writer) actionsAt(t *tag, list []statechart.Action, path string, from int) {
	for i := range list {
		w.action(t, &list[i], fmt.Sprintf("%s[%d]", path, from+i))
	}
}

// action writes one action.
func (w *writer) action(t *tag, a *statechart.Action, path string) {
	for _, form := range []struct {
		is    bool
		write func(t *tag, a *statechart.Action, path string)
	}{
		{a.Assign != nil, w.assign}, {isGiven(a.Raise), w.message}, {isGiven(a.Send), w.message}, {a.Cancel != nil, w.cancel},
		{a.Log != nil, w.log}, {a.If != nil, w.choose}, {a.Foreach != nil, w.foreach}, {a.Script != "", w.script}, {a.Fail != "", w.failing},
	} {
		if form.is {
			form.write(t, a, path)
			return
		}
	}
	what := "an action that does nothing"
	for name, is := range map[string]bool{"a call of Go": a.Call != "", "append": a.Append != "", "do": a.Do != nil, "emit": a.Emit != nil, "a block within a block": a.Block != nil} {
		if is {
			what = name
		}
	}
	w.fail(path, "SCXML has assign, raise, send, cancel, log, if, foreach and scripts", "%s cannot be said in SCXML", what)
}

func isGiven(v any) bool { return v != nil && v != "" }

func (w *writer) assign(t *tag, a *statechart.Action, path string) {
	if len(a.Assign) != 1 {
		w.fail(path+".assign", "write one assign for each", "an assignment of %d variables at once cannot be said in SCXML", len(a.Assign))
		return
	}
	v := a.Assign[0]
	kid := t.add("assign")
	w.attribute(kid, "location", v.Name, path+".assign")
	w.value(kid, v.Value, path+".assign."+v.Name)
}

// message writes a raise, or a send.
func (w *writer) message(t *tag, a *statechart.Action, path string) {
	event, isRaise := a.Send, isGiven(a.Raise)
	to := a.To
	if isRaise {
		event = a.Raise
		if text, fixed := event.(string); fixed && a.Data == nil && a.Delay == nil && a.ID == nil {
			w.attribute(t.add("raise"), "event", text, path+".raise")
			return
		}
		if a.Delay == nil {
			to = "#_internal" // a delayed one is external
		}
	}
	kid := t.add("send")
	w.either(kid, "event", event, path+".send")
	w.either(kid, "target", to, path+".to")
	w.either(kid, "type", a.Processor, path+".processor")
	if a.ID != nil {
		id, ok := a.ID.(string)
		switch {
		case !ok:
			w.fail(path+".id", "write the id itself", "a computed id of a send cannot be said in SCXML")
		case strings.TrimSpace(id) != id:
			w.fail(path+".id", "write it without them", "the id %q would lose the white space at its ends", id)
		}
		w.attribute(kid, "id", id, path+".id")
	}
	if a.IDLocation != "" {
		w.attribute(kid, "idlocation", a.IDLocation, path+".idLocation")
	}
	w.either(kid, "delay", milliseconds(a.Delay), path+".delay")
	if a.Data != nil {
		w.payload(kid, a.Data, path+".data")
	}
}

// milliseconds writes a delay that is a number as a time.
func milliseconds(delay any) any {
	if text, isNumber := scalarOf(delay); isNumber && delay != nil {
		return text + "ms"
	}
	return delay
}

// either writes a text as an attribute, or an expression as its twin.
func (w *writer) either(t *tag, name string, v any, path string) {
	switch x := v.(type) {
	case nil:
	case statechart.Expression:
		w.attribute(t, name+"expr", string(x), path)
	case string:
		if strings.TrimSpace(x) != x || x == "" {
			w.fail(path, "write it without them", "%q cannot stand in the attribute %s: white space at its ends would go", x, name)
		}
		w.attribute(t, name, x, path)
	default:
		w.fail(path, "write text, or an expression", "%v cannot stand in the attribute %s", v, name)
	}
}

func (w *writer) cancel(t *tag, a *statechart.Action, path string) {
	kid := t.add("cancel")
	switch x := a.Cancel.(type) {
	case statechart.Expression:
		w.attribute(kid, "sendidexpr", string(x), path+".cancel")
	default:
		w.either(kid, "sendid", x, path+".cancel")
	}
}

// log writes a <log>: an object of one expression is a label with a value.
func (w *writer) log(t *tag, a *statechart.Action, path string) {
	if a.Level != "" && a.Level != "info" {
		w.fail(path+".level", "log at the level info", "the level %q of a log cannot be said in SCXML", a.Level)
	}
	kid := t.add("log")
	switch x := a.Log.(type) {
	case string:
		if x != "" {
			w.attribute(kid, "label", x, path+".log")
		}
		return
	case map[string]any:
		for label, v := range x {
			if source, ok := v.(statechart.Expression); ok && len(x) == 1 && label != "" {
				w.attribute(kid, "label", label, path+".log")
				w.attribute(kid, "expr", string(source), path+".log")
				return
			}
		}
	}
	w.attribute(kid, "expr", w.source(a.Log, path+".log"), path+".log")
}

// choose writes an <if> with all its branches.
func (w *writer) choose(t *tag, a *statechart.Action, path string) {
	kid := t.add("if")
	for branch := kid; ; {
		cond, ok := w.condition(a.If, path+".if")
		if !ok {
			w.fail(path+".if", "say what decides", "an if needs a condition")
		}
		w.attribute(branch, "cond", cond, path+".if")
		w.actions(kid, a.Then, path+".then")
		if len(a.Else) != 1 || a.Else[0].If == nil {
			break
		}
		branch = kid.add("elseif")
		a, path = &a.Else[0], path+".else[0]"
	}
	if len(a.Else) > 0 {
		kid.add("else")
		w.actions(kid, a.Else, path+".else")
	}
}

func (w *writer) foreach(t *tag, a *statechart.Action, path string) {
	kid := t.add("foreach")
	w.attribute(kid, "array", w.source(a.Foreach, path+".foreach"), path+".foreach")
	if a.As == "" {
		w.fail(path+".as", "name its element", "a foreach of SCXML has a variable for its element")
	}
	w.attribute(kid, "item", a.As, path+".as")
	if a.Index != "" {
		w.attribute(kid, "index", a.Index, path+".index")
	}
	w.actions(kid, a.Then, path+".then")
}

func (w *writer) script(t *tag, a *statechart.Action, path string) {
	if !written(a.Script) || strings.TrimSpace(a.Script) == "" {
		w.fail(path+".script", "write a statement without that character", "the script is blank, or has a character that XML cannot hold")
	}
	kid := t.add("script")
	kid.text, kid.script = a.Script, true
}

// What Read says of an action that can only fail.
const noValues = "the null data model has no values to log"

var (
	noProcessor = regexp.MustCompile(`^there is no event processor ("(?:[^"\\]|\\.)*")$`)
	noVariable  = regexp.MustCompile(`^("(?:[^"\\]|\\.)*") is no variable that foreach can write$`)
)

// failing writes an action that only fails: as what Read gives that message
// to, or as a send of a type that is the message.
func (w *writer) failing(t *tag, a *statechart.Action, path string) {
	if w.model == modelNull && a.Fail == noValues {
		t.add("log").set("expr", "0")
		return
	}
	kind := strings.TrimSpace(a.Fail)
	if m := noProcessor.FindStringSubmatch(a.Fail); m != nil {
		if text, err := strconv.Unquote(m[1]); err == nil {
			kind = text
		}
	}
	if m := noVariable.FindStringSubmatch(a.Fail); m != nil && w.model != modelNull {
		if name, err := strconv.Unquote(m[1]); err == nil && written(name) && strings.TrimSpace(name) == name && name != "" {
			kid := t.add("foreach")
			kid.set("array", "[]")
			kid.set("item", name)
			return
		}
	}
	if a.Fail == "the event has no name" {
		kind = "scxml" // a send of that type without an event
	} else if isProcessor(kind) {
		kind = "unknown: " + kind
	}
	if !written(kind) {
		kind = "unknown" // it fails as well
	}
	w.attribute(t.add("send"), "type", kind, path+".fail")
}

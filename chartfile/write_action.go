package chartfile

import (
	"fmt"

	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// actionList is a list of actions, nil when there are none.
func (w *writer) actionList(list []statechart.Action, path string, at *scope) *document.Node {
	if len(list) == 0 {
		return nil
	}
	n := listNode(nil)
	for i := range list {
		if item := w.action(&list[i], fmt.Sprintf("%s[%d]", path, i), at); item != nil {
			n.Items = append(n.Items, onOneLine(item))
		}
	}
	return onOneLine(n)
}

// action is one action. Its first key says what it does, its arguments follow
// in the order of the format.
func (w *writer) action(a *statechart.Action, path string, at *scope) *document.Node {
	var forms []func() *document.Node
	for _, form := range []struct {
		is    bool
		write func(a *statechart.Action, path string, at *scope) *document.Node
	}{
		{a.Call != "", w.call}, {a.Assign != nil, w.assign}, {a.Raise != nil, w.message}, {a.Send != nil, w.message},
		{a.Cancel != nil, w.cancel}, {a.Append != "", w.append}, {a.Do != nil, w.do}, {a.Emit != nil, w.emit},
		{a.Log != nil, w.log}, {a.If != nil, w.choose}, {a.Foreach != nil, w.foreach}, {a.Block != nil, w.block},
		{a.Script != "", w.script}, {a.Fail != "", w.failure},
	} {
		if form.is {
			forms = append(forms, func() *document.Node { return form.write(a, path, at) })
		}
	}
	if len(forms) != 1 {
		return w.fail(path, "call, assign, raise, send, cancel, append, do, emit, log, if or foreach", "an action says one thing to do; this says %d", len(forms))
	}
	return forms[0]()
}

func (w *writer) call(a *statechart.Action, path string, at *scope) *document.Node {
	w.actions[a.Call] = true
	if a.Params == nil {
		return textNode(a.Call)
	}
	var b objectBuilder
	b.add("type", textNode(a.Call))
	b.add("params", w.params(a.Params, path+".params", at))
	return b.node()
}

// params are parameters, nil when there are none.
func (w *writer) params(p map[string]any, path string, at *scope) *document.Node {
	if p == nil {
		return nil
	}
	return w.object(p, path, at)
}

func (w *writer) assign(a *statechart.Action, path string, at *scope) *document.Node {
	values := w.variables(a.Assign, path+".assign", at)
	if values == nil {
		values = (&objectBuilder{}).node()
	}
	return single("assign", values)
}

// message is a raise or a send.
func (w *writer) message(a *statechart.Action, path string, at *scope) *document.Node {
	var b objectBuilder
	b.addText("raise", w.eventName(a.Raise, path+".raise"))
	b.addText("send", w.eventName(a.Send, path+".send"))
	b.add("to", w.optional(a.To, path+".to", at))
	b.add("data", w.optional(a.Data, path+".data", at))
	if a.Delay != nil {
		b.add("delay", w.delay(a.Delay, path+".delay"))
	}
	b.add("id", w.optional(a.ID, path+".id", at))
	w.onlySCXML(a.IDLocation != "", path+".idLocation")
	w.onlySCXML(a.Processor != nil, path+".processor")
	return b.node()
}

// eventName is the name of an event to raise or send, which stands in a file
// as it is.
func (w *writer) eventName(v any, path string) string {
	name, fixed := v.(string)
	if v != nil && !fixed {
		w.fail(path, "raise one of several events under an if", "the name of the event is computed")
	}
	return w.fixed(name, path)
}

// onlySCXML refuses what only documents of SCXML can say.
func (w *writer) onlySCXML(said bool, path string) {
	if said {
		w.fail(path, "write it as SCXML", "a chart file cannot say this")
	}
}

func (w *writer) script(_ *statechart.Action, path string, _ *scope) *document.Node {
	return w.fail(path+".script", "write it as assignments, or as SCXML", "a chart file has no scripts")
}

func (w *writer) failure(_ *statechart.Action, path string, _ *scope) *document.Node {
	return w.fail(path+".fail", "leave it out, or write the chart as SCXML", "a chart file has no action that only fails")
}

func (w *writer) cancel(a *statechart.Action, path string, at *scope) *document.Node {
	return single("cancel", w.value(a.Cancel, path+".cancel", at))
}

func (w *writer) append(a *statechart.Action, path string, at *scope) *document.Node {
	return single("append", single(a.Append, w.value(a.Data, path+".data", at)))
}

func (w *writer) emit(a *statechart.Action, path string, at *scope) *document.Node {
	var b objectBuilder
	b.add("emit", w.value(a.Emit, path+".emit", at))
	b.add("data", w.optional(a.Data, path+".data", at))
	return b.node()
}

func (w *writer) log(a *statechart.Action, path string, at *scope) *document.Node {
	var b objectBuilder
	b.add("log", w.value(a.Log, path+".log", at))
	b.addText("level", a.Level)
	return b.node()
}

func (w *writer) choose(a *statechart.Action, path string, at *scope) *document.Node {
	var b objectBuilder
	if condition := w.condition(a.If, path+".if", at); condition != nil {
		b.add("if", condition)
	} else {
		w.fail(path+".if", "say what decides", "an if needs a condition")
	}
	then := w.actionList(a.Then, path+".then", at)
	if then == nil {
		then = listNode(nil)
	}
	b.add("then", then)
	b.add("else", w.actionList(a.Else, path+".else", at))
	return b.node()
}

func (w *writer) foreach(a *statechart.Action, path string, at *scope) *document.Node {
	var b objectBuilder
	b.add("foreach", w.value(a.Foreach, path+".foreach", at))
	b.addText("as", a.As)
	b.addText("index", a.Index)
	body := w.actionList(a.Then, path+".then", at.with(a.As, a.Index))
	if body == nil {
		body = listNode(nil)
	}
	b.add("do", body)
	return b.node()
}

func (w *writer) block(_ *statechart.Action, path string, _ *scope) *document.Node {
	return w.fail(path+".block", "lay its actions flat, or put them into another handler", "a block of actions cannot be said in a chart file")
}

// single is an object with one key.
func single(key string, n *document.Node) *document.Node {
	var b objectBuilder
	b.add(key, n)
	return b.node()
}

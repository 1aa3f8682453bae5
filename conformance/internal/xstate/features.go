package xstate

import (
	"strings"

	"github.com/detent-run/detent/internal/chartgen"
	"github.com/detent-run/detent/statechart"
)

// Shared are the features of which each must be in 20 % of the charts.
var Shared = []string{
	"parallel", "compound three deep", "history", "final", "onDone", "output", "initial actions", "local data",
	"always", "after", "computed delay", "invoke", "wildcard", "forbidden event", "targetless", "several targets", "reenter",
	"guard on data", "registered guard", "combined guard", "in guard", "active() guard", "assign", "registered action",
	"raise", "send", "delayed event", "cancel", "emit", "log", "if", "foreach", "failing action",
	"advance", "answer", "restore",
}

// Features says which of them a case has.
func Features(c Case) map[string]bool {
	f := features{}
	f.state(&c.Definition.Root, 0)
	for _, op := range c.Script {
		f.set(op.Kind, true)
	}
	text := chartgen.JSON(c.Definition)
	f.set("failing action", strings.Contains(text, "l[9]") || strings.Contains(text, ".zz") || strings.Contains(text, "% 0)") || strings.Contains(text, "* 1024"))
	f.set("active() guard", strings.Contains(text, "active("))
	return f
}

type features map[string]bool

func (f features) set(name string, on bool) {
	if on {
		f[name] = true
	}
}

func (f features) state(s *statechart.State, compounds int) {
	if len(s.States) > 0 && s.Type != statechart.Parallel {
		compounds++
	}
	f.set("compound three deep", compounds >= 3)
	f.set("parallel", s.Type == statechart.Parallel)
	f.set("history", s.Type == statechart.History)
	f.set("final", s.Type == statechart.Final)
	f.set("onDone", len(s.OnDone) > 0)
	f.set("output", s.Output != nil)
	f.set("initial actions", len(s.InitialActions) > 0)
	f.set("local data", len(s.Context) == 1)
	f.set("always", len(s.Always) > 0)
	f.set("after", len(s.After) > 0)
	f.set("invoke", len(s.Invoke) > 0)
	for _, list := range [][]statechart.Action{s.Entry, s.Exit, s.InitialActions} {
		f.actions(list)
	}
	for _, list := range [][]statechart.Transition{s.On, s.Always, s.OnDone} {
		f.transitions(list)
	}
	for _, t := range s.After {
		f.delay(t.Delay)
		f.transitions(t.Transitions)
	}
	for _, v := range s.Invoke {
		f.transitions(v.OnDone)
		f.transitions(v.OnError)
	}
	for i := range s.States {
		f.state(&s.States[i], compounds)
	}
}

func (f features) transitions(list []statechart.Transition) {
	for _, t := range list {
		f.set("wildcard", strings.Contains(t.Event, "*"))
		f.set("forbidden event", t.Event != "" && t.Target == "" && len(t.Actions) == 0)
		f.set("targetless", t.Target == "" && len(t.Actions) > 0)
		f.set("several targets", strings.Contains(t.Target, " "))
		f.set("reenter", t.Type == statechart.External)
		f.condition(&t.Guard)
		f.actions(t.Actions)
	}
}

func (f features) condition(c *statechart.Condition) {
	f.set("guard on data", c.Expression != "")
	f.set("registered guard", c.Name != "")
	f.set("in guard", c.In != "")
	f.set("combined guard", c.Not != nil || len(c.And)+len(c.Or) > 0)
	for _, list := range [][]statechart.Condition{c.And, c.Or} {
		for i := range list {
			f.condition(&list[i])
		}
	}
	if c.Not != nil {
		f.condition(c.Not)
	}
}

func (f features) delay(v any) {
	_, computed := v.(statechart.Expression)
	f.set("computed delay", computed)
}

func (f features) actions(list []statechart.Action) {
	for _, a := range list {
		f.set("assign", len(a.Assign) > 0)
		f.set("registered action", a.Call != "")
		f.set("raise", a.Raise != nil)
		f.set("send", a.Send != nil && a.Delay == nil)
		f.set("delayed event", a.Delay != nil)
		f.set("cancel", a.Cancel != nil)
		f.set("emit", a.Emit != nil)
		f.set("log", a.Log != nil)
		f.set("if", a.If != nil)
		f.set("foreach", a.Foreach != nil)
		f.delay(a.Delay)
		if a.If != nil {
			f.condition(a.If)
		}
		f.actions(a.Then)
		f.actions(a.Else)
	}
}

package chartgen

import "github.com/detent-run/detent/statechart"

// Shared lists the features of which every large run must have a share, in
// the order in which they are printed.
var Shared = []string{
	"parallel", "history", "shallow history", "deep history", "history default",
	"eventless", "after", "invoke", "deferral", "scopes",
}

// Features are the features that a definition uses.
func Features(d statechart.Definition) map[string]bool {
	f := features{}
	f.state(&d.Root, true)
	f["deferral"] = f["deferral"] || d.Unhandled == "defer"
	f["scopes"] = f["scopes"] && f["promote"]
	f["scxml"] = d.Dialect == "scxml"
	return f
}

type features map[string]bool

func (f features) state(s *statechart.State, root bool) {
	f.set("parallel", s.Type == statechart.Parallel)
	f.set("history", s.Type == statechart.History)
	f.set("deep history", s.History == "deep")
	f.set("shallow history", s.Type == statechart.History && s.History != "deep")
	f.set("history default", s.Type == statechart.History && s.Initial != "")
	f.set("eventless", len(s.Always) > 0)
	f.set("after", len(s.After)+len(s.Every) > 0)
	f.set("invoke", len(s.Invoke) > 0)
	f.set("deferral", len(s.Defer) > 0)
	f.set("scopes", len(s.Context) > 0 && !root)
	f.set("promote", len(s.Promote) > 0)
	f.set("final", s.Type == statechart.Final)
	for _, list := range [][]statechart.Action{s.Entry, s.Exit, s.InitialActions} {
		f.actions(list)
	}
	for _, list := range [][]statechart.Transition{s.On, s.Always, s.OnDone} {
		for i := range list {
			f.actions(list[i].Actions)
		}
	}
	for i := range s.States {
		f.state(&s.States[i], false)
	}
}

func (f features) actions(list []statechart.Action) {
	for _, a := range list {
		f.set("invoke", a.Do != nil)
		f.set("delayed send", a.Delay != nil)
		f.set("foreach or if", a.Foreach != nil || a.If != nil)
		f.set("raise", a.Raise != nil)
	}
}

func (f features) set(name string, on bool) {
	if on {
		f[name] = true
	}
}

package xstate

import (
	"fmt"
	"math"
	"strings"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// otherRules refuses a definition of another dialect, whatever it holds.
func otherRules(d *statechart.Definition) statechart.Errors {
	r := refusals{}
	if d.Dialect != "" {
		r.add("dialect", "write the chart in Detent's own dialect; an SCXML document runs as it stands", "the rules of the dialect %q are not those of XState", d.Dialect)
	}
	return r.found
}

// refusals lists what a machine cannot say.
type refusals struct{ found statechart.Errors }

// unwritable lists what would make XState go another way.
func unwritable(d *statechart.Definition) statechart.Errors {
	r := &refusals{}
	if d.Unhandled == "defer" {
		r.add("unhandled", "XState drops an event that nothing takes; leave it out", "unhandled events are kept for later")
	}
	r.state(&d.Root, "root", true)
	return r.found
}

func (r *refusals) add(path, hint, format string, args ...any) {
	r.found = append(r.found, &statechart.Error{Code: chartfile.CodeUnwritable, Path: path, Message: fmt.Sprintf(format, args...), Hint: hint})
}

func (r *refusals) state(s *statechart.State, path string, root bool) {
	if len(s.Context) > 0 && !root {
		r.add(path+".context", "declare the variables at the root", "XState has one context, and this state has variables of its own")
	}
	if len(s.Promote) > 0 {
		r.add(path+".promote", "assign the variables in exit", "XState does not merge variables when a state is left")
	}
	if len(s.Defer) > 0 {
		r.add(path+".defer", "let a state above take the events and raise them again", "XState does not keep events for later")
	}
	if len(s.Every) > 0 {
		r.add(path+".every", "use an after that enters its state again", "XState has no timers that repeat")
	}
	r.initial(s, path)
	r.meta(s.Meta, path)
	r.timers(s, path)
	r.transitions(s, path)
	r.order(s, path)
	for i := range s.States {
		r.state(&s.States[i], path+".states."+s.States[i].Name, false)
	}
}

func (r *refusals) initial(s *statechart.State, path string) {
	switch {
	case s.Type == statechart.History:
		if len(s.InitialActions) > 0 {
			r.add(path+".initialActions", "do it in the entry of its target", "XState does not run actions of a history's default")
		}
	case strings.ContainsAny(strings.TrimSpace(s.Initial), ". \t\r\n"):
		r.add(path+".initial", "name a child, and give that an initial of its own", "the initial %q leads further than to a child", s.Initial)
	}
}

func (r *refusals) meta(meta any, path string) {
	m, _ := meta.(map[string]any)
	if _, taken := m[ownKey]; taken {
		r.add(path+".meta."+ownKey, "rename the key", "what stands under %q in meta would be read as part of the chart", ownKey)
	}
}

// maxTimer is how long XState's clock can wait, in milliseconds.
const maxTimer = math.MaxInt32

func (r *refusals) timers(s *statechart.State, path string) {
	for i, t := range s.After {
		path := fmt.Sprintf("%s.after[%d]", path, i)
		if t.Keep {
			r.add(path+".keep", "leave it out", "XState begins a timer anew when a history restores its state")
		}
		text, _ := t.Delay.(string)
		if ms, ok := millisecondsOf(text); ok && ms > maxTimer {
			r.add(path+".delay", "name the delay, and provide it to XState in shorter steps", "XState's clock cannot wait for %s: it ends at 24.8 days", text)
		}
		r.list(t.Transitions, path+".transitions")
	}
}

func (r *refusals) transitions(s *statechart.State, path string) {
	for i, t := range s.On {
		if t.Event == "xstate" || strings.HasPrefix(t.Event, "xstate.") {
			r.add(fmt.Sprintf("%s.on[%d].event", path, i), "rename the event", "XState keeps names such as %s to itself", quoted(t.Event))
		}
	}
	r.list(s.On, path+".on")
	r.list(s.Always, path+".always")
	r.list(s.OnDone, path+".onDone")
	for i, v := range s.Invoke {
		path := fmt.Sprintf("%s.invoke[%d]", path, i)
		r.list(v.OnDone, path+".onDone")
		r.list(v.OnError, path+".onError")
	}
}

func (r *refusals) list(list []statechart.Transition, path string) {
	for i, t := range list {
		r.meta(t.Meta, fmt.Sprintf("%s[%d]", path, i))
	}
}

// order refuses names that JavaScript puts into another order.
func (r *refusals) order(s *statechart.State, path string) {
	fields := make([]document.Field, len(s.States))
	for i := range s.States {
		fields[i] = document.Field{Key: s.States[i].Name}
	}
	for i, f := range inJavaScriptOrder(fields) {
		if f.Key != s.States[i].Name {
			r.add(path+".states."+f.Key, "begin its name with a letter", "JavaScript would put the state %q at another place", f.Key)
			return
		}
	}
}

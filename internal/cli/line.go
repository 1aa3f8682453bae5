package cli

import (
	"github.com/detent-run/detent/internal/world"
	"github.com/detent-run/detent/statechart"
)

// line is one macrostep of the contract: docs/cli-json.md says what each
// member means, and its table of members is this function's order.
func line(r *world.Record) object {
	inside := within(r)
	o := object{
		{"sequence", r.Sequence},
		{"event", r.Event.Name},
		{"outcome", r.Outcome.String()},
		{"configuration", r.Configuration},
		{"transitions", inside.transitions},
		{"exited", inside.exited},
		{"entered", inside.entered},
		{"data", dataObject(r.After)},
		{"effects", effectObjects(r.Effects)},
		{"timers", timerObjects(r.After)},
		{"reason", reasonObject(r)},
		{"status", string(r.Status)},
		{"now", r.Now},
	}
	if r.Event.Data != nil {
		o = append(o, member{"payload", r.Event.Data})
	}
	if lists := listObject(r.After); len(lists) > 0 {
		o = append(o, member{"lists", lists})
	}
	if r.Deferred {
		o = append(o, member{"deferred", true})
	}
	if len(inside.raised) > 0 {
		o = append(o, member{"raised", inside.raised})
	}
	if len(inside.errors) > 0 {
		o = append(o, member{"errors", inside.errors})
	}
	if r.Session != mainSession {
		o = append(o, member{"session", r.Session})
	}
	return o
}

// inside is what happened within one macrostep, in order. A macrostep that
// was undone did nothing.
type inside struct {
	transitions     []object
	exited, entered []string
	raised          []string
	errors          []object
	places          []placed
}

func within(r *world.Record) inside {
	in := inside{transitions: []object{}, exited: []string{}, entered: []string{}}
	undone := r.Outcome == statechart.Failed && r.Status == statechart.Active
	for _, t := range r.Trace {
		switch t.Kind {
		case statechart.TraceError:
			in.errors = append(in.errors, object{{"place", t.Name}, {"message", t.Error}})
		case statechart.TraceRaised:
			in.raised = append(in.raised, t.Name)
		}
		if undone {
			continue
		}
		switch t.Kind {
		case statechart.TraceTaken:
			p := placed{place: t.Name}
			if c := r.After.Chart(); c != nil {
				def := c.Definition()
				p = locate(&def, t.Name)
			}
			in.places = append(in.places, p)
			in.transitions = append(in.transitions, transitionObject(p))
		case statechart.TraceExited:
			in.exited = below(in.exited, t.Name)
		case statechart.TraceEntered:
			in.entered = below(in.entered, t.Name)
		}
	}
	return in
}

// below appends a path unless it is the root's, which says nothing.
func below(paths []string, path string) []string {
	if path == "" {
		return paths
	}
	return append(paths, path)
}

func transitionObject(p placed) object {
	o := object{{"source", p.source}}
	if p.event != "" {
		o = append(o, member{"event", p.event})
	}
	if p.target != "" {
		o = append(o, member{"target", p.target})
	}
	return append(o, member{"place", p.place})
}

// dataObject is all data of a session by the paths of its states. Constants
// are no data.
func dataObject(s statechart.Snapshot) map[string]any {
	out := map[string]any{}
	for path, scope := range variables(s) {
		out[path] = scope
	}
	return out
}

// variables are the data of a session without its constants; a state that has
// none is left out.
func variables(s statechart.Snapshot) map[string]map[string]any {
	all := s.Data()
	if s.Chart() == nil {
		return all
	}
	out := map[string]map[string]any{}
	for path, scope := range all {
		kept := map[string]any{}
		for name, value := range scope {
			kept[name] = value
		}
		if path == "" {
			for _, c := range s.Chart().Definition().Constants {
				delete(kept, c.Name)
			}
		}
		if len(kept) > 0 {
			out[path] = kept
		}
	}
	return out
}

// listObject is how many rows the append-only lists have.
func listObject(s statechart.Snapshot) map[string]any {
	out := map[string]any{}
	if s.Chart() != nil {
		for _, name := range s.Chart().Definition().Lists {
			out[name] = s.Len(name)
		}
	}
	return out
}

func timerObjects(s statechart.Snapshot) []object {
	out := []object{}
	for _, t := range s.Timers() {
		o := object{{"event", t.Name}, {"kind", t.Kind}, {"due", t.Due}}
		if t.State != "" {
			o = append(o, member{"state", t.State})
		}
		if t.Kind == "raise" || t.Kind == "send" {
			o = append(o, member{"id", t.Source.ID})
			o = optional(o, "to", t.To)
			o = optionalData(o, "data", t.Data)
		}
		if t.Period > 0 {
			o = append(o, member{"period", t.Period})
		}
		out = append(out, o)
	}
	return out
}

func reasonObject(r *world.Record) any {
	why := r.Reason
	if why == nil {
		return nil
	}
	o := object{{"code", string(why.Code)}, {"message", why.Message}}
	o = optional(o, "place", why.Place)
	if len(why.Cycle) > 0 {
		o = append(o, member{"cycle", why.Cycle})
	}
	return o
}

// optional appends a member unless it is empty.
func optional(o object, key, value string) object {
	if value == "" {
		return o
	}
	return append(o, member{key, value})
}

func optionalData(o object, key string, value any) object {
	if value == nil {
		return o
	}
	return append(o, member{key, value})
}

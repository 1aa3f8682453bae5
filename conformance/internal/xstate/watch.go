package xstate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/detent-run/detent/internal/world"
	"github.com/detent-run/detent/statechart"
)

// watcher reads our own trace and notices when a situation arises in which
// XState differs on purpose.
type watcher struct {
	tree        *tree
	transitions map[string]*transition // by place
	order       []string               // active states by when they were entered, which is XState's order
	recorded    map[string][]string    // by path of the history state
	armed       map[statechart.Source]bool
	shared      map[delayed]bool // that more than one armed event had, until none has
	pass        pass
	step        microstep
}

// transition is what the watcher must know of one.
type transition struct {
	source    string
	targets   []string // paths
	external  bool
	eventless bool
}

// pass is one selection: the candidates whose guard held.
type pass struct {
	event     string // that is being selected for, "" when there is none any more
	eventless bool
	held      []*transition
	preempted map[*transition]bool
}

func newWatcher(def *statechart.Definition) *watcher {
	w := &watcher{tree: newTree(def), transitions: map[string]*transition{}, recorded: map[string][]string{}, armed: map[statechart.Source]bool{}, shared: map[delayed]bool{}}
	walk(&def.Root, "root", "", func(s *statechart.State, place, path string) {
		w.list(path, place+".on", s.On)
		w.list(path, place+".always", s.Always)
		w.list(path, place+".onDone", s.OnDone)
		for i := range s.After {
			w.list(path, fmt.Sprintf("%s.after[%d].transitions", place, i), s.After[i].Transitions)
		}
		for i := range s.Invoke {
			w.list(path, fmt.Sprintf("%s.invoke[%d].onDone", place, i), s.Invoke[i].OnDone)
			w.list(path, fmt.Sprintf("%s.invoke[%d].onError", place, i), s.Invoke[i].OnError)
		}
	})
	return w
}

func (w *watcher) list(source, place string, list []statechart.Transition) {
	for i := range list {
		t := &transition{source: source, external: list[i].Type == statechart.External, eventless: strings.HasSuffix(place, ".always")}
		for _, text := range strings.Fields(list[i].Target) {
			t.targets = append(t.targets, w.tree.target(source, text))
		}
		w.transitions[fmt.Sprintf("%s[%d]", place, i)] = t
	}
}

// restored notes that the session was restored; XState's order of the active
// states is the document's then.
func (w *watcher) restored(really bool) {
	if really {
		slices.SortFunc(w.order, w.tree.compare)
	}
}

// watch reads one macrostep and returns the first row that it belongs to, or
// "".
func (w *watcher) watch(r *world.Record) Row {
	row := w.timers(r)
	note := func(found Row) {
		if row == "" {
			row = found
		}
	}
	for _, t := range r.Trace {
		if t.Kind == statechart.TraceCandidate || t.Kind == statechart.TracePreempted {
			note(w.entered())
			note(w.candidate(t))
			continue
		}
		note(w.selected())
		switch t.Kind {
		case statechart.TraceEvent:
			note(w.entered())
			w.pass.event = t.Name
		case statechart.TraceTaken:
			w.step.taken = append(w.step.taken, w.transitions[t.Name])
		case statechart.TraceExited:
			w.order = slices.DeleteFunc(w.order, func(p string) bool { return p == t.Name })
		case statechart.TraceEntered:
			w.order = append(w.order, t.Name)
			if len(w.step.taken) > 0 {
				w.step.entered = append(w.step.entered, t.Name)
			}
		case statechart.TraceRecorded:
			w.recorded[t.Name] = nil
			for _, path := range t.Value.([]any) {
				w.recorded[t.Name] = append(w.recorded[t.Name], path.(string))
			}
		case statechart.TraceError:
			if t.Guard == "guard" || strings.Contains(t.Name, ".invoke[") && !strings.Contains(t.Name, "actions") || r.Status == statechart.FailedStatus {
				note(RowErrors)
			}
		}
	}
	note(w.selected())
	note(w.entered())
	return row
}

// candidate adds a candidate to the selection that goes on. Eventless ones
// are a selection of their own.
func (w *watcher) candidate(r statechart.TraceRecord) Row {
	t := w.transitions[r.Name]
	if t == nil {
		return Row("the trace names " + r.Name + ", which the watcher does not know")
	}
	var row Row
	if w.pass.eventless != t.eventless {
		row = w.selected()
	}
	w.pass.eventless = t.eventless
	switch {
	case r.Kind == statechart.TracePreempted:
		if w.pass.preempted == nil {
			w.pass.preempted = map[*transition]bool{}
		}
		w.pass.preempted[t] = true
	case r.Holds:
		w.pass.held = append(w.pass.held, t)
	}
	return row
}

// selected judges a selection that is over.
func (w *watcher) selected() Row {
	p := w.pass
	w.pass = pass{}
	if p.eventless && w.ordered(p.held, w.tree.compare) != w.ordered(p.held, nil) {
		return RowEventless
	}
	for _, t := range p.held {
		if w.acrossRegions(t) {
			return RowRegions
		}
		if w.leadsBack(t) {
			return RowHistory
		}
		for _, other := range p.held {
			if !p.eventless && !p.preempted[t] && w.tree.below(other.source, t.source) {
				return RowAncestors
			}
		}
	}
	return ""
}

// ordered says in which order the leaves choose the transitions: by a
// comparison of leaves, or by when they were entered.
func (w *watcher) ordered(held []*transition, compare func(a, b string) int) string {
	leaves := w.leaves()
	if compare != nil {
		slices.SortFunc(leaves, compare)
	}
	var chosen []string
	for _, leaf := range leaves {
		if t := w.choice(leaf, held); t != nil && !slices.Contains(chosen, t.source) {
			chosen = append(chosen, t.source)
		}
	}
	return strings.Join(chosen, " ")
}

func (w *watcher) leaves() []string {
	var out []string
	for _, p := range w.order {
		if w.tree.nodes[p].leaf {
			out = append(out, p)
		}
	}
	return out
}

// choice is the nearest of the held transitions, from a leaf upwards.
func (w *watcher) choice(leaf string, held []*transition) *transition {
	for s, ok := leaf, true; ok; s, ok = w.tree.parent(s) {
		for _, t := range held {
			if t.source == s {
				return t
			}
		}
	}
	return nil
}

// domain is where a transition's exits and entries lie below in XState: its
// source, or the least common ancestor, parallel or not. It is false for
// targetless ones, and for those of the root.
func (w *watcher) domain(t *transition) (string, bool) {
	if len(t.targets) == 0 {
		return "", false
	}
	states := []string{t.source}
	inside := !t.external
	for _, target := range t.targets {
		for _, s := range w.resolve(target, 0) {
			states = append(states, s)
			inside = inside && (s == t.source || w.tree.below(s, t.source))
		}
	}
	if inside {
		return t.source, true
	}
	for a, ok := w.tree.parent(t.source); ok; a, ok = w.tree.parent(a) {
		if !slices.ContainsFunc(states, func(s string) bool { return !w.tree.below(s, a) }) {
			return a, true
		}
	}
	return "", false
}

// acrossRegions reports whether a transition leaves the regions of a parallel
// state and not the state itself in XState.
func (w *watcher) acrossRegions(t *transition) bool {
	d, ok := w.domain(t)
	return ok && d != "" && d != t.source && w.tree.nodes[d].parallel
}

// leadsBack reports whether a transition goes to a history whose parent lies
// above the domain.
func (w *watcher) leadsBack(t *transition) bool {
	d, ok := w.domain(t)
	return ok && slices.ContainsFunc(t.targets, func(target string) bool {
		parent, _ := w.tree.parent(target)
		return w.tree.nodes[target].history && w.tree.below(d, parent)
	})
}

// resolve is what a target stands for: for a history what it recorded, else
// its default.
func (w *watcher) resolve(target string, depth int) []string {
	n := w.tree.nodes[target]
	if n == nil || !n.history || depth > 10 {
		return []string{target}
	}
	if states := w.recorded[target]; len(states) > 0 {
		return states
	}
	parent, _ := w.tree.parent(target)
	var out []string
	for _, text := range strings.Fields(n.initial) {
		out = append(out, w.resolve(strings.TrimPrefix(parent+"."+text, "."), depth+1)...)
	}
	if len(out) == 0 {
		out = append(out, parent)
		for _, text := range strings.Fields(w.tree.nodes[parent].initial) {
			out = append(out[:0], w.resolve(strings.TrimPrefix(parent+"."+text, "."), depth+1)...)
		}
	}
	return out
}

// delayed is under what a delayed event can be cancelled; an empty id is none.
type delayed struct{ kind, id string }

func delayedAs(s statechart.Source) delayed { return delayed{s.Kind, s.ID} }

// timers follows which delayed events wait, and notices when one is cancelled
// whose id another one has, or had while it waited: XState knows only the one
// that was armed last, and none when any of them came.
func (w *watcher) timers(r *world.Record) Row {
	if r.Event.Envelope != nil {
		w.disarm(r.Event.Envelope.Source)
	}
	var row Row
	for _, e := range r.Effects {
		switch e.Type {
		case statechart.EffectUnschedule:
			if w.shared[delayedAs(e.Source)] && r.Status == statechart.Active { // an end takes back all, there too
				row = RowCancel
			}
			w.disarm(e.Source)
		case statechart.EffectSchedule:
			if w.waits(delayedAs(e.Source)) && e.Source.ID != "" {
				w.shared[delayedAs(e.Source)] = true
			}
			w.armed[e.Source] = true
		}
	}
	return row
}

func (w *watcher) disarm(s statechart.Source) {
	delete(w.armed, s)
	if !w.waits(delayedAs(s)) {
		delete(w.shared, delayedAs(s))
	}
}

// waits reports whether any delayed event of an id is armed.
func (w *watcher) waits(d delayed) bool {
	for s := range w.armed {
		if delayedAs(s) == d {
			return true
		}
	}
	return false
}

package transcript

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/detent-run/detent/internal/world"
	"github.com/detent-run/detent/statechart"
)

// Hints for what a user may have done when the two ways differ.
const (
	jsonContext  = "a typed context must come back from JSON as it was; if it cannot, set Options.InMemory"
	whyDifferent = "a registered function is not pure, or the typed context does not come back from JSON as it was (then set Options.InMemory)"
)

// shadow follows one session by the pure face of the core, from documents.
type shadow struct {
	chart    *statechart.Chart
	snapshot statechart.Snapshot
	rows     statechart.Rows
}

// follow makes the macrostep of a record once more. It returns the session
// before and after it; before is zero at the start.
func (p *player) follow(r *world.Record) (before, after statechart.Snapshot, err error) {
	s := p.shadows[r.Session]
	var next statechart.Next
	if s == nil {
		s = &shadow{chart: p.world.Instance(r.Session).Chart(), rows: p.world.Rows(r.Session)}
		p.shadows[r.Session] = s
		next, err = p.begin(s, r)
	} else {
		before = s.snapshot
		next, err = s.step(r)
	}
	if err != nil {
		return before, after, err
	}
	s.snapshot = next.Snapshot
	if !p.options.InMemory {
		if s.snapshot, err = reread(s.chart, next.Snapshot); err != nil {
			return before, after, err
		}
	}
	if what := differs(r, &next); what != "" {
		return before, after, problem("the instance and the pure step differ in "+what+" at "+r.String(), whyDifferent)
	}
	return before, s.snapshot, nil
}

func (p *player) begin(s *shadow, r *world.Record) (statechart.Next, error) {
	context, err := p.newContext(p.contexts[r.Session])
	if err != nil {
		return statechart.Next{}, err
	}
	parent := ""
	if e := r.Event.Envelope; e != nil {
		parent = e.Origin
	}
	return s.chart.Begin(statechart.Start{Session: r.Session, Parent: parent, Input: r.Event.Data, Context: context, Now: r.Now})
}

func (s *shadow) step(r *world.Record) (statechart.Next, error) {
	if r.Cancelled {
		return s.snapshot.Cancel(r.Now)
	}
	if !r.Deferred {
		return statechart.Step(s.chart, s.snapshot.WithRows(s.rows), r.Event, r.Now)
	}
	next, kept, ok, err := statechart.Deliver(s.chart, s.snapshot.WithRows(s.rows), r.Now)
	if err == nil && (!ok || kept.Name != r.Event.Name) {
		err = problem("the instance and the pure step deliver different deferred events at "+r.String(), whyDifferent)
	}
	return next, err
}

// reread writes a snapshot as a document and reads it back.
func reread(chart *statechart.Chart, s statechart.Snapshot) (statechart.Snapshot, error) {
	text, err := encode(s)
	if err != nil {
		return s, err
	}
	back, err := chart.Decode(text)
	if err != nil {
		return s, problem("the document of the session cannot be read: "+err.Error(), jsonContext)
	}
	again, err := encode(back)
	if err != nil {
		return s, err
	}
	if string(again) != string(text) {
		return s, problem(fmt.Sprintf("the session does not come back from its document as it was:\n%s\n%s", text, again), jsonContext)
	}
	return back, nil
}

func encode(s statechart.Snapshot) ([]byte, error) {
	text, err := s.Encode()
	if err != nil {
		return nil, problem("the session cannot be written as a document: "+err.Error(), "if its typed context is not meant to be, set Options.InMemory")
	}
	return text, nil
}

// differs names what the two ways to make one macrostep do not agree on.
func differs(r *world.Record, next *statechart.Next) string {
	switch {
	case r.Outcome != next.Result.Outcome || code(r.Reason) != code(next.Result.Reason):
		return fmt.Sprintf("outcome (%s, %s)", r.Outcome, next.Result.Outcome)
	case r.Status != next.Snapshot.Status():
		return "status"
	case !slices.Equal(r.Configuration, next.Snapshot.Configuration()):
		return fmt.Sprintf("configuration (%v, %v)", r.Configuration, next.Snapshot.Configuration())
	case !slices.EqualFunc(r.Effects, next.Effects, func(a, b statechart.Effect) bool { return reflect.DeepEqual(a, b) }):
		return fmt.Sprintf("effects (%s, %s)", tellEffects(r.Effects), tellEffects(next.Effects))
	}
	return ""
}

func tellEffects(effects []statechart.Effect) string {
	var lines []string
	for i := range effects {
		e := effects[i]
		lines = append(lines, (&player{keys: map[string]bool{}}).effect(&e, 0))
	}
	return strings.Join(lines, "; ")
}

func code(r *statechart.Reason) statechart.Code {
	if r == nil {
		return ""
	}
	return r.Code
}

// settle compares the whole states of both ways, when a step is over.
func (p *player) settle(id string) error {
	if p.options.InMemory {
		return nil
	}
	ran, err := encode(p.world.Instance(id).Snapshot())
	if err != nil {
		return err
	}
	followed, err := encode(p.shadows[id].snapshot)
	if err != nil {
		return err
	}
	if string(ran) != string(followed) {
		return problem(fmt.Sprintf("the instance and the pure step lead to different states of session %s:\n%s\n%s", id, ran, followed), whyDifferent)
	}
	return nil
}

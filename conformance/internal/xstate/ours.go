package xstate

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/internal/chartgen"
	"github.com/detent-run/detent/internal/world"
	"github.com/detent-run/detent/statechart"
)

// Run is a script played on our side.
type Run struct {
	// Steps are the observations, the start first.
	Steps []Observation
	// Stopped is the row of a difference on purpose that arose, "" if none
	// did; Steps then ends before it.
	Stopped Row
	// Redrawn is how many charts [New] threw away before this one.
	Redrawn int
	// restless is set when the chart did not come to rest.
	restless bool
}

// session is the id of the one session.
const session = "s"

// limit bounds the macrosteps of a step of a script.
const limit = 60

// registry returns the behaviour that the charts name, for our side.
func registry() *statechart.Registry {
	r := chartfile.Behaviour()
	r.Guard("odd", func(s *statechart.Scope) (bool, error) {
		n, ok := s.Params()["of"].(int64)
		if !ok {
			return false, fmt.Errorf("%v is no integer", s.Params()["of"])
		}
		return n%2 != 0, nil
	})
	r.Action("mark", func(s *statechart.Scope) error {
		v, _ := s.Get("marks")
		marks, _ := v.([]any)
		marks = append(slices.Clone(marks), s.Params()["as"])
		return s.Set("marks", marks[max(0, len(marks)-6):])
	})
	r.Action("bump", func(s *statechart.Scope) error {
		name, _ := s.Params()["variable"].(string)
		v, _ := s.Get(name)
		n, ok := v.(int64)
		by, ok2 := s.Params()["by"].(int64)
		if !ok || !ok2 {
			return errors.New("bump needs integers")
		}
		return s.Set(name, (n+by)%1000)
	})
	return r
}

// Ours plays a case on our side, its session written out and read back
// before every event. The error is Compile's.
func Ours(c Case) (Run, error) {
	p, err := begin(c)
	if err != nil {
		return Run{}, err
	}
	for i := 0; i < len(c.Script) && p.goesOn(); i++ {
		p.step(&c.Script[i])
	}
	return p.run, nil
}

// begin starts the session of a case.
func begin(c Case) (*player, error) {
	chart, err := statechart.Compile(c.Definition, registry())
	if err != nil {
		return nil, err
	}
	p := &player{
		world:   world.New(world.Options{Reload: true, Details: true, Limit: limit}),
		watcher: newWatcher(&c.Definition),
		names:   variablesOf(&c.Definition.Root),
	}
	if _, err := p.world.Start(session, chart, c.Input); err != nil {
		return nil, err
	}
	p.observe(nil, p.world.Run())
	return p, nil
}

// goesOn reports whether there is anything to compare yet.
func (p *player) goesOn() bool { return p.run.Stopped == "" && !p.run.restless }

// step plays one op.
func (p *player) step(op *chartgen.Op) { p.observe(op, p.play(op)) }

// can reports whether an op would do something.
func (p *player) can(op chartgen.Op) bool {
	switch op.Kind {
	case "event":
		return p.world.Instance(session).Can(statechart.Event{Name: op.Name, Data: op.Data})
	case "answer":
		return len(p.world.Calls()) > 0
	case "advance":
		return len(p.timers()) > 0
	}
	return len(p.timers()) == 0 // XState forgets them when it is restored
}

// player plays one script.
type player struct {
	world   *world.World
	watcher *watcher
	names   []variable
	seen    int // records that were looked at
	run     Run
}

// variable is a declared variable and the path of its state.
type variable struct{ state, name string }

func variablesOf(root *statechart.State) []variable {
	var out []variable
	walk(root, "root", "", func(s *statechart.State, _, path string) {
		for _, v := range s.Context {
			out = append(out, variable{path, v.Name})
		}
	})
	return out
}

// walk visits all states with their place in the definition and their path.
func walk(s *statechart.State, place, path string, visit func(s *statechart.State, place, path string)) {
	visit(s, place, path)
	for i := range s.States {
		child := &s.States[i]
		walk(child, place+".states."+child.Name, strings.TrimPrefix(path+"."+child.Name, "."), visit)
	}
}

func (p *player) play(op *chartgen.Op) error {
	switch op.Kind {
	case "event":
		if err := p.world.Send(session, statechart.Event{Name: op.Name, Data: op.Data}); err != nil {
			return err
		}
	case "advance":
		return p.world.Advance(op.Wait)
	case "answer":
		ids := p.live()
		if len(ids) == 0 {
			return nil
		}
		answer := world.Done(op.Data)
		if op.Name == "error" {
			answer = world.Error(op.Data)
		}
		if err := p.world.Answer(session, ids[op.Pick%len(ids)], answer); err != nil {
			return err
		}
	case "restore": // it is restored before every event anyway
		p.watcher.restored(len(p.timers()) == 0)
	}
	return p.world.Run()
}

// live are the ids of the open calls, sorted.
func (p *player) live() []string {
	var ids []string
	for _, c := range p.world.Calls() {
		ids = append(ids, c.Effect.Source.ID)
	}
	slices.Sort(ids)
	return ids
}

func (p *player) timers() []statechart.Timer { return p.world.Instance(session).Timers() }

// observe looks at what a step did.
func (p *player) observe(op *chartgen.Op, err error) {
	records := p.world.Records()[p.seen:]
	p.seen += len(records)
	if errors.Is(err, world.ErrLimit) || slices.ContainsFunc(records, overflown) {
		p.run.restless = true
		return
	}
	o := Observation{Context: map[string]any{}}
	for i, r := range records {
		if row := p.watcher.watch(&r); row != "" && p.run.Stopped == "" {
			p.run.Stopped = row
		}
		taken := r.Outcome == statechart.Taken && op != nil
		o.Taken = o.Taken || taken && (i == 0 || op.Kind == "advance")
		o.effects(r.Effects)
	}
	if p.run.Stopped != "" {
		return
	}
	p.state(&o)
	if err != nil {
		o.Error = err.Error()
	}
	p.run.Steps = append(p.run.Steps, o)
}

// overflown reports whether a macrostep went past a limit.
func overflown(r world.Record) bool {
	return r.Reason != nil && strings.HasPrefix(string(r.Reason.Code), "limit")
}

// effects adds what a macrostep asked for.
func (o *Observation) effects(list []statechart.Effect) {
	for _, e := range list {
		switch e.Type {
		case statechart.EffectLog:
			o.Trace = append(o.Trace, e.Data)
		case statechart.EffectEmit:
			event := map[string]any{}
			if fields, ok := e.Data.(map[string]any); ok {
				maps.Copy(event, fields)
			} else if e.Data != nil {
				event["data"] = e.Data
			}
			event["type"] = e.Event
			o.Emitted = append(o.Emitted, event)
		}
	}
}

// state adds what the session holds.
func (p *player) state(o *Observation) {
	in := p.world.Instance(session)
	o.States = slices.Sorted(slices.Values(in.Configuration()))
	data := in.Data()
	for _, v := range p.names {
		o.Context[v.name] = data[v.state][v.name]
	}
	o.Output = in.Output()
	switch in.Status() {
	case statechart.Active:
		o.Status = "active"
	case statechart.Completed:
		o.Status = "done"
		return
	default:
		o.Status = "error"
		return
	}
	for _, t := range in.Timers() {
		o.Timers = append(o.Timers, t.Due-p.world.Now())
	}
	for _, c := range p.world.Calls() {
		o.Live = append(o.Live, Call{c.Effect.Source.ID, c.Effect.Data})
	}
	slices.SortFunc(o.Live, func(a, b Call) int { return strings.Compare(a.ID, b.ID) })
}

package transcript

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/detent-run/detent/internal/world"
	"github.com/detent-run/detent/statechart"
)

// maxMacrosteps bounds what one step may set off.
const maxMacrosteps = 10_000

// player does the steps of a script, one by one, to a world, and follows each
// macrostep a second way.
type player struct {
	chart    *statechart.Chart
	options  Options
	world    *world.World
	shadows  map[string]*shadow
	contexts map[string]any // to start with, as JSON-like data
	keys     map[string]bool
	told     int   // records of the world that were looked at
	since    int64 // the world's time when the step began
	queued   *Step // the last one that queued and did not run
	sender   string
}

func newPlayer(chart *statechart.Chart, o Options) *player {
	return &player{
		chart: chart, options: o,
		world:    world.New(world.Options{Charts: o.Charts, Limit: maxMacrosteps}),
		shadows:  map[string]*shadow{},
		contexts: map[string]any{},
		keys:     map[string]bool{},
		sender:   Senders[0],
	}
}

// play does one step and returns the lines of what was seen.
func (p *player) play(s *Step) ([]string, error) {
	p.since = p.world.Now()
	v, ok := findVerb(s.Verb)
	if !ok {
		return nil, problem("there is no step "+clip(s.Verb), "")
	}
	return v.do(p, s)
}

// instance finds the session that a step is about.
func (p *player) instance(s *Step) (*statechart.Instance, error) {
	if in := p.world.Instance(s.Session); in != nil {
		return in, nil
	}
	if s.Session == mainSession {
		return nil, problem("the session is not started", "write the step start before it")
	}
	return nil, problem("there is no session "+clip(s.Session), "there are: "+strings.Join(p.world.Sessions(), ", "))
}

func (p *player) context(s *Step) ([]string, error) {
	if p.world.Instance(s.Session) != nil {
		return nil, problem("the session has its context already", "the step context stands before start")
	}
	if _, err := p.newContext(s.Data); err != nil {
		return nil, err
	}
	p.contexts[s.Session] = s.Data
	return nil, nil
}

// newContext makes a typed context of the chart's type out of data. Nil data
// is no context.
func (p *player) newContext(data any) (any, error) {
	if data == nil {
		return nil, nil
	}
	zero := p.chart.Instance(nil).Context()
	if zero == nil {
		return nil, problem("the chart has no typed context", "a chart's own data begins with start INPUT")
	}
	context := reflect.New(reflect.TypeOf(zero).Elem()).Interface()
	d := json.NewDecoder(strings.NewReader(formatJSON(data)))
	d.DisallowUnknownFields()
	if err := d.Decode(context); err != nil {
		return nil, problem("the context cannot be read: "+err.Error(), "")
	}
	return context, nil
}

func (p *player) start(s *Step) ([]string, error) {
	if p.world.Instance(s.Session) != nil {
		return nil, problem("the session "+clip(s.Session)+" is started already", "start another one with @ID start")
	}
	how := statechart.Start{Session: s.Session, Input: s.Data}
	var err error
	if how.Context, err = p.newContext(p.contexts[s.Session]); err != nil {
		return nil, err
	}
	if _, err := p.world.Begin(p.chart, how); err != nil {
		return nil, err
	}
	return p.run()
}

func (p *player) send(s *Step) ([]string, error) {
	if _, err := p.queue(s); err != nil {
		return nil, err
	}
	return p.run()
}

func (p *player) queue(s *Step) ([]string, error) {
	if _, err := p.instance(s); err != nil {
		return nil, err
	}
	p.queued = s
	return nil, p.world.SendAs(s.Session, p.sender, statechart.Event{Name: s.Name, Data: s.Data})
}

// as says who sends the events that follow.
func (p *player) as(s *Step) ([]string, error) {
	p.sender = s.Name
	return nil, nil
}

func (p *player) answer(s *Step) ([]string, error) {
	if _, err := p.instance(s); err != nil {
		return nil, err
	}
	if err := p.world.Answer(s.Session, s.Name, world.Answer{Kind: s.Verb, Data: s.Data}); err != nil {
		var open []string
		for _, c := range p.world.Calls() {
			if c.Session == s.Session {
				open = append(open, c.Effect.Source.ID)
			}
		}
		hint := "no call is open"
		if len(open) > 0 {
			hint = "open is " + strings.Join(open, ", ")
		}
		return nil, problem("no call "+clip(s.Name)+" is open", hint)
	}
	return p.run()
}

// advance goes from one due time to the next, so that a chart which never
// rests is noticed.
func (p *player) advance(s *Step) ([]string, error) {
	first := len(p.world.Records())
	if s.Time == Next {
		if _, err := p.world.AdvanceToNext(); err != nil {
			return nil, err
		}
		return p.tell()
	}
	for end := p.since + s.Time; ; {
		if err := p.world.Run(); err != nil {
			return nil, err
		}
		due, ok := p.world.Due()
		if !ok || due > end {
			if err := p.world.Advance(end - p.world.Now()); err != nil {
				return nil, err
			}
			return p.tell()
		}
		if len(p.world.Records())-first > maxMacrosteps {
			return nil, problem(fmt.Sprintf("more than %d macrosteps happen", maxMacrosteps), "let less time pass")
		}
		if err := p.world.Advance(due - p.world.Now()); err != nil {
			return nil, err
		}
	}
}

// run lets happen what needs no time.
func (p *player) run() ([]string, error) {
	if err := p.world.Run(); err != nil {
		return nil, err
	}
	return p.tell()
}

// tell follows each macrostep since the last time, and returns its lines.
func (p *player) tell() ([]string, error) {
	p.queued = nil
	var lines []string
	touched := map[string]bool{}
	for _, r := range p.world.Records()[p.told:] {
		before, after, err := p.follow(&r)
		if err != nil {
			return nil, err
		}
		lines = append(lines, p.macrostep(&r, before, after)...)
		touched[r.Session] = true
	}
	p.told = len(p.world.Records())
	for _, id := range p.world.Sessions() {
		if touched[id] {
			if err := p.settle(id); err != nil {
				return nil, err
			}
		}
	}
	if len(lines) == 0 {
		lines = []string{"  nothing"}
	}
	return lines, nil
}

func (p *player) events(s *Step) ([]string, error) {
	in, err := p.instance(s)
	if err != nil {
		return nil, err
	}
	lines := []string{}
	for _, e := range in.Events() {
		line := "  takes " + plain(e.Name)
		if e.Guarded {
			line += ", guarded"
		}
		if len(e.From) > 0 {
			from := slices.Clone(e.From)
			line += ", from " + strings.Join(from, " or ")
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		lines = []string{"  nothing"}
	}
	return lines, nil
}

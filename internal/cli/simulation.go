package cli

import (
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/detent-run/detent/charttest/transcript"
	"github.com/detent-run/detent/internal/world"
	"github.com/detent-run/detent/statechart"
)

// mainSession is the id of the session that is driven; it is the one that
// transcripts mean when they name none.
const mainSession = "main"

// maxMacrosteps bounds what one input may set off.
const maxMacrosteps = 10_000

// input is one thing that is done to the session from outside.
type input struct {
	verb string // "send", "queue", "advance", "done", "error", "unknown", "progress", "as" or "guard"
	name string // the event, the call's id, the time as written, the sender or the guard
	data any
	time int64 // of an advance, in milliseconds, or transcript.Next
	// session is who it is done to; empty: the main one.
	session string
	// answers are what guards without a function answered, each once.
	answers map[string]bool
}

func (i *input) to() string {
	if i.session == "" {
		return mainSession
	}
	return i.session
}

// String is the input as a step of a transcript.
func (i *input) String() string {
	text := i.verb + " " + i.name
	if i.data != nil {
		text += " " + spaced.text(i.data)
	}
	return text
}

// simulation drives one chart in memory. It is determined by its start and
// its inputs, so that going back is starting again without the last one.
type simulation struct {
	chart    *statechart.Chart
	children map[string]*statechart.Chart
	find     func(src string) (*statechart.Chart, error) // documents that are found when they start; nil: none
	guards   *guards
	begin    any             // the start's input
	opening  map[string]bool // what guards answered during the start
	world    *world.World
	inputs   []input
	told     int
	sender   string // of the events to come
}

// start runs the initial macrostep and what follows from it at once.
func (s *simulation) start() ([]world.Record, error) {
	s.world = world.New(world.Options{Charts: s.children, Find: s.find, Limit: maxMacrosteps, Details: true})
	s.told, s.sender = 0, transcript.Senders[0]
	s.opening = s.guards.begin(s.opening)
	if _, err := s.world.Start(mainSession, s.chart, s.begin); err != nil {
		return nil, trouble(err)
	}
	err := trouble(s.world.Run())
	return s.news(), err
}

// trouble puts an error of the world into words for its user.
func trouble(err error) error {
	var p *problem
	switch {
	case err == nil || errors.As(err, &p):
		return err
	case errors.Is(err, world.ErrLimit):
		return failure(strings.TrimPrefix(err.Error(), "world: "), "sessions send to each other, or one to itself, for ever")
	}
	return failure(strings.TrimPrefix(err.Error(), "world: "), "what was done before it stands")
}

// news are the records since the last time.
func (s *simulation) news() []world.Record {
	all := s.world.Records()
	news := all[s.told:]
	s.told = len(all)
	return news
}

// do does one input and returns what happened. When there are records beside
// a problem, the input was done and led to it; otherwise it was not done.
func (s *simulation) do(i input) ([]world.Record, error) {
	i.answers = s.guards.begin(i.answers)
	before := len(s.world.Records())
	err := s.act(&i)
	if err == nil && i.verb != "queue" && i.verb != "advance" {
		err = s.world.Run()
	}
	if err == nil || len(s.world.Records()) > before {
		s.inputs = append(s.inputs, i)
	}
	if i.verb == "queue" {
		return nil, trouble(err)
	}
	return s.news(), trouble(err)
}

func (s *simulation) act(i *input) error {
	switch i.verb {
	case "guard":
		value, _ := i.data.(bool)
		s.guards.set(i.name, value)
		return nil
	case "as":
		s.sender = i.name
		return nil
	case "advance":
		return s.advance(i.time)
	case "send", "queue":
		if s.world.Instance(i.to()) == nil {
			return notTaken("there is no session "+plain(i.to()), meant(i.to(), s.world.Sessions(), "sessions"))
		}
		return s.world.SendAs(i.to(), s.sender, statechart.Event{Name: i.name, Data: i.data})
	}
	if err := s.world.Answer(i.to(), i.name, world.Answer{Kind: i.verb, Data: i.data}); err != nil {
		return notTaken("no call "+plain(i.name)+" is open", meant(i.name, s.openCalls(i.to()), "open calls"))
	}
	return nil
}

// advance goes from one due time to the next, so that a chart that never
// rests is noticed.
func (s *simulation) advance(ms int64) error {
	if ms == transcript.Next {
		_, err := s.world.AdvanceToNext()
		return err
	}
	end := s.world.Now() + ms
	for first := len(s.world.Records()); ; {
		if err := s.world.Run(); err != nil {
			return err
		}
		due, ok := s.world.Due()
		if !ok || due > end {
			return s.world.Advance(end - s.world.Now())
		}
		if len(s.world.Records())-first > maxMacrosteps {
			return failure(fmt.Sprintf("more than %d macrosteps happen in %s", maxMacrosteps, transcript.Duration(ms)), "let less time pass at once")
		}
		if err := s.world.Advance(due - s.world.Now()); err != nil {
			return err
		}
	}
}

// step does one step of a transcript, with what guards answer in it. Steps
// that only look do nothing.
func (s *simulation) step(t *transcript.Step, answers map[string]bool) ([]world.Record, error) {
	switch t.Verb {
	case "start":
		if t.Session == mainSession {
			s.begin, s.opening = t.Data, answers
			return s.start()
		}
		if _, err := s.world.Start(t.Session, s.chart, t.Data); err != nil {
			return nil, trouble(err)
		}
		err := trouble(s.world.Run())
		return s.news(), err
	case "send", "queue", "done", "error", "unknown", "progress", "as", "advance":
		return s.do(input{verb: t.Verb, name: t.Name, data: t.Data, time: t.Time, session: t.Session, answers: answers})
	}
	return nil, nil
}

// back undoes the last n inputs.
func (s *simulation) back(n int) error {
	inputs := s.inputs[:len(s.inputs)-n]
	s.inputs = nil
	s.guards.reset()
	if _, err := s.start(); err != nil {
		return err
	}
	for _, i := range inputs {
		s.do(i) // a problem that it led to was told the first time
	}
	return nil
}

// main is the session that is driven.
func (s *simulation) main() *statechart.Instance { return s.world.Instance(mainSession) }

// openCalls are the ids of a session's open calls.
func (s *simulation) openCalls(session string) []string {
	var ids []string
	for _, c := range s.world.Calls() {
		if c.Session == session {
			ids = append(ids, c.Effect.Source.ID)
		}
	}
	return ids
}

// guards are the guards that a chart requires and that have no function here:
// each says what it was set to, else what the user says when asked, else no.
type guards struct {
	names []string
	given map[string]bool // from the command line
	fixed map[string]bool // as of now
	said  map[string]bool // during this input; its map is kept with it
	// ask asks the user; nil when there is none to ask.
	ask func(name string) bool
}

func newGuards(given map[string]bool) *guards {
	g := &guards{given: given}
	g.reset()
	return g
}

func (g *guards) reset() {
	g.fixed, g.said = map[string]bool{}, map[string]bool{}
	for name, value := range g.given {
		g.fixed[name] = value
	}
}

func (g *guards) set(name string, value bool) { g.fixed[name] = value }

// begin starts an input, with the answers of its first time when it is done
// again. It returns where its answers are kept.
func (g *guards) begin(answers map[string]bool) map[string]bool {
	if g.said = answers; answers == nil {
		g.said = map[string]bool{}
	}
	return g.said
}

func (g *guards) holds(name string) bool {
	if value, ok := g.fixed[name]; ok {
		return value
	}
	if value, ok := g.said[name]; ok {
		return value
	}
	if g.ask == nil {
		return false
	}
	value := g.ask(name)
	g.said[name] = value
	return value
}

// replaying makes the guards say again, before each step of a transcript of
// the session, what they said the first time. end brings them back to now.
func (g *guards) replaying(s *simulation) (before func(transcript.Step), end func()) {
	now, said, ask := maps.Clone(g.fixed), g.said, g.ask
	g.reset()
	g.ask = nil
	rest, started := s.inputs, false
	before = func(transcript.Step) {
		if !started {
			started = true
			g.begin(s.opening)
			return
		}
		for ; rest[0].verb == "guard"; rest = rest[1:] {
			value, _ := rest[0].data.(bool)
			g.set(rest[0].name, value)
		}
		g.begin(rest[0].answers)
		rest = rest[1:]
	}
	return before, func() { g.fixed, g.said, g.ask = now, said, ask }
}

// unset are the guards that were not set, for a warning.
func (g *guards) unset() []string {
	var names []string
	for _, name := range g.names {
		if _, ok := g.fixed[name]; !ok {
			names = append(names, name)
		}
	}
	return names
}

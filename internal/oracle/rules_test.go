package oracle_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/detent-run/detent/internal/chartgen"
	"github.com/detent-run/detent/internal/oracle"
	"github.com/detent-run/detent/statechart"
)

// TestRules plays testdata/rules.txt: per rule a small chart and what must
// come of each event, worked out by hand. A case is
//
//	== title
//	{ the chart as JSON, expressions as "${...}", over any lines }
//
//	step -> outcome | active leaves | effects
//
// A step is start, an event's name, +N (N milliseconds pass and the first timer
// fires), "~N name" (an event after N milliseconds), "done id" and the like (an
// answer of a live call), again (the same delivery once more), kept (the next
// kept event), or cancel.
func TestRules(t *testing.T) {
	text, err := os.ReadFile("testdata/rules.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range strings.Split(string(text), "\n== ")[1:] {
		title, rest, _ := strings.Cut(c, "\n")
		t.Run(title, func(t *testing.T) { playRule(t, rest) })
	}
}

func playRule(t *testing.T, text string) {
	chart, steps, _ := strings.Cut(text, "\n\n")
	def, err := chartgen.Read(chart)
	if err != nil {
		t.Fatal(err)
	}
	model, err := oracle.New(def, chartgen.Behaviour(false))
	if err != nil {
		t.Fatal(err)
	}
	p := &play{model: model}
	for _, line := range strings.Split(steps, "\n") {
		step, want, ok := strings.Cut(line, " -> ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		if got := p.step(strings.TrimSpace(step)); got != strings.TrimSpace(want) {
			t.Errorf("%s\n got %s\nwant %s", step, got, want)
		}
	}
}

// play is a case being played.
type play struct {
	model   *oracle.Chart
	session *oracle.Session
	last    oracle.Record
	sent    statechart.Delivery
	now     int64
}

func (p *play) step(text string) string {
	if wait, event, ok := strings.Cut(text, " "); ok && wait[0] == '~' {
		p.pass(wait[1:])
		text = event
	}
	kind, id, _ := strings.Cut(text, " ")
	switch {
	case text == "start":
		p.session, p.last = p.model.Start(nil, map[string]any{"n": int64(7)}, 0)
		return show(p.last)
	case text == "kept":
		_, r, ok := p.session.Next(p.now)
		if !ok {
			return "none"
		}
		p.last = r
		return show(r)
	case text == "cancel":
		p.last = p.session.Cancel(p.now)
		return show(p.last)
	case text == "again":
	case text[0] == '+':
		p.pass(text[1:])
		p.sent = p.last.Timers[0].Delivery()
	case id != "":
		p.sent = p.answer(kind, id)
	default:
		p.sent = statechart.Delivery{Event: statechart.Event{Name: text, Data: map[string]any{"n": int64(1)}}}
	}
	p.last = p.session.Step(p.sent, p.now)
	return show(p.last)
}

func (p *play) pass(text string) {
	ms, _ := strconv.Atoi(text)
	p.now += int64(ms)
}

func (p *play) answer(kind, id string) statechart.Delivery {
	for _, c := range p.last.Live {
		if c.Source.ID == id {
			e := statechart.Event{Name: kind + "." + c.Source.Kind + "." + id, Data: map[string]any{"n": int64(2)}}
			return statechart.Delivery{Event: e, Envelope: &statechart.Envelope{Source: c.Source}}
		}
	}
	panic("no live call " + id)
}

// show is a record in the form of a case's expectations.
func show(r oracle.Record) string {
	outcome := strings.TrimSpace(fmt.Sprintf("%s %s", r.Outcome, r.Code))
	if r.Status != statechart.Active {
		outcome += ", " + string(r.Status)
	}
	var effects []string
	for _, e := range r.Effects {
		effects = append(effects, brief(e))
	}
	return strings.TrimSpace(fmt.Sprintf("%s | %s | %s", outcome, strings.Join(r.Configuration, " "), strings.Join(effects, ", ")))
}

func brief(e statechart.Effect) string {
	data := strings.Trim(oracle.Text(e.Data), `"`)
	switch e.Type {
	case statechart.EffectLog:
		return data
	case statechart.EffectSend:
		return fmt.Sprintf("send %s to %s", e.Event, e.To)
	case statechart.EffectSchedule:
		return fmt.Sprintf("arm %s at %d", e.Event, e.Due)
	case statechart.EffectUnschedule:
		return "disarm " + e.Event
	case statechart.EffectInvoke, statechart.EffectDo, statechart.EffectStop:
		return fmt.Sprintf("%s %s", e.Type, e.Source.ID)
	case statechart.EffectAppend:
		return fmt.Sprintf("append %s %s", e.Name, data)
	case statechart.EffectEmit:
		return "emit " + e.Event
	case statechart.EffectEnd:
		return fmt.Sprintf("end %s %s", e.Name, data)
	}
	return string(e.Type)
}

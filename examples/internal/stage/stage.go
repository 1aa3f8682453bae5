// Package stage is the smallest host of a chart, for the examples: one
// session, a clock that only moves when asked, outside calls that a function
// answers, and a line of print for each thing that happens. It keeps the
// order that every host keeps: what a macrostep asks for is done after it, an
// answer comes as an event of its own, and timers fire at their due times.
//
// It does what the examples need and no more: it sends to no other session and
// tells no subscribers. It stands on package statechart alone and may be copied.
package stage

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// Call is an outside call of the session.
type Call struct {
	ID, Src string
	Input   any
}

// Answer is how a call ends: Kind is "done", "error" or "unknown", and After
// the milliseconds until then. The zero Answer leaves the call open.
type Answer struct {
	Kind  string
	Data  any
	After int64
}

// Stage drives one session and prints it. It belongs to one goroutine.
type Stage struct {
	in     *statechart.Instance
	reply  func(Call) Answer
	coming []coming         // in the order in which they were promised
	rows   map[string][]any // of the append-only lists
	trace  statechart.Trace
}

// coming is an event that is on its way.
type coming struct {
	due   int64
	event statechart.Delivery
}

// Start starts a session. A nil reply leaves all calls open.
func Start(chart *statechart.Chart, how statechart.Start, reply func(Call) Answer) *Stage {
	s := &Stage{in: new(statechart.Instance), reply: reply, rows: map[string][]any{}}
	result := chart.Start(s.in, how)
	s.in.SetRows(func(list string, from, to int64) ([]any, error) { return s.rows[list][from:to], nil })
	s.in.Trace(&s.trace)
	s.tell("start", nil, result)
	s.perform(s.in.Effects())
	return s
}

// Resume goes on with a session that [Stage.Kill] wrote, when the clock shows
// now (milliseconds). It is for charts without append-only lists, whose rows
// the document does not hold.
func Resume(chart *statechart.Chart, document []byte, now int64, reply func(Call) Answer) (*Stage, error) {
	snapshot, err := chart.Decode(document)
	if err != nil {
		return nil, err
	}
	s := &Stage{in: new(statechart.Instance), reply: reply}
	if err := chart.Resume(s.in, snapshot); err != nil {
		return nil, err
	}
	s.in.SetNow(now)
	s.in.Trace(&s.trace)
	return s, nil
}

// Kill writes the session as a document and forgets it.
func (s *Stage) Kill() ([]byte, error) {
	document, err := s.in.Snapshot().Encode()
	s.in, s.coming = nil, nil
	return document, err
}

// Instance is the session, for reading.
func (s *Stage) Instance() *statechart.Instance { return s.in }

// Send sends an event and lets happen what needs no time.
func (s *Stage) Send(event string, data any) {
	s.deliver(statechart.Delivery{Event: statechart.Event{Name: event, Data: data}})
	s.Wait(0)
}

// Wait lets time pass, in milliseconds, with everything that comes due.
func (s *Stage) Wait(ms int64) {
	for end := s.in.Now() + ms; ; {
		due, event, ok := s.next()
		if !ok || due > end {
			s.in.SetNow(end)
			return
		}
		s.in.SetNow(due)
		s.deliver(event())
	}
}

// Rest lets time pass until nothing is on its way any more: for ever, if the
// chart arms one timer after the other.
func (s *Stage) Rest() {
	for {
		due, _, ok := s.next()
		if !ok {
			return
		}
		s.Wait(max(due-s.in.Now(), 0))
	}
}

// next finds what happens next: an answer or a timer, an answer first when
// both are due. Calling event takes the answer off the list; the chart itself
// takes off the timer.
func (s *Stage) next() (due int64, event func() statechart.Delivery, ok bool) {
	first := -1
	for i := range s.coming {
		if first < 0 || s.coming[i].due < s.coming[first].due {
			first = i
		}
	}
	timers := s.in.Timers()
	if s.in.Status() != statechart.Active {
		timers = nil
	}
	switch {
	case first >= 0 && (len(timers) == 0 || s.coming[first].due <= timers[0].Due):
		c := s.coming[first]
		return c.due, func() statechart.Delivery {
			s.coming = slices.Delete(s.coming, first, first+1)
			return c.event
		}, true
	case len(timers) > 0:
		return timers[0].Due, timers[0].Delivery, true
	}
	return 0, nil, false
}

// deliver is one macrostep, with the deferred events that it sets free.
func (s *Stage) deliver(d statechart.Delivery) {
	before := s.in.Configuration()
	result := s.in.Step(d)
	for {
		s.tell(d.Name, before, result)
		s.perform(s.in.Effects())
		before = s.in.Configuration()
		var more bool
		if d, result, more = s.in.Next(); !more {
			return
		}
	}
}

// perform does what a macrostep asks for. Timers need nothing: the instance
// has them.
func (s *Stage) perform(effects []statechart.Effect) {
	for _, e := range slices.Clone(effects) {
		switch e.Type {
		case statechart.EffectInvoke, statechart.EffectDo:
			s.call(e)
		case statechart.EffectStop:
			s.coming = slices.DeleteFunc(s.coming, func(c coming) bool {
				return c.event.Envelope != nil && c.event.Envelope.Source == e.Source
			})
		case statechart.EffectWarn:
			s.note("%s: %s", e.Type, text(e.Data))
		case statechart.EffectAppend:
			s.rows[e.Name] = append(s.rows[e.Name], e.Data)
			s.note("%s + %s", e.Name, text(e.Data))
		case statechart.EffectEnd:
			s.note("the session is %s%s", e.Name, payload(e.Data))
		}
	}
}

// call asks the outside world. The answer is an event with the source of the
// effect in its envelope.
func (s *Stage) call(e statechart.Effect) {
	s.note("calls %s%s", e.Call.Src, question(e.Data))
	if s.reply == nil {
		return
	}
	a := s.reply(Call{ID: e.Source.ID, Src: e.Call.Src, Input: e.Data})
	if a.Kind == "" {
		return
	}
	name := a.Kind + "." + e.Source.Kind + "." + e.Source.ID
	s.coming = append(s.coming, coming{s.in.Now() + a.After, statechart.Delivery{
		Event:    statechart.Event{Name: name, Data: a.Data},
		Envelope: &statechart.Envelope{Source: e.Source, Effect: e.Key},
	}})
}

// tell prints one macrostep: time, event, and where it led or why not.
func (s *Stage) tell(event string, before []string, result statechart.Result) {
	after := s.in.Configuration()
	if strings.HasPrefix(event, "after.") {
		event = "(timer)" // the rest of its name is the state that is left
	}
	line := fmt.Sprintf("%9s  %-27s", clock(s.in.Now()), event)
	switch {
	case result.Outcome != statechart.Taken:
		line += result.Outcome.String()
		if result.Reason != nil {
			line += ": " + result.Reason.Message
		}
	case slices.Equal(before, after):
		line += "stays in " + strings.Join(after, ", ")
	default:
		line += "-> " + strings.Join(after, ", ")
	}
	fmt.Println(line)
	for _, r := range s.trace.Records {
		if r.Kind == statechart.TraceRaised {
			s.note("by way of %s", r.Name)
		}
	}
	s.trace.Records = nil
}

// note prints something below a macrostep.
func (s *Stage) note(format string, args ...any) {
	fmt.Printf("%9s    %s\n", "", fmt.Sprintf(format, args...))
}

// question is what a call is about: of a model's input the prompt alone.
func question(input any) string {
	if fields, ok := input.(map[string]any); ok && fields["prompt"] != nil {
		return ": " + text(fields["prompt"])
	}
	return payload(input)
}

func payload(data any) string {
	if data == nil {
		return ""
	}
	return " " + text(data)
}

// text shows data on one line: words as they are, everything else as JSON.
func text(data any) string {
	if s, ok := data.(string); ok {
		return s
	}
	b, err := json.Marshal(data)
	if err != nil {
		return fmt.Sprint(data)
	}
	return string(b)
}

// clock shows milliseconds as hours, minutes, seconds and tenths.
func clock(ms int64) string {
	text := fmt.Sprintf("%d:%02d.%d", ms/60_000%60, ms/1000%60, ms/100%10)
	if hours := ms / 3_600_000; hours > 0 {
		text = fmt.Sprintf("%d:%02d:%02d.%d", hours, ms/60_000%60, ms/1000%60, ms/100%10)
	}
	return text
}

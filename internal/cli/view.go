package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/detent-run/detent/charttest/transcript"
	"github.com/detent-run/detent/internal/world"
	"github.com/detent-run/detent/statechart"
)

// view shows macrosteps to people: a headline, then one line for each thing
// that changed or was asked for, with a word in front that says what it is.
//
//	#2  receive_task  taken
//	    state   idle → planning
//	    set     task = "find the news"
//	    call    planner  model:planner {"task": "find the news"}
type view struct {
	out    *output
	p      palette
	before map[string]statechart.Snapshot // of each session
	now    int64                          // the time of the last headline
	shown  int                            // what was written so far
}

func newView(out *output, p palette) *view {
	return &view{out: out, p: p, before: map[string]statechart.Snapshot{}}
}

// maxRaised is how many raised events of one macrostep are told.
const maxRaised = 10

// labelWidth is how wide the word in front is with its blanks.
const labelWidth = 9

// show writes macrosteps.
func (v *view) show(records []world.Record) {
	for i := range records {
		v.macrostep(&records[i])
	}
}

// forget makes the view start anew, at a time, from what the sessions of a
// world hold now.
func (v *view) forget(w *world.World) {
	v.before, v.now = map[string]statechart.Snapshot{}, w.Now()
	for _, id := range w.Sessions() {
		if in := w.Instance(id); in != nil {
			v.before[id] = in.Snapshot()
		}
	}
}

func (v *view) macrostep(r *world.Record) {
	v.apart()
	before := v.before[r.Session]
	v.before[r.Session] = r.After
	fmt.Fprintln(v.out, v.headline(r))
	v.now = r.Now
	v.state(r, before)
	inside := within(r)
	for _, name := range atMost(maxRaised, inside.raised) {
		v.line("raise", plain(name))
	}
	for _, e := range inside.errors {
		v.line("error", v.p.bad(plain(fmt.Sprint(e[1].value)))+v.p.faint(" at "+plain(fmt.Sprint(e[0].value))))
	}
	for _, c := range changes(before, r.After) {
		v.line(c.word, c.text)
	}
	told := false
	for i := range r.Effects {
		word, text, more := v.effect(&r.Effects[i], r.Now)
		v.line(word, text)
		for _, m := range more {
			v.line("", m)
		}
		told = told || r.Effects[i].Type == statechart.EffectEnd && r.Reason == nil
	}
	v.notTaken(r)
	if r.Status != statechart.Active && !told && (before.IsZero() || before.Status() != r.Status) {
		v.ended(r)
	}
}

// apart leaves a line free before what follows, unless it is the first.
func (v *view) apart() {
	if v.shown++; v.shown > 1 {
		fmt.Fprintln(v.out)
	}
}

func (v *view) headline(r *world.Record) string {
	name := plain(r.Event.Name)
	if r.Event.Name == "detent.init" && (r.Outcome != statechart.Refused || r.Sequence == 0) {
		name = "start"
	}
	number := fmt.Sprintf("#%-2d ", r.Sequence)
	if r.Outcome == statechart.Refused {
		number = "#-  " // it was no macrostep
	}
	text := v.p.faint(number)
	if r.Session != mainSession {
		text += v.p.place("@"+plain(r.Session)) + " "
	}
	text += v.p.strong(name)
	text += payload(r.Event.Data) + "  " + v.p.outcome(r.Outcome)
	if r.Deferred {
		text += v.p.faint(" after it was deferred")
	}
	if r.Now != v.now {
		text += v.p.faint("  at " + transcript.Duration(r.Now))
	}
	return text
}

// line writes one thing with its word in front.
func (v *view) line(word, text string) {
	fmt.Fprintf(v.out, "    %s%s\n", v.p.faint(padded(word, labelWidth)), text)
}

// state tells where the session is and where it came from.
func (v *view) state(r *world.Record, before statechart.Snapshot) {
	to := leaves(r.Configuration)
	switch {
	case len(r.Configuration) == 0:
	case before.IsZero():
		v.line("state", v.p.place(to))
	case !slices.Equal(before.Configuration(), r.Configuration):
		v.line("state", v.p.place(leaves(before.Configuration()))+" → "+v.p.place(to))
	case r.Outcome == statechart.Taken && len(within(r).exited) > 0:
		v.line("state", v.p.place(to)+v.p.faint(" again"))
	default:
		v.line("state", v.p.faint("still ")+v.p.place(to))
	}
}

func leaves(configuration []string) string {
	if len(configuration) == 0 {
		return "none"
	}
	if len(configuration) == 1 && configuration[0] == "" {
		return "the root"
	}
	return plain(strings.Join(configuration, ", "))
}

// notTaken tells why an event was not taken, what its guards say, and what
// could be sent instead.
func (v *view) notTaken(r *world.Record) {
	if r.Outcome == statechart.Taken || r.Reason == nil {
		return
	}
	v.line("why", plain(r.Reason.Message)+v.p.faint(" ["+string(r.Reason.Code)+"]"))
	if len(r.Reason.Cycle) > 0 {
		names := make([]string, len(r.Reason.Cycle))
		for i, c := range r.Reason.Cycle {
			names[i] = sourceName(c)
		}
		v.line("cycle", plain(strings.Join(names, " → ")))
	}
	in := revive(r.After)
	if in == nil || r.Outcome == statechart.Deferred {
		return
	}
	if r.Reason.Code == statechart.CodeGuardFalse {
		for _, text := range v.candidates(in.Explain(r.Event.Event)) {
			v.line("", text)
		}
	}
	if possible := eventNames(in.Events()); len(possible) > 0 {
		v.line("possible", strings.Join(possible, ", "))
	}
}

// revive makes an instance to ask, so that the session itself stays alone.
func revive(s statechart.Snapshot) *statechart.Instance {
	if s.IsZero() {
		return nil
	}
	in := new(statechart.Instance)
	if s.Chart().Resume(in, s) != nil {
		return nil
	}
	return in
}

// candidates tells each transition for an event with what its guards say.
func (v *view) candidates(x statechart.Explanation) []string {
	var lines []string
	for _, c := range x.Candidates {
		text := v.p.place(plain(sourceName(c.Source)))
		if c.Target != "" {
			text += " → " + plain(c.Target)
		}
		lines = append(lines, text+": "+v.verdict(&c))
		for _, part := range c.Parts {
			if len(c.Parts) > 1 || part.Guard != c.Guard {
				lines = append(lines, "  "+v.answer(part.Guard, part.Holds, part.Error))
			}
		}
	}
	for _, state := range x.DeferredBy {
		lines = append(lines, v.p.place(plain(sourceName(state)))+": defers it")
	}
	return lines
}

func sourceName(path string) string {
	if path == "" {
		return "the root"
	}
	return path
}

func (v *view) verdict(c *statechart.Candidate) string {
	text := "no guard"
	if c.Guard != "" {
		text = v.answer(c.Guard, c.Holds, c.Error)
	}
	switch {
	case !c.Asked:
		return v.p.faint("not asked")
	case c.Chosen:
		return text + ", " + v.p.good("taken")
	case c.Preempted:
		return text + ", another goes first"
	}
	return text
}

func (v *view) answer(guard string, holds bool, fault string) string {
	guard = plain(strings.Join(strings.Fields(guard), " "))
	switch {
	case fault != "":
		return guard + " " + v.p.bad("fails: "+plain(fault))
	case holds:
		return guard + " " + v.p.good("holds")
	}
	return guard + " " + v.p.care("does not hold")
}

func (v *view) ended(r *world.Record) {
	text := v.p.good(string(r.Status))
	if r.Status != statechart.Completed {
		text = v.p.bad(string(r.Status))
	}
	if why := r.After.Reason(); why != nil && (r.Reason == nil || r.Reason.Message != why.Message) {
		text += ": " + plain(why.Message) + v.p.faint(" ["+string(why.Code)+"]")
	}
	v.line("session", text)
}

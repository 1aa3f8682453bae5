package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// word is one command of the lines that sim reads. What follows it is a name
// or JSON or nothing.
type word struct {
	name  string
	takes string // as shown by help
	about string
	do    func(d *drive, args string) (quit bool, err error)
}

// words are all commands, in the order in which help shows them. A line that
// begins with none of them is an event.
func words() []word {
	return []word{
		{"send", "EVENT [JSON]", "send an event; needed only when it is called like a command", (*drive).sendWord},
		{"done", "ID [JSON]", "answer an open call with its output", answerWord("done")},
		{"error", "ID [JSON]", "answer an open call with an error", answerWord("error")},
		{"unknown", "ID [JSON]", "say that nobody saw how a call ended", answerWord("unknown")},
		{"progress", "ID [JSON]", "give news of an open call", answerWord("progress")},
		{"as", "SENDER", "say who sends the events that follow: client, model, human, session or tool", (*drive).asWord},
		{"advance", "TIME", "let time pass: 500ms, 45s, 15m, 30d, or next for what is due next", (*drive).advanceWord},
		{"guard", "NAME true|false", "say what a required guard answers from now on", (*drive).guardWord},
		{"back", "[N]", "take back the last input, or the last N", (*drive).backWord},
		{"why", "EVENT [JSON]", "say what an event would do now, and why not more", (*drive).whyWord},
		{"events", "", "show what is possible now", (*drive).eventsWord},
		{"data", "", "show all data", (*drive).dataWord},
		{"history", "", "show what was done so far", (*drive).historyWord},
		{"save", "FILE", "write what was done, and what was seen, as a transcript", (*drive).saveWord},
		{"help", "", "show this list", (*drive).helpWord},
		{"quit", "", "leave", func(*drive, string) (bool, error) { return true, nil }},
	}
}

// command does one line. Empty lines and comments do nothing.
func (d *drive) command(text string) (quit bool, err error) {
	text = strings.TrimSpace(text)
	if text == "" || text[0] == '#' {
		return false, nil
	}
	first, rest := cutWord(text)
	for _, w := range words() {
		if w.name == first || first == "exit" && w.name == "quit" {
			return w.do(d, rest)
		}
	}
	if p := d.mistyped(first, rest); p != nil {
		return false, p
	}
	return d.sendWord(text)
}

// mistyped finds a command that was meant where the chart has no such event
// and the line could not be one.
func (d *drive) mistyped(first, rest string) *problem {
	var names []string
	for _, w := range words() {
		names = append(names, w.name)
	}
	def := d.sim.chart.Definition()
	events := eventsOf(&def)
	if slices.Contains(events, first) {
		return nil
	}
	near := nearest(first, append(names, events...))
	if slices.Contains(names, near) || rest != "" && !strings.ContainsAny(rest[:1], "{[\"0123456789-tfn") {
		return usage("there is no command and no event "+plain(first), meant(first, append(events, names...), "events and commands"))
	}
	return nil
}

func cutWord(text string) (first, rest string) {
	at := strings.IndexAny(text, " \t")
	if at < 0 {
		return text, ""
	}
	return text[:at], strings.TrimSpace(text[at:])
}

// named reads a name and, if there is more, JSON.
func named(verb, what, args string) (input, error) {
	name, rest := cutWord(args)
	i := input{verb: verb, name: name}
	if session, found := strings.CutPrefix(name, "@"); found {
		i.session = session
		i.name, rest = cutWord(rest)
	}
	if i.name == "" || strings.ContainsAny(i.name[:1], "{[\"") {
		return i, usage(verb+" needs "+what, "help shows the commands")
	}
	if p := checkName(i.session + i.name); p != nil {
		return i, p
	}
	if rest == "" {
		return i, nil
	}
	v, p := parsePayload("the payload of "+plain(i.name), rest)
	if p != nil {
		return i, p
	}
	i.data = v
	return i, nil
}

func (d *drive) sendWord(args string) (bool, error) {
	i, err := named("send", "an event", args)
	if err != nil {
		return false, err
	}
	return false, d.apply(i)
}

func answerWord(kind string) func(*drive, string) (bool, error) {
	return func(d *drive, args string) (bool, error) {
		i, err := named(kind, "the id of a call", args)
		if err != nil {
			return false, err
		}
		return false, d.apply(i)
	}
}

func (d *drive) asWord(args string) (bool, error) {
	if p := checkSender(args); p != nil {
		return false, p
	}
	return false, d.apply(input{verb: "as", name: args})
}

func (d *drive) advanceWord(args string) (bool, error) {
	if args == "" {
		args = "next"
	}
	ms, p := parseTime(args)
	if p != nil {
		return false, p
	}
	if _, due := d.sim.world.Due(); args == "next" && !due {
		d.say("nothing is due")
		return false, nil
	}
	return false, d.apply(input{verb: "advance", name: args, time: ms})
}

func (d *drive) guardWord(args string) (bool, error) {
	at := strings.LastIndexAny(args, " \t=")
	if at < 0 {
		return false, usage("guard needs a name and true or false", "the required guards are "+strings.Join(d.sim.guards.names, ", "))
	}
	name, value := strings.TrimSpace(args[:at]), args[at+1:]
	if !slices.Contains(d.sim.guards.names, name) {
		return false, usage("the chart requires no guard "+plain(name), meant(name, d.sim.guards.names, "required guards"))
	}
	if value != "true" && value != "false" {
		return false, usage("a guard is true or false, not "+plain(value), "write guard "+name+" true")
	}
	return false, d.apply(input{verb: "guard", name: name, data: value == "true"})
}

func (d *drive) backWord(args string) (bool, error) {
	n := 1
	if args != "" {
		var err error
		if n, err = strconv.Atoi(args); err != nil || n < 1 {
			return false, usage("there is no number "+plain(args), "write back, or back 3")
		}
	}
	if len(d.sim.inputs) == 0 {
		d.say("there is nothing to take back")
		return false, nil
	}
	n = min(n, len(d.sim.inputs))
	undone := d.sim.inputs[len(d.sim.inputs)-n:]
	for _, i := range undone {
		d.say("took back %s", plain(i.String()))
	}
	return false, d.takeBack(n)
}

func (d *drive) whyWord(args string) (bool, error) {
	i, err := named("why", "an event", args)
	if err != nil {
		return false, err
	}
	d.sim.guards.begin(nil)
	d.view.why(d.sim, statechart.Event{Name: i.name, Data: i.data})
	return false, nil
}

func (d *drive) eventsWord(string) (bool, error) {
	d.view.standing(d.sim, true)
	return false, nil
}

func (d *drive) dataWord(string) (bool, error) {
	d.view.data(d.sim)
	return false, nil
}

func (d *drive) historyWord(string) (bool, error) {
	if len(d.sim.inputs) == 0 {
		d.say("nothing was done so far")
		return false, nil
	}
	d.view.apart()
	for n, i := range d.sim.inputs {
		fmt.Fprintf(d.view.out, "%3d  %s\n", n+1, clip(plain(i.String()), maxShown))
	}
	return false, nil
}

func (d *drive) helpWord(string) (bool, error) {
	d.view.apart()
	out := d.view.out
	fmt.Fprintf(out, "  %s%s\n", d.view.p.strong(padded("EVENT [JSON]", 24)), "send an event to the session")
	for _, w := range words() {
		fmt.Fprintf(out, "  %s%s\n", d.view.p.strong(padded(strings.TrimSpace(w.name+" "+w.takes), 24)), w.about)
	}
	fmt.Fprintf(out, "\n  %s\n", d.view.p.faint("For a session that a call started, put @SESSION before EVENT or ID."))
	return false, nil
}

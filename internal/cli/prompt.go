package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/detent-run/detent/charttest/transcript"
)

// prompt lets a user drive the session at a terminal until they leave.
func (d *drive) prompt(c *console) error {
	c.complete = d.completions
	if err := d.start(); err != nil {
		return err
	}
	text := "TAB completes, back takes back, help lists the commands, quit leaves."
	if c.dumb != nil {
		text = strings.TrimPrefix(text, "TAB completes, ")
	}
	fmt.Fprintf(d.out, "\n%s\n", d.colours.faint(text))
	d.view.standing(d.sim, false)
	for {
		text, err := c.line(d.colours.strong("> "))
		if errors.Is(err, io.EOF) {
			fmt.Fprintln(d.out)
			return nil
		}
		if err != nil {
			return failure("read the terminal: "+err.Error(), "commands can also come on standard input, one a line")
		}
		if d.out.err != nil {
			return nil
		}
		before := len(d.sim.inputs)
		d.view.shown = 0
		quit, err := d.command(text)
		if quit {
			return nil
		}
		var p *problem
		switch {
		case errors.As(err, &p):
			d.complain(p)
		case err != nil:
			d.complain(failure(err.Error(), ""))
		case len(d.sim.inputs) != before:
			d.view.standing(d.sim, false)
		}
	}
}

// askGuard asks what a guard without a function says. Leaving the question
// is a no.
func (d *drive) askGuard(c *console, name string) bool {
	for {
		text, err := c.ask("does the guard " + d.colours.strong(plain(name)) + " hold? [y/N] ")
		if err != nil {
			return false
		}
		switch strings.ToLower(strings.TrimSpace(text)) {
		case "y", "yes", "true":
			return true
		case "", "n", "no", "false":
			return false
		}
	}
}

// completions are what may stand at the cursor: a command or an event, then
// what the command takes. What is possible now comes first.
func (d *drive) completions(line string, pos int) (from int, options []string) {
	typed := line[:pos]
	from = strings.LastIndexAny(typed, " \t") + 1
	all := d.allCompletions(strings.Fields(typed[:from]))
	for _, o := range all {
		if strings.HasPrefix(o, typed[from:]) && plain(o) == o && !slices.Contains(options, o) {
			options = append(options, o)
		}
	}
	return from, options
}

func (d *drive) allCompletions(before []string) []string {
	events := func() (names []string) {
		for _, e := range d.sim.main().Events() {
			if !strings.Contains(e.Name, "*") {
				names = append(names, e.Name)
			}
		}
		return names
	}
	if len(before) == 0 {
		all := events()
		for _, w := range words() {
			all = append(all, w.name)
		}
		return all
	}
	last := before[len(before)-1]
	switch first := before[0]; {
	case len(before) == 1 && (first == "send" || first == "why"):
		def := d.sim.chart.Definition()
		return append(events(), eventsOf(&def)...)
	case len(before) == 1 && (first == "done" || first == "error" || first == "unknown" || first == "progress"):
		return d.sim.openCalls(mainSession)
	case len(before) == 1 && first == "advance":
		return []string{"next", "1s", "1m", "1h", "1d"}
	case len(before) == 1 && first == "as":
		return transcript.Senders
	case len(before) == 1 && first == "guard":
		return d.sim.guards.names
	case len(before) == 2 && first == "guard":
		return []string{"true", "false"}
	case len(before) == 1 || len(before) == 2 && (first == "send" || first == "why"):
		return d.payloads(last)
	}
	return nil
}

// payloads are what an event's payload may begin with.
func (d *drive) payloads(event string) []string {
	for _, e := range d.sim.main().Events() {
		if m, ok := e.Data.(map[string]any); ok && e.Name == event {
			return []string{spaced.text(payloadOf(m))}
		}
	}
	return nil
}

package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/detent-run/detent/internal/world"
	"github.com/detent-run/detent/statechart"
)

// drive is one call of sim: the session, and how it is shown.
type drive struct {
	*app
	sim      *simulation
	view     *view
	json     bool
	refused  bool  // the start was
	failed   []int // the inputs that led to a macrostep that was undone
	notTaken []int // the inputs that were ignored or refused
}

// tell shows macrosteps as the user asked for it.
func (d *drive) tell(records []world.Record) {
	for i := range records {
		r := &records[i]
		if r.Outcome == statechart.Failed {
			d.failed = append(d.failed, len(d.sim.inputs))
		}
		if d.json {
			fmt.Fprintln(d.out, compact.text(line(r)))
		}
	}
	if !d.json {
		d.view.show(records)
	}
}

// start starts the session and shows it.
func (d *drive) start() error {
	records, err := d.sim.start()
	d.tell(records)
	if len(records) == 0 {
		return err
	}
	first := &records[0]
	d.refused = first.Outcome == statechart.Refused
	if first.Reason != nil && first.Reason.Code == statechart.CodeInput {
		schema := d.sim.chart.Definition().Input
		d.hint("it takes %s: --input '%s'", takes(schema), spaced.text(payloadOf(schema)))
	}
	return err
}

// apply does one input and shows what happened.
func (d *drive) apply(i input) error {
	records, err := d.sim.do(i)
	d.tell(records)
	if i.verb == "send" && len(records) > 0 {
		d.look(&records[0])
	}
	return err
}

// look notes that an event was not taken, and says what to do.
func (d *drive) look(r *world.Record) {
	if r.Outcome != statechart.Ignored && r.Outcome != statechart.Refused {
		return
	}
	d.notTaken = append(d.notTaken, len(d.sim.inputs))
	if r.Reason == nil {
		return
	}
	if text := d.advice(r); text != "" {
		d.hint("%s", text)
	}
}

// steps does what the command line says, in its order.
func (d *drive) steps(steps []input) error {
	if err := d.start(); err != nil {
		return err
	}
	return d.proceed(steps)
}

func (d *drive) proceed(steps []input) error {
	for _, step := range steps {
		if err := d.apply(step); err != nil {
			return err
		}
	}
	if !d.json {
		d.view.standing(d.sim, false)
	}
	return nil
}

// maxLine bounds one line of commands, in bytes.
const maxLine = 2 << 20

// lines does what standard input says, one command a line. The first that
// cannot be done ends it.
func (d *drive) lines(read bool) error {
	if err := d.start(); err != nil {
		return err
	}
	in := io.Reader(strings.NewReader(""))
	if read {
		in = d.env.In
	}
	if read && d.env.InTerminal {
		d.say("%s commands are read, one a line; help lists them, Ctrl-D ends", d.warnings.care("note:"))
	}
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, maxLine)
	for n := 1; scanner.Scan(); n++ {
		quit, err := d.command(scanner.Text())
		if err != nil {
			var p *problem
			if errors.As(err, &p) {
				at := *p
				at.message = fmt.Sprintf("line %d: %s", n, p.message)
				return &at
			}
			return err
		}
		if quit {
			break
		}
	}
	if err := scanner.Err(); err != nil {
		return failure("read the commands: "+err.Error(), fmt.Sprintf("a line has at most %d bytes", maxLine))
	}
	if !d.json {
		d.view.standing(d.sim, false)
	}
	return nil
}

// takeBack undoes the last n inputs, and what they mean for the exit code.
func (d *drive) takeBack(n int) error {
	err := d.sim.back(n)
	gone := func(at int) bool { return at > len(d.sim.inputs) }
	d.failed, d.notTaken = slices.DeleteFunc(d.failed, gone), slices.DeleteFunc(d.notTaken, gone)
	d.view.forget(d.sim.world)
	return err
}

// ending is the exit code of what happened.
func (d *drive) ending() error {
	in := d.sim.main()
	ended := in != nil && slices.Contains([]statechart.Status{statechart.FailedStatus, statechart.Parked, statechart.Cancelled}, in.Status())
	switch {
	case d.refused:
		return exit(exitNotTaken)
	case ended || len(d.failed) > 0:
		return exit(exitFailed)
	case len(d.notTaken) > 0:
		return exit(exitNotTaken)
	}
	return nil
}

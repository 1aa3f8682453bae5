package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/detent-run/detent/charttest/transcript"
	"github.com/detent-run/detent/statechart"
)

// script plays a transcript and shows what differs, then does the steps of
// the command line, if there are some.
func (d *drive) script(o *simOptions) error {
	s, p := d.readAs(o.script, &scriptKind)
	if p != nil {
		return p
	}
	script, err := transcript.Parse(s.shown(), s.data)
	if err != nil {
		return transcriptProblem(err)
	}
	said, next := remarks(script, s.data), 0
	result, err := transcript.Play(d.sim.chart, script, transcript.Options{Charts: d.sim.children, Before: func(transcript.Step) {
		d.sim.guards.obey(said[next])
		next++
	}})
	if err != nil {
		return transcriptProblem(err)
	}
	d.sim.guards.reset()
	differs := d.differences(script, result)
	if d.json || len(o.steps) > 0 {
		if err := d.replay(script, said); err != nil {
			return err
		}
	}
	switch {
	case len(o.steps) > 0:
		d.view.forget(d.sim.world)
		if differs && !d.json {
			fmt.Fprintln(d.out)
		}
		if err := d.proceed(o.steps); err != nil {
			return err
		}
		if differs {
			return exit(exitFailed)
		}
		return d.ending()
	case differs:
		return exit(exitFailed)
	}
	return exit(exitOK)
}

// differences shows every step after which something else was seen than what
// is expected. They are the result, and prose where the lines are.
func (d *drive) differences(script *transcript.Script, result *transcript.Result) bool {
	out, p := d.out, d.colours
	if d.json {
		out, p = d.err, d.warnings
	}
	all := result.Differences()
	for i, one := range all {
		if i > 0 {
			fmt.Fprintln(out)
		}
		showDifference(out, p, one.String())
	}
	if len(all) > 0 {
		d.say("%d of %s not as expected: - is missing, + was seen", len(all), count(len(script.Steps), "step"))
		return true
	}
	d.say("%s, all as expected", count(len(script.Steps), "step"))
	return false
}

// transcriptProblem tells what is wrong with a transcript: its first error,
// and how many more there are.
func transcriptProblem(err error) error {
	var all statechart.Errors
	if errors.As(err, &all) && len(all) > 0 {
		p := failure(all[0].Path+": "+all[0].Message, scriptHint(all[0].Hint))
		for _, e := range all[1:] {
			p.more = append(p.more, e.Path+": "+e.Message)
		}
		return p
	}
	var one *statechart.Error
	if errors.As(err, &one) {
		return failure(one.Path+": "+one.Message, scriptHint(one.Hint))
	}
	return failure(err.Error(), scriptHint(""))
}

func scriptHint(known string) string {
	if known == "" {
		return "the command save at the prompt of detent sim writes a transcript to begin with"
	}
	return known
}

// replay does the steps of a transcript with the session that is shown.
func (d *drive) replay(script *transcript.Script, said []remark) error {
	quiet := !d.json
	for i := range script.Steps {
		step := &script.Steps[i]
		records, err := d.sim.step(step, d.sim.guards.obey(said[i]))
		if !quiet {
			d.tell(records)
		}
		if err != nil {
			return err
		}
	}
	d.failed = nil // the transcript says whether it should be
	return nil
}

// showDifference writes a difference with its missing lines in red and its
// new ones in green.
func showDifference(out *output, p palette, text string) {
	for i, l := range strings.Split(text, "\n") {
		switch {
		case i == 0:
			l = p.strong(plain(l))
		case strings.HasPrefix(l, "-"):
			l = p.bad(plain(l))
		case strings.HasPrefix(l, "+"):
			l = p.good(plain(l))
		default:
			l = plain(l)
		}
		fmt.Fprintln(out, l)
	}
}

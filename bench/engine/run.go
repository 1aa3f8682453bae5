package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/detent-run/detent/bench/internal/durably"
	"github.com/detent-run/detent/bench/internal/report"
)

// The exit codes.
const (
	exitOK     = 0
	exitMissed = 1 // a target, with -check
	exitUsage  = 2 // also: the measurement could not be made
)

// options are the flags.
type options struct {
	plan                durably.Plan
	sessions, suspended []int
	peers, busy, check  bool
}

func parse(args []string, stderr io.Writer) (options, error) {
	o := options{sessions: []int{1, 64, 1024}, suspended: []int{1_000, 1_000_000}}
	f := flag.NewFlagSet("engine", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.IntVar(&o.plan.Rounds, "rounds", 15, "slices of each; the figure is their median")
	f.IntVar(&o.plan.Events, "events", 0, "events of a slice; 0: 1,000 for one session, else 64 each, at most 10,240")
	f.Func("sessions", "how many sessions at once, a list (default 1,64,1024)", numbers(&o.sessions))
	f.Func("suspended", "how many suspended sessions a file holds, a list; 0: none (default 1000,1000000)", numbers(&o.suspended))
	f.BoolVar(&o.peers, "peers", true, "measure DBOS, too")
	f.BoolVar(&o.busy, "busy", false, "say on the report that other work ran on the computer")
	f.BoolVar(&o.check, "check", false, "exit 1 when a target is missed")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	if o.plan.Rounds < 1 || o.plan.Events < 0 {
		return o, errors.New("-rounds is at least 1, and -events not negative")
	}
	return o, nil
}

// numbers reads a list of them; 0 stands for none.
func numbers(into *[]int) func(string) error {
	return func(text string) error {
		*into = nil
		for word := range strings.SplitSeq(text, ",") {
			n, err := strconv.Atoi(word)
			if err != nil || n < 0 {
				return fmt.Errorf("%q is no number of sessions", word)
			}
			if n > 0 {
				*into = append(*into, n)
			}
		}
		return nil
	}
}

func run(args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	if err != nil {
		fmt.Fprintln(stderr, "engine:", err)
		return exitUsage
	}
	command := strings.Join(append([]string{"go run ./engine"}, args...), " ")
	r := &durably.Report{Environment: report.Here(time.Now(), command), Busy: o.busy, Plan: o.plan}
	if err := measureAll(r, o, stderr); err != nil {
		fmt.Fprintln(stderr, "engine:", err)
		return exitUsage
	}
	if _, err := io.WriteString(stdout, r.Markdown()); err != nil {
		return exitUsage
	}
	if o.check && !r.Holds() {
		return exitMissed
	}
	return exitOK
}

// measureAll fills the report.
func measureAll(r *durably.Report, o options, stderr io.Writer) error {
	entrants := durably.Entrants()
	if !o.peers {
		entrants = entrants[:2]
	}
	for _, n := range o.sessions {
		fmt.Fprintf(stderr, "measuring: events of %d sessions\n", n)
		results, err := durably.Compare(entrants, n, o.plan)
		if err != nil {
			return err
		}
		r.Results = append(r.Results, results...)
	}
	for _, n := range o.suspended {
		fmt.Fprintf(stderr, "measuring: %d suspended sessions\n", n)
		s, err := durably.MeasureSuspended(n)
		if err != nil {
			return err
		}
		r.Suspended = append(r.Suspended, s)
	}
	return nil
}

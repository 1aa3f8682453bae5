package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"github.com/detent-run/detent/bench/internal/measure"
	"github.com/detent-run/detent/bench/internal/peer"
	"github.com/detent-run/detent/bench/internal/report"
	"github.com/detent-run/detent/bench/internal/workload"
)

// The exit codes.
const (
	exitOK     = 0
	exitMissed = 1 // a target that decides, with -check
	exitUsage  = 2 // also: the measurement could not be made
)

// options are the flags.
type options struct {
	measure               measure.Config
	check, json, markdown bool
	idle                  int // instances to weigh
}

func parse(args []string, stderr io.Writer) (options, error) {
	o := options{idle: 10_000}
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.IntVar(&o.measure.Count, "count", 15, "slices of each peer on each workload; the figure is their median")
	f.DurationVar(&o.measure.Time, "time", 20*time.Millisecond, "CPU time of a slice")
	f.BoolVar(&o.check, "check", false, "exit 1 when a target that decides is missed")
	f.BoolVar(&o.json, "json", false, "print the report as JSON, with all samples")
	f.BoolVar(&o.markdown, "markdown", false, "print the report as the tables of README.md")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	if o.json && o.markdown {
		return o, errors.New("-json and -markdown: one of them")
	}
	return o, nil
}

func run(args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	if err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return exitUsage
	}
	// One P: the collector of a peer that allocates then works on its time,
	// instead of on an idle core that is counted all the same.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	r := &report.Report{Environment: report.Here(time.Now(), strings.Join(append([]string{"go run ."}, args...), " "))}
	if err := measureAll(r, o, stderr); err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return exitUsage
	}
	r.Judge()
	if err := write(r, o, stdout); err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return exitUsage
	}
	if o.check && !r.Holds() {
		return exitMissed
	}
	return exitOK
}

// measureAll fills r, one workload after the other.
func measureAll(r *report.Report, o options, stderr io.Writer) error {
	peers := peer.All()
	for _, w := range workload.All() {
		fmt.Fprintf(stderr, "measuring: %s\n", w.Title)
		entrants, err := enter(peers, w)
		if err != nil {
			return err
		}
		measurements, err := measure.Compare(w, entrants, o.measure)
		if err != nil {
			return err
		}
		r.Add(w.ID, measurements)
	}
	fmt.Fprintln(stderr, "measuring: idle instances")
	for _, p := range peers {
		create, err := p.Idle()
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		r.AddIdle(p.Name, measure.Heap(o.idle, create))
	}
	return nil
}

// enter builds the machines of the peers that can express w.
func enter(peers []peer.Peer, w workload.Workload) ([]measure.Entrant, error) {
	var entrants []measure.Entrant
	for _, p := range peers {
		m, err := p.New(w.ID)
		if errors.Is(err, errors.ErrUnsupported) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s on %s: %w", p.Name, w.ID, err)
		}
		entrants = append(entrants, measure.Entrant{Name: p.Name, Machine: m})
	}
	return entrants, nil
}

func write(r *report.Report, o options, stdout io.Writer) error {
	switch {
	case o.json:
		return r.WriteJSON(stdout)
	case o.markdown:
		return r.WriteMarkdown(stdout)
	}
	return r.WriteText(stdout)
}

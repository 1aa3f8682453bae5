package main

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// tally is what the results come to.
type tally struct {
	count int // mutants that count: all but the equivalent
	kills int // of them killed
	bad   int // results that are not as they should be
}

func sum(results []result) tally {
	var t tally
	for _, r := range results {
		dead := r.verdict == killed || r.verdict == timedOut
		if r.mutant.equivalent == "" {
			t.count++
			if dead {
				t.kills++
			}
		}
		if r.verdict == notBuilt || dead == (r.mutant.equivalent != "") {
			t.bad++
		}
	}
	return t
}

// report prints the results for people and gives the exit code: 0 when every
// mutant that counts was killed and every equivalent one was not.
func report(out io.Writer, results []result, verbose bool) int {
	for _, r := range results {
		if verbose || r.verdict == timedOut {
			fmt.Fprintf(out, "%-18s %s (%s) %s\n", r.verdict, r.mutant.name, r.took.Round(100*time.Millisecond), strings.Join(r.killers, ", "))
		}
	}
	for _, s := range sections {
		s.print(out, results)
	}
	t := sum(results)
	fmt.Fprintf(out, "mutants %d/%d\n", t.kills, t.count)
	if t.bad > 0 {
		return 1
	}
	return 0
}

// section is a heading and a line for each result that belongs under it.
type section struct {
	heading string
	belongs func(result) bool
	line    func(result) string
}

var sections = []section{
	{
		"survived:",
		func(r result) bool { return r.verdict == survived && r.mutant.equivalent == "" },
		func(r result) string {
			return fmt.Sprintf("%s (%s): %s", r.mutant.name, r.mutant.file, r.mutant.command())
		},
	},
	{
		"said to be equivalent, but killed:",
		func(r result) bool {
			return (r.verdict == killed || r.verdict == timedOut) && r.mutant.equivalent != ""
		},
		func(r result) string { return r.mutant.name + ", by " + strings.Join(r.killers, ", ") },
	},
	{
		"equivalent:",
		func(r result) bool { return r.verdict == survived && r.mutant.equivalent != "" },
		func(r result) string { return r.mutant.name + ": " + r.mutant.equivalent },
	},
	{
		"do not build, which proves nothing:",
		func(r result) bool { return r.verdict == notBuilt },
		func(r result) string { return r.mutant.name + ": " + strings.TrimSpace(r.output) },
	},
}

// print leaves a section out when nothing belongs under it.
func (s section) print(out io.Writer, results []result) {
	heading := s.heading + "\n"
	for _, r := range results {
		if s.belongs(r) {
			fmt.Fprintf(out, "%s  %s\n", heading, s.line(r))
			heading = ""
		}
	}
}

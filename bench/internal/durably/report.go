package durably

import (
	"fmt"
	"strings"
	"time"

	"github.com/detent-run/detent/bench/internal/report"
)

// Report is everything that was measured.
type Report struct {
	Environment report.Environment
	// Busy says that other work ran on the computer meanwhile.
	Busy      bool
	Plan      Plan
	Results   []Result
	Suspended []Suspended
}

// Target is a bound and what is there.
type Target struct {
	Name      string
	Bound, Is float64
	// Least: the bound is the least that is wanted, else the most.
	Least bool
	Unit  string
}

// OK says whether the bound holds.
func (t Target) OK() bool {
	if t.Least {
		return t.Is >= t.Bound
	}
	return t.Is <= t.Bound
}

// Targets are the bounds with what was measured. What was not measured has
// none.
func (r *Report) Targets() (out []Target) {
	for _, x := range r.Results {
		at := fmt.Sprintf(" at %d sessions", x.Sessions)
		if x.Sessions == 1 {
			at = " at one session"
		}
		switch {
		case x.Missing != "":
		case x.Name == NameBare:
			out = append(out, Target{"share of the bare write" + at, 0.7, x.Share, true, "x"})
		case x.Name == NameEngine && x.Sessions == 64:
			out = append(out, Target{"CPU of an event" + at, 100, x.CPU, false, "µs"})
		case x.Name != NameEngine && x.Sessions == 1:
			out = append(out, Target{"rate of " + x.Name + at, 1, x.Share, true, "x"})
		case x.Name != NameEngine:
			out = append(out, Target{"rate of " + x.Name + at, 4, x.Share, true, "x"})
		}
	}
	for _, s := range r.Suspended {
		out = append(out, Target{fmt.Sprintf("row to leaf among %s", thousands(s.Sessions)), 1, milliseconds(s.Read), false, "ms"})
	}
	if n := len(r.Suspended); n > 1 {
		few, many := r.Suspended[0], r.Suspended[n-1]
		out = append(out, Target{fmt.Sprintf("start at %s against %s", thousands(many.Sessions), thousands(few.Sessions)), 2, milliseconds(many.Start) / milliseconds(few.Start), false, "x"})
	}
	return out
}

// Holds says whether every target is met.
func (r *Report) Holds() bool {
	for _, t := range r.Targets() {
		if !t.OK() {
			return false
		}
	}
	return true
}

// Markdown is the report as it stands on the page.
func (r *Report) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s, %s, by `%s`.", r.Environment.Date, r.Environment.Machine, r.Environment.Go, r.Environment.Command)
	if r.Busy {
		b.WriteString(" **Measured while other work ran on the computer**: the rates are low and the ratios rough.")
	}
	fmt.Fprintf(&b, " Medians of %d slices.\n\n", r.Plan.Rounds)
	b.WriteString("| sessions | | events/s | spread | Detent's rate against it | CPU an event, µs | written an event, bytes | events a transaction | p50, ms | p99, ms |\n")
	b.WriteString("| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, x := range r.Results {
		if x.Missing != "" {
			fmt.Fprintf(&b, "| %d | %s | not measured: %s | | | | | | | |\n", x.Sessions, x.Name, x.Missing)
			continue
		}
		share := fmt.Sprintf("%.2f", x.Share)
		if x.Name == NameEngine {
			share = ""
		}
		fmt.Fprintf(&b, "| %d | %s | %.0f | %.0f %% | %s | %.0f | %s | %s | %s | %s |\n", x.Sessions, x.Name, x.Rate, 100*x.Spread, share, x.CPU,
			some("%.0f", x.Bytes), some("%.1f", x.Group), some("%.2f", x.P50), some("%.2f", x.P99))
	}
	if len(r.Suspended) > 0 {
		b.WriteString("\n| suspended sessions | bytes of the file each | start, ms | heap after it, kB | row to leaf, ms | resume, ms | first event after, ms |\n")
		b.WriteString("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	}
	for _, s := range r.Suspended {
		fmt.Fprintf(&b, "| %s | %d | %.1f | %d | %.3f | %.2f | %.2f |\n", thousands(s.Sessions), s.Bytes, milliseconds(s.Start), s.Heap/1000,
			float64(s.Read)/float64(time.Millisecond), milliseconds(s.Resume), milliseconds(s.After))
	}
	b.WriteString("\n| target | bound | is | | |\n| --- | ---: | ---: | --- | --- |\n")
	for _, t := range r.Targets() {
		bound, word := "at most", "ok"
		if t.Least {
			bound = "at least"
		}
		if !t.OK() {
			word = "MISSED"
		}
		fmt.Fprintf(&b, "| %s | %s %g | %.2f | %s | %s |\n", t.Name, bound, t.Bound, t.Is, t.Unit, word)
	}
	return b.String()
}

// some is a figure, or – for none.
func some(format string, v float64) string {
	if v == 0 {
		return "–"
	}
	return fmt.Sprintf(format, v)
}

// thousands writes a number with commas.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

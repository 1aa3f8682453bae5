package report

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/detent-run/detent/bench/internal/peer"
	"github.com/detent-run/detent/bench/internal/workload"
)

// WriteJSON writes the report as one JSON document.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// WriteText writes the report for people.
func (r *Report) WriteText(w io.Writer) error {
	results := table{left: 2}
	results.row("WORKLOAD", "PEER", "NS/EVENT", "SPREAD", "ALLOCS", "BYTES", "DETENT/PEER")
	for _, l := range workload.All() {
		label := l.Title
		for _, name := range peerNames() {
			results.row(append([]string{label, name}, r.figures(l.ID, name)...)...)
			label = ""
		}
	}
	label := "idle instance, bytes of heap"
	for _, x := range r.Idle {
		results.row(label, x.Peer, "", "", "", fmt.Sprintf("%.0f", x.Bytes), ratio(x.Peer, x.Ratio))
		label = ""
	}
	verdicts := table{left: 1}
	verdicts.row("TARGET", "AT MOST", "IS")
	for _, v := range r.Verdicts {
		verdicts.row(v.Name, number(v.Limit), number(v.Value), v.Unit, v.word(), v.mark())
	}
	_, err := fmt.Fprintf(w, "%s\n%s\n%s", results.String(), verdicts.String(), r.note())
	return err
}

func (r *Report) note() string {
	note := "* decides: it means the same on every computer. Nanoseconds are this one's.\n"
	if !r.Environment.CPUTime {
		note += "WALL TIME: this system gives no CPU time, so the figures hold only if it was idle.\n"
	}
	return note
}

// word says whether the target is met.
func (v Verdict) word() string {
	if v.OK {
		return "ok"
	}
	return "MISSED"
}

// mark tells the targets that decide from the others.
func (v Verdict) mark() string {
	if v.Decides {
		return "*"
	}
	return ""
}

// figures returns the cells of one result, "–" for what the peer cannot
// express.
func (r *Report) figures(id workload.ID, name string) []string {
	x, ok := r.Result(id, name)
	if !ok {
		return []string{"–", "–", "–", "–", "–"}
	}
	return []string{
		nanoseconds(x.NS),
		fmt.Sprintf("%.0f%%", 100*x.Spread),
		count(x.Allocs),
		fmt.Sprintf("%.0f", x.Bytes),
		ratio(name, x.Ratio),
	}
}

// nanoseconds prints a time with what the measurement can tell apart.
func nanoseconds(ns float64) string {
	if ns >= 100 {
		return fmt.Sprintf("%.0f", ns)
	}
	return fmt.Sprintf("%.1f", ns)
}

// count prints allocations per event: averages over a cycle are fractions.
func count(allocs float64) string {
	if whole := float64(int64(allocs + 0.5)); allocs-whole < 0.05 && whole-allocs < 0.05 {
		return fmt.Sprintf("%.0f", whole)
	}
	return fmt.Sprintf("%.1f", allocs)
}

// ratio prints Detent's share of a peer's figure; nothing beside its own.
func ratio(name string, r float64) string {
	switch {
	case name == peer.Detent:
		return ""
	case r < 0.1:
		return fmt.Sprintf("%.2g", r)
	}
	return fmt.Sprintf("%.2f", r)
}

func number(f float64) string {
	if f == float64(int64(f)) {
		return fmt.Sprintf("%.0f", f)
	}
	return fmt.Sprintf("%.2f", f)
}

func peerNames() []string {
	var names []string
	for _, p := range peer.All() {
		names = append(names, p.Name)
	}
	return names
}

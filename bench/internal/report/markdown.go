package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/detent-run/detent/bench/internal/peer"
	"github.com/detent-run/detent/bench/internal/workload"
)

// WriteMarkdown writes the section of numbers of README.md: where and how,
// one line a workload, the targets.
func (r *Report) WriteMarkdown(w io.Writer) error {
	var b bytes.Buffer
	e := r.Environment
	fmt.Fprintf(&b, "%s, %s, %s, by `%s`.\n\n", e.Date, e.Machine, e.Go, e.Command)
	b.WriteString("Nanoseconds per event / allocations per event; – is what a peer cannot express.\n\n")
	names := peerNames()
	fmt.Fprintf(&b, "| workload | %s | detent / switch |\n", strings.Join(names, " | "))
	fmt.Fprintf(&b, "| --- |%s\n", strings.Repeat(" ---: |", len(names)+1))
	for _, l := range workload.All() {
		fmt.Fprintf(&b, "| %s |", l.Title)
		for _, name := range names {
			fmt.Fprintf(&b, " %s |", r.cell(l.ID, name))
		}
		x, _ := r.Result(l.ID, peer.Switch)
		fmt.Fprintf(&b, " %.2f |\n", x.Ratio)
	}
	b.WriteString("| idle instance, bytes of heap |")
	for _, x := range r.Idle {
		fmt.Fprintf(&b, " %.0f |", x.Bytes)
	}
	b.WriteString(" |\n\n| target | at most | is | | | decides |\n| --- | ---: | ---: | --- | --- | --- |\n")
	for _, v := range r.Verdicts {
		decides := map[bool]string{true: "yes"}[v.Decides]
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n",
			v.Name, number(v.Limit), number(v.Value), v.Unit, v.word(), decides)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (r *Report) cell(id workload.ID, name string) string {
	x, ok := r.Result(id, name)
	if !ok {
		return "–"
	}
	return nanoseconds(x.NS) + " / " + count(x.Allocs)
}

package xstate

import (
	"fmt"
	"strings"

	"github.com/detent-run/detent/chartfile"
	export "github.com/detent-run/detent/chartfile/xstate"
	"github.com/detent-run/detent/internal/chartgen"
)

// Verdict is what became of one case.
type Verdict struct {
	Case   Case
	Run    Run
	Module []byte
	Played Played
	// Problem is set when the case could not be compared: the chart does not
	// compile, cannot be exported, or its module does not run.
	Problem error
	// Difference is nil when both sides are the same.
	Difference *Difference
}

// Prepare makes a case and plays it on our side.
func Prepare(seed, number uint64) Verdict {
	c, run, err := New(seed, number)
	v := Verdict{Case: c, Run: run, Problem: err}
	v.export()
	return v
}

// Again plays a case on our side that was made before.
func Again(c Case) Verdict {
	run, err := Ours(c)
	v := Verdict{Case: c, Run: run, Problem: err}
	v.export()
	return v
}

func (v *Verdict) export() {
	if v.Problem == nil {
		v.Module, v.Problem = export.Module(v.Case.Definition)
	}
}

// Finish plays a prepared case on XState, as far as our side went, and
// compares.
func (v *Verdict) Finish(n *Node) {
	if v.Problem != nil {
		return
	}
	c := v.Case
	c.Script = c.Script[:max(0, len(v.Run.Steps)-1)]
	if v.Played, v.Problem = n.Play(c, v.Module); v.Problem == nil {
		v.Difference = Compare(v.Run.Steps, v.Played.Steps)
	}
}

// Bad reports whether the case shows something wrong.
func (v *Verdict) Bad() bool { return v.Problem != nil || v.Difference != nil }

// Shrink makes a bad case smaller while it stays bad in the same way and can
// be written as a chart file.
func (v *Verdict) Shrink(n *Node) Verdict {
	best := *v
	chartgen.Shrink(v.Case, func(c Case) bool {
		if _, err := chartfile.Write(c.Definition, chartfile.YAML); err != nil {
			return false
		}
		w := Again(c)
		if w.Run.restless {
			return false
		}
		w.Finish(n)
		same := w.kind() == v.kind()
		if same {
			best = w
		}
		return same
	})
	return best
}

// kind is in what way a case is bad; "" when it is not.
func (v *Verdict) kind() string {
	switch {
	case v.Problem != nil:
		return fmt.Sprintf("%.40s", v.Problem)
	case v.Difference != nil:
		return v.Difference.Names[0]
	}
	return ""
}

// String tells of a bad case all that is needed to see what is wrong.
func (v *Verdict) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d, case %d\n", v.Case.Seed, v.Case.Number)
	if file, err := chartfile.Write(v.Case.Definition, chartfile.YAML); err == nil {
		b.Write(file)
	} else {
		b.WriteString(chartgen.JSON(v.Case.Definition) + "\n")
	}
	fmt.Fprintf(&b, "input %s\n", chartgen.JSON(v.Case.Input))
	for i, op := range v.Case.Script {
		fmt.Fprintf(&b, "step %d %s\n", i+1, chartgen.JSON(op))
	}
	switch {
	case v.Problem != nil:
		fmt.Fprintf(&b, "problem: %v\n", v.Problem)
	case v.Difference != nil:
		b.WriteString(v.Difference.String())
	}
	return b.String()
}

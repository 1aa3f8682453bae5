package transcript

import (
	"fmt"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// Options configure [Play]. The zero value serves for a chart without child
// charts whose context can be written as JSON.
type Options struct {
	// Charts are what calls of the source "chart:ID" start, by ID. Such a
	// call of any other ID is answered with an error, as is done in
	// production.
	Charts map[string]*statechart.Chart
	// InMemory is for typed contexts that do not come back from JSON as they
	// were. Snapshots are then not written as documents between macrosteps,
	// and the steps restore and show cannot be used.
	InMemory bool
	// Before, when set, is called before each step is done, so that a caller
	// whose registered functions are stand-ins can say what they answer in it.
	Before func(Step)
}

// Result is what was seen while a script was played.
type Result struct {
	script *Script
	got    [][]string // lines of each step
}

// Play plays a script on a chart. It changes neither and may be called
// concurrently. A step that cannot be done (a call that is not open, a session
// that does not exist, two ways to step that differ) is an error with name
// and line of the step as its path, and ends the play.
func Play(chart *statechart.Chart, script *Script, o Options) (*Result, error) {
	p := newPlayer(chart, o)
	r := &Result{script: script}
	for i := range script.Steps {
		step := &script.Steps[i]
		if o.Before != nil {
			o.Before(*step)
		}
		lines, err := p.play(step)
		if err != nil {
			return nil, at(script, step, err)
		}
		r.got = append(r.got, lines)
	}
	if p.queued != nil {
		return nil, at(script, p.queued, problem("the event is queued and no step comes behind it", "write send instead"))
	}
	return r, nil
}

// at gives an error its place.
func at(script *Script, step *Step, err error) error {
	e, ok := err.(*statechart.Error)
	if !ok {
		e = &statechart.Error{Code: CodeTranscript, Message: err.Error(), Cause: err}
	}
	e.Path = fmt.Sprintf("%s:%d", script.Name, step.Line)
	return e
}

// Text is the transcript with what was seen as what is expected.
func (r *Result) Text() string { return r.script.render(r.got) }

// Differences are the steps after which something else was seen than what is
// expected, in order; none when the transcript holds.
func (r *Result) Differences() []Difference {
	var out []Difference
	for i, got := range r.got {
		step := &r.script.Steps[i]
		if !sameLines(step.Want, got) {
			out = append(out, Difference{Place: fmt.Sprintf("%s:%d", r.script.Name, step.Line), Step: step.Text, Want: step.Want, Got: got})
		}
	}
	return out
}

// Difference is a step whose outcome is not the expected one.
type Difference struct {
	// Place is the file and line of the step, Step its text.
	Place, Step string
	// Want and Got are the expected and the seen lines.
	Want, Got []string
}

// String shows the difference line by line: "-" is expected and missing, "+"
// was seen and is not expected.
func (d Difference) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", d.Place, d.Step)
	for _, l := range compare(d.Want, d.Got) {
		b.WriteString(l)
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func sameLines(want, got []string) bool {
	if len(want) != len(got) {
		return false
	}
	for i := range want {
		if strings.TrimSpace(want[i]) != strings.TrimSpace(got[i]) {
			return false
		}
	}
	return true
}

// maxCompared bounds the work of compare.
const maxCompared = 1000

// compare marks each line as common, missing or new, along a longest common
// subsequence.
func compare(want, got []string) []string {
	same := func(i, j int) bool { return strings.TrimSpace(want[i]) == strings.TrimSpace(got[j]) }
	var out []string
	mark := func(sign string, lines []string) {
		for _, l := range lines {
			out = append(out, sign+" "+l)
		}
	}
	if len(want) > maxCompared || len(got) > maxCompared {
		mark("-", want)
		mark("+", got)
		return out
	}
	// common[i][j] is the longest for want[i:] and got[j:].
	common := make([][]int, len(want)+1)
	for i := len(want); i >= 0; i-- {
		common[i] = make([]int, len(got)+1)
		for j := len(got) - 1; j >= 0 && i < len(want); j-- {
			if same(i, j) {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(want) && j < len(got) {
		switch {
		case same(i, j):
			mark(" ", got[j:j+1])
			i, j = i+1, j+1
		case common[i+1][j] >= common[i][j+1]:
			mark("-", want[i:i+1])
			i++
		default:
			mark("+", got[j:j+1])
			j++
		}
	}
	mark("-", want[i:])
	mark("+", got[j:])
	return out
}

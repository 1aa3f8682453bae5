package cli

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/detent-run/detent/charttest/transcript"
)

// remark is what a saved transcript says, in comments above a step, of guards
// that have no function here. In Go tests the guards answer for themselves.
type remark struct {
	set, said map[string]bool // from this step on, and in it alone
}

func saysFrom(guard string, value bool) string {
	return fmt.Sprintf("# From here on the guard %s says %t.\n", guard, value)
}

func saidOnce(guard string, value bool) string {
	return fmt.Sprintf("# The guard %s said %t.\n", guard, value)
}

var remarked = regexp.MustCompile(`^# (From here on the|The) guard (.+) (?:says|said) (true|false)\.$`)

// remarks reads those of each step of a transcript.
func remarks(script *transcript.Script, text []byte) []remark {
	lines := strings.Split(string(text), "\n")
	out, at := make([]remark, len(script.Steps)), 0
	for i, step := range script.Steps {
		r := remark{map[string]bool{}, map[string]bool{}}
		for ; at < min(step.Line, len(lines)); at++ {
			m := remarked.FindStringSubmatch(strings.TrimSpace(lines[at]))
			switch {
			case m == nil:
			case m[1] == "The":
				r.said[m[2]] = m[3] == "true"
			default:
				r.set[m[2]] = m[3] == "true"
			}
		}
		out[i] = r
	}
	return out
}

// obey makes the guards say in the next step what a transcript remarks, but
// for those that the command line speaks of. It returns the answers.
func (g *guards) obey(r remark) map[string]bool {
	for name, value := range r.set {
		if _, given := g.given[name]; !given {
			g.set(name, value)
		}
	}
	return g.begin(r.said)
}

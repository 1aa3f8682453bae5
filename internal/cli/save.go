package cli

import (
	"fmt"
	"strings"

	"github.com/detent-run/detent/charttest/transcript"
)

// saveWord writes the session as a transcript that sim --script plays.
func (d *drive) saveWord(name string) (bool, error) {
	if name == "" {
		return false, usage("save needs a file", "for example: save "+d.sim.chart.Definition().ID+".transcript")
	}
	text, err := d.sim.transcript(name)
	if err != nil {
		return false, transcriptProblem(err)
	}
	if err := d.env.WriteFile(name, []byte(text)); err != nil {
		return false, failure("write "+name+": "+err.Error(), "look at the folder and its permissions")
	}
	d.say("wrote %s", name)
	return false, nil
}

// transcript is what was done, with what is seen when it is done again.
func (s *simulation) transcript(name string) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "# Pins down a session of %s, as it was driven by hand.\n", s.chart.Definition().ID)
	for _, guard := range sortedKeys(s.guards.given) {
		fmt.Fprintf(&b, "# The guard %s said %t.\n", guard, s.guards.given[guard])
	}
	b.WriteString("\nstart" + payloadOfStep(s.begin) + "\n")
	for _, i := range s.inputs {
		if i.verb == "guard" {
			fmt.Fprintf(&b, "\n# From here on the guard %s says %v.\n", i.name, i.data)
			continue
		}
		for _, guard := range sortedKeys(i.answers) {
			fmt.Fprintf(&b, "\n# The guard %s said %t.\n", guard, i.answers[guard])
		}
		if i.session != "" {
			b.WriteString("@" + i.session + " ")
		}
		b.WriteString(i.String() + "\n")
	}
	script, err := transcript.Parse(name, []byte(b.String()))
	if err != nil {
		return "", err
	}
	before, end := s.guards.replaying(s)
	defer end()
	result, err := transcript.Play(s.chart, script, transcript.Options{Charts: s.children, Before: before})
	if err != nil {
		return "", err
	}
	return result.Text(), nil
}

func payloadOfStep(data any) string {
	if data == nil {
		return ""
	}
	return " " + spaced.text(data)
}

package cli

import (
	"fmt"
	"strings"

	"github.com/detent-run/detent/charttest/transcript"
)

// saveWord writes the session as a transcript that sim --script plays.
func (d *drive) saveWord(name string) (bool, error) {
	example := "for example: save " + d.sim.chart.Definition().ID + ".transcript"
	switch {
	case name == "":
		return false, usage("save needs a file", example)
	case looksLikeChart(name):
		return false, usage("save writes a transcript, and "+plain(name)+" is named like a chart", example)
	}
	text, err := d.sim.transcript(name)
	if err != nil {
		return false, transcriptProblem(err)
	}
	if err := d.env.WriteFile(name, []byte(text)); err != nil {
		return false, d.unwritable(name, err)
	}
	d.say("wrote %s", plain(name))
	return false, nil
}

// transcript is what was done, with what is seen when it is done again.
func (s *simulation) transcript(name string) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "# Pins down a session of %s, as it was driven by hand.\n", s.chart.Definition().ID)
	for _, guard := range sortedKeys(s.guards.given) {
		b.WriteString(saysFrom(guard, s.guards.given[guard]))
	}
	for _, guard := range sortedKeys(s.opening) {
		b.WriteString(saidOnce(guard, s.opening[guard]))
	}
	b.WriteString("\nstart" + payloadOfStep(s.begin) + "\n")
	for _, i := range s.inputs {
		if i.verb == "guard" {
			b.WriteString("\n" + saysFrom(i.name, i.data == true))
			continue
		}
		for _, guard := range sortedKeys(i.answers) {
			b.WriteString("\n" + saidOnce(guard, i.answers[guard]))
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

package transcript

import "strings"

// Script is a transcript that was read. It is not changed by playing it, and
// may be played any number of times, also concurrently.
type Script struct {
	// Name is the file's name, for messages.
	Name string
	// Steps are what is done, in order. There is at least one.
	Steps []Step

	head []string // what the transcript says of itself, as written
	tail []string // comments after the last step
}

// Step is one thing that is done to a session.
type Step struct {
	// Line is where it stands, from 1; Text, the line as written.
	Line int
	Text string
	// Session is who it is done to, "main" unless the step says otherwise.
	Session string
	// Verb is what is done: "start", "send" and so on.
	Verb string
	// Name is the event, or the id of the call.
	Name string
	// Data is the payload, nil without one.
	Data any
	// Time is what "advance" lets pass, in milliseconds, or [Next].
	Time int64
	// Want are the expected lines, as written.
	Want []string

	above []string // comments and blank lines before it
}

// Next is the Time of a step that waits for whatever is due next.
const Next = -1

// mainSession is the session of steps that name none.
const mainSession = "main"

// Head is what the transcript says of itself: the lines before the first
// step, without their marks.
func (s *Script) Head() string {
	var b strings.Builder
	for _, l := range s.head {
		b.WriteString(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(l), "#")))
		b.WriteByte('\n')
	}
	return strings.TrimSpace(b.String())
}

// render writes the transcript with other expected lines, one list for each
// step; a step without a list keeps its own.
func (s *Script) render(got [][]string) string {
	var b strings.Builder
	writeLines(&b, s.head)
	apart := true // the step before said something, or it is the head
	for i, step := range s.Steps {
		if apart && len(step.above) == 0 {
			b.WriteByte('\n')
		}
		writeLines(&b, step.above)
		writeLines(&b, []string{step.Text})
		lines := step.Want
		if i < len(got) {
			lines = got[i]
		}
		writeLines(&b, lines)
		apart = len(lines) > 0
	}
	writeLines(&b, s.tail)
	return b.String()
}

func writeLines(b *strings.Builder, lines []string) {
	for _, l := range lines {
		b.WriteString(l)
		b.WriteByte('\n')
	}
}

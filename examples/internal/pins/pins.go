// Package pins holds the examples to what their agents must do: for each line
// there is a transcript that shows it, a test that does, here or with the real
// programs, or a reason why nothing can.
package pins

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Line is one line of what an agent must do, in its words. Exactly one of the
// other fields is set.
type Line struct {
	Text       string
	Transcript string // testdata/NAME.transcript, whose head quotes the line
	Test       string // the test of the package that shows it
	Real       string // the test of cmd/detent that shows it with the real programs
	Waits      string // what it needs that is not there yet
}

// Loose names what does not hold: a line that nothing shows, a transcript that
// is not there or whose head does not quote its line, and transcripts whose
// head does not say what they pin down. It reads the current folder, which is
// the package's when a test runs.
func Loose(lines []Line) []string {
	var loose []string
	tests, reals := sources("*_test.go"), sources("../../cmd/detent/*_test.go")
	for _, l := range lines {
		switch given := []bool{l.Transcript != "", l.Test != "", l.Real != "", l.Waits != ""}; {
		case slices.Index(given, true) < 0 || slices.Index(given, true) != lastTrue(given):
			loose = append(loose, fmt.Sprintf("%q needs a transcript, a test or a reason, and one only", l.Text))
		case l.Test != "" && !strings.Contains(tests, "func "+l.Test+"("):
			loose = append(loose, fmt.Sprintf("%q is to be shown by %s, which is no test here", l.Text, l.Test))
		case l.Real != "" && !strings.Contains(reals, "func "+l.Real+"("):
			loose = append(loose, fmt.Sprintf("%q is to be shown by %s, which is no test of cmd/detent", l.Text, l.Real))
		case l.Transcript != "" && !strings.Contains(head(file(l.Transcript)), `"`+l.Text+`"`):
			loose = append(loose, fmt.Sprintf("the head of %s does not quote %q", file(l.Transcript), l.Text))
		}
	}
	files, _ := filepath.Glob("testdata/*.transcript")
	below, _ := filepath.Glob("testdata/*/*.transcript")
	for _, f := range append(files, below...) {
		if !strings.HasPrefix(head(f), "Pins down ") {
			loose = append(loose, "the head of "+f+" does not say what it pins down")
		}
	}
	return loose
}

func lastTrue(list []bool) int {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] {
			return i
		}
	}
	return -1
}

func file(transcript string) string { return "testdata/" + transcript + ".transcript" }

// head is the comment at the top of a transcript, as one line; empty when the
// file cannot be read.
func head(name string) string {
	text, _ := os.ReadFile(name)
	var words []string
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "#") {
			break
		}
		words = append(words, strings.TrimSpace(strings.TrimPrefix(line, "#")))
	}
	return strings.Join(words, " ")
}

// sources are the files of a pattern, one after the other.
func sources(pattern string) string {
	files, _ := filepath.Glob(pattern)
	var all strings.Builder
	for _, f := range files {
		text, _ := os.ReadFile(f)
		all.Write(text)
	}
	return all.String()
}

package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReadmeSession plays the session of README's "Kill it here, start it
// again" with the real program: what it prints, times apart, and the kill.
func TestReadmeSession(t *testing.T) { playPage(t, "../../README.md") }

// TestFirstChartSession plays the one of docs/first-chart.md, in which a
// person answers after the kill.
func TestFirstChartSession(t *testing.T) { playPage(t, "../../docs/first-chart.md") }

// playPage plays the session of a page, beside the files of the first chart.
func playPage(t *testing.T, page string) {
	t.Helper()
	folder := t.TempDir()
	program := filepath.Join(folder, "detent")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.CopyFS(filepath.Join(folder, "examples/first-chart"), os.DirFS("../../examples/first-chart")); err != nil {
		t.Fatal(err)
	}
	for _, c := range sessionOf(t, page) {
		c.play(t, program, folder)
	}
}

// shown is a command of a session and the lines that follow it.
type shown struct {
	args  []string
	lines []string
}

// sessionOf reads the session of a page, which names the test that plays it. A
// line Killed is a kill -9, ^C an interrupt; the others are printed.
func sessionOf(t *testing.T, page string) []shown {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, block, found := strings.Cut(string(text), "<!-- session: cmd/detent "+t.Name()+" plays it -->\n```console\n")
	block, _, closed := strings.Cut(block, "\n```\n")
	if !found || !closed {
		t.Fatal(page + " has no session")
	}
	var all []shown
	for line := range strings.SplitSeq(block, "\n") {
		if command, is := strings.CutPrefix(line, "$ detent "); is {
			all = append(all, shown{args: strings.Fields(command)})
		} else {
			all[len(all)-1].lines = append(all[len(all)-1].lines, line)
		}
	}
	return all
}

var changing = regexp.MustCompile(` +\+\d+\.\d+s|\d\d:\d\d:\d\d|[0-9a-f]{64}`)

// play runs the command and compares line by line.
func (c *shown) play(t *testing.T, program, folder string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, c.args...)
	cmd.Dir = folder
	read, write, err := os.Pipe() // one for both, so that their order is kept
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	cmd.Stdout, cmd.Stderr = write, write
	err = cmd.Start()
	write.Close()
	if err != nil {
		t.Fatal(err)
	}
	printed := bufio.NewReader(read)
	for _, want := range c.lines {
		switch want {
		case "Killed":
			err = cmd.Process.Kill()
		case "^C":
			err = cmd.Process.Signal(os.Interrupt)
		default:
			want := changing.ReplaceAllString(want, " …")
			got := next(printed)
			for strings.HasPrefix(want, "waits for ") && strings.HasPrefix(got, "waits for ") && got != want {
				got = next(printed) // what it waited for first, if it was seen at all
			}
			if got != want {
				t.Fatalf("detent %s prints\n%s\nthe page has\n%s", strings.Join(c.args, " "), got, want)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if more, _ := io.ReadAll(printed); len(more) > 0 {
		t.Errorf("detent %s prints more than the page has:\n%s", strings.Join(c.args, " "), more)
	}
	_ = cmd.Wait() // the lines say how it ended
}

// next is the next line, without what changes from one run to the next.
func next(printed *bufio.Reader) string {
	line, _ := printed.ReadString('\n')
	return changing.ReplaceAllString(strings.TrimSuffix(line, "\n"), " …")
}

package houserules

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// What pages show the output of: our examples, and the command detent as a
// reader would type it.
var (
	exampleCommand = regexp.MustCompile(`^go run \./examples/[\w/-]+(\.\w+)?( [\w./=-]+)*$`)
	detentCommand  = regexp.MustCompile(`^detent [a-z]+( ([\w./=:-]|'[^']*')+)*$`)
)

// printer runs the commands of pages. It builds detent at most once.
type printer struct {
	root   string
	folder string // where detent is built
	detent string // the program, once it is built
}

// print gives what a command prints, as it is seen in a terminal: of detent
// both streams, whatever its exit code, for pages show its refusals too.
func (p *printer) print(command string) (string, error) {
	words := split(command)
	if words[0] != "detent" {
		printed, err := run(p.root, words[0], words[1:]...)
		return string(printed), err
	}
	if p.detent == "" {
		program := filepath.Join(p.folder, "detent")
		if _, err := run(p.root, "go", "build", "-o", program, "./cmd/detent"); err != nil {
			return "", err
		}
		p.detent = program
	}
	cmd := exec.Command(p.detent, words[1:]...)
	cmd.Dir = p.root
	cmd.Env = append(os.Environ(), "NO_COLOR=1")
	printed, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.Exited() {
		err = nil
	}
	return string(printed), err
}

// split parts a command into its words. A word in single quotes may hold
// spaces, as in a shell.
func split(command string) []string {
	var words []string
	var word strings.Builder
	quoted := false
	for _, r := range command {
		switch {
		case r == '\'':
			quoted = !quoted
		case r == ' ' && !quoted:
			words = append(words, word.String())
			word.Reset()
		default:
			word.WriteRune(r)
		}
	}
	return append(words, word.String())
}

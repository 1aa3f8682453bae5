package cli_test

import (
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/detent-run/detent/internal/cli"
)

// The page of the command line shows what is written when its commands are
// played in order; -update writes it.
func TestPage(t *testing.T) {
	const page = "../../docs/cli.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	tree := map[string]string{}
	var out strings.Builder
	blocks := strings.Split(string(text), "```")
	for i, block := range blocks {
		kind, body, _ := strings.Cut(block, "\n")
		switch {
		case i%2 == 1 && kind == "yaml":
			tree["door.yaml"] = body
		case i%2 == 1 && kind == "console":
			block = "console\n" + playConsole(t, body, tree)
		}
		if i > 0 {
			out.WriteString("```")
		}
		out.WriteString(block)
	}
	switch got := out.String(); {
	case got == string(text):
	case *update:
		if err := os.WriteFile(page, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s: not as it is; -update writes what is:\n%s", page, firstDifference(string(text), got))
	}
}

// playConsole runs a line of commands with pipes between them and shows what
// a terminal would.
func playConsole(t *testing.T, body string, tree map[string]string) string {
	line, _, _ := strings.Cut(body, "\n")
	tree = maps.Clone(tree)
	tree["door.transcript"] = doorTranscript
	input, shown := "", ""
	for _, command := range strings.Split(strings.TrimPrefix(line, "$ "), " | ") {
		words := split(t, command)
		switch words[0] {
		case "sed":
			_, after, _ := strings.Cut(words[1], "/")
			from, to, _ := strings.Cut(strings.TrimSuffix(after, "/"), "/")
			input = strings.Replace(tree[words[2]], from, to, 1)
		case "printf":
			input = strings.ReplaceAll(words[1], `\n`, "\n")
		default:
			env, stdout, stderr := environment(input, tree)
			cli.Run(env, words[1:])
			input, shown = stdout.String(), shown+stderr.String()
		}
	}
	return line + "\n" + input + shown
}

const doorTranscript = `# Pins down that the day's key opens the door.

start
  detent.init: taken
    in closed

send OPEN {"key": "day"}
  OPEN: taken
    in ajar
    timer after.open:0 in 1m
    invoke bell tool:ring {"times": 1}
    set visits = 1
`

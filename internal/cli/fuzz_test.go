package cli_test

import (
	"os"
	"strings"
	"testing"

	"github.com/detent-run/detent/internal/cli"
	"github.com/detent-run/detent/internal/strictjson"
)

// FuzzLines gives any text as commands to sim: it never panics, its exit code
// is one of the four, and with --json each line is an object of the contract.
func FuzzLines(f *testing.F) {
	text, err := os.ReadFile("testdata/lines.txt")
	if err != nil {
		f.Fatal(err)
	}
	body, files := cutFiles(string(text))
	for _, block := range strings.Split(body, "\n$ ") {
		var commands string
		for _, l := range strings.Split(block, "\n") {
			if rest, ok := strings.CutPrefix(l, "< "); ok {
				commands += rest + "\n"
			}
		}
		f.Add(commands)
	}
	f.Add("send @main OPEN\n@main OPEN {\"key\": \"day\"}\nback 99\nadvance 9999d\nwhy *\nsave x\nas human\nguard tired false\n")
	f.Fuzz(func(t *testing.T, commands string) {
		if strings.Contains(commands, "advance") && len(commands) > 2000 {
			return // many long waits are slow and nothing new
		}
		tree := map[string]string{"door.yaml": files["door.yaml"]}
		env, stdout, stderr := environment(commands, tree)
		code := cli.Run(env, []string{"sim", "door.yaml", "--json"})
		if code < 0 || code > 3 || code == 2 && !strings.Contains(stderr.String(), "detent: line ") {
			t.Errorf("the exit code is %d:\n%s", code, stderr)
		}
		for _, line := range strings.Split(strings.TrimSpace(stdout.String()), "\n") {
			v, err := strictjson.Decode([]byte(line), strictjson.Limits{})
			if o, ok := v.(map[string]any); err != nil || !ok || o["outcome"] == nil {
				t.Errorf("a line is no object of the contract: %v\n%s", err, line)
			}
		}
	})
}

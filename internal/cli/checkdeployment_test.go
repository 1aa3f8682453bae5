package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A deployment file is read together with the chart: what cannot work is said
// at its place in the chart, with the place in the other file.
func TestCheckReadsTheDeployment(t *testing.T) {
	s := newShop(t)
	write(t, filepath.Join(s.folder, "c.yaml"), `id: c
initial: a
states:
  a:
    invoke: [{src: "tool:calk"}, {src: "tool:notes", input: {op: list}}]
    after: {1s: {target: b, actions: [{if: "true", then: [{do: "tool:mark", input: {step: x}, mode: reconcile}]}]}}
  b:
    entry: [{do: "tool:mark", input: {stepp: 3}}, {do: "tool:mark", input: {step: "${ 1 }"}}]
    every: {1s: {actions: [{do: "model:gpt"}]}}
`)
	deployment := `grants: {tools: [calc, mark]}
models: {default: {provider: openai, model: x, base_url: "http://localhost/v1"}}
tools:
  calc: {code: {language: starlark}}
  notes: {file: {root: .}}
  mark: {input: {type: object, required: [step], properties: {step: {type: string}}}, process: {argv: ["true"]}}
`
	run := func(args ...string) (int, string) {
		t.Helper()
		code, out, err := s.detentAlone(args...)
		return code, strings.ReplaceAll(out+err, s.folder+string(filepath.Separator), "")
	}
	if code, out := run("check", "c.yaml"); code != 0 {
		t.Errorf("without a deployment file: %d\n%s", code, out)
	}
	write(t, filepath.Join(s.folder, "other.yaml"), deployment)
	write(t, filepath.Join(s.folder, "detent.yaml"), deployment)
	for name, args := range map[string][]string{"beside": {"check", "c.yaml"}, "named": {"check", "c.yaml", "--config", "other.yaml"}} {
		code, out := run(args...)
		for _, want := range []string{
			`c.yaml:5:20: error: a calls the tool "calk", which the deployment does not define`,
			`c.yaml:5:40: error: a calls the tool "notes", which the deployment does not grant`, `add it to grants.tools (`,
			`c.yaml:6:101: error: a calls the tool "mark" with the mode reconcile, and the tool has no look-up`,
			`c.yaml:8:31: error: b calls the tool "mark", and the input does not fit its schema: step is missing`, `.yaml:6:3)`,
			`c.yaml:9:33: error: b calls the model "gpt", which the deployment does not define`, `5 errors in 2 files`,
		} {
			if code != 1 || !strings.Contains(out, want) {
				t.Errorf("%s: exit code %d, want 1 with %s\n%s", name, code, want, out)
			}
		}
	}
	write(t, filepath.Join(s.folder, "detent.yaml"), "stor: x.db\n")
	if code, out := run("check", "c.yaml"); code != 1 || !strings.Contains(out, `detent.yaml:1:1: error: a deployment has no key "stor"`) {
		t.Errorf("a wrong deployment file: %d\n%s", code, out)
	}
}

// Who only reads finds the store that the deployment file names, and needs
// none of its secrets.
func TestReadersFindTheStoreOfTheDeployment(t *testing.T) {
	s := newShop(t)
	write(t, filepath.Join(s.folder, "detent.yaml"), `store: mine.db
tools:
  a: {http: {url: "http://127.0.0.1:1/", headers: {X: '${ secret("env:NOT_THERE_AT_ALL") }'}}}
`)
	s.detentAlone("run", "turnstile.yaml", "--id", "t", "--event", "coin", "--until", "open")
	if _, err := os.Stat(filepath.Join(s.folder, "mine.db")); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"ps", "show t", "log t", "pending", "verify t", "export t", "doctor", "compact --dry-run"} {
		args := append(strings.Fields(command), "--config", "detent.yaml")
		if code, out, err := s.detentAlone(args...); code != 0 {
			t.Errorf("%s: %d\n%s%s", command, code, out, err)
		}
	}
	if code, _, err := s.detent("show", "t"); code != 1 || !strings.Contains(err, "there is no store") {
		t.Errorf("--db counts more than the deployment file: %d %s", code, err)
	}
}

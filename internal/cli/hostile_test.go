package cli_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/detent-run/detent/internal/cli"
)

// hostile is text that sets the title of a terminal, rings its bell, begins a
// sequence in one character, turns the direction and breaks the line.
const hostile = "\x1b]0;owned\x07\u009b31m\u202e\u2066\u200f\u061c\u2028\nX"

// raw finds what a terminal would obey.
func raw(text string) string {
	for _, bad := range []string{"\x1b", "\x07", "\u009b", "\u202e", "\u2066", "\u200f", "\u061c", "\u2028", "\nX"} {
		if strings.Contains(text, bad) {
			return bad
		}
	}
	return ""
}

// Whatever names, data and files hold, people are shown it as text.
func TestNothingHostileIsShown(t *testing.T) {
	quoted := `"\u001b]0;owned\u0007\u009b31m\u202e\u2066\u200f\u061c\u2028X"`
	name := strings.ReplaceAll(quoted, `\u2028`, "") // which is white space
	chart := strings.NewReplacer("Q", quoted, "N", name).Replace(`{"id": "door", "context": {"v": Q}, "initial": "closed", "requires": {"guards": [N], "actions": [N]}, "states": {"closed": {
	  "entry": [{"log": Q}, {"emit": "E", "data": {Q: Q}}], "on": {"P": "open", "O": {"guard": N, "target": "open", "actions": [{"assign": {"v": "${ event }"}}]}}},
	  "open": {"tags": [Q], "invoke": {"id": "c", "src": "tool:t", "input": {Q: Q}, "onDone": "closed"}, "after": {"1s": {"target": "closed", "guard": "v != 1"}}}}}`)
	script := "# " + hostile + "\n\nstart\n  " + hostile + "\nsend " + hostile + "\n"
	tree := map[string]string{"door.json": chart, "bad.json": strings.Replace(chart, `"closed"`, quoted, 1), "s.transcript": script, hostile + ".yaml": "id: x\nnone: 1\n"}
	tree[hostile+".transcript"] = "one\ntwo\n"
	env, stdout, _ := environment("", tree)
	if code := cli.Run(env, []string{"check", "door.json"}); code != 0 {
		t.Fatalf("the chart is not taken:\n%s", stdout)
	}
	for _, args := range [][]string{
		{hostile}, {hostile + ".json"}, {"help", hostile}, {"check", hostile}, {"check", hostile + ".yaml"}, {"check", "bad.json"}, {"check", hostile, "--json"},
		{"sim", hostile}, {"sim", hostile + ".yaml"}, {"sim", "bad.json"}, {"sim", "door.json", "--script", hostile}, {"sim", "door.json", "--script", "s.transcript"}, {"sim", "door.json", "--script", hostile + ".transcript"}, {"sim", "door.json"},
		{"sim", "door.json", "--child", hostile}, {"sim", "door.json", "--event", hostile}, {"sim", "door.json", "--event", "O=" + hostile},
		{"sim", "door.json", "--event", "O={" + quoted + ": " + quoted + "}", "--done", "c=" + quoted, "--advance", "2s"},
		{"sim", "door.json", "--event", "O", "--json"}, {"sim", "door.json", "--as", hostile}, {"sim", "door.json", "--advance", hostile},
		{"sim", "door.json", "--guard", hostile}, {"sim", "door.json", "--guard", hostile + "=true"}, {"sim", "door.json", "--input", hostile}, {"sim", "door.json", "--" + hostile},
		{"fmt", hostile}, {"fmt", hostile + ".yaml"}, {"convert", hostile, "--to", "json"}, {"convert", "door.json", "--to", hostile},
		{"convert", "door.json", "--to", "json", "--out", hostile}, {"convert", "door.json", "--to", "json", "--out", "/" + hostile},
		{"explain", hostile}, {"version", hostile}, {"schema", hostile}, {"completion", hostile}, {"completion", "bash", hostile},
		{"__complete", "sim", "bad.json", "--event", ""}, {"__complete", "sim", "door.json", "--guard", ""},
	} {
		env, stdout, stderr := environment("save "+hostile+"\n"+hostile+"\nO\ndata\nhistory\nwhy O\n", tree)
		cli.Run(env, args)
		if bad := raw(stdout.String()); bad != "" {
			t.Errorf("%q: standard output has %q:\n%q", args, bad, stdout)
		}
		if bad := raw(stderr.String()); bad != "" {
			t.Errorf("%q: standard error has %q:\n%q", args, bad, stderr)
		}
	}
}

// A chart may come from anybody: TAB types no name of it that a shell would
// run or that is no plain text.
func TestCompletesOnlyPlainNames(t *testing.T) {
	var events strings.Builder
	for _, name := range []string{"OPEN", "a.b-c_d:e", "öffnen", "$(reboot)", "`reboot`", "a;reboot", "a|b", "it's", `q\"x`, `e\u001b[31m`, "a>b"} {
		fmt.Fprintf(&events, "%q: {}, ", strings.NewReplacer(`\"`, `"`, `\u001b`, "\x1b").Replace(name))
	}
	chart := `{"id": "x", "on": {` + strings.TrimSuffix(events.String(), ", ") + "}}"
	env, stdout, _ := environment("", map[string]string{"x.json": strings.ReplaceAll(chart, `\x1b`, `\u001b`)})
	cli.Run(env, []string{"__complete", "sim", "x.json", "--event", ""})
	if got, want := stdout.String(), "OPEN\na.b-c_d:e\nöffnen\n:4\n"; got != want {
		t.Errorf("completed is\n%s\nnot\n%s", got, want)
	}
}

// A terminal that can only type is given no sequence, and lines are read as
// they come.
func TestDumbTerminal(t *testing.T) {
	env, _, _ := environment("OPEN {\"key\": \"a\"}\nfrob x\nCLOSE\ny\nback\n", map[string]string{"door.yaml": promptChart})
	var out bytes.Buffer
	env.Out, env.Err = &out, &out
	env.InTerminal, env.OutTerminal, env.ErrTerminal = true, true, true
	env.Lookup = func(name string) (string, bool) { return "dumb", name == "TERM" }
	env.Raw = func() (func(), error) { t.Error("the terminal is made raw"); return func() {}, nil }
	code := cli.Run(env, []string{"sim", "door.yaml"})
	screen := out.String()
	for _, want := range []string{"#2  OPEN", "there is no command and no event frob", "does the guard tired hold? [y/N] ", "#3  CLOSE  taken", "took back send CLOSE", "now open"} {
		if !strings.Contains(screen, want) {
			t.Errorf("no %q on the screen:\n%s", want, screen)
		}
	}
	if code != 0 || raw(screen) != "" || strings.Contains(screen, "TAB") {
		t.Errorf("the exit code is %d, and the screen\n%q", code, screen)
	}
}

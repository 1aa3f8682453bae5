package cli_test

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/detent-run/detent/internal/cli"
)

const promptChart = `id: door
requires: {guards: [tired], actions: [ring]}
context: {visits: 0}
events:
  OPEN: {data: {type: object, required: [key], properties: {key: {type: string}}}}
  CLOSE: {}
  SERVICE: {from: [human]}
initial: closed
states:
  closed: {on: {OPEN: {target: open, actions: [ring, {assign: {visits: "${ visits + 1 }"}}]}, SERVICE: closed}}
  open:
    invoke: {id: watch, src: tool:watch}
    on: {CLOSE: {guard: tired, target: closed}}
    after: {1m: closed}
`

// keys of a terminal.
const (
	tab   = "\t"
	enter = "\r"
	up    = "\x1b[A"
	ctrlC = "\x03"
	ctrlD = "\x04"
)

var escapes = regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]`)

// prompt drives the prompt with keys and returns what the screen was given,
// without colours and cursor movements.
func prompt(t *testing.T, keys ...string) (screen string, tree map[string]string, code int) {
	t.Helper()
	return terminal(t, []string{"sim", "door.yaml"}, keys)
}

// terminal runs a command line at a terminal.
func terminal(t *testing.T, args, keys []string) (screen string, tree map[string]string, code int) {
	t.Helper()
	return screenOf(t, promptChart, args, keys)
}

// screenOf runs a command line for a chart, door.yaml, at a terminal.
func screenOf(t *testing.T, chart string, args, keys []string) (screen string, tree map[string]string, code int) {
	t.Helper()
	tree = map[string]string{"door.yaml": chart}
	env, _, _ := environment("", tree)
	var out bytes.Buffer
	env.In, env.Out, env.Err = &slowly{keys: keys}, &out, &out
	env.InTerminal, env.OutTerminal, env.ErrTerminal = true, true, true
	raw := 0
	env.Raw = func() (func(), error) {
		if raw++; raw != 1 {
			t.Errorf("the terminal is made raw %d times at once", raw)
		}
		return func() { raw-- }, nil
	}
	env.Size = func() (int, int) { return 120, 40 }
	code = cli.Run(env, args)
	if raw != 0 {
		t.Error("the terminal is left raw")
	}
	return strings.ReplaceAll(escapes.ReplaceAllString(out.String(), ""), "\r", ""), tree, code
}

// slowly gives out keys one read at a time, as typing does, and then ends.
type slowly struct{ keys []string }

func (s *slowly) Read(p []byte) (int, error) {
	if len(s.keys) == 0 {
		return 0, io.EOF
	}
	n := copy(p, s.keys[0])
	s.keys = s.keys[1:]
	return n, nil
}

func TestPrompt(t *testing.T) {
	for _, c := range []struct {
		name string
		keys []string
		want []string // in this order
		not  string
	}{
		{"shows what is possible", []string{ctrlD},
			[]string{"#1  start  taken", "TAB completes", "now closed at 0s", `event    OPEN {"key": text}`, "event    SERVICE  (from human)"}, ""},
		{"completes an event and its payload", []string{"O", tab, tab, enter, ctrlD},
			[]string{`OPEN {"key": ""}`, `#2  OPEN {"key": ""}  taken`, "closed → open", "visits = 1", "now open at 0s", "call     watch  tool:watch", "timer    after.open:0 in 1m"}, ""},
		{"lists several completions", []string{"s", tab, ctrlC}, []string{"send  save"}, ""},
		{"completes a call", []string{`OPEN {"key": "a"}`, enter, "don", tab, tab, `"gone"`, enter, ctrlD},
			[]string{`done watch "gone"`, `done.invoke.watch "gone"  ignored`}, ""},
		{"completes commands and times", []string{`OPEN {"key": "a"}`, enter, "adv", tab, "n", tab, enter, ctrlD},
			[]string{"advance next", "#3  after.open:0  taken  at 1m", "now closed at 1m"}, ""},
		{"asks what a guard says", []string{`OPEN {"key": "a"}`, enter, "CLOSE", enter, "perhaps", enter, "y", enter, ctrlD},
			[]string{"does the guard tired hold? [y/N]", "does the guard tired hold? [y/N]", "#3  CLOSE  taken", "open → closed"}, ""},
		{"a guard is not asked twice in one step", []string{`OPEN {"key": "a"}`, enter, "CLOSE", enter, "n", enter, ctrlD},
			[]string{"hold? [y/N]", "#3  CLOSE  ignored", "open → closed: tired does not hold"}, "hold? [y/N] does"},
		{"takes back, and answers of guards stay", []string{`OPEN {"key": "a"}`, enter, "CLOSE", enter, "y", enter, `OPEN {"key": "b"}`, enter, "back", enter, "data", enter, "back 2", enter, ctrlD},
			[]string{"#4  OPEN", "took back send OPEN", "now closed", "visits = 1", "took back send OPEN", "took back send CLOSE", "now closed"}, ""},
		{"why", []string{`OPEN {"key": "a"}`, enter, "why CLOSE", enter, "y", enter, "why OPEN", enter, ctrlD},
			[]string{"CLOSE would be taken", "open → closed: tired holds, taken", "OPEN would be refused"}, ""},
		{"a mistake does not end it", []string{"advnce", enter, "OPEN {", enter, "done x", enter, "as nobody", enter, "OPNE", enter, "SERVICE", enter, ctrlD},
			[]string{"did you mean advance?", "is no JSON", "no call x is open", "there is no sender nobody", "OPNE  refused", "did you mean OPEN?", "may not come from a client", "as human"}, ""},
		{"another sender", []string{"as h", tab, enter, "SERVICE", enter, ctrlD}, []string{"as human", "#2  SERVICE  taken"}, ""},
		{"the history remembers commands, not answers", []string{`OPEN {"key": "a"}`, enter, "CLOSE", enter, "y", enter, up, up, enter, ctrlD},
			[]string{"#3  CLOSE  taken", `#4  OPEN {"key": "a"}  taken`}, ""},
		{"leaving the question of a guard is a no", []string{`OPEN {"key": "a"}`, enter, "CLOSE", enter, ctrlC, "data", enter, ctrlD},
			[]string{"hold? [y/N]", "#3  CLOSE  ignored", "data     visits = 1"}, ""},
		{"a chart is not written over", []string{"save door.yaml", enter, "data", enter, ctrlD}, []string{"named like a chart", "visits = 0"}, "wrote"},
		{"quit", []string{"quit", enter, "OPEN", enter}, []string{"now closed"}, "refused"},
		{"interrupted", []string{"OP", ctrlC, "EN", enter}, []string{"now closed"}, "#2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			screen, _, code := prompt(t, c.keys...)
			rest := screen
			for _, want := range c.want {
				at := strings.Index(rest, want)
				if at < 0 {
					t.Fatalf("no %q, in this order, on the screen:\n%s", want, screen)
				}
				rest = rest[at+len(want):]
			}
			if c.not != "" && strings.Contains(screen, c.not) {
				t.Errorf("%q is on the screen:\n%s", c.not, screen)
			}
			if code != 0 {
				t.Errorf("the exit code is %d", code)
			}
		})
	}
}

// Steps on the command line ask for guards as well, where there is somebody to
// ask; --json never does.
func TestFlagsAtATerminal(t *testing.T) {
	steps := []string{"sim", "door.yaml", "--event", `OPEN={"key": "a"}`, "--event", "CLOSE"}
	screen, _, code := terminal(t, steps, []string{"y", enter})
	if !strings.Contains(screen, "does the guard tired hold?") || !strings.Contains(screen, "#3  CLOSE  taken") || code != 0 {
		t.Errorf("the exit code is %d and the screen\n%s", code, screen)
	}
	screen, _, code = terminal(t, append(steps, "--json"), []string{"y", enter})
	if strings.Contains(screen, "does the guard") || !strings.Contains(screen, "they say no: tired") || code != 3 {
		t.Errorf("with --json the exit code is %d and the screen\n%s", code, screen)
	}
}

// What was done at the prompt is a transcript that holds, also where guards
// were asked: their answers are in its remarks, and the command line goes
// before them.
func TestPromptSaves(t *testing.T) {
	_, tree, _ := prompt(t, `OPEN {"key": "a"}`, enter, "CLOSE", enter, "y", enter,
		`OPEN {"key": "b"}`, enter, "guard tired false", enter, "CLOSE", enter, "advance 2m", enter, "save s.transcript", enter, ctrlD)
	saved := tree["s.transcript"]
	for _, want := range []string{"# The guard tired said true.\nsend CLOSE\n  CLOSE: taken\n", "# From here on the guard tired says false.\nsend CLOSE\n  CLOSE: ignored (guard_false)", "advance 2m\n  after.open:0 at 1m: taken"} {
		if !strings.Contains(saved, want) {
			t.Errorf("no %q in:\n%s", want, saved)
		}
	}
	for _, c := range []struct {
		more []string
		want string
	}{
		{nil, "all as expected"},
		{[]string{"--json"}, `"event":"CLOSE","outcome":"taken"`},
		{[]string{"--event", "CLOSE"}, "now closed at 2m"},
	} {
		env, stdout, stderr := environment("", tree)
		cli.Run(env, append([]string{"sim", "door.yaml", "--script", "s.transcript"}, c.more...))
		if seen := stdout.String() + stderr.String(); !strings.Contains(seen, c.want) || !strings.Contains(seen, "all as expected") {
			t.Errorf("with %q it does not say %q:\n%s", c.more, c.want, seen)
		}
	}
	env, stdout, stderr := environment("", tree)
	if code := cli.Run(env, []string{"sim", "door.yaml", "--script", "s.transcript", "--guard", "tired=true"}); code != 1 || !strings.Contains(stdout.String(), "-   CLOSE: ignored (guard_false)") {
		t.Errorf("with the guard always true, one step differs; got code %d:\n%s%s", code, stdout, stderr)
	}
}

// Names of any letters are completed in whole characters, names with controls
// are not, and of very many events the first are shown.
func TestPromptNames(t *testing.T) {
	sim := []string{"sim", "door.yaml"}
	screen, _, _ := screenOf(t, "id: x\non: {ötr: {}, òtr: {}, ót: {actions: [{log: done}]}}\n", sim, []string{"why ", tab, "ó", tab, enter, ctrlD})
	if strings.Contains(screen, "\uFFFD") || !strings.Contains(screen, "ót would be taken") {
		t.Errorf("letters are cut in two:\n%s", screen)
	}
	screen, _, _ = screenOf(t, `{"id": "x", "on": {"QUIET\u001b[31mRED": {"actions": [{"log": 1}]}}}`, sim, []string{"QUI", tab, ctrlC})
	if strings.Contains(screen, "QUIETRED") || !strings.Contains(screen, `QUIET\u001b[31mRED`) { // a sequence is stripped above
		t.Errorf("a control is shown:\n%q", screen)
	}
	many := "id: x\non:\n"
	for i := range 500 {
		many += fmt.Sprintf("  EVENT_%03d: {actions: [{log: 1}]}\n", i)
	}
	screen, _, _ = screenOf(t, many, sim, []string{"EV", tab, tab, ctrlC})
	if !strings.Contains(screen, "EVENT_039\n") || !strings.Contains(screen, "… and 460 more; events shows all") || strings.Contains(screen, "EVENT_100") || !strings.Contains(screen, "… and 400 more") {
		t.Errorf("of 500 events are shown:\n%s", screen)
	}
	for _, line := range strings.Split(screen, "\n") {
		if len(line) > 120+len("> EVEVENT_") { // what was typed stands before the first
			t.Errorf("a line is wider than the terminal:\n%s", line)
		}
	}
	screen, _, _ = screenOf(t, many, sim, []string{"events", enter, ctrlD})
	if !strings.Contains(screen, "EVENT_499") {
		t.Errorf("events does not show all:\n%s", screen)
	}
}

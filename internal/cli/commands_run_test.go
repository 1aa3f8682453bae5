package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// step is one command line and what it must say.
type step struct {
	args string
	code int
	want []string // of standard output and error together
}

func (s *shop) steps(t *testing.T, steps []step) {
	t.Helper()
	for _, c := range steps {
		args := strings.Fields(c.args)
		for i, a := range args {
			args[i] = strings.ReplaceAll(a, "_", " ")
		}
		code, out, err := s.detent(append(args, "--config", "detent.yaml")...)
		if code != c.code {
			t.Errorf("detent %s ends with %d, want %d\n%s%s", c.args, code, c.code, out, err)
		}
		for _, want := range c.want {
			if !strings.Contains(out+err, want) {
				t.Errorf("detent %s does not say %q\n%s%s", c.args, want, out, err)
			}
		}
	}
}

func TestWhatRunTakes(t *testing.T) {
	newOffice(t).steps(t, []step{
		{"run clerk.yaml", exitNotTaken, []string{"does not fit its schema", `it takes {"who": text}: --input '{"who": ""}'`}},
		{"run clerk.yaml --set who", exitUsage, []string{"--set needs NAME=VALUE, not who"}},
		{"run clerk.yaml --input [1] --set who=ann", exitUsage, []string{"the input is no object"}},
		{"run clerk.yaml --input {", exitUsage, []string{"the input is no JSON"}},
		{"run clerk.yaml --set who=ann --until opne", exitUsage, []string{"the chart has no state opne", "did you mean open?"}},
		{"run clerk.yaml --set who=ann --until open --id a --user bob --priority 7", 0, []string{"session a of clerk", "the session is in open"}},
		{"show a", 0, []string{`"who": "ann"`, `"user": "bob"`, `"priority": 7`}},
		{`run clerk.yaml --input {"who":"ann"} --set who="eve" --until open --id b`, 0, nil},
		{"show b", 0, []string{`"who": "eve"`}},
		{"ps --user bob", 0, []string{"a  ", "clerk"}},
		{"ps --user nobody", 0, []string{"there are none like that in "}},
		{"ps --status waiting", exitUsage, []string{"there is no status waiting", "parked"}},
		{"ps --limit 0", exitUsage, []string{"from 1 to 10000"}},
		{"run clerk.yaml --set who=ann --id a", exitNotTaken, []string{"detent resume a --db "}},
		{"delete a", 0, []string{"a is gone"}},
		{"delete b", 0, []string{"b is gone"}},
		{"ps", 0, []string{"there are no sessions in "}},
		{"log a", exitNotTaken, []string{`there is no session "a"`}},
	})
}

// An event of the command line that is not taken is said, and what would be;
// one that was only ignored does not end the run.
func TestRunSaysWhichEventsWereNotTaken(t *testing.T) {
	s := newShop(t)
	code, out, err := s.detent("run", "turnstile.yaml", "--id", "t", "--event", "push", "--event", "coin", "--until", "open")
	if code != 0 || !strings.Contains(err, "push was ignored in locked; it takes coin\n") {
		t.Errorf("ignored: %d\n%s%s", code, out, err)
	}
	code, out, err = s.detent("run", "turnstile.yaml", "--id", "u", "--event", "shove")
	if code != exitNotTaken || !strings.Contains(err, "shove was refused: ") || !strings.Contains(err, "hint: it takes coin") || !strings.Contains(err, "detent resume u --db ") {
		t.Errorf("refused: %d\n%s%s", code, out, err)
	}
}

func TestSendWaits(t *testing.T) {
	s := newOffice(t)
	s.steps(t, []step{
		{"run clerk.yaml --id c --set who=ann --until open", 0, nil},
		{"send c go --key k --wait accepted", 0, []string{"queued; c is active, in open"}},
		{"send c go --key k --wait committed", 0, []string{"(it was sent before)", "in busy"}},
		{"send c ask --wait settled", exitNotTaken, []string{"ignored"}},
		{"send c ask --wait asking", 0, []string{"taken; c is active, in asking"}},
		{"send c go --json", exitNotTaken, []string{`"outcome":"ignored"`, `"configuration":["asking"]`}},
		{"send c nonsense", exitNotTaken, []string{"refused: the chart knows no such event", "hint: detent show c"}},
		{"send c go={", exitUsage, []string{"no JSON"}},
		{"answer c may --reject --by ann", 0, []string{"answered"}},
		{"send c close --wait end", 0, []string{"taken; c is completed, in closed"}},
		{"send c close", exitNotTaken, []string{"is completed and takes no events"}},
	})
}

func TestQuestionsAndAnswers(t *testing.T) {
	s := newOffice(t)
	write(t, filepath.Join(s.folder, "ask.yaml"), `id: ask
initial: asking
states:
  asking:
    invoke: {id: much, src: human:input, onDone: paying,
      input: {question: How much?, schema: {type: object, required: [n], properties: {n: {type: integer}}}}}
  paying: {invoke: {id: pay, src: "tool:mark", input: {}, approval: {question: Pay?}, onDone: over, onError: over}}
  over: {type: final}
`)
	s.steps(t, []step{
		{"run ask.yaml --id a --until asking", 0, nil},
		{"pending", 0, []string{"How much?", "detent answer a much", `--data '{"n": 0}'`}},
		{"pending a --json", 0, []string{`"id":"much"`, `"digest":"`}},
		{"pending b", exitNotTaken, []string{`there is no session "b"`}},
		{"answer a", exitUsage, []string{"needs the id of a session and of the question"}},
		{"answer a much", exitUsage, []string{"give one of --approve, --reject and --data"}},
		{"answer a much --approve --reject", exitUsage, []string{"give one of"}},
		{`answer a much --data {"n":"x"}`, exitNotTaken, []string{"the answer does not fit: n is text"}},
		{`answer a much --data {`, exitUsage, []string{"the answer is no JSON"}},
		{`answer a much --data {"n":3} --by ann --comment enough`, 0, []string{"answered"}},
		{`answer a much --data {"n":4} --by bob`, exitNotTaken, []string{"the first answer counts"}},
		{"pending", 0, []string{"Pay?", "--approve or --reject"}},
		{"answer a pay --approve --digest 00 --by ann", exitNotTaken, []string{"the arguments are not the ones that were shown"}},
		{"answer a pay --reject --by ann --comment not_today", 0, []string{"answered"}},
		{"log a", 0, []string{"by ann", "not today [rejected]"}},
		{"log a --json", 0, []string{`"by":"ann"`}},
		{"pending", 0, []string{"nothing waits for a person"}},
	})
	if s.marked() {
		t.Error("what was refused was done")
	}
}

// The fixed planner answers for models that nobody configured, and says so on
// standard error, once.
func TestTheFixedPlannerIsNamed(t *testing.T) {
	const named = "no model is configured: the fixed planner answers model:default\n"
	s := newOffice(t)
	for _, args := range [][]string{
		{"run", "clerk.yaml", "--set", "who=ann", "--id", "p", "--event", "plan", "--until", "open"},
		{"resume", "p", "--event", "plan", "--event", "plan", "--until", "open"},
		{"resume", "p", "--event", "plan", "--until", "open", "--json"},
	} {
		code, out, err := s.detent(append(args, "--config", "detent.yaml")...)
		if code != 0 || strings.Count(err, named) != 1 || strings.Contains(out, "no model") {
			t.Errorf("detent %s ends with %d and does not name it once\n%s%s", strings.Join(args, " "), code, out, err)
		}
	}
	write(t, filepath.Join(s.folder, "detent.yaml"), "models:\n  default: {provider: openai, model: m, api_key: env:KEY}\n")
	code, out, err := s.detent("resume", "p", "--event", "plan", "--until", "open", "--config", "detent.yaml")
	if code != 0 || strings.Contains(err, "fixed planner answers model") {
		t.Errorf("with a model it ends with %d and names the planner\n%s%s", code, out, err)
	}
	if _, out, _ = s.detent("log", "p"); !strings.Contains(out, "[unsupported]") {
		t.Errorf("log does not say why the call failed:\n%s", out)
	}
}

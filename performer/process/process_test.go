//go:build unix

package process_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/performer"
	"github.com/detent-run/detent/performer/process"
)

type object = map[string]any

// argv is a program and its arguments.
func argv(args ...text) []performer.Template {
	out := make([]performer.Template, len(args))
	for i, a := range args {
		out[i] = a
	}
	return out
}

// script is a configuration that runs a script; of this test, not of ours.
func script(s text, args ...text) process.Config {
	return process.Config{Argv: argv(append([]text{"sh", "-c", s, "sh"}, args...)...), Path: "/usr/bin:/bin", Redact: redact}
}

func perform(t *testing.T, c process.Config, in any) host.Outcome {
	t.Helper()
	p, err := process.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return p.Perform(t.Context(), host.Call{Key: "k1", Session: "s", Attempt: 2, Input: in})
}

func TestCall(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name   string
		config process.Config
		input  any
		want   string
	}{
		{"arguments", script(`printf '%s|' "$@"`, "a b", "${x}", "-${x}", "--", "${minus}", "$(id)"), object{"x": "*; id", "minus": "-r"}, `{"kind":"done","output":"a b|*; id|-*; id|--|-r|$(id)|"}`},
		{"a negative number behind a letter", script(`echo "$1"`, "n=${minus}"), object{"minus": "-r"}, `{"kind":"done","output":"n=-r"}`},
		{"input", script("cat"), object{"n": 3.0, "list": []any{nil, true}}, `{"kind":"done","output":"{\"list\":[null,true],\"n\":3.0}"}`},
		{"input that is not read", script("exec <&-; echo ok"), strings.Repeat("x", 1<<20), `{"kind":"done","output":"ok"}`},
		{"JSON", with(script(`printf '{"a": [1, 2.0]}\n\n'`), "json"), nil, `{"kind":"done","output":{"a":[1,2.0]}}`},
		{"JSON that is not there", with(script(`echo`), "json"), nil, `{"kind":"done"}`},
		{"JSON that is none", with(script(`echo '{"a":1,"a":2}'`), "json"), nil, `{"failure":{"code":"bad_output","executed":true,"final":true,"message":"sh ended well, but what it wrote is no JSON: the key \"a\" stands twice, first at line 1, column 2 at line 1, column 8"},"kind":"error"}`},
		{"no UTF-8", script(`printf 'a\377b\000c'`), nil, `{"kind":"done","output":"a�b�c"}`},
		{"complaints are no output", script(`echo no >&2; echo yes`), nil, `{"kind":"done","output":"yes"}`},
		{"exit code", script(`echo because >&2; exit 3`), nil, `{"failure":{"code":"exit_3","executed":true,"message":"sh ended with exit code 3: because","status":3},"kind":"unknown"}`},
		{"exit code that is stated", stated(script(`exit 3`), 3, "closed", "no"), nil, `{"failure":{"code":"closed","message":"sh ended with exit code 3","status":3},"kind":"error"}`},
		{"another exit code", stated(script(`exit 4`), 3, "closed", "no"), nil, `{"failure":{"code":"exit_4","executed":true,"message":"sh ended with exit code 4","status":4},"kind":"unknown"}`},
		{"exit code of what happened", stated(script(`exit 5`), 5, "", "yes"), nil, `{"failure":{"code":"exit_5","executed":true,"message":"sh ended with exit code 5","status":5},"kind":"error"}`},
		{"signal", script(`kill -9 $$`), nil, `{"failure":{"code":"signal","executed":true,"message":"sh was ended by signal: killed"},"kind":"unknown"}`},
		{"too much", process.Config{Argv: argv("sh", "-c", "echo 12345"), MaxOutput: 5}, nil, `{"failure":{"code":"too_large","executed":true,"final":true,"message":"sh ended well, but wrote more than 5 bytes"},"kind":"error"}`},
		{"no such program", process.Config{Argv: argv("no-such-program"), Path: "/usr/bin:/bin"}, nil, `{"failure":{"code":"no_such_program","final":true,"message":"there is no program \"no-such-program\" in PATH"},"kind":"error"}`},
		{"a file that is no program", process.Config{Argv: argv("/etc/passwd")}, nil, `{"failure":{"code":"no_such_program","final":true,"message":"/etc/passwd is no program"},"kind":"error"}`},
		{"no such directory", process.Config{Argv: argv("/bin/sh"), Dir: filepath.Join(dir, "none")}, nil, `{"failure":{"code":"not_started","message":"sh cannot be started: no such file or directory"},"kind":"error"}`},
		{"an argument too long", script("exit", text(strings.Repeat("x", 1<<20))), nil, `{"failure":{"code":"not_started","message":"sh cannot be started: argument list too long"},"kind":"error"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := show(t, perform(t, c.config, c.input)); got != c.want {
				t.Errorf("the outcome is %s\nwanted         %s", got, c.want)
			}
		})
	}
}

func with(c process.Config, stdout string) process.Config {
	c.Stdout = stdout
	return c
}

func stated(c process.Config, exit int, code string, executed performer.Executed) process.Config {
	c.Errors = map[int]performer.Failure{exit: {Code: code, Executed: executed}}
	return c
}

// The environment is what was configured, PATH and the key, and nothing else.
func TestEnvironment(t *testing.T) {
	t.Setenv("CANARY", "x")
	c := process.Config{
		Argv: argv("env"), Path: "/usr/bin:/bin", Dir: t.TempDir(), Stdin: "none",
		Env: map[string]performer.Template{"STEP": text("${step}"), "B": text("2 3")},
	}
	if got, want := perform(t, c, object{"step": "one; id\n$(id)"}).Output, "PATH=/usr/bin:/bin\nDETENT_KEY=k1\nB=2 3\nSTEP=one; id\n$(id)"; got != want {
		// PWD comes with a directory, as the standard library has it.
		if got != want+"\nPWD="+c.Dir {
			t.Errorf("the environment is %q\nwanted %q", got, want)
		}
	}
	c.Argv, c.Env = argv("sh", "-c", "pwd; cat; ls -l /proc/self/fd | wc -l"), nil
	if got := perform(t, c, "input").Output.(string); !strings.HasPrefix(got, c.Dir+"\n") || strings.Contains(got, "input") {
		t.Errorf("it says %q", got)
	}
}

// PATH is searched where it is absolute, so that no program that lies in the
// directory is taken for one of the system's.
func TestProgramsBesideAreNotMeant(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine"), []byte("#!/bin/sh\necho mine\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	c := process.Config{Argv: argv("mine"), Path: ".:/usr/bin:", Dir: dir}
	if o := perform(t, c, nil); o.Failure == nil || o.Failure.Code != "no_such_program" {
		t.Errorf("the outcome is %s", show(t, o))
	}
	c.Argv = argv("./mine")
	if o := perform(t, c, nil); o.Output != "mine" {
		t.Errorf("the outcome is %s", show(t, o))
	}
}

// Nothing that a call could not mean is started.
func TestBadInputs(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "mark")
	for _, x := range []struct {
		name  string
		args  []text
		value string
		want  string
	}{
		{"an option", []text{"${x}"}, "-rf", "argv[4]: a value begins with -, so the program would take it for an option; put -- before it"},
		{"an option in two pieces", []text{"${x}${x}"}, "-", "argv[4]: a value begins with -, so the program would take it for an option; put -- before it"},
		{"an option behind nothing", []text{"${empty}${x}"}, "-r", "argv[4]: a value begins with -, so the program would take it for an option; put -- before it"},
		{"an option behind a value --", []text{"${x}", "${x}"}, "--", "argv[4]: a value begins with -, so the program would take it for an option; put -- before it"},
		{"NUL", []text{"a${x}"}, "\x00", "argv[4]: it holds a NUL"},
		{"no value", []text{"${y}"}, "", "argv[4]: there is no y"},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := script(text("touch "+mark), x.args...)
			o := perform(t, c, object{"x": x.value, "empty": ""})
			want := host.Failure{Code: "bad_input", Message: x.want, Final: true}
			if o.Kind != host.KindError || *o.Failure != want {
				t.Errorf("the outcome is %s", show(t, o))
			}
		})
	}
	c := script(text("touch " + mark))
	c.Env = map[string]performer.Template{"A": text("${x}")}
	if o := perform(t, c, object{"x": "a\x00B=c"}); o.Failure == nil || o.Failure.Message != "env: A: it holds a NUL" {
		t.Errorf("the outcome is %s", show(t, o))
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("the program was started")
	}
}

func TestSecretsStayInside(t *testing.T) {
	for _, s := range []text{
		`echo "$KEY"`, `echo "$KEY" >&2; exit 1`, `echo "$KEY"; exit 1`, `echo "{\"$KEY\": [\"$KEY\"]}"`,
		// The cut through what is shown of the complaints goes through a secret.
		`i=0; while [ $i -lt 400 ]; do echo "$KEY" >&2; i=$((i+1)); done; echo 12345 >&2; exit 1`,
	} {
		for _, stdout := range []string{"text", "json"} {
			c := with(script(s), stdout)
			c.Env = map[string]performer.Template{"KEY": text("${secret}")}
			if got := show(t, perform(t, c, nil)); strings.Contains(got, canary[1:]) {
				t.Errorf("the outcome holds the secret: %.300s", got)
			}
		}
	}
}

// The end of a long complaint is shown.
func TestComplaints(t *testing.T) {
	o := perform(t, script(`i=0; while [ $i -lt 30000 ]; do echo "line $i"; i=$((i+1)); done >&2; exit 1`), nil)
	if m := o.Failure.Message; len(m) > 2200 || !strings.HasSuffix(m, "line 29999") || !strings.Contains(m, "exit code 1: …") {
		t.Errorf("the message is %q", m)
	}
}

func TestNotStartedOnceOver(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	mark := filepath.Join(t.TempDir(), "mark")
	p, err := process.New(script(text("touch " + mark)))
	if err != nil {
		t.Fatal(err)
	}
	if o := p.Perform(ctx, host.Call{}); o.Kind != host.KindError || o.Failure.Code != "cancelled" || o.Failure.Executed {
		t.Errorf("the outcome is %s", show(t, o))
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("the program was started")
	}
}

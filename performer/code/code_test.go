package code_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/performer/code"
	"github.com/detent-run/detent/performer/performertest"
)

type object = map[string]any

var show = performertest.Show

func TestMain(m *testing.M) {
	code.Main()
	os.Exit(m.Run())
}

func newPerformer(t *testing.T, c code.Config) *code.Performer {
	t.Helper()
	p, err := code.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func failure(code, message string) string {
	return `{"failure":{"code":"` + code + `","final":true,"message":"` + message + `"},"kind":"error"}`
}

func TestPrograms(t *testing.T) {
	p := newPerformer(t, code.Config{Redact: func(s string) string { return strings.ReplaceAll(s, "s3cr3t", "[secret]") }})
	data := object{"n": int64(3), "x": 3.0, "list": []any{nil, true, "é"}}
	for _, c := range []struct {
		name, code string
		input      any
		want       string
	}{
		{"a variable", "output = input['n'] * 2", data, `{"kind":"done","output":6}`},
		{"a function", "def main(input):\n  return [input['x'], input['list']]", data, `{"kind":"done","output":[3.0,[null,true,"é"]]}`},
		{"the function before the variable", "output = 1\ndef main(input): return 2", nil, `{"kind":"done","output":2}`},
		{"what was printed", "print('a', 1)\nprint('b')", nil, `{"kind":"done","output":"a 1\nb"}`},
		{"nothing but None", "output = None", nil, `{"kind":"done"}`},
		{"the same back", "output = input", data, `{"kind":"done","output":{"list":[null,true,"é"],"n":3,"x":3.0}}`},
		{"loops and modules", "n = 0\nwhile n < 10: n += 1\nfor i in range(5): n += i\noutput = json.decode(json.encode({'n': n, 'r': math.floor(2.5)}))", nil, `{"kind":"done","output":{"n":20,"r":2}}`},
		{"a tuple", "output = (1, 'a')", nil, `{"kind":"done","output":[1,"a"]}`},
		{"a secret", "output = {input: [input]}", "a s3cr3t", `{"kind":"done","output":{"a [secret]":["a [secret]"]}}`},

		{"nothing", "x = 1", nil, failure("no_output", "the program gives nothing: define main(input), set output, or print")},
		{"syntax", "output = (", nil, failure("syntax", "line 1: got end of file, want primary expression")},
		{"an unknown name", "output = open('/etc/passwd')", nil, failure("syntax", "line 1: undefined: open")},
		{"load", "load('os', 'x')", nil, failure("failed", "line 1: load not implemented by this application")},
		{"a failure", "print('here')\ndef f():\n  fail('no', 1)\nf()", nil, `{"failure":{"code":"failed","detail":{"printed":"here\n"},"final":true,"message":"line 3: fail: no 1"},"kind":"error"}`},
		{"a frozen input", "input.append(1)", []any{}, failure("failed", "line 1: append: cannot append to frozen list")},
		{"recursion", "def f(n): return f(n+1)\nf(0)", nil, failure("failed", "line 1: function f called recursively")},
		{"a function as output", "output = len", nil, failure("bad_output", "the output is no data: a builtin_function_or_method is none")},
		{"a large number", "output = 1 << 63", nil, failure("bad_output", "the output is no data: a whole number has more than 64 bits")},
		{"no number", "output = float('nan')", nil, failure("bad_output", "the output is no data: nan is no number")},
		{"a key that is no text", "output = {1: 2}", nil, failure("bad_output", "the output is no data: a key is a int and must be a text")},
		{"no UTF-8", `output = "\xff"`, nil, failure("syntax", `line 1: non-ASCII hex escape \\xff (use \\u00FF for the UTF-8 encoding of U+00FF)`)},
		{"NUL", `output = "\x00"`, nil, failure("bad_output", "the output is no data: a text is not UTF-8, or holds a NUL")},
		{"itself", "output = []\noutput.append(output)", nil, failure("bad_output", "the output is no data: it is nested deeper than 64")},
		{"too much", "output = 'x' * (4 << 20)", nil, failure("bad_output", "the output is 4194317 bytes long, and may be 1048576")},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := show(t, p.Perform(t.Context(), host.Call{Input: object{"code": c.code, "input": c.input}}))
			if got = strings.ReplaceAll(got, `\u000a`, `\n`); got != c.want {
				t.Errorf("the outcome is %s\nwanted         %s", got, c.want)
			}
		})
	}
}

// A program that would take all there is ends as a failure, and the next one
// runs.
func TestHostilePrograms(t *testing.T) {
	patient := newPerformer(t, code.Config{Steps: 2_000_000, Memory: 64 << 20, Deadline: time.Minute})
	hasty := newPerformer(t, code.Config{Steps: 2_000_000, Memory: 64 << 20, Deadline: time.Second})
	for _, c := range []struct {
		name, code string
		want       string // codes
	}{
		{"for ever", "while True: pass", "steps"},
		{"for ever and ever", "def main(input):\n  for i in range(1000000000):\n    for j in range(1000000000): pass", "steps"},
		{"a large list", "output = len([0] * 1000000000)", "memory"},
		{"a larger list", "output = len([0] * 100000000000)", "failed"},
		{"a long text", "output = len('x' * 1000000000)", "memory"},
		{"a longer text", "output = len('x' * 100000000000)", "failed"},
		{"a text that doubles", "x = 'x'\nwhile True: x += x", "memory failed"},
		{"a number that grows", "x = 3\nwhile True: x *= x", "deadline memory"},
		{"one slow function", "output = len(sorted(range(1000000000)))", "memory deadline"},
		{"deep brackets", "output = " + strings.Repeat("[", 30_000) + strings.Repeat("]", 30_000), "syntax"},
		{"deep operators", "output = " + strings.Repeat("-", 60_000) + "1", "syntax"},
		{"deep data", "x = []\nfor i in range(100000): x = [x]\noutput = x", "bad_output"},
		{"deep data as text", "x = []\nfor i in range(200000): x = [x]\noutput = str(x)", "crashed memory deadline"},
		{"deep data as JSON", "output = json.decode('[' * 10000000)", "failed crashed memory"},
		{"shared data", "x = [1]\nfor i in range(50): x = [x, x]\noutput = x", "memory deadline"},
		{"a large dictionary", "d = {}\nfor i in range(100000000): d[i] = i", "memory steps"},
		{"much printed", "while True: print('x' * 1000)", "steps"},
		{"many functions", "def f0(): pass\n" + strings.Repeat("x = [f for f in [1]]\n", 3000) + "output = 1", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := patient
			if strings.Contains(c.want, "deadline") {
				p = hasty
			}
			o := p.Perform(t.Context(), host.Call{Input: object{"code": c.code}})
			switch {
			case c.want == "" && o.Kind != host.KindDone:
				t.Errorf("the outcome is %s", show(t, o))
			case raced && strings.Contains(c.want, "memory") && o.Failure != nil && o.Failure.Code == "crashed":
			case c.want != "" && (o.Kind != host.KindError || o.Failure.Executed || !strings.Contains(" "+c.want+" ", " "+o.Failure.Code+" ")):
				t.Errorf("the outcome is %.300s, not %s", show(t, o), c.want)
			}
			if o := patient.Perform(t.Context(), host.Call{Input: object{"code": "output = 1"}}); o.Output != int64(1) {
				t.Errorf("the next outcome is %s", show(t, o))
			}
		})
	}
}

// One large piece of memory is refused like many small ones, each time.
func TestOneLargePiece(t *testing.T) {
	for range 10 {
		p := newPerformer(t, code.Config{Memory: 64 << 20, Deadline: time.Minute})
		if o := p.Perform(t.Context(), host.Call{Input: object{"code": "output = len('x' * 400000000)"}}); o.Kind != host.KindError || o.Failure.Code != "memory" && !(raced && o.Failure.Code == "crashed") {
			t.Errorf("the outcome is %s", show(t, o))
		}
	}
}

func TestBadInputs(t *testing.T) {
	p := newPerformer(t, code.Config{})
	for _, c := range []struct {
		input any
		want  string
	}{
		{nil, "the input must be an object with code"},
		{"output = 1", "the input must be an object with code"},
		{object{}, "code: must be there, as text"},
		{object{"code": int64(1)}, "code: must be there, as text"},
		{object{"code": "x", "language": "js"}, `"language": there is no such field; there are code and input`},
		{object{"code": strings.Repeat("#", 65537)}, "code: is 65537 bytes long, and may be 65536"},
		{object{"code": "x", "input": strings.Repeat("x", 5<<20)}, "code and input are 5242939 bytes long together, and may be 4259840"},
	} {
		o := p.Perform(t.Context(), host.Call{Input: c.input})
		if o.Kind != host.KindError || o.Failure.Code != "bad_input" || o.Failure.Message != c.want || !o.Failure.Final {
			t.Errorf("the outcome is %.300s\nwanted %s", show(t, o), c.want)
		}
	}
	if _, err := code.New(code.Config{Language: "python"}); err == nil || err.Error() != `language: "python" is not known; there is starlark` {
		t.Errorf("the error is %v", err)
	}
}

// What is printed beside an output is news of the call.
func TestPrinted(t *testing.T) {
	p := newPerformer(t, code.Config{})
	var news []any
	call := host.Call{Input: object{"code": "print('a')\noutput = 1"}, Progress: func(data any) { news = append(news, data) }}
	if o := p.Perform(t.Context(), call); o.Output != int64(1) || len(news) != 1 || news[0].(object)["printed"] != "a\n" {
		t.Errorf("the outcome is %s and the news %v", show(t, o), news)
	}
}

// A program sees no other's variables.
func TestProgramsAreApart(t *testing.T) {
	p := newPerformer(t, code.Config{})
	for range 3 {
		p.Perform(t.Context(), host.Call{Input: object{"code": "left = 1\njson = 2\noutput = 1"}})
	}
	for range 3 {
		o := p.Perform(t.Context(), host.Call{Input: object{"code": "output = left"}})
		if o.Kind != host.KindError || o.Failure.Code != "syntax" {
			t.Errorf("the outcome is %s", show(t, o))
		}
	}
}

func TestContextEnds(t *testing.T) {
	p := newPerformer(t, code.Config{Steps: 1 << 60, Deadline: time.Hour})
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if o := p.Perform(ctx, host.Call{Input: object{"code": "while True: pass"}}); o.Kind != host.KindError || o.Failure.Code != "timeout" {
		t.Errorf("the outcome is %s", show(t, o))
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if o := p.Perform(over, host.Call{Input: object{"code": "output = 1"}}); o.Kind != host.KindError || o.Failure.Code != "cancelled" {
		t.Errorf("the outcome is %s", show(t, o))
	}
}

func TestClosed(t *testing.T) {
	p, err := code.New(code.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if o := p.Perform(t.Context(), host.Call{Input: object{"code": "output = 1"}}); o.Kind != host.KindError || o.Failure.Code != "closed" {
		t.Errorf("the outcome is %s", show(t, o))
	}
}

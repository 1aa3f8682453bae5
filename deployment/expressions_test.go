package deployment_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/detent-run/detent/deployment"
	"github.com/detent-run/detent/host"
)

// sent is what a template in an argument gives, or the failure.
func sent(t *testing.T, template string, input any) string {
	t.Helper()
	text := fmt.Sprintf("tools:\n  a:\n    process:\n      argv:\n        - printf\n        - --\n        - '%%s'\n        - |-\n          %s\n", template)
	d, found := deployment.Read("detent.yaml", []byte(text), deployment.Options{Secrets: func(r string) (string, error) {
		if r == "env:NONE" {
			return "", fmt.Errorf("the environment has no NONE")
		}
		return "value of " + r, nil
	}})
	if d == nil {
		return found.Error()
	}
	defer d.Close()
	p, _, _ := d.Performers().Find("tool:a")
	o := p.Perform(t.Context(), host.Call{Key: "k", Session: "s", Attempt: 2, Input: input})
	if o.Kind != host.KindDone {
		return o.Failure.Code + ": " + o.Failure.Message
	}
	return fmt.Sprint(o.Output)
}

// A template gives what its expressions do; secret stands for one only where
// it is called, and a mistake is told in words of the author, at its place.
func TestExpressions(t *testing.T) {
	input := map[string]any{"n": int64(3), "secret": "mine"}
	for _, c := range []struct{ template, want string }{
		{"a ${ input.n + 1 } ${ key } ${ session } ${ attempt }", "a 4 k s 2"},
		{"$${ input.n }", "${ input.n }"},
		{`${ {"a": [input.n]} }`, `{"a":[3]}`},
		{`${ let n = input.n; n * 2 }`, "6"},
		{`x ${ len(secret("env:A")) } ${ len( secret ( 'file:é/b' ) ) } y`, "x 14 17 y"},
		{`${ secret("env:A") == secret("env:B") }`, "false"},
		{`${ secret("env:A") } and ${ secret("env:A") }`, "••• and •••"},
		{`${ 'secret("env:A")' }`, `secret("env:A")`},
		{"${ `call secret(\"X\") or call__` }", `call secret("X") or call__`},
		{`${ len("é ${ secret(1) }") }`, "16"},
		{`${ input.secret }`, "mine"},
		{`${ input?.none }`, ""},
		{`${ {"secret": 1}.secret /* secret("x") */ }`, "1"},

		{`${ secret("env:NONE") }`, "bad_input: argv[3]: the environment has no NONE"},
		{`${ input.n.x }`, `bad_input: argv[3]: an integer has no fields, so no "x"`},
		{`${ input.none }`, `bad_input: argv[3]: there is no field "none" (?. and ?? read a field that may be absent)`},
		{`${ secret("env:A") + 1 }`, `bad_input: argv[3]: "+" needs two numbers or two texts, not text and an integer (turn the other into text with string(x), or join with text(a, b))`},

		{`ab ${ 1 + }`, `detent.yaml:9:21: the expression ends where more is expected`},
		{`ab ${ input + nam }`, `detent.yaml:9:25: there is no variable "nam" here (a template may name`},
		{`${ secret("env:A") + nam }`, `detent.yaml:9:32: there is no variable "nam" here`},
		{`${ secret("A") }`, `detent.yaml:9:14: a secret is a reference, env:NAME or file:PATH (a secret itself must not stand in the file)`},
		{`${ secret(input) }`, `detent.yaml:9:14: secret takes one text, and nothing that is computed (write secret("env:NAME") or secret("file:PATH"))`},
		{`${ secret("env:" + "A") }`, `secret takes one text`},
		{`${ secret }`, `secret takes one text`},
		{`${ secrets__[0] }`, `there is no variable "secrets__" here`},
		{`${ secret("env:A") + secrets__[0] }`, `there is no variable "secrets__" here`},
		{`${ call__ }`, `there is no variable "call__" here`},
		{`${ response.status }`, `there is no variable "response" here`},
		{`${ event.data }`, `there is no variable "event" here`},
		{`${ now }`, `there is no variable "now" here`},
		{`${ tools }`, `there is no variable "tools" here`},
		{`${ active("one") }`, `detent.yaml:9:14: there is no function "active" here`},
		{`${ len([id()]) }`, `detent.yaml:9:19: there is no function "id" here`},
		{`${ }`, `there is no expression in it`},
		{`${ 1`, `the expression after "${" is not closed (close it with }) [bad_expression]`},
		{`${ ` + strings.Repeat(`secret("env:A") + `, 17) + `"" }`, `an expression may name 16 secrets`},
	} {
		got := sent(t, c.template, input)
		if refused := strings.HasPrefix(got, "detent.yaml:"); refused && !strings.Contains(got, c.want) || !refused && got != c.want {
			t.Errorf("%s gives\n%s\nwant\n%s", c.template, got, c.want)
		}
	}
}

// A condition gives true or false, and says so where it cannot.
func TestConditions(t *testing.T) {
	for _, c := range []struct{ found, want string }{
		{"response.status == 200", ""},
		{"response.status", ""}, // known when there is one
		{"1 + 1", "detent.yaml:1:75: a condition needs a boolean, not a number"},
		{"respons.status == 1", `detent.yaml:1:73: there is no variable "respons" here`},
	} {
		text := fmt.Sprintf("tools: {a: {http: {url: 'http://h/', lookup: {url: 'http://h/', found: %q, absent: 'true'}}}}", c.found)
		_, found := deployment.Read("detent.yaml", []byte(text), deployment.Options{})
		if got := found.Error(); (c.want == "") != (len(found) == 0) || !strings.Contains(got, c.want) {
			t.Errorf("%s is\n%s", c.found, got)
		}
	}
}

// A file of many expressions is refused once, with its place.
func TestTooManyExpressions(t *testing.T) {
	file := func(n int) []byte {
		return []byte("tools: {a: {http: {url: 'http://h/', body: [\n" + strings.Repeat(" '${ input }',\n", n) + " 1]}}}\n")
	}
	d, found := deployment.Read("detent.yaml", file(10_000), deployment.Options{})
	if d == nil {
		t.Fatal(found)
	}
	d, found = deployment.Read("detent.yaml", file(62_000), deployment.Options{})
	if want := "detent.yaml:10002:5: the file has more than 10000 expressions (part the file) [limit]"; d != nil || len(found) != 1 || found.Error() != want {
		t.Errorf("it is read as %v with %v", d, found)
	}
}

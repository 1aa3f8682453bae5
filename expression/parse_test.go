package expression_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/detent-run/detent/expression"
)

func TestRoots(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{`customer`, `customer@0`},
		{`Call me`, `error`},
		{`b + a.x["y"] + b?.z`, `a.@4 b.@0`},
		{`"é" + a`, `a@7`},
		{`let a = b; a.c + d`, `b@8 d@17`},
		{`map(rows, .id + # + #index + x)`, `rows@4 x@29`},
		{`event.code == "a" and len(plan) > now`, `event.@0 now@34 plan@26`},
		{`true and null == nil`, ``},
		{`reduce(xs, #acc + #, zero)`, `xs@7 zero@21`},
		{`xs | map(#.y)`, `xs@0`},
		{`"text"`, ``},
	} {
		tree, err := expression.Parse(c.source)
		if err != nil {
			if c.want != "error" {
				t.Errorf("%s: %v", c.source, err)
			}
			continue
		}
		var got []string
		for _, r := range tree.Roots() {
			member := ""
			if r.Member {
				member = "."
			}
			got = append(got, fmt.Sprintf("%s%s@%d", r.Name, member, r.Offset))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", c.source, got, c.want)
		}
	}
}

// The brace that closes stands at the sign ¶, which is taken out.
func TestEnd(t *testing.T) {
	for _, source := range []string{
		`customer ¶}`,
		`¶}`,
		`{a: {b: 1}} ¶} and more }`,
		`"}" + '}' + ¶} "`,
		"`}` ¶} `",
		`"\"}" ¶}`,
		`"é" ¶}`,
		`a /* } */ ¶}`,
		"a // }\n¶}",
		`if a {1} else {2}¶}`,
		`map(xs, {#.a})¶}`,
		`a[ ¶}`,
	} {
		want := strings.Index(source, "¶")
		text := strings.Replace(source, "¶", "", 1)
		if got, err := expression.End("é ${"+text, 5); err != nil || got != want+5 {
			t.Errorf("%s: %d (%v), want %d", source, got, err, want+5)
		}
	}
}

func TestEndMissing(t *testing.T) {
	long := `"` + strings.Repeat("é", 3000) + `" }`
	for _, c := range []struct{ text, code, message string }{
		{`a `, `bad_expression`, `the expression after "${" is not closed (close it with })`},
		{``, `bad_expression`, `the expression after "${" is not closed (close it with })`},
		{`"a }`, `bad_expression`, `the text is not closed (end it with the quote that it begins with)`},
		{`a \ }`, `bad_expression`, `the character "\\" means nothing here`},
		{long, `limit`, `the expression after "${" is longer than 4096 bytes, or not closed (close it with }, or compute it in steps)`},
	} {
		_, err := expression.End("${"+c.text, 2)
		if codeOf(err) != c.code || err.Error() != c.message {
			t.Errorf("%.20s: %s %v", c.text, codeOf(err), err)
		}
	}
	if _, err := expression.End("a", 2); err == nil {
		t.Error("an end was found past the end")
	}
	exact := strings.Repeat("a", expression.MaxSource) + "}"
	if at, err := expression.End(exact, 0); err != nil || at != expression.MaxSource {
		t.Errorf("%d (%v)", at, err)
	}
}

// A mistake of syntax is told in words of ours, with its place.
func TestSyntaxErrors(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{``, `0: the expression ends where more is expected`},
		{`1 +`, `3: the expression ends where more is expected`},
		{`a.`, `2: the expression ends where more is expected`},
		{`a ..`, `4: the expression ends where more is expected`},
		{`(1`, `2: the expression ends where more is expected`},
		{`a === 1`, `4: "=" is not expected here (use == to compare; an expression assigns nothing)`},
		{`a & b`, `2: "&" is not expected here (use "and")`},
		{`${ a }`, `1: "{" is not expected here (an expression stands here bare, without ${ }; an object is {key: value})`},
		{`a "b"`, `2: "b" is not expected here`},
		{`"a`, `0: the text is not closed (end it with the quote that it begins with)`},
		{`a \ b`, `2: the character "\\" means nothing here`},
		{`map(a, #; #)`, `8: a function's body of several parts stands in { }`},
		{`a /* b`, `2: the comment is not closed (end it with */)`},
		{`"é" + "\q"`, `9: the text has an escape that does not exist (a backslash is written \\, or the text between backquotes)`},
		{`12a`, `2: the number is not one that can be written here (a name does not begin with a digit)`},
		{`a.1`, `1: ".1" is not expected here`},
		{`a. + 1`, `5: a name is expected after the dot`},
		{`0x`, `1: the number is not one that can be written here (integers have 64 bits, decimals are doubles)`},
		{"a\xff", `1: the expression is not UTF-8`},
		{"a\x00", `1: the expression holds a NUL`},
	} {
		_, err := expression.Parse(c.source)
		e, ok := err.(*expression.Error)
		if !ok {
			t.Errorf("%q: %v", c.source, err)
			continue
		}
		if got := fmt.Sprintf("%d: %s", e.Offset, e); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.source, got, c.want)
		}
	}
}

// The texts that a call of text joins do not count against the length of an
// expression; all else does.
func TestLongTexts(t *testing.T) {
	long := strings.Repeat("ü", 10_000)
	names := strings.Repeat("n + ", 1_100) + "n"
	for _, c := range []struct{ name, source, want string }{
		{"a long text", `text("` + long + `", n, "` + long + `")`, ""},
		{"with an escape at its end", `text("` + long + `\\", n)`, ""},
		{"too long a text", `text("` + strings.Repeat(long, 4) + `", n)`, "the text is 80011 bytes long and may be 65536"},
		{"a long literal elsewhere", `upper("` + long + `")`, "the expression is 20009 bytes long and may be 4096"},
		{"deeper in the call", `text(upper("` + long + `"))`, "the expression is 20015 bytes long and may be 4096"},
		{"more than the call", `text("` + long + `") + "a"`, "the expression is 20014 bytes long and may be 4096"},
		{"long code in the call", `text("` + long + `", ` + names + `)`, "the expression is 4409 bytes long and may be 4096"},
	} {
		_, err := expression.Parse(c.source)
		got := ""
		if e, ok := errors.AsType[*expression.Error](err); ok {
			got = e.Message
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

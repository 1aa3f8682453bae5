package strictjson_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/detent-run/detent/internal/strictjson"
)

func TestDecode(t *testing.T) {
	for text, want := range map[string]any{
		`null`:                     nil,
		` true `:                   true,
		"\t[ ]\r\n":                []any{},
		`{}`:                       map[string]any{},
		`[1, -0, 0, 1e2, 1E2]`:     []any{int64(1), int64(0), int64(0), 100.0, 100.0},
		`9223372036854775807`:      int64(math.MaxInt64),
		`-9223372036854775808`:     int64(math.MinInt64),
		`-0.0`:                     math.Copysign(0, -1),
		`1e-400`:                   0.0,
		`0.1`:                      0.1,
		`""`:                       "",
		`"é\u00e9\ud83d\ude00😀"`:   "éé😀😀",
		`"\"\\\/\b\f\n\r\t"`:       "\"\\/\b\f\n\r\t",
		`{"a": {"A": [1]}, "": 2}`: map[string]any{"a": map[string]any{"A": []any{int64(1)}}, "": int64(2)},
	} {
		got, err := strictjson.Decode([]byte(text), strictjson.Limits{})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %#v, want %#v; %v", text, got, want, err)
		}
	}
}

// What a user sees of a document that is refused.
func TestRefused(t *testing.T) {
	nine := `"i": 1, "j": 1, "k": 1, "l": 1, "m": 1, "n": 1, "o": 1, "p": 1`
	for text, want := range map[string]string{
		"":                         `the document is empty at line 1, column 1`,
		" \n ":                     `the document is empty at line 2, column 2`,
		`{"a": 1, "a": 2}`:         `the key "a" stands twice, first at line 1, column 2 at line 1, column 10`,
		`{"a": 1, "\u0061": 2}`:    `the key "a" stands twice, first at line 1, column 2 at line 1, column 10`,
		"{" + nine + ",\n\"k\":0}": `the key "k" stands twice, first at line 1, column 18 at line 2, column 1`,
		`[1,]`:                     `a comma stands before the closing ] at line 1, column 3 (remove it)`,
		`[1 2]`:                    `a comma or the closing ] is missing before "2" at line 1, column 4`,
		`{"a" 1}`:                  `a colon is missing after the key "a", before "1" at line 1, column 6`,
		`{'a': 1}`:                 `a key is missing before the quote at line 1, column 2 (text stands in double quotes)`,
		`{a: 1}`:                   `a key is missing before "a" at line 1, column 2 (a key is text in double quotes)`,
		`{"a": `:                   `the { that opens here is not closed at line 1, column 1`,
		"[\n[1,\n2]":               `the [ that opens here is not closed at line 1, column 1`,
		`[`:                        `the [ that opens here is not closed at line 1, column 1`,
		`"abc`:                     `the text that begins here is not closed at line 1, column 1 (a closing " is missing)`,
		"\"a\nb\"":                 `the line ends inside a text at line 1, column 3 (a closing " is missing, or the line break is to be written \n)`,
		"\"a\tb\"":                 `a tab stands inside a text at line 1, column 3 (write it \t)`,
		"\"a\x01\"":                `the control character 0x01 stands inside a text at line 1, column 3 (write it \u0001)`,
		`"\q"`:                     `there is no escape \q at line 1, column 2 (a backslash is written \\)`,
		`"\u12"`:                   `four hexadecimal digits are missing after \u at line 1, column 2`,
		`"\ud800"`:                 `\ud800 is half of a pair and no character at line 1, column 2 (the other half is missing or in the wrong place)`,
		`"é\ude00\ud83d"`:          `\ude00 is half of a pair and no character at line 1, column 3 (the other half is missing or in the wrong place)`,
		`"\u0000"`:                 `the text holds a NUL character at line 1, column 2 (no text of a chart may)`,
		"\"\x00\"":                 `the document holds a NUL byte at line 1, column 2 (is it UTF-16? save it as UTF-8)`,
		"[\"é\", \"\xff\"]":        `the byte 0xff is no UTF-8 at line 1, column 8 (save the document as UTF-8)`,
		"\"\xed\xa0\x80\"":         `the byte 0xed is no UTF-8 at line 1, column 2 (save the document as UTF-8)`,
		"\xef\xbb\xbf{}":           `the document begins with a byte order mark at line 1, column 1 (save it as UTF-8 without one)`,
		`[01]`:                     `the number 01 begins with a zero at line 1, column 2 (write it without, or as text in double quotes)`,
		`-`:                        `a digit is missing after the minus sign at line 1, column 1`,
		`[1.]`:                     `a digit is missing after the decimal point at line 1, column 2`,
		`1e`:                       `a digit is missing in the exponent at line 1, column 1`,
		`.5`:                       `a value is missing before ".5" at line 1, column 1 (a number begins with a digit or a minus sign)`,
		`0x1F`:                     `"0x1F" is no number at line 1, column 1 (text stands in double quotes)`,
		`NaN`:                      `a value is missing before "NaN" at line 1, column 1 (JSON has no such number)`,
		`[True]`:                   `a value is missing before "True" at line 1, column 2 (it is written true)`,
		`None`:                     `a value is missing before "None" at line 1, column 1 (it is written null)`,
		`hello`:                    `a value is missing before "hello" at line 1, column 1 (text stands in double quotes)`,
		`{} // done`:               `something follows the document: "/" at line 1, column 4 (JSON has no comments)`,
		`1 2`:                      `something follows the document: "2" at line 1, column 3`,
		`{"a": [1, 1e999]}`:        `a[1]: the number 1e999 is too large at line 1, column 11`,
		`{"a.b": 9223372036854775808}`: `["a.b"]: the number 9223372036854775808 does not fit a 64-bit integer at line 1, column 9 ` +
			`(write it as text, or with a decimal point)`,
	} {
		v, err := strictjson.Decode([]byte(text), strictjson.Limits{})
		if err == nil {
			t.Errorf("%q is taken as %#v", text, v)
		} else if err.Error() != want {
			t.Errorf("%q:\n got %s\nwant %s", text, err, want)
		}
	}
}

// A line ends with any of the three breaks, and a column counts characters.
func TestPlaces(t *testing.T) {
	for _, line := range []string{"", "é", strings.Repeat("ü", 3000)} {
		for _, end := range []string{"\n", "\r", "\r\n"} {
			text := `["` + line + `",` + end + `"` + line + `", x]`
			_, err := strictjson.Parse([]byte(text), strictjson.Limits{})
			e, ok := errors.AsType[*strictjson.Error](err)
			if want := 5 + len([]rune(line)); !ok || e.Line != 2 || e.Column != want || text[e.Offset] != 'x' {
				t.Errorf("%d characters, %q: %v, want line 2, column %d", len(line), end, err, want)
			}
		}
	}
}

func TestLimits(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	wide := func(n int) string { return "[" + strings.Repeat("0,", n-2) + "0]" }
	for name, c := range map[string]struct {
		text   string
		limits strictjson.Limits
		says   string
	}{
		"as long as may be":      {"[0]", strictjson.Limits{Bytes: 3}, ""},
		"a byte longer":          {"[0] ", strictjson.Limits{Bytes: 3}, "the document is 4 bytes long, and may be 3"},
		"as deep as may be":      {deep(64), strictjson.Limits{Depth: 64}, ""},
		"a level deeper":         {deep(65), strictjson.Limits{Depth: 64}, "the document is nested deeper than 64 levels"},
		"beside each other":      {"[" + strings.Repeat(deep(63)+",", 100) + "0]", strictjson.Limits{Depth: 64}, ""},
		"10 MB of brackets":      {strings.Repeat("[", 10<<20), strictjson.Limits{}, "nested deeper than 1000 levels"},
		"10 MB of keys":          {strings.Repeat(`{"":`, 10<<18), strictjson.Limits{}, "nested deeper than 1000 levels"},
		"as many as may be":      {wide(100), strictjson.Limits{Values: 100}, ""},
		"one more":               {wide(101), strictjson.Limits{Values: 100}, "the document has more than 100 values"},
		"a hundred times as big": {wide(10_000), strictjson.Limits{Values: 100}, "the document has more than 100 values"},
	} {
		_, err := strictjson.Parse([]byte(c.text), c.limits)
		e, _ := errors.AsType[*strictjson.Error](err)
		switch {
		case c.says == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.says != "" && (e == nil || e.Reason != strictjson.TooLarge || !strings.Contains(err.Error(), c.says)):
			t.Errorf("%s: %v, want %s", name, err, c.says)
		}
	}
}

// Wide objects cost what they are long, not the square of it.
func TestWideObject(t *testing.T) {
	var b strings.Builder
	const n = 200_000
	for i := range n {
		fmt.Fprintf(&b, `,"k%d":%d`, i, i)
	}
	node, err := strictjson.Parse([]byte("{"+b.String()[1:]+"}"), strictjson.Limits{})
	if err != nil || len(node.Members) != n {
		t.Fatalf("%v", err)
	}
	_, err = strictjson.Parse([]byte("{"+b.String()[1:]+`,"k7":0}`), strictjson.Limits{})
	if err == nil || !strings.Contains(err.Error(), `the key "k7" stands twice`) {
		t.Errorf("a key twice among many: %v", err)
	}
}

// All that need not end the reading is found at once.
func TestParseAll(t *testing.T) {
	text := "{\"a\": {\"x\": \"\\u0000\", \"x\": \"\\ud800!\"},\n \"a\": [}"
	n, errs := strictjson.ParseAll([]byte(text), strictjson.Limits{})
	var got []string
	for _, e := range errs {
		got = append(got, fmt.Sprintf("%d:%d", e.Line, e.Column))
	}
	if want := "1:14 1:23 1:29 2:8"; n != nil || strings.Join(got, " ") != want {
		t.Errorf("the errors stand at %v, want %s: %v", got, want, errs)
	}
	n, errs = strictjson.ParseAll([]byte(strings.TrimSuffix(text, "[}")+"1}"), strictjson.Limits{})
	if n == nil || len(n.Members) != 2 || len(errs) != 4 {
		t.Errorf("the node has the key twice: %v, %v", n, errs)
	}
	if _, errs = strictjson.ParseAll([]byte("["+strings.Repeat(`"\u0000",`, 5000)+"0]"), strictjson.Limits{}); len(errs) != 1000 {
		t.Errorf("%d errors, want the first 1,000", len(errs))
	}
}

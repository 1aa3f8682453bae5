package scxml_test

import (
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile/scxml"
)

// What is not UTF-8, or says that it is not, is refused where it stands;
// marks of the byte order and ends of lines of any system are taken.
func TestEncodings(t *testing.T) {
	text := document("", "\n<state id=\"a\"><transition event=\"go\" target=\"b\"/></state>\n<state id=\"b\"/>\n")
	wide := strings.ReplaceAll(text, "id=\"b\"", "id=\"b\xff\"")
	for _, c := range []struct{ name, text, want string }{
		{"as it is", text, ""},
		{"a mark of the byte order", "\uFEFF" + text, ""},
		{"ends of lines of Windows", strings.ReplaceAll(text, "\n", "\r\n"), ""},
		{"ends of lines of old", strings.ReplaceAll(text, "\n", "\r"), ""},
		{"a character of its own", strings.ReplaceAll(text, "\"b\"", "\"\uFFFD\""), ""},
		{"a byte that begins nothing", wide, "3:13: the document is not UTF-8 here (save it as UTF-8) [encoding]"},
		{"half of a pair", strings.ReplaceAll(text, "id=\"b\"", "id=\"b\xed\xa0\x80\""), "3:13: the document is not UTF-8 here (save it as UTF-8) [encoding]"},
		{"a letter that is longer than it must be", strings.ReplaceAll(text, "id=\"b\"", "id=\"b\xc1\xa1\""), "3:13: the document is not UTF-8 here (save it as UTF-8) [encoding]"},
		{"a NUL", strings.ReplaceAll(text, "id=\"b\"", "id=\"b\x00\""), "3:13: the document holds a NUL character (save it as UTF-8, without that character) [encoding]"},
		{"a control", strings.ReplaceAll(text, "id=\"b\"", "id=\"b\x1b\""), "3:13: the character U+001B cannot stand in XML (remove it) [encoding]"},
		{"UTF-16", "\xff\xfe<\x00", "1:1: the document is UTF-16 (save it as UTF-8) [encoding]"},
		{"a wrong target behind ends of lines of Windows", strings.ReplaceAll(strings.ReplaceAll(text, "target=\"b", "target=\"c"), "\n", "\r\n"),
			`2:46: there is no state "c" (a target is the id of a state) [unknown_state]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := said(check("door.scxml", []byte(c.text), scxml.Options{})); got != c.want {
				t.Errorf("said is\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

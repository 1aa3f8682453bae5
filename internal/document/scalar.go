package document

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// What a plain value is, by the core schema of YAML 1.2. Numbers that begin
// with a needless zero are text: YAML 1.1 reads them as octal, 1.2 as decimal,
// and people mean neither.
var (
	integer = regexp.MustCompile(`^(?:[-+]?(?:0|[1-9][0-9]*)|0o[0-7]+|0x[0-9a-fA-F]+)$`)
	decimal = regexp.MustCompile(`^[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$`)
	noFinit = regexp.MustCompile(`^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)
)

// What other readers of YAML, or people, take for something else than text.
var (
	yesNo      = regexp.MustCompile(`^(?i:y|n|yes|no|on|off)$`)
	leadZero   = regexp.MustCompile(`^[-+]?0[0-9]+(?:\.[0-9]*)?$`)
	underscore = regexp.MustCompile(`^[-+]?[0-9][0-9_,]*_[0-9_]*(?:\.[0-9_]*)?$`)
	sixty      = regexp.MustCompile(`^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$`)
	date       = regexp.MustCompile(`^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt ].*)?$`)
	binary     = regexp.MustCompile(`^[-+]?0(?:b[01_]+|x[0-9a-fA-F_]+|o[0-7_]+)$`)
	likeNumber = regexp.MustCompile(`^[-+.]?[0-9][-+0-9_.,:eE]*$`)

	others = []*regexp.Regexp{yesNo, leadZero, underscore, sixty, date, binary, likeNumber}
)

// resolve makes n, a plain value, what its text says.
func (n *Node) resolve() *Problem {
	switch n.Text {
	case "", "~", "null", "Null", "NULL":
		n.Kind = Null
		n.Blank = n.Text == ""
		return nil
	case "true", "True", "TRUE":
		n.Kind, n.Bool = Bool, true
		return nil
	case "false", "False", "FALSE":
		n.Kind = Bool
		return nil
	}
	if c := n.Text[0]; c > '9' && c != '~' || c < '+' {
		n.Kind = String
		n.Slip = slip(n.Text)
		return nil // quick: no number begins so
	}
	switch {
	case integer.MatchString(n.Text):
		return n.number(false)
	case decimal.MatchString(n.Text):
		return n.number(true)
	case noFinit.MatchString(n.Text):
		return &Problem{Code: CodeNumber, Start: n.Start, Message: n.Text + " is no number that a chart can hold", Hint: "write it as text, in quotes, or leave it out"}
	}
	n.Kind = String
	n.Slip = slip(n.Text)
	return nil
}

// slip says what a text may have been meant as.
func slip(text string) string {
	switch {
	case len(text) > 40:
		return ""
	case yesNo.MatchString(text):
		word := "false"
		if c := text[0] | 0x20; c == 'y' || strings.EqualFold(text, "on") {
			word = "true"
		}
		return text + " is text; write " + word
	case leadZero.MatchString(text):
		return text + " is text because of the zero that it begins with; write the number without"
	case underscore.MatchString(text):
		return text + " is text; write " + strings.ReplaceAll(text, "_", "")
	}
	return ""
}

// clip keeps long text out of messages.
func clip(text string) string {
	const most = 40
	if utf8.RuneCountInString(text) > most {
		return string([]rune(text)[:most]) + "…"
	}
	return text
}

func quote(text string) string { return strconv.Quote(clip(text)) }

package ecmascript

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// calm reports whether evaluating source certainly changes nothing in the
// engine, so that the engine can be used again: source only reads, compares
// and reckons. It is asked of all expressions and must never be wrong when it
// says yes; when it says no, a new engine is made, which takes longer.
func calm(source string) bool {
	var before string // the token before, "" at the beginning
	for source != "" {
		token, rest, ok := calmToken(source)
		switch {
		case !ok:
			return false
		case token == "(" && !calmCall[before]:
			return false
		}
		if token != " " {
			before = token
		}
		source = rest
	}
	return true
}

// calmToken cuts off the first token of source if it is one that cannot change
// anything. Text and numbers are returned as "0", names as themselves, and
// space as " ".
func calmToken(source string) (token, rest string, ok bool) {
	r, size := utf8.DecodeRuneInString(source)
	switch {
	case r == ' ' || r == '\t' || r == '\n' || r == '\r':
		return " ", source[size:], true
	case r == '\'' || r == '"':
		end := strings.IndexAny(source[1:], string(r)+"\\\n\r\u2028\u2029")
		if end < 0 || source[1+end] != source[0] {
			return "", "", false
		}
		return "0", source[end+2:], true
	case beginsName(r):
		end := strings.IndexFunc(source, func(r rune) bool { return !beginsName(r) && !unicode.IsDigit(r) })
		if end < 0 {
			end = len(source)
		}
		return source[:end], source[end:], !stirring[source[:end]]
	case '0' <= r && r <= '9':
		return "0", strings.TrimLeft(source, "0123456789"), true
	}
	if strings.HasPrefix(source, "++") || strings.HasPrefix(source, "--") {
		return "", "", false
	}
	for _, operator := range calmOperators {
		if rest, ok := strings.CutPrefix(source, operator); ok {
			return operator, rest, true
		}
	}
	return "", "", false
}

// stirring are the words that begin what may do something, or that name what
// would be changed by it.
var stirring = map[string]bool{
	"async": true, "await": true, "class": true, "delete": true, "eval": true, "function": true, "get": true, "import": true,
	"let": true, "new": true, "set": true, "super": true, "this": true, "globalThis": true, "throw": true, "var": true, "with": true, "yield": true,
}

// calmOperators are those that only read, the longer first. What assigns is
// not among them, nor a slash, which may begin a regular expression.
var calmOperators = []string{
	"===", "!==", "==", "!=", ">>>", "<<", ">>", "<=", ">=", "&&", "||", "??", "?.",
	"<", ">", "!", "?", ":", ".", ",", "(", ")", "[", "]", "+", "-", "*", "%", "&", "|", "^", "~",
}

// calmCall are the tokens before a parenthesis that does not call anything
// but In. At the beginning there is none.
var calmCall = map[string]bool{"": true, "In": true, "typeof": true, "void": true, "in": true, "instanceof": true}

func init() {
	for _, operator := range calmOperators {
		calmCall[operator] = operator != ")" && operator != "]" && operator != "?."
	}
}

package expression

import (
	"strings"
	"unicode/utf8"

	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser/lexer"
)

// checkSource holds a source to the bounds that must hold before the parser
// sees it: it recurses over brackets.
func checkSource(source string) *Error {
	if len(source) > MaxSource {
		if e := checkLength(source); e != nil {
			return e
		}
	}
	if !utf8.ValidString(source) {
		e := wrong("", "the expression is not UTF-8")
		e.Offset = validPrefix(source)
		return e
	}
	if i := strings.IndexByte(source, 0); i >= 0 {
		e := wrong("", "the expression holds a NUL")
		e.Offset = i
		return e
	}
	return checkBrackets(source)
}

// checkLength holds a long source to its bounds.
func checkLength(source string) *Error {
	const hint = "compute it in steps, in several variables"
	size := len(source)
	if size <= MaxText {
		size -= joinedTexts(source)
	}
	switch {
	case len(source) > MaxText && strings.HasPrefix(source, "text("):
		e := tooMuch("put the long part into a constant and write its name", "the text is %d bytes long and may be %d", len(source), MaxText)
		e.Offset = MaxText
		return e
	case size > MaxSource:
		e := tooMuch(hint, "the expression is %d bytes long and may be %d", size, MaxSource)
		e.Offset = MaxSource
		return e
	}
	return nil
}

// joinedTexts is how many bytes the literals take that a call of text joins,
// where the source is nothing but that call.
func joinedTexts(source string) int {
	if !strings.HasPrefix(source, "text(") {
		return 0
	}
	tokens := lexer.New()
	tokens.Reset(file.NewSource(source))
	bytes, depth, runes, at := 0, 0, 0, 0
	for {
		token, err := tokens.Next()
		if err != nil || token.Is(lexer.EOF) {
			return bytes
		}
		from := at + byteOffset(source[at:], token.From-runes)
		to := from + byteOffset(source[from:], token.To-token.From)
		runes, at = token.To, to
		switch {
		case token.Is(lexer.Bracket) && strings.Contains("([{", token.Value):
			depth++
		case token.Is(lexer.Bracket):
			if depth--; depth == 0 && to < len(source) {
				return 0 // more than the call
			}
		case token.Is(lexer.String) && depth == 1:
			bytes += to - from
		}
	}
}

func validPrefix(s string) int {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(s)
}

func checkBrackets(source string) *Error {
	tokens := lexer.New()
	tokens.Reset(file.NewSource(source))
	depth := 0
	for {
		token, err := tokens.Next()
		if err != nil || token.Is(lexer.EOF) {
			return nil // the parser says what is wrong
		}
		if !token.Is(lexer.Bracket) {
			continue
		}
		if strings.Contains("([{", token.Value) {
			depth++
		} else {
			depth--
		}
		if depth > MaxNesting {
			return tooNested(byteOffset(source, token.From))
		}
	}
}

func tooNested(at int) *Error {
	e := tooMuch("compute the inner parts first, with let or in variables", "the expression is nested deeper than %d", MaxNesting)
	e.Offset = at
	return e
}

// byteOffset turns the lexer's offset, in characters, into one in bytes.
func byteOffset(source string, runes int) int {
	for i := range source {
		if runes <= 0 {
			return i
		}
		runes--
	}
	return len(source)
}

package expression

import (
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser/lexer"
)

// End returns where the expression ends that begins at from in a longer
// text, just after "${": the offset in bytes of its closing brace. Braces of
// objects and bodies, and those in texts and comments, do not close it. The
// error is always an [Error], its Offset into source.
func End(source string, from int) (int, error) {
	if from < 0 || from > len(source) {
		e := wrong("", "no expression begins at %d", from)
		e.Offset = 0
		return 0, e
	}
	text, cut := source[from:], false
	if len(text) > MaxSource+1 {
		text, cut = text[:MaxSource+1], true
	}
	at, err := closingBrace(text)
	if err != nil && cut {
		err = tooMuch("close it with }, or compute it in steps", `the expression after "${" is longer than %d bytes, or not closed`, MaxSource)
		err.Offset = 0
	}
	if err != nil {
		err.Offset += from
		return 0, err
	}
	return from + at, nil
}

func closingBrace(text string) (int, *Error) {
	tokens := lexer.New()
	tokens.Reset(file.NewSource(text))
	for depth := 0; ; {
		token, err := tokens.Next()
		switch {
		case err != nil:
			return 0, syntaxError(text, err)
		case token.Is(lexer.EOF):
			e := wrong("close it with }", `the expression after "${" is not closed`)
			e.Offset = 0
			return 0, e
		case token.Is(lexer.Bracket, "{"):
			depth++
		case token.Is(lexer.Bracket, "}"):
			if depth == 0 {
				return byteOffset(text, token.From), nil
			}
			depth--
		}
	}
}

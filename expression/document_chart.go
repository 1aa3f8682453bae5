package expression

import (
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser/lexer"

	"github.com/detent-run/detent/statechart"
)

// ForDocument returns an expression of a chart as an SCXML document with the
// data model "detent" says it: active("path") becomes In("id"), with the id
// that state gives for the path, and each other text literal what text makes
// of it. Everything else stays as it is written. The error is always an
// [Error]; state may return false for a path that it does not know.
func ForDocument(source string, state func(path string) (id string, ok bool), text func(value string) string) (string, error) {
	tree, err := parse(source, false)
	if err != nil {
		return "", err
	}
	asked := activeCalls{from: map[int]bool{}}
	ast.Walk(&tree.node, &asked)
	literals, err := literalsOf(source)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	done := 0
	replace := func(from, to int, by string) {
		out.WriteString(source[done:from] + by)
		done = to
	}
	for _, l := range literals {
		if !asked.from[l.from] {
			if value := text(l.value); value != l.value {
				replace(l.at, l.end, Quote(value))
			}
			continue
		}
		id, ok := state(l.value)
		switch {
		case !ok:
			return "", refuse(statechart.CodeUnknownState, l.at, "", "there is no state %s", quote(l.value))
		case l.called < 0:
			return "", refuse(statechart.CodeExpression, l.at, `write active("path")`, "the path of active does not stand in its parentheses")
		}
		replace(l.called, l.called+len("active"), inFunction.name)
		replace(l.at, l.end, Quote(id))
	}
	out.WriteString(source[done:])
	return out.String(), nil
}

// activeCalls gathers where the paths stand that active is called with, in
// characters.
type activeCalls struct{ from map[int]bool }

func (a *activeCalls) Visit(n *ast.Node) {
	if x, ok := (*n).(*ast.CallNode); ok && isName(x.Callee, "active") && len(x.Arguments) == 1 {
		if s, ok := x.Arguments[0].(*ast.StringNode); ok {
			a.from[s.Location().From] = true
		}
	}
}

// literalToken is a text literal of a source.
type literalToken struct {
	value  string
	from   int // in characters
	at     int // and end: in bytes, with the quotes
	end    int
	called int // where "active" begins, of which it is the argument; else -1
}

// literalsOf returns the text literals in their order.
func literalsOf(source string) ([]literalToken, error) {
	tokens := lexer.New()
	tokens.Reset(file.NewSource(source))
	var out []literalToken
	var before [2]lexer.Token
	for {
		token, err := tokens.Next()
		if err != nil {
			return nil, syntaxError(source, err)
		}
		if token.Is(lexer.EOF) {
			return out, nil
		}
		if token.Is(lexer.String) {
			l := literalToken{value: token.Value, from: token.From, at: byteOffset(source, token.From), end: byteOffset(source, token.To), called: -1}
			if before[0].Is(lexer.Identifier, "active") && before[1].Is(lexer.Bracket, "(") {
				l.called = byteOffset(source, before[0].From)
			}
			out = append(out, l)
		}
		before[0], before[1] = before[1], token
	}
}

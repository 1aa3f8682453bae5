package expression

import (
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser/lexer"

	"github.com/detent-run/detent/statechart"
)

// Rewording is how an expression of a chart becomes one of an SCXML document
// with the data model "detent". All its functions must be set.
type Rewording struct {
	// State gives the id in the document of a state that active asks for by
	// its path, and false for one that there is not.
	State func(path string) (id string, ok bool)
	// Text gives what another text literal becomes.
	Text func(literal string) string
	// Variable gives what a name becomes that comes from outside the
	// expression, such as that of a variable.
	Variable func(name string) string
}

// ForDocument rewords an expression of a chart: active("path") becomes
// In("id"), and texts and names what the rewording says. Everything else stays
// as it is written. Locals are the names that let defines in it, which in a
// document may be those of no variable at all. The error is always an [Error].
func ForDocument(source string, r Rewording) (reworded string, locals []string, err error) {
	tree, err := parse(source, false)
	if err != nil {
		return "", nil, err
	}
	found := places{asked: map[int]bool{}, names: map[int]bool{}}
	ast.Walk(&tree.node, &found)
	tokens, err := tokensOf(source)
	if err != nil {
		return "", nil, err
	}
	var out strings.Builder
	done := 0
	replace := func(t wordToken, by string) {
		out.WriteString(source[done:t.at] + by)
		done = t.end
	}
	for i, t := range tokens {
		switch {
		case t.Is(lexer.Identifier) && found.names[t.From]:
			if name := r.Variable(t.Value); name != t.Value {
				replace(t, name)
			}
		case t.Is(lexer.Identifier, "active") && i+2 < len(tokens) && found.asked[tokens[i+2].From] && tokens[i+1].Is(lexer.Bracket, "("):
			replace(t, inFunction.name)
		case t.Is(lexer.String) && found.asked[t.From]:
			id, ok := r.State(t.Value)
			switch {
			case !ok:
				return "", nil, refuse(statechart.CodeUnknownState, t.at, "", "there is no state %s", quote(t.Value))
			case i < 2 || !tokens[i-1].Is(lexer.Bracket, "(") || !tokens[i-2].Is(lexer.Identifier, "active"):
				return "", nil, refuse(statechart.CodeExpression, t.at, `write active("path")`, "the path of active does not stand in its parentheses")
			}
			replace(t, Quote(id))
		case t.Is(lexer.String):
			if value := r.Text(t.Value); value != t.Value {
				replace(t, Quote(value))
			}
		}
	}
	return out.String() + source[done:], found.locals, nil
}

// places gathers where things stand, in characters: the paths that active is
// called with, and the names that are no functions; and what let defines.
type places struct {
	asked, names map[int]bool
	locals       []string
}

func (p *places) Visit(n *ast.Node) {
	switch x := (*n).(type) {
	case *ast.CallNode:
		if !isName(x.Callee, "active") || len(x.Arguments) != 1 {
			return
		}
		if s, ok := x.Arguments[0].(*ast.StringNode); ok {
			p.asked[s.Location().From] = true
		}
	case *ast.IdentifierNode:
		if _, function := functions[x.Value]; !function {
			p.names[x.Location().From] = true
		}
	case *ast.VariableDeclaratorNode:
		if !slices.Contains(p.locals, x.Name) {
			p.locals = append(p.locals, x.Name)
		}
	}
}

// wordToken is a token of a source, with where it stands in bytes.
type wordToken struct {
	lexer.Token
	at, end int
}

// tokensOf returns the tokens in their order.
func tokensOf(source string) ([]wordToken, error) {
	tokens := lexer.New()
	tokens.Reset(file.NewSource(source))
	var out []wordToken
	for runes, at := 0, 0; ; {
		token, err := tokens.Next()
		if err != nil {
			return nil, syntaxError(source, err)
		}
		if token.Is(lexer.EOF) {
			return out, nil
		}
		from := at + byteOffset(source[at:], token.From-runes)
		runes, at = token.To, from+byteOffset(source[from:], token.To-token.From)
		out = append(out, wordToken{token, from, at})
	}
}

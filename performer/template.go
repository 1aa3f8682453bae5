package performer

import (
	"fmt"
	"strings"
)

// A Template is a value with expressions in it, compiled. It is evaluated once
// per call; secrets that it names are looked up then and are not kept.
// Implementations must be safe for concurrent use.
type Template interface {
	// Literal is the text before the first expression. whole says that there
	// is none, so that head is everything.
	Literal() (head string, whole bool)
	// Pieces evaluates it as text: what was written and what the expressions
	// gave, in order.
	Pieces(s Scope) ([]Piece, error)
	// Value evaluates it as data: nil, bool, int64, float64, string, []any or
	// map[string]any. One that is a single expression gives that expression's
	// value, whatever its type.
	Value(s Scope) (any, error)
}

// Piece is a part of a text. Literal parts were written by whoever wrote the
// template; the others may come from anybody.
type Piece struct {
	Text    string
	Literal bool
}

// Scope is what the expressions of a template see. Templates must not change
// what it points to.
type Scope struct {
	// Input is the argument of the call.
	Input any
	// Key is the call's, see host.Call; so are Session and Attempt.
	Key     string
	Session string
	Attempt int
	// Response is what an HTTP server answered; nil before and elsewhere.
	Response *Response
}

// Response is an answer over HTTP.
type Response struct {
	Status int
	// Headers are by lower-case name; several of a name are joined by ", ".
	Headers map[string]string
	// Body is the decoded JSON, or the text of what is none; nil if empty.
	Body any
}

// Text is a template without expressions.
func Text(s string) Template { return literal(s) }

type literal string

func (t literal) Literal() (string, bool) { return string(t), true }

func (t literal) Pieces(Scope) ([]Piece, error) {
	return []Piece{{Text: string(t), Literal: true}}, nil
}

func (t literal) Value(Scope) (any, error) { return string(t), nil }

// Join evaluates a template as text. Every piece that was not written in the
// template goes through quote, unless that is nil.
func Join(t Template, s Scope, quote func(string) string) (string, error) {
	pieces, err := t.Pieces(s)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, p := range pieces {
		if quote != nil && !p.Literal {
			p.Text = quote(p.Text)
		}
		if b.Len()+len(p.Text) > maxText {
			return "", fmt.Errorf("the text is longer than %d bytes", maxText)
		}
		b.WriteString(p.Text)
	}
	return b.String(), nil
}

// maxText bounds a text that a template gives.
const maxText = 1 << 20

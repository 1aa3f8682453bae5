package deployment

import (
	"errors"
	"strings"

	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/performer"
	"github.com/detent-run/detent/statechart"
)

// template is a value with ${ … } in its texts, compiled. It is data whose
// expressions are programs.
type template struct {
	pieces  []any // of a text: string or *program
	whole   any   // of anything else: lists and objects with templates inside
	isText  bool
	secrets *secrets
}

var _ performer.Template = (*template)(nil)

// parseTemplate takes a text in, whose expressions the desk compiles later.
// offset is where in the text an error is.
func (r *reader) parseTemplate(n *document.Node, response bool) (t *template, offset int, err error) {
	text := n.Text
	t = &template{isText: true, secrets: r.secrets}
	var literal strings.Builder
	flush := func() {
		if literal.Len() > 0 {
			t.pieces = append(t.pieces, literal.String())
			literal.Reset()
		}
	}
	for i := 0; i < len(text); {
		switch {
		case strings.HasPrefix(text[i:], "$${"):
			literal.WriteString("${")
			i += 3
		case strings.HasPrefix(text[i:], "${"):
			flush()
			end, err := expression.End(text, i+2)
			if err != nil {
				return nil, 0, err
			}
			p, err := r.desk.add(text[i+2:end], response, false)
			if err != nil {
				return nil, i + 2, err
			}
			p.at, p.offset = n, i+2
			t.pieces = append(t.pieces, p)
			i = end + 1
		default:
			literal.WriteByte(text[i])
			i++
		}
	}
	flush()
	return t, 0, nil
}

// Literal is that of [performer.Template].
func (t *template) Literal() (head string, whole bool) {
	if !t.isText || len(t.pieces) == 0 {
		return "", t.isText
	}
	head, fixed := t.pieces[0].(string)
	return head, fixed && len(t.pieces) == 1
}

// Pieces is that of [performer.Template].
func (t *template) Pieces(scope performer.Scope) ([]performer.Piece, error) {
	if !t.isText {
		return nil, errors.New("it is no text")
	}
	out := make([]performer.Piece, 0, len(t.pieces))
	for _, piece := range t.pieces {
		if text, ok := piece.(string); ok {
			out = append(out, performer.Piece{Text: text, Literal: true})
			continue
		}
		v, err := piece.(*program).evaluate(scope, t.secrets)
		if err != nil {
			return nil, err
		}
		text, err := textOf(v)
		if err != nil {
			return nil, err
		}
		out = append(out, performer.Piece{Text: text})
	}
	return out, nil
}

func textOf(v any) (string, error) {
	switch v := v.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	}
	text, err := statechart.AppendJSON(nil, v)
	return string(text), err
}

// Value is that of [performer.Template].
func (t *template) Value(scope performer.Scope) (any, error) {
	if !t.isText {
		return fill(t.whole, scope)
	}
	if len(t.pieces) == 1 {
		if p, ok := t.pieces[0].(*program); ok {
			return p.evaluate(scope, t.secrets)
		}
	}
	return performer.Join(t, scope, nil)
}

// fill evaluates what stands in lists and objects.
func fill(v any, scope performer.Scope) (any, error) {
	switch v := v.(type) {
	case *template:
		return v.Value(scope)
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			var err error
			if out[i], err = fill(e, scope); err != nil {
				return nil, err
			}
		}
		return out, nil
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, e := range v {
			x, err := fill(e, scope)
			if err != nil {
				return nil, err
			}
			out[key] = x
		}
		return out, nil
	}
	return v, nil
}

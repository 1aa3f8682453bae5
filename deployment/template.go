package deployment

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/performer"
	"github.com/detent-run/detent/statechart"
)

// names are what an expression of a template may name.
var names = []string{"input", "key", "session", "attempt"}

// secretCall is a call of secret with a fixed reference, the only form.
var secretCall = regexp.MustCompile(`\bsecret\(\s*"([^"\\]*)"\s*\)`)

// ownNames are those that a program keeps for itself. An expression must not
// reach them: the call holds the secrets that it asked for.
var ownNames = regexp.MustCompile(`\b(call__|result__|secret[0-9]+__)\b`)

// template is a value with ${ … } in its texts, compiled. It is data whose
// expressions are programs.
type template struct {
	pieces  []any // of a text: string or *program
	whole   any   // of anything else: lists and objects with templates inside
	isText  bool
	secrets *secrets
}

// program is one expression. It is computed as an action of a chart of one
// state, so that it is bound as all expressions are.
type program struct {
	chart   *statechart.Chart
	secrets []string
}

var _ performer.Template = (*template)(nil)

// parseTemplate compiles a text. offset is where in the text an error is.
func parseTemplate(text string, s *secrets, response bool) (t *template, offset int, err error) {
	t = &template{isText: true, secrets: s}
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
				return nil, i, err
			}
			p, err := compileProgram(text[i+2:end], response, false)
			if err != nil {
				return nil, i, err
			}
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

// compileProgram compiles one expression.
func compileProgram(source string, response, guard bool) (*program, error) {
	source = strings.TrimSpace(source)
	if source == "" {
		return nil, errors.New("there is no expression in it")
	}
	if own := ownNames.FindString(source); own != "" {
		return nil, fmt.Errorf("there is no variable %q here", own)
	}
	p := &program{}
	var wrong error
	source = secretCall.ReplaceAllStringFunc(source, func(call string) string {
		reference := secretCall.FindStringSubmatch(call)[1]
		if err := checkReference(reference); err != nil && wrong == nil {
			wrong = err
		}
		p.secrets = append(p.secrets, reference)
		return fmt.Sprintf("secret%d__", len(p.secrets))
	})
	if wrong != nil {
		return nil, wrong
	}
	if _, err := expression.Parse(source); err != nil {
		return nil, err
	}
	var context []statechart.Variable
	known := names
	if response {
		known = append(known[:len(known):len(known)], "response")
	}
	for i := range p.secrets {
		known = append(known[:len(known):len(known)], fmt.Sprintf("secret%d__", i+1))
	}
	for _, name := range known {
		context = append(context, statechart.Variable{Name: name, Value: statechart.Expression("call__." + name)})
	}
	if guard {
		source = "(" + source + ") ? true : false"
	}
	def := statechart.Definition{ID: "template", Root: statechart.State{
		Initial: "one",
		Context: []statechart.Variable{{Name: "call__", Value: statechart.Expression("input")}, {Name: "result__"}},
		States: []statechart.State{{
			Name: "one", Context: context,
			Entry: []statechart.Action{{Assign: []statechart.Variable{{Name: "result__", Value: statechart.Expression(source)}}}},
		}},
	}}
	chart, err := statechart.Compile(def, chartfile.Behaviour())
	if list, ok := errors.AsType[statechart.Errors](err); ok && len(list) > 0 {
		return nil, list[0]
	}
	p.chart = chart
	return p, err
}

// evaluate computes the value.
func (p *program) evaluate(scope performer.Scope, s *secrets) (any, error) {
	call := map[string]any{"input": scope.Input, "key": scope.Key, "session": scope.Session, "attempt": int64(scope.Attempt), "response": nil}
	if r := scope.Response; r != nil {
		headers := make(map[string]any, len(r.Headers))
		for name, value := range r.Headers {
			headers[name] = value
		}
		call["response"] = map[string]any{"status": int64(r.Status), "headers": headers, "body": r.Body}
	}
	for i, reference := range p.secrets {
		value, err := s.get(reference)
		if err != nil {
			return nil, err
		}
		call[fmt.Sprintf("secret%d__", i+1)] = value
	}
	in := new(statechart.Instance)
	result := p.chart.Start(in, statechart.Start{Session: scope.Session, Input: call})
	if result.Reason != nil {
		return nil, errors.New(s.redact(result.Reason.Message))
	}
	return readResult(in)
}

// readResult takes the value of an expression out of the instance that
// computed it.
func readResult(in *statechart.Instance) (any, error) {
	for _, variables := range in.Data() {
		if v, ok := variables["result__"]; ok {
			return v, nil
		}
	}
	return nil, errors.New("the expression gave nothing")
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

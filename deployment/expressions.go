package deployment

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser/lexer"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/performer"
	"github.com/detent-run/detent/statechart"
)

const (
	maxExpressions = 10_000 // of one file
	maxSecrets     = 16     // that one expression may name
)

// names are what an expression of a template may name. The list of secrets is
// not for authors: what stands in place of secret("…") reads it.
var names = []string{"input", "key", "session", "attempt", "response", secretList}

const (
	secretList = "secrets__"
	callName   = "call__"   // holds all of them
	resultName = "result__" // what the expression gave
	theOne     = "expression"
)

// desk computes the expressions of one deployment. They are programs of the
// language that charts have, and so need a chart to run in: one of a single
// state serves all of them, and its input says which is meant. That is far
// cheaper than a chart for each.
type desk struct {
	chart    *statechart.Chart
	all      []*program
	full     bool // there were too many, which is said once
	compiled []statechart.Program
}

// program is one expression.
type program struct {
	desk    *desk
	number  int
	source  string // with secret("…") replaced
	secrets []string
	guard   bool
	// at is where it stands: a node, and the offset in its text.
	at     *document.Node
	offset int
}

// problem is what is wrong at a place of a source.
type problem struct {
	code          statechart.Code
	message, hint string
	offset        int
}

func (p *problem) Error() string { return p.message }

const expressionHint = `a template may name input, key, session, attempt, secret("env:NAME") and, once there is one, response`

// add takes an expression in. It is compiled by close.
func (d *desk) add(source string, response, guard bool) (*program, error) {
	if d.full {
		return &program{}, nil
	}
	if len(d.all) >= maxExpressions {
		d.full = true
		return nil, &problem{code: statechart.CodeLimit, message: fmt.Sprintf("the file has more than %d expressions", maxExpressions), hint: "part the file"}
	}
	if strings.TrimSpace(source) == "" {
		return nil, &problem{code: statechart.CodeExpression, message: "there is no expression in it", hint: expressionHint}
	}
	p := &program{desk: d, number: len(d.all), guard: guard}
	var err error
	if p.source, p.secrets, err = takeSecrets(source); err != nil {
		return nil, err
	}
	tree, err := expression.Parse(p.source)
	if err != nil {
		return nil, err
	}
	for _, root := range tree.Roots() {
		known := slices.Contains(names, root.Name) && (response || root.Name != "response") && (len(p.secrets) > 0 || root.Name != secretList)
		if !known && root.Name != "null" {
			return nil, &problem{statechart.CodeUnknownName, fmt.Sprintf("there is no variable %q here", root.Name), expressionHint, root.Offset}
		}
	}
	node, calls := tree.Syntax(), &chartCalls{}
	if ast.Walk(&node, calls); calls.found != nil {
		at := len(string([]rune(p.source)[:calls.found.Location().From]))
		return nil, &problem{statechart.CodeExpression, fmt.Sprintf("there is no function %q here", calls.found.Value), "it asks the session of a chart, and this is none", at}
	}
	d.all = append(d.all, p)
	return p, nil
}

// chartCalls looks for functions that have a meaning in charts only.
type chartCalls struct{ found *ast.IdentifierNode }

// Visit is that of [ast.Visitor].
func (c *chartCalls) Visit(n *ast.Node) {
	if call, ok := (*n).(*ast.CallNode); ok && c.found == nil {
		if name, ok := call.Callee.(*ast.IdentifierNode); ok && slices.Contains([]string{"active", "granted", "id"}, name.Value) {
			c.found = name
		}
	}
}

// takeSecrets replaces each call of secret by an element of the list that the
// call will have, of the same length, so that places of errors stay right. It
// goes by the tokens: what stands in a text or a comment is not touched.
func takeSecrets(source string) (replaced string, references []string, err error) {
	if !strings.Contains(source, "secret") || len(source) > expression.MaxSource {
		return source, nil, nil // what is too long is refused by the parser
	}
	tokens := scan(source)
	runes, out := []rune(source), []rune(source)
	for i, t := range tokens {
		if !t.Is(lexer.Identifier) || i > 0 && (tokens[i-1].Is(lexer.Operator, ".") || tokens[i-1].Is(lexer.Operator, "?.")) {
			continue
		}
		at := len(string(runes[:t.From]))
		switch {
		case t.Value == secretList:
			return "", nil, &problem{statechart.CodeUnknownName, fmt.Sprintf("there is no variable %q here", secretList), expressionHint, at}
		case t.Value != "secret":
			continue
		case i+3 >= len(tokens) || !tokens[i+1].Is(lexer.Bracket, "(") || !tokens[i+2].Is(lexer.String) || !tokens[i+3].Is(lexer.Bracket, ")"):
			return "", nil, &problem{statechart.CodeExpression, "secret takes one text, and nothing that is computed", `write secret("env:NAME") or secret("file:PATH")`, at}
		case len(references) == maxSecrets:
			return "", nil, &problem{statechart.CodeLimit, fmt.Sprintf("an expression may name %d secrets", maxSecrets), "part it", at}
		}
		reference := tokens[i+2].Value
		if err := checkReference(reference); err != nil {
			return "", nil, &problem{statechart.CodeExpression, err.Error(), "a secret itself must not stand in the file", at}
		}
		element := []rune(fmt.Sprintf("%s[%d]", secretList, len(references)))
		end := tokens[i+3].To
		for at := t.From; at < end; at++ {
			out[at] = ' '
		}
		copy(out[t.From:end], element) // "secret("env:A")" is longer
		references = append(references, reference)
	}
	return string(out), references, nil
}

// scan gives the tokens of a source, up to the first that is none; the parser
// tells what is wrong with it.
func scan(source string) (out []lexer.Token) {
	tokens := lexer.New()
	tokens.Reset(file.NewSource(source))
	for {
		t, err := tokens.Next()
		if err != nil || t.Is(lexer.EOF) {
			return out
		}
		out = append(out, t)
	}
}

// close compiles what was taken in. wrong is told what cannot be.
func (d *desk) close(wrong func(p *program, err error)) error {
	if len(d.all) == 0 {
		return nil
	}
	registry := chartfile.Behaviour()
	registry.Language(&dispatch{desk: d, wrong: wrong})
	var context []statechart.Variable
	for _, name := range names {
		context = append(context, statechart.Variable{Name: name, Value: statechart.Expression(callName + "." + name)})
	}
	chart, err := statechart.Compile(statechart.Definition{ID: "template", Root: statechart.State{
		Initial: "one",
		Context: []statechart.Variable{{Name: callName, Value: statechart.Expression("input")}, {Name: resultName}},
		States: []statechart.State{{
			Name: "one", Context: context,
			Entry: []statechart.Action{{Assign: []statechart.Variable{{Name: resultName, Value: statechart.Expression(theOne)}}}},
		}},
	}}, registry)
	d.chart = chart
	return err
}

// dispatch is the language of the chart: that of charts, in which the one
// expression stands for all that were taken in.
type dispatch struct {
	expression.Language
	desk  *desk
	wrong func(p *program, err error)
}

// Compile is that of [statechart.Language].
func (l *dispatch) Compile(source string, visible statechart.Names) (statechart.Program, error) {
	if source != theOne {
		return l.Language.Compile(source, visible)
	}
	d := l.desk
	d.compiled = make([]statechart.Program, len(d.all))
	for i, p := range d.all {
		text, moved := p.source, 0
		if p.guard {
			text, moved = "("+p.source+"\n) ? true : false", 1
		}
		var err error
		if d.compiled[i], err = l.Language.Compile(text, visible); err == nil {
			continue
		}
		if e, ok := errors.AsType[*expression.Error](err); ok {
			e.Offset = max(e.Offset-moved, 0)
		}
		l.wrong(p, err)
	}
	return d, nil
}

// Evaluate is that of [statechart.Program]. The expression's own mistake is a
// value, so that it comes out as it is.
func (d *desk) Evaluate(s *statechart.Scope) (any, error) {
	call, _ := s.Input().(map[string]any)
	number, _ := call[theOne].(int64)
	v, err := d.compiled[number].Evaluate(s)
	if e, ok := errors.AsType[*expression.Error](err); ok {
		return map[string]any{"wrong": e.Error()}, nil
	}
	return map[string]any{"value": v}, err
}

// evaluate computes the value.
func (p *program) evaluate(scope performer.Scope, s *secrets) (any, error) {
	references := make([]any, len(p.secrets))
	for i, reference := range p.secrets {
		value, err := s.get(reference)
		if err != nil {
			return nil, err
		}
		references[i] = value
	}
	call := map[string]any{
		"input": scope.Input, "key": scope.Key, "session": scope.Session, "attempt": int64(scope.Attempt), "response": responseOf(scope.Response),
		secretList: references, theOne: int64(p.number),
	}
	in := new(statechart.Instance)
	result := p.desk.chart.Start(in, statechart.Start{Session: scope.Session, Input: call})
	switch {
	case result.Reason != nil && result.Reason.Code == statechart.CodeFuel:
		return nil, errors.New("the expression takes more work than one may")
	case result.Reason != nil:
		return nil, errors.New("the call's data cannot be read: " + s.redact(result.Reason.Message))
	}
	for _, variables := range in.Data() {
		given, ok := variables[resultName].(map[string]any)
		if !ok {
			continue
		}
		if wrong, ok := given["wrong"].(string); ok {
			return nil, errors.New(s.redact(wrong))
		}
		return given["value"], nil
	}
	return nil, errors.New("the expression gave nothing")
}

// responseOf is an answer as expressions see it; nil before there is one.
func responseOf(r *performer.Response) any {
	if r == nil {
		return nil
	}
	headers := make(map[string]any, len(r.Headers))
	for name, value := range r.Headers {
		headers[name] = value
	}
	return map[string]any{"status": int64(r.Status), "headers": headers, "body": r.Body}
}

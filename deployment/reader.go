package deployment

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/internal/edits"
	"github.com/detent-run/detent/performer"
	"github.com/detent-run/detent/statechart"
)

// maxFound bounds what is said about one file.
const maxFound = 200

// reader makes a deployment of the nodes of a document.
type reader struct {
	name    string
	found   chartfile.Diagnostics
	secrets *secrets
	desk    *desk
	dir     string
}

func (r *reader) note(code statechart.Code, at document.Position, message, hint string) {
	if len(r.found) >= maxFound {
		return
	}
	r.found = append(r.found, chartfile.Diagnostic{
		Code: code, Severity: chartfile.Error, File: r.name, Line: at.Line, Column: at.Column, Message: message, Hint: hint,
	})
}

func (r *reader) sort() chartfile.Diagnostics {
	slices.SortStableFunc(r.found, func(a, b chartfile.Diagnostic) int { return cmp.Or(a.Line-b.Line, a.Column-b.Column) })
	return r.found
}

// didYouMean is the hint for a name that is none.
func didYouMean(name string, among []string) string {
	if near := edits.Nearest(name, among); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	if len(among) == 0 || len(among) > 20 {
		return "docs/deployment-file.md lists all keys"
	}
	return "there are " + strings.Join(among, ", ")
}

// object sees that n is an object with no other keys than these. what is its
// name in messages.
func (r *reader) object(n *document.Node, what string, keys ...string) bool {
	if !r.is(n, document.Object, what) {
		return false
	}
	for _, f := range n.Fields {
		if len(keys) > 0 && !slices.Contains(keys, f.Key) {
			r.note(chartfile.CodeUnknownKey, f.KeyStart, fmt.Sprintf("%s has no key %.60q", what, f.Key), didYouMean(f.Key, keys))
		}
	}
	return true
}

// is sees that n is of a kind.
func (r *reader) is(n *document.Node, kind document.Kind, what string) bool {
	if n.Kind == kind {
		return true
	}
	code, hint := chartfile.CodeWrongType, "write "+kind.String()
	if n.Kind == document.Null {
		code = chartfile.CodeBlank
	}
	r.note(code, n.Start, fmt.Sprintf("%s is %s, not %s", what, kind, n.Kind), cmp.Or(n.Slip, hint))
	return false
}

// part is what stands under a key; nil when nothing does.
func part(n *document.Node, key string) *document.Node {
	v, _ := n.Field(key)
	return v
}

func (r *reader) text(n *document.Node, key string) string {
	if v := part(n, key); v != nil && r.is(v, document.String, key) {
		return v.Text
	}
	return ""
}

// choice is a text that is one of some.
func (r *reader) choice(n *document.Node, key string, among ...string) string {
	v := part(n, key)
	text := r.text(n, key)
	if text != "" && !slices.Contains(among, text) {
		r.note(statechart.CodeInvalid, v.Start, fmt.Sprintf("%s is one of %s, not %.40q", key, strings.Join(among, ", "), text), didYouMean(text, among))
	}
	return text
}

// flag is a switch; nil when it is not said.
func (r *reader) flag(n *document.Node, key string) *bool {
	if v := part(n, key); v != nil && r.is(v, document.Bool, key) {
		return &v.Bool
	}
	return nil
}

// number is a whole number between two bounds; 0 when it is not said.
func (r *reader) number(n *document.Node, key string, least, most int64) int64 {
	v := part(n, key)
	if v == nil || !r.is(v, document.Int, key) {
		return 0
	}
	if v.Int < least || v.Int > most {
		r.note(statechart.CodeInvalid, v.Start, fmt.Sprintf("%s is %d; it may be %d to %d", key, v.Int, least, most), "write a number within the bounds")
		return 0
	}
	return v.Int
}

// duration is a time such as 30s; 0 when it is not said.
func (r *reader) duration(n *document.Node, key string) time.Duration {
	v := part(n, key)
	if v == nil || !r.is(v, document.String, key) {
		return 0
	}
	d, err := time.ParseDuration(v.Text)
	if err != nil || d <= 0 || d > 24*time.Hour {
		r.note(statechart.CodeInvalid, v.Start, fmt.Sprintf("%s is a duration up to 24h, not %.40q", key, v.Text), "write it with its unit, as in 30s")
		return 0
	}
	return d
}

func (r *reader) texts(n *document.Node, key string) []string {
	v := part(n, key)
	if v == nil || !r.is(v, document.List, key) {
		return nil
	}
	out := []string{}
	for _, item := range v.Items {
		if r.is(item, document.String, "an entry of "+key) {
			out = append(out, item.Text)
		}
	}
	return out
}

// template reads what stands under a key as a template; nil without one.
func (r *reader) template(n *document.Node, key string, response bool) performer.Template {
	v := part(n, key)
	if v == nil {
		return nil
	}
	return r.templateOf(v, response)
}

func (r *reader) templateOf(n *document.Node, response bool) *template {
	if n.Kind == document.String {
		t, at, err := r.parseTemplate(n, response)
		if err != nil {
			r.wrongTemplate(n, at, err)
			return &template{isText: true, secrets: r.secrets}
		}
		return t
	}
	return &template{whole: r.data(n, response), secrets: r.secrets}
}

// data is a value in whose texts templates may stand.
func (r *reader) data(n *document.Node, response bool) any {
	switch n.Kind {
	case document.String:
		return r.templateOf(n, response)
	case document.List:
		out := make([]any, len(n.Items))
		for i, item := range n.Items {
			out[i] = r.data(item, response)
		}
		return out
	case document.Object:
		out := make(map[string]any, len(n.Fields))
		for _, f := range n.Fields {
			out[f.Key] = r.data(f.Value, response)
		}
		return out
	}
	return n.Value()
}

// condition reads an expression without ${ … } that must give true or false.
func (r *reader) condition(n *document.Node, key string) performer.Template {
	v := part(n, key)
	if v == nil || !r.is(v, document.String, key) {
		return nil
	}
	p, err := r.desk.add(v.Text, true, true)
	if err != nil {
		r.wrongTemplate(v, 0, err)
		return nil
	}
	p.at = v
	return &template{isText: true, pieces: []any{p}, secrets: r.secrets}
}

// compile compiles the expressions that were taken in.
func (r *reader) compile() {
	err := r.desk.close(func(p *program, err error) { r.wrongTemplate(p.at, p.offset, err) })
	if err != nil && len(r.found) == 0 {
		r.note(statechart.CodeExpression, document.Position{}, "the expressions cannot be compiled: "+err.Error(), expressionHint)
	}
}

// wrongTemplate says what is wrong with an expression that begins at an offset
// of a node's text.
func (r *reader) wrongTemplate(n *document.Node, offset int, err error) {
	if len(r.found) >= maxFound {
		return
	}
	code, message, hint := statechart.CodeExpression, err.Error(), expressionHint
	if e, ok := errors.AsType[*expression.Error](err); ok {
		code, message, hint, offset = e.Code, e.Message, cmp.Or(e.Hint, hint), offset+e.Offset
	}
	if e, ok := errors.AsType[*problem](err); ok {
		code, message, hint, offset = e.code, e.message, e.hint, offset+e.offset
	}
	r.note(code, n.At(offset), message, hint)
}

// templates reads an object of templates.
func (r *reader) templates(n *document.Node, key string) map[string]performer.Template {
	v := part(n, key)
	if v == nil || !r.object(v, key) {
		return nil
	}
	out := make(map[string]performer.Template, len(v.Fields))
	for _, f := range v.Fields {
		out[f.Key] = r.templateOf(f.Value, false)
	}
	return out
}

// failures reads what statuses or exit codes mean.
func (r *reader) failures(n *document.Node) map[int]performer.Failure {
	v := part(n, "errors")
	if v == nil || !r.object(v, "errors") {
		return nil
	}
	out := make(map[int]performer.Failure, len(v.Fields))
	for _, f := range v.Fields {
		number, err := strconv.Atoi(f.Key)
		if err != nil {
			r.note(chartfile.CodeKey, f.KeyStart, fmt.Sprintf("%.40q is no number of an error", f.Key), "a key of errors is a status or an exit code")
			continue
		}
		if r.object(f.Value, "an error", "code", "executed") {
			out[number] = performer.Failure{Code: r.text(f.Value, "code"), Executed: performer.Executed(r.executed(f.Value))}
		}
	}
	return out
}

// executed is yes, no or unknown.
func (r *reader) executed(n *document.Node) string {
	return r.choice(n, "executed", "no", "yes", "unknown")
}

package chartfile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// optional reads the value under a key; nil when there is none.
func (r *reader) optional(n *document.Node, s *spot, key string) any {
	if v, _ := r.part(n, s, key); v != nil {
		return r.value(v)
	}
	return nil
}

// value reads what stands in a value position: data whose texts may hold
// ${…}.
func (r *reader) value(n *document.Node) any {
	if r.literals[n] {
		return n.Value()
	}
	switch n.Kind {
	case document.String:
		return r.valueText(n)
	case document.List:
		out := make([]any, len(n.Items))
		for i, item := range n.Items {
			out[i] = r.value(item)
		}
		return out
	case document.Object:
		if text, ok := r.markedText(n); ok {
			return text
		}
		return r.object(n, "")
	}
	return n.Value()
}

// object reads an object of values; what stands under the key literal is
// taken as it stands.
func (r *reader) object(n *document.Node, literal string) map[string]any {
	out := make(map[string]any, len(n.Fields))
	for _, f := range n.Fields {
		if literal != "" && f.Key == literal {
			out[f.Key] = f.Value.Value()
			continue
		}
		out[f.Key] = r.value(f.Value)
	}
	return out
}

// markedText reads {text: "…"} where that says that a text is no expression.
// Where nobody would take the text for one, it is an ordinary object.
func (r *reader) markedText(n *document.Node) (string, bool) {
	if len(n.Fields) != 1 || n.Fields[0].Key != "text" || n.Fields[0].Value.Kind != document.String {
		return "", false
	}
	text := n.Fields[0].Value.Text
	return text, !strings.Contains(text, "${") && readsAsExpression(text, r.scope)
}

// valueText reads a text with ${…} in it, or refuses one that is an
// expression and lacks them.
func (r *reader) valueText(n *document.Node) any {
	v, parts := r.template(n)
	if text, plain := v.(string); plain && len(parts) <= 1 && text == n.Text && readsAsExpression(text, r.scope) {
		r.refuse(n, CodeUnexpanded, n.Start, fmt.Sprintf("%s is an expression, but would stay text", quote(text)),
			fmt.Sprintf("write ${ %s }, or {text: %s} if the text is meant", strings.TrimSpace(text), quote(text)))
	}
	return v
}

// template reads a text with ${…} in it: an Expression, or a string when
// there is none. It is nil when the text cannot be read.
func (r *reader) template(n *document.Node) (any, []templatePart) {
	parts, err := splitTemplate(n.Text)
	if err == nil {
		err = parses(parts)
	}
	if err != nil {
		r.refuse(n, err.code, n.At(err.offset), err.message, err.hint)
		return nil, nil
	}
	source, isExpression := templateSource(parts)
	if !isExpression {
		return source, parts
	}
	if len(source) > expression.MaxText {
		r.refuse(n, codeLimit, n.Start, fmt.Sprintf("a text with ${…} is longer than %d bytes", expression.MaxText), "put the long part into a constant and write ${ its name }")
		return nil, nil
	}
	return statechart.Expression(source), parts
}

// readsAsExpression reports whether a text is an expression over variables
// that can be read at its place, or over fields of event, input or session.
func readsAsExpression(text string, s *scope) bool {
	if len(text) > expression.MaxSource || !mentions(text, s) {
		return false
	}
	tree, err := expression.Parse(text)
	if err != nil {
		return false
	}
	telling := false
	for _, root := range tree.Roots() {
		switch {
		case s.has(root.Name):
			telling = true
		case slices.Contains([]string{"event", "input", "session"}, root.Name):
			telling = telling || root.Member
		case !slices.Contains([]string{"now", "tools"}, root.Name):
			return false
		}
	}
	return telling
}

// mentions reports whether a word of the text is a name that counts: most
// texts need not be parsed.
func mentions(text string, s *scope) bool {
	words := strings.FieldsFunc(text, func(c rune) bool {
		return c != '_' && c != '$' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c < 0x80
	})
	return slices.ContainsFunc(words, func(w string) bool {
		return w == "event" || w == "input" || w == "session" || s.has(w)
	})
}

// optionalDelay reads a delay under a key; nil when there is none.
func (r *reader) optionalDelay(n *document.Node, s *spot, key string) any {
	if v, _ := r.part(n, s, key); v != nil {
		return r.delay(v)
	}
	return nil
}

// delay reads a delay: a duration, a name, or ${…}.
func (r *reader) delay(n *document.Node) any {
	v, _ := r.template(n)
	text, fixed := v.(string)
	if !fixed {
		return v
	}
	return r.fixedDelay(n, text, n.Start)
}

// delayKey reads the delay that a key of after or every is.
func (r *reader) delayKey(f document.Field, s *spot) any {
	key := &document.Node{Kind: document.String, Start: f.KeyStart, Text: f.Key}
	at := s.add("delay", f.KeyStart, nil)
	at.key = &keyText{f.Key, f.KeyStart}
	if begins := string(r.data[f.KeyStart.Offset:min(f.KeyStart.Offset+1, len(r.data))]); strings.HasPrefix(begins, `"`) || strings.HasPrefix(begins, "'") {
		at.key.start.Column++
	}
	parts, err := splitTemplate(f.Key)
	if err == nil {
		err = parses(parts)
	}
	if err != nil {
		r.note(err.code, at.key.at(err.offset), err.message, err.hint)
		at.bad = true
		return nil
	}
	source, isExpression := templateSource(parts)
	if isExpression {
		return statechart.Expression(source)
	}
	v := r.fixedDelay(key, source, f.KeyStart)
	at.bad = r.bad[key]
	return v
}

// fixedDelay refuses a delay without a unit, and one that is an expression.
func (r *reader) fixedDelay(n *document.Node, text string, at document.Position) any {
	_, number := strconv.ParseFloat(text, 64)
	switch {
	case number == nil:
		r.refuse(n, codeInvalid, at, fmt.Sprintf("the delay %s has no unit", quote(text)), "write "+quote(text+"ms")+" if milliseconds are meant")
	case r.delays[text], isDuration(text), r.file.lostNames:
	case readsAsExpression(text, r.scope):
		r.refuse(n, CodeUnexpanded, at, fmt.Sprintf("%s is an expression, but would stay text", quote(text)), fmt.Sprintf("write ${ %s }", text))
	case r.full():
		r.bad[n] = true
	default:
		hint := nearest(text, sortedNames(r.delays))
		if hint == "" {
			hint = `a delay is "500ms", "45s", "15m", "72h", "30d", or a name from delays`
		}
		r.refuse(n, statechart.CodeUnknownName, at, quote(text)+" is no delay", hint)
	}
	return text
}

package scxml

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// condition is a guard: ECMAScript's truth is wider than the core's boolean.
func condition(source string) statechart.Condition {
	return statechart.Condition{Expression: statechart.Expression("!!(" + source + "\n)")}
}

// datamodel are the actions that give the data their first values, each in a
// block of its own: a failing one leaves its variable unbound and raises
// error.execution, and the others go on. A value given by the invoker comes
// first.
func (r *reader) datamodel() ([]statechart.Action, error) {
	var blocks []statechart.Action
	for _, n := range r.data {
		name := n.attributes["id"]
		value := "undefined"
		switch text, err := r.text(n); {
		case err != nil:
			return nil, err
		case n.has("expr"):
			value = n.attributes["expr"]
		case text != nil:
			value = literal(text)
		}
		value = fmt.Sprintf("_input(%q, function() { return (%s\n); })", name, value)
		blocks = append(blocks, block(assign(name, statechart.Expression(value))))
	}
	return blocks, nil
}

func block(actions ...statechart.Action) statechart.Action { return statechart.Action{Block: actions} }

func assign(name string, value any) statechart.Action {
	return statechart.Action{Assign: []statechart.Variable{{Name: name, Value: value}}}
}

// text is the value of an element's content or of the file that its src
// names: JSON where it is JSON, otherwise text with its white space
// normalised; nil without either.
func (r *reader) text(n *node) (any, error) {
	content := n.text
	if src := n.attributes["src"]; src != "" {
		data, err := fs.ReadFile(r.files, strings.TrimPrefix(src, "file:"))
		if err != nil {
			return nil, unsupported(n, "its src is not at hand: %v", err)
		}
		content = string(data)
	}
	if len(n.children) > 0 {
		return nil, unsupported(n, "XML content")
	}
	if strings.TrimSpace(content) == "" {
		return nil, nil
	}
	decoder := json.NewDecoder(strings.NewReader(content))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) == nil && !decoder.More() {
		return plain(value), nil
	}
	return strings.Join(strings.Fields(content), " "), nil
}

// plain turns JSON's numbers into the core's.
func plain(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		f, _ := v.Float64() // the decoder has checked its form
		return f
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = plain(v[key])
		}
	}
	return v
}

// literal is a value as an expression. JSON is ECMAScript.
func literal(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return "undefined" // values read from JSON or text encode
	}
	return string(data)
}

// payload reads what <send>, <donedata> and <invoke> carry: namelist and
// params as an object, or one content.
func (r *reader) payload(n *node) (any, error) {
	if content := n.first("content"); content != nil {
		if content.has("expr") {
			return statechart.Expression(content.attributes["expr"]), nil
		}
		return r.text(content)
	}
	fields := map[string]any{}
	for _, name := range n.list("namelist") {
		fields[name] = statechart.Expression(name)
	}
	for _, p := range n.all("param") {
		name := p.attributes["name"]
		if fields[name] != nil {
			return nil, unsupported(p, "two values under one name")
		}
		source := p.attributes["expr"]
		if !p.has("expr") {
			source = p.attributes["location"]
		}
		fields[name] = statechart.Expression(source)
	}
	if len(fields) == 0 {
		return nil, nil
	}
	return fields, nil
}

var (
	quoted   = regexp.MustCompile(`^\s*(?:'([^'\\]*)'|"([^"\\]*)")\s*$`)
	duration = regexp.MustCompile(`^\s*([0-9]*\.?[0-9]+)\s*(ms|s|m|h)\s*$`)
)

// constant returns the value of an expression that is a string literal.
func constant(source string) (string, bool) {
	m := quoted.FindStringSubmatch(source)
	if m == nil {
		return "", false
	}
	return m[1] + m[2], true
}

// milliseconds reads a CSS2 time such as "1.5s".
func milliseconds(text string) (int64, bool) {
	m := duration.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	amount, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		return 0, false
	}
	unit := map[string]float64{"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000}[m[2]]
	return int64(amount * unit), true
}

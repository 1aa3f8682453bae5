package prefix

import (
	"fmt"
	"strconv"
	"strings"
)

// Render returns x in the language of chart files. Both compute the same
// value, and where one ends in an error the other does too; only the fuel they
// charge differs.
func (x *Expression) Render() string {
	switch x.form {
	case "literal":
		return renderLiteral(x.lit)
	case "variable":
		return x.name
	}
	args := make([]any, 0, len(x.args)+1)
	if x.name != "" {
		args = append(args, x.name)
	}
	for _, a := range x.args {
		args = append(args, a.Render())
	}
	switch x.form {
	case "list":
		return "[" + joined(args) + "]"
	case "text":
		return "text(" + joined(args) + ")"
	}
	return fmt.Sprintf(rendered[x.form], args...)
}

// rendered are the forms as they look there. Addition is by sum, because "+"
// also joins text.
var rendered = map[string]string{
	"+": "sum([%s, %s])", "-": "(%s - %s)", "*": "(%s * %s)", "mod": "(%s %% %s)", "<": "(%s < %s)", "=": "(%s == %s)",
	"not": "not (%s)", "and": "(%s and %s)", "or": "(%s or %s)", "if": "(%s ? %s : %s)",
	"push": "last(concat(%s, [%s]), " + keepText + ")", "size": "len(%s)", "cat": "(%s + %s)[-" + keepBytes + ":]", "float": "(%s + 0.5)",
	"fail": `fromJSON("")`, "now": "now", "event": "event.type", "in": "active(%q)", "data": "event?.%s", "rows": "len(%s)",
}

var keepText, keepBytes = strconv.Itoa(keep), strconv.Itoa(2 * keep)

func renderLiteral(v any) string {
	if s, ok := v.(string); ok {
		return strconv.Quote(s)
	}
	if v == nil {
		return "nil"
	}
	return fmt.Sprint(v)
}

func joined(args []any) string {
	parts := make([]string, len(args))
	for i, a := range args {
		parts[i] = a.(string)
	}
	return strings.Join(parts, ", ")
}

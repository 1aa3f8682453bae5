package strictjson

import (
	"fmt"
	"strconv"
	"strings"
)

// Value returns what n stands for: nil, bool, int64, float64, string, []any or
// map[string]any. A number with a point or an exponent is the nearest float64,
// another one an int64 (and -0 is 0). One that fits neither is an *[Error],
// whose line and column are zero: they are known to who has the document, see
// [Decode].
func (n *Node) Value() (any, error) {
	v, err := n.value()
	if err != nil {
		err.Path = path(n, err.Offset)
		return nil, err
	}
	return v, nil
}

func (n *Node) value() (any, *Error) {
	switch n.Kind {
	case Bool:
		return n.Bool, nil
	case Number:
		return n.number()
	case String:
		return n.Text, nil
	case Array:
		list := make([]any, len(n.Items))
		for i := range n.Items {
			v, err := n.Items[i].value()
			if err != nil {
				return nil, err
			}
			list[i] = v
		}
		return list, nil
	case Object:
		m := make(map[string]any, len(n.Members))
		for i := range n.Members {
			v, err := n.Members[i].Value.value()
			if err != nil {
				return nil, err
			}
			m[n.Members[i].Key] = v
		}
		return m, nil
	}
	return nil, nil
}

func (n *Node) number() (any, *Error) {
	if strings.ContainsAny(n.Text, ".eE") {
		f, err := strconv.ParseFloat(n.Text, 64)
		if err != nil {
			return nil, problem(Range, n.Offset, fmt.Sprintf("the number %s is too large", clip(n.Text)), "")
		}
		return f, nil
	}
	i, err := strconv.ParseInt(n.Text, 10, 64)
	if err != nil {
		return nil, problem(Range, n.Offset, fmt.Sprintf("the number %s does not fit a 64-bit integer", clip(n.Text)), "write it as text, or with a decimal point")
	}
	return i, nil
}

// clip keeps a long number out of a message.
func clip(number string) string {
	if len(number) > 40 {
		return number[:40] + "…"
	}
	return number
}

// Decode reads one document as the value it stands for, see [Node.Value]. The
// error is an *[Error].
func Decode(data []byte, l Limits) (any, error) {
	n, err := Parse(data, l)
	if err != nil {
		return nil, err
	}
	v, bad := n.value()
	if bad != nil {
		bad.Path = path(n, bad.Offset)
		return nil, bad.placed(NewIndex(data))
	}
	return v, nil
}

package statechart

import "math"

// AppendJSON appends one value as canonical JSON, for hosts that store what
// charts work with; its bounds are those of a value (R29): keys sorted, no white space, and numbers so that [ReadJSON] gives
// back the same Go types. Equal values have equal bytes. What is not JSON-like
// is an error.
func AppendJSON(b []byte, v any) ([]byte, error) { return appendJSON(b, v) }

// ReadJSON reads one JSON document as charts see data: nil, bool, int64,
// float64, string, []any, map[string]any. It is strict: no key twice, no NUL,
// no number that fits neither kind.
func ReadJSON(data []byte) (any, error) {
	v, err := decodeStrict(data)
	if err != nil {
		return nil, err
	}
	return normalize(v)
}

// hostDepth is how many levels of a host's own may stand around values.
const hostDepth = 16

// AppendDocument is [AppendJSON] for what holds many values, such as states and
// rows of journals: at most 10,000,000 of them, with 16 levels around them.
func AppendDocument(b []byte, v any) ([]byte, error) {
	w := jsonWriter{limit: maxDocumentSize}
	return w.value(b, v, -hostDepth)
}

// ReadDocument is [ReadJSON] for what [AppendDocument] wrote.
func ReadDocument(data []byte) (any, error) {
	v, err := decodeStrict(data)
	if err != nil {
		return nil, err
	}
	n := normalizer{limit: maxDocumentSize, bytes: math.MinInt / 2} // its text is bounded by its length
	out, _, err := n.normal(v, -hostDepth)
	return out, err
}

package statechart

// AppendJSON appends v as canonical JSON, for hosts that store what charts
// work with: keys sorted, no white space, and numbers so that [ReadJSON] gives
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

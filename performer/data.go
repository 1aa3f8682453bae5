package performer

import (
	"fmt"
	"strings"

	"github.com/detent-run/detent/host"
)

// maxDepth bounds how deep data of others may be nested.
const maxDepth = 64

// Decode reads the JSON of the other side as charts see data, strictly and
// with exact numbers. Data nested deeper than 64 are an error.
func Decode(data []byte) (any, error) {
	var v any
	if err := host.Decode(data, &v); err != nil {
		return nil, err
	}
	if !within(v, maxDepth) {
		return nil, fmt.Errorf("it is nested deeper than %d", maxDepth)
	}
	return v, nil
}

func within(v any, depth int) bool {
	if depth < 0 {
		return false
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if !within(e, depth-1) {
				return false
			}
		}
	case map[string]any:
		for _, e := range v {
			if !within(e, depth-1) {
				return false
			}
		}
	}
	return true
}

// CleanText makes bytes of the other side text that a record can hold: what is
// no UTF-8, and NUL, become U+FFFD.
func CleanText(data []byte) string {
	return strings.ReplaceAll(strings.ToValidUTF8(string(data), "\uFFFD"), "\x00", "\uFFFD")
}

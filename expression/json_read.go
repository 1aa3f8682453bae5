package expression

import (
	"errors"
	"strings"

	"github.com/detent-run/detent/internal/strictjson"
)

// fromJSON reads a text as every edge of Detent does. It is paid for before:
// the text, and as many values as its punctuation may part.
func fromJSON(m meter, v any) (any, error) {
	text := v.(string)
	if err := m.Charge(2 * textCost(len(text))); err != nil {
		return nil, err
	}
	objects := strings.Count(text, "{")
	values := 1 + objects + strings.Count(text, "[") + strings.Count(text, ",")
	if err := m.Charge(perObject*int64(objects) + perJSON*int64(values)); err != nil {
		return nil, err
	}
	out, err := strictjson.Decode([]byte(text), strictjson.Limits{Depth: MaxDepth})
	if e, ok := errors.AsType[*strictjson.Error](err); ok {
		if e.Reason == strictjson.TooLarge {
			return nil, tooMuch(e.Hint, "the JSON text: %s", e.Message)
		}
		return nil, wrong(e.Hint, "the JSON text: %s", e.Message)
	}
	return out, err
}

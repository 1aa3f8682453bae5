package oracle

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// delay evaluates a delay to milliseconds: a number, a duration, or the name
// of one of the chart's delays. Fractions round up (R27, dec. 20).
func (x *Scope) delay(v any) (int64, error) {
	v, err := x.value(v)
	if err != nil {
		return 0, err
	}
	if name, ok := v.(string); ok {
		for _, d := range x.s.chart.def.Delays {
			if d.Name == name {
				return x.s.scope(x.s.chart.root).delay(d.Value)
			}
		}
	}
	switch v := v.(type) {
	case int64:
		return v, nil
	case float64:
		return int64(math.Ceil(v)), nil
	case string:
		return duration(v)
	}
	return 0, fmt.Errorf("%v is no delay", v)
}

// duration reads "500ms", "1.5s", "15m" or "30d".
func duration(text string) (int64, error) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.ParseFloat(days, 64)
		return int64(math.Ceil(n * 24 * 3600 * 1000)), err
	}
	d, err := time.ParseDuration(text)
	return int64(math.Ceil(float64(d) / float64(time.Millisecond))), err
}

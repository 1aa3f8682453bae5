package scxml

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/detent-run/detent/statechart"
)

// delay is a delay as SCXML writes it: seconds or milliseconds, or an
// expression that gives what a chart takes.
func (t *translator) delay(v any, path string) any {
	if name, isText := v.(string); isText {
		if named, ok := t.delays[name]; ok {
			v = named
		}
	}
	if source, computed := v.(statechart.Expression); computed {
		if len(t.def.Delays) > 0 {
			t.fail(path, "write the delay itself", "a computed delay of a chart that gives names to delays cannot be said in SCXML: it may be one of the names")
		}
		return t.expression(source, path)
	}
	millis, ok := millisecondsOf(v)
	switch {
	case !ok:
		t.fail(path, "such as 500ms", "%v is no delay", v)
	case millis <= 0:
		t.fail(path, "write 1ms", "a delay of nothing comes through the timer in a chart, and at once in SCXML")
	}
	if millis%1000 == 0 {
		return strconv.FormatInt(millis/1000, 10) + "s"
	}
	return strconv.FormatInt(millis, 10) + "ms"
}

// millisecondsOf reads a number of milliseconds, or a duration of Go's with
// days; fractions round up (R27).
func millisecondsOf(v any) (int64, bool) {
	text, isText := v.(string)
	if !isText {
		source, isNumber := scalarOf(v)
		f, err := strconv.ParseFloat(source, 64)
		return int64(math.Ceil(f)), isNumber && err == nil && math.Abs(f) < 1<<53
	}
	var days float64
	if whole, rest, has := strings.Cut(text, "d"); has {
		n, err := strconv.ParseFloat(whole, 64)
		if err != nil {
			return 0, false
		}
		days, text = n, rest
	}
	var d time.Duration
	if text != "" {
		var err error
		if d, err = time.ParseDuration(text); err != nil {
			return 0, false
		}
	} else if v == "" {
		return 0, false
	}
	f := math.Ceil(days*86_400_000 + float64(d)/1e6)
	return int64(f), math.Abs(f) < 1<<53
}

package transcript

import (
	"strconv"
	"strings"
)

// Duration writes milliseconds as a person would: 500ms, 45s, 1m30s, 2d.
func Duration(ms int64) string {
	if ms < 0 {
		return "-" + Duration(-ms)
	}
	var b strings.Builder
	for _, unit := range []struct {
		name string
		ms   int64
	}{{"d", 86_400_000}, {"h", 3_600_000}, {"m", 60_000}, {"s", 1000}, {"ms", 1}} {
		if n := ms / unit.ms; n > 0 {
			b.WriteString(strconv.FormatInt(n, 10) + unit.name)
			ms %= unit.ms
		}
	}
	if b.Len() == 0 {
		return "0s"
	}
	return b.String()
}

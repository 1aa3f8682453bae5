package cli

import (
	"strconv"
	"strings"
	"time"

	"github.com/detent-run/detent/charttest/transcript"
)

// parseTime reads a time to let pass: a Go duration, days ("30d", "1d12h"),
// or "next". The bound keeps the clock far from its end.
func parseTime(text string) (int64, *problem) {
	bad := usage("there is no time "+plain(text), "write 500ms, 45s, 15m, 72h, 30d, or next")
	if text == "next" {
		return transcript.Next, nil
	}
	days, rest := int64(0), text
	if before, after, ok := strings.Cut(text, "d"); ok {
		n, err := strconv.ParseUint(before, 10, 20)
		if err != nil || before[0] == '+' {
			return 0, bad
		}
		if days, rest = int64(n), after; rest == "" {
			rest = "0s"
		}
	}
	d, err := time.ParseDuration(rest)
	if err != nil || d < 0 || d%time.Millisecond != 0 {
		return 0, bad
	}
	return days*24*time.Hour.Milliseconds() + d.Milliseconds(), nil
}

package expression

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/detent-run/detent/internal/edits"
)

// didYouMean is the hint with the candidate that is most like name, or "".
func didYouMean(name string, candidates []string) string {
	if best := nearest(name, candidates); best != "" {
		return "did you mean " + quote(best) + "?"
	}
	return ""
}

// nearest returns the candidate that differs least from name, if it differs
// little; of several alike the first in alphabetical order. Among very many it
// does not look: a file may have as many errors.
func nearest(name string, candidates []string) string {
	if len(name) > 64 || len(candidates) > 1000 {
		return ""
	}
	best, least := "", min(len(name)/3+2, len(name))
	for _, c := range candidates {
		if len(c)-len(name) > least || len(name)-len(c) > least || c == name {
			continue
		}
		d := edits.Distance(strings.ToLower(name), strings.ToLower(c), least+1)
		if d < least || d == least && best != "" && c < best {
			best, least = c, d
		}
	}
	return best
}

// quote quotes a name for a message, cut short when it is long.
func quote(s string) string {
	if len(s) > 80 {
		cut := 80
		for !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "…"
	}
	return strconv.Quote(s)
}

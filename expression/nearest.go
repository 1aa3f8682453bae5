package expression

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
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
		d := distance(strings.ToLower(name), strings.ToLower(c))
		if d < least || d == least && best != "" && c < best {
			best, least = c, d
		}
	}
	return best
}

// distance is how many letters must be put in, taken out, changed or
// exchanged with their neighbour to make a into b.
func distance(a, b string) int {
	before, last, row := []int(nil), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			d := last[j]
			if a[i] != b[j] {
				d++
			}
			d = min(d, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, before[j-1]+1)
			}
			row[j+1] = d
		}
		before, last, row = last, row, slices.Clone(last)
	}
	return last[len(b)]
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

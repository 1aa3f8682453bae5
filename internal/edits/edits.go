// Package edits measures how alike two names are, for hints that say what
// was probably meant. How alike is near enough is the caller's to say.
package edits

import "strings"

// longest is the length in characters up to which names are compared: what is
// longer is no name that somebody mistyped.
const longest = 64

// Distance is the number of characters to change, add, leave out or swap with
// their neighbour to get from a to b, or most when it is that many or more,
// and when one of them is longer than 64. It is the same both ways. Case
// counts; callers that do not care fold it first.
func Distance(a, b string, most int) int {
	if len(a) > 4*longest || len(b) > 4*longest {
		return most
	}
	x, y := []rune(a), []rune(b)
	if len(x) > longest || len(y) > longest || len(x)-len(y) >= most || len(y)-len(x) >= most {
		return most
	}
	var rows [3][longest + 1]int
	for j := range len(y) + 1 {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		row, last, before := &rows[i%3], &rows[(i+2)%3], &rows[(i+1)%3]
		row[0] = i
		for j := 1; j <= len(y); j++ {
			d := last[j-1]
			if x[i-1] != y[j-1] {
				d++
			}
			d = min(d, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				d = min(d, before[j-2]+1)
			}
			row[j] = d
		}
	}
	return min(rows[len(x)%3][len(y)], most)
}

// Nearest returns the name among others that was probably meant, the first of
// equals, or "" when none is near: half of the name may be wrong, and case does
// not count. For names of more than 64 bytes, and among more than 1,000, it is
// always "": a reader of files must not take long to refuse one.
func Nearest(name string, among []string) string {
	if len(name) > longest || len(among) > 1000 {
		return ""
	}
	best, least := "", 1+len(name)/2
	for _, other := range among {
		if d := Distance(strings.ToLower(name), strings.ToLower(other), least); d < least {
			best, least = other, d
		}
	}
	return best
}

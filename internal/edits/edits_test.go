package edits_test

import (
	"strings"
	"testing"

	"github.com/detent-run/detent/internal/edits"
)

func TestDistance(t *testing.T) {
	long := strings.Repeat("x", 64)
	for _, c := range []struct {
		a, b string
		most int
		want int
	}{
		{"", "", 9, 0}, {"", "ab", 9, 2}, {"same", "same", 9, 0},
		{"target", "taget", 9, 1}, {"target", "targett", 9, 1}, {"target", "torget", 9, 1}, {"target", "tagret", 9, 1},
		{"kitten", "sitting", 9, 3}, {"ab", "ba", 9, 1}, {"abc", "cab", 9, 2}, {"ca", "abc", 9, 3},
		{"Target", "target", 9, 1}, {"计划", "计画", 9, 1}, {"öffnen", "offnen", 9, 1},
		{"kitten", "sitting", 3, 3}, {"kitten", "sitting", 2, 2}, {"a", "abcdef", 3, 3},
		{long, long, 9, 0}, {long, long + "x", 9, 9}, {strings.Repeat("x", 10_000), "x", 9, 9},
	} {
		if got := edits.Distance(c.a, c.b, c.most); got != c.want {
			t.Errorf("%.20q to %.20q: %d, want %d", c.a, c.b, got, c.want)
		}
		if got := edits.Distance(c.b, c.a, c.most); got != c.want {
			t.Errorf("%.20q to %.20q: %d, want %d", c.b, c.a, got, c.want)
		}
	}
}

func TestNearest(t *testing.T) {
	many := make([]string, 1001)
	many[0] = "target"
	for _, c := range []struct {
		name  string
		among []string
		want  string
	}{
		{"taget", []string{"on", "target", "targets"}, "target"},
		{"TARGET", []string{"target"}, "target"},
		{"abcd", []string{"abxy"}, "abxy"}, // half may be wrong
		{"abcd", []string{"axyz"}, ""},
		{"ab", []string{"ax", "ay"}, "ax"}, // the first of equals
		{"taget", nil, ""},
		{"taget", many, ""},
		{strings.Repeat("x", 65), []string{strings.Repeat("x", 64)}, ""},
	} {
		if got := edits.Nearest(c.name, c.among); got != c.want {
			t.Errorf("nearest to %q is %q, want %q", c.name, got, c.want)
		}
	}
}

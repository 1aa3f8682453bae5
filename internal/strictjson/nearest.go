package strictjson

import (
	"strings"

	"github.com/detent-run/detent/internal/edits"
)

// nearest returns the name that was probably meant by text, or nothing.
func nearest(text string, names []string) string {
	best, least := "", len(text)/3+1
	for _, name := range names {
		if d := edits.Distance(strings.ToLower(text), strings.ToLower(name), least+1); d < least || d == least && best == "" {
			best, least = name, d
		}
	}
	return best
}

package houserules

import (
	"bytes"
	"io/fs"
	"regexp"
	"strconv"
)

// outsideMark is something that only makes sense on one machine. The patterns
// are written in two parts so that this file does not match itself.
type outsideMark struct {
	pattern *regexp.Regexp
	what    string
}

var outsideMarks = []outsideMark{
	{regexp.MustCompile(`(^|[^\w.-])/(wo` + `rk|ho` + `me)/`), "an absolute path of somebody's machine"},
	{regexp.MustCompile(`\.\./sha` + `red\b`), "a folder outside the repository"},
	{regexp.MustCompile(`(?i)go` + `proxy|go` + `nosumdb|npm_config_` + `registry`), "where packages are fetched from, which each machine decides for itself"},
	{regexp.MustCompile(`"resolved": *"https?://[^"]*"`), "a package host"},
}

// publicHost is what npm writes for everybody.
var publicHost = []byte(`"https://registry.npmjs.org/`)

// checkOutside sees that the repository stands alone: no committed file points
// to things that another checkout does not have.
func checkOutside(h *house) []finding {
	var found []finding
	for _, name := range h.files {
		text, err := fs.ReadFile(h.tree, name)
		if err != nil {
			found = append(found, finding{name, name, err.Error()})
			continue
		}
		if bytes.IndexByte(text, 0) >= 0 {
			continue // not text
		}
		number := 0
		for line := range bytes.Lines(text) {
			number++
			if mark, hit := outsideMarkIn(line); hit != "" {
				found = append(found, finding{name, name + ":" + strconv.Itoa(number), "mentions " + mark + ": " + hit})
			}
		}
	}
	return found
}

func outsideMarkIn(line []byte) (what, hit string) {
	for _, m := range outsideMarks {
		if hit := m.pattern.Find(line); hit != nil && !bytes.Contains(hit, publicHost) {
			return m.what, string(hit)
		}
	}
	return "", ""
}

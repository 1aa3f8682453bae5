package http

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/detent-run/detent/performer"
)

const (
	maxHeader  = 8 << 10 // bytes of one value
	maxHeaders = 64
)

// headers are templates by name.
type headers map[string]performer.Template

// ownHeaders follow from the request; whoever sets them could send two
// requests as one.
var ownHeaders = []string{
	"Connection", "Content-Length", "Expect", "Host", "Keep-Alive", "Proxy-Authorization", "Proxy-Connection",
	"Te", "Trailer", "Transfer-Encoding", "Upgrade",
}

func (h headers) check() error {
	if len(h) > maxHeaders {
		return fmt.Errorf("there are %d, and may be %d", len(h), maxHeaders)
	}
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(h)) {
		canonical := http.CanonicalHeaderKey(name)
		switch {
		case name == "" || strings.ContainsFunc(name, notInToken):
			return fmt.Errorf("%.100q is no name of a header", name)
		case slices.Contains(ownHeaders, canonical):
			return fmt.Errorf("%s is set from the rest of the request", name)
		case seen[canonical]:
			return fmt.Errorf("%s stands twice", canonical)
		case h[name] == nil:
			return fmt.Errorf("%s has no value", name)
		}
		seen[canonical] = true
		if head, _ := h[name].Literal(); !goodHeader(head) {
			return fmt.Errorf("%s holds a line break or another character that no header may hold", name)
		}
	}
	return nil
}

func notInToken(r rune) bool {
	return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
}

func goodHeader(value string) bool {
	return !strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
}

// set evaluates the templates and sets them on a request.
func (h headers) set(to http.Header, s performer.Scope) error {
	for _, name := range slices.Sorted(maps.Keys(h)) {
		value, err := performer.Join(h[name], s, nil)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", name, err)
		case !goodHeader(value):
			return fmt.Errorf("%s: %w", name, errHeader)
		case len(value) > maxHeader:
			return fmt.Errorf("%s: it is %d bytes long, and may be %d", name, len(value), maxHeader)
		}
		to.Set(name, value)
	}
	return nil
}

var errHeader = errors.New("it holds a line break or another character that no header may hold")

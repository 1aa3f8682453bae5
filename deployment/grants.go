package deployment

import (
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// grants reads a list of names, of which one that ends in .* stands for many.
// A name that nothing has is a mistake.
func (r *reader) grants(n *document.Node, key string, known []string, defined *document.Node) []string {
	v := part(n, key)
	if v == nil {
		return nil
	}
	out := r.texts(n, key)
	for _, item := range v.Items {
		name := item.Text
		if item.Kind == document.String && !goodGrant(name) {
			r.note(statechart.CodeInvalid, item.Start, fmt.Sprintf("%.60q is neither a name nor one with .* at its end", name), "write bank.* for all names that begin with bank., or * for all")
			continue
		}
		if item.Kind != document.String || slices.ContainsFunc(known, func(k string) bool { return granted([]string{name}, k) }) {
			continue
		}
		if _, there := fieldOf(defined, name); !there {
			r.note(statechart.CodeUnknownName, item.Start, fmt.Sprintf("%s grants %.60q, which this file does not define", key, name), didYouMean(name, known))
		}
	}
	return out
}

func fieldOf(n *document.Node, key string) (*document.Node, bool) {
	if n == nil {
		return nil, false
	}
	return n.Field(key)
}

// goodGrant reports whether a * stands only where it has a meaning.
func goodGrant(g string) bool {
	head, wild := strings.CutSuffix(g, "*")
	return !strings.Contains(head, "*") && (!wild || head == "" || len(head) > 1 && strings.HasSuffix(head, "."))
}

// granted reports whether a list grants a name; nil grants all.
func granted(list []string, name string) bool {
	return list == nil || slices.ContainsFunc(list, func(g string) bool {
		head, wild := strings.CutSuffix(g, "*")
		return g == name || wild && strings.HasPrefix(name, head)
	})
}

// allow reads what may be called beside public addresses.
func (r *reader) allow(n *document.Node) []string {
	v := part(n, "allow")
	out := r.texts(n, "allow")
	if v == nil || v.Kind != document.List {
		return nil
	}
	for _, item := range v.Items {
		if item.Kind != document.String {
			continue // said already
		}
		name, port, err := net.SplitHostPort(item.Text)
		if number, wrong := strconv.ParseUint(port, 10, 16); err != nil || wrong != nil || number == 0 || name == "" || strings.ContainsAny(name, "*/@ ") {
			r.note(statechart.CodeInvalid, item.Start, fmt.Sprintf("%.100q is no host:port", item.Text), "write it as in 127.0.0.1:8080 or docs.internal:443; there are no patterns")
		}
	}
	return out
}

// store reads where sessions are kept.
func (r *reader) store(n *document.Node) string {
	text := r.text(n, "store")
	scheme, _, url := strings.Cut(text, "://")
	if !url {
		return text
	}
	message := fmt.Sprintf("%.20s:// is no store", scheme)
	if scheme == "postgres" || scheme == "postgresql" {
		message = "this version of detent keeps sessions in a file, not in PostgreSQL"
	}
	r.note(statechart.CodeInvalid, part(n, "store").Start, message, "write the path of a file, as in detent.db")
	return ""
}

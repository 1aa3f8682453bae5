package file

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/detent-run/detent/host"
)

// request is what a call wants.
type request struct {
	op, path, content, query string
	has                      map[string]bool
}

func readRequest(input any) (request, error) {
	q := request{has: map[string]bool{}}
	object, ok := input.(map[string]any)
	if !ok {
		return q, errors.New("the input must be an object with op and path")
	}
	fields := map[string]*string{"op": &q.op, "path": &q.path, "content": &q.content, "query": &q.query}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if fields[name] == nil {
			return q, fmt.Errorf("%.50q: there is no such field; there are op, path, content and query", name)
		}
		text, ok := object[name].(string)
		if !ok {
			return q, fmt.Errorf("%s: must be text", name)
		}
		*fields[name], q.has[name] = text, true
	}
	return q, q.check()
}

// needs are the fields of an operation beside op and path.
var needs = map[string][]string{opRead: nil, opWrite: {"content"}, opList: nil, opSearch: {"query"}}

func (q *request) check() error {
	fields, known := needs[q.op]
	if !known {
		return fmt.Errorf("op: %.20q is none of read, write, list and search", q.op)
	}
	for _, name := range []string{"content", "query"} {
		if wanted := slices.Contains(fields, name); wanted != q.has[name] {
			if wanted {
				return fmt.Errorf("%s: must be there for a %s", name, q.op)
			}
			return fmt.Errorf("%s: is not for a %s", name, q.op)
		}
	}
	if q.op == opSearch && (q.query == "" || len(q.query) > maxQuery) {
		return fmt.Errorf("query: must be 1 to %d bytes long", maxQuery)
	}
	if !q.has["path"] && (q.op == opList || q.op == opSearch) {
		q.path = "."
	}
	if err := checkPath(q.path); err != nil {
		return fmt.Errorf("path: %w", err)
	}
	q.path = path.Clean(q.path)
	if q.path == "." && (q.op == opRead || q.op == opWrite) {
		return errors.New("path: must name a file")
	}
	return nil
}

// checkPath refuses what has no good meaning below a directory. That nothing
// leads out is for os.Root to see.
func checkPath(p string) error {
	switch {
	case p == "" || len(p) > maxPath:
		return fmt.Errorf("must be 1 to %d bytes long", maxPath)
	case !utf8.ValidString(p) || strings.ContainsFunc(p, unicode.IsControl):
		return errors.New("holds a character that no name may hold")
	case strings.Contains(p, `\`):
		return errors.New(`has / between its parts, and no \ in them`)
	case path.IsAbs(p):
		return errors.New("must not begin with /; it starts at the tool's root")
	}
	for part := range strings.SplitSeq(p, "/") {
		if part == ".." {
			return errors.New("must not go up, as .. does")
		}
		if strings.HasPrefix(part, temporary) {
			return fmt.Errorf("must not hold a name that begins with %s", temporary)
		}
	}
	return nil
}

// temporary begins the names of files that are being written.
const temporary = ".detent-"

func bad(err error) host.Outcome {
	return host.Failed(host.Failure{Code: "bad_input", Message: err.Error(), Final: true})
}

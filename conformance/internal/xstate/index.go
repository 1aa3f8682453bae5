package xstate

import (
	"cmp"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// tree knows the states of a definition by their paths.
type tree struct {
	nodes map[string]*place
	ids   map[string]string // paths by id
}

// place is one state.
type place struct {
	at       int // in document order
	initial  string
	leaf     bool
	parallel bool
	history  bool

	initialActions bool
	children       []string // those that can be active
}

func newTree(def *statechart.Definition) *tree {
	t := &tree{nodes: map[string]*place{}, ids: map[string]string{def.ID: ""}}
	walk(&def.Root, "root", "", func(s *statechart.State, _, path string) {
		n := &place{at: len(t.nodes), initial: s.Initial, leaf: len(s.States) == 0, parallel: s.Type == statechart.Parallel, history: s.Type == statechart.History}
		n.initialActions = len(s.InitialActions) > 0
		for i := range s.States {
			if s.States[i].Type != statechart.History {
				n.children = append(n.children, strings.TrimPrefix(path+"."+s.States[i].Name, "."))
			}
		}
		t.nodes[path] = n
		if s.ID != "" {
			t.ids[s.ID] = path
		}
	})
	return t
}

// parent is the path of the state above; the root has none.
func (t *tree) parent(path string) (string, bool) {
	if path == "" {
		return "", false
	}
	i := strings.LastIndexByte(path, '.')
	return path[:max(i, 0)], true
}

// below reports whether a state lies properly below another.
func (t *tree) below(path, above string) bool {
	return path != above && (above == "" || strings.HasPrefix(path, above+"."))
}

// compare puts paths in document order.
func (t *tree) compare(a, b string) int { return cmp.Compare(t.nodes[a].at, t.nodes[b].at) }

// target is the path that a target's text means at a source.
func (t *tree) target(source, text string) string {
	if rest, ok := strings.CutPrefix(text, "#"); ok {
		id, below, _ := strings.Cut(rest, ".")
		return strings.Trim(t.ids[id]+"."+below, ".")
	}
	if rest, ok := strings.CutPrefix(text, "."); ok {
		return strings.Trim(source+"."+rest, ".")
	}
	parent, _ := t.parent(source)
	return strings.Trim(parent+"."+text, ".")
}

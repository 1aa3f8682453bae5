package xstate

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
)

//go:embed module_runtime.js
var runtimeSource string

// helper is a function of the runtime that modules take with them.
type helper struct {
	name, source string
	needs        []string // other helpers, and what is imported
}

// helpers are those of the runtime, in its order.
var helpers = readHelpers(runtimeSource)

var (
	helperName = regexp.MustCompile(`(?m)^(?:function|const) ([A-Za-z0-9]+)`)
	mention    = regexp.MustCompile(`[.\w]*\(|\b[A-Z]+\b`) // a call, or a constant
)

// imported are the names of xstate that modules use.
var imported = []string{"and", "enqueueActions", "fromPromise", "log", "not", "or", "setup", "stateIn"}

// readHelpers splits the runtime into its functions, which empty lines part.
func readHelpers(source string) []helper {
	var list []helper
	known := map[string]bool{"log": true, "enqueueActions": true}
	for _, text := range strings.Split(strings.TrimSpace(source), "\n\n") {
		name := helperName.FindStringSubmatch(text)[1]
		list = append(list, helper{name: name, source: text})
		known[name] = true
	}
	for i := range list {
		h := &list[i]
		_, code, _ := strings.Cut(h.source, "\n") // after the comment
		for _, found := range mention.FindAllString(code, -1) {
			name := strings.TrimLeft(strings.TrimSuffix(found, "("), ".") // of ...f(x)
			if strings.HasPrefix(found, ".") && !strings.HasPrefix(found, "...") {
				continue // a method
			}
			if known[name] && name != h.name && !slices.Contains(h.needs, name) {
				h.needs = append(h.needs, name)
			}
		}
	}
	return list
}

// use notes a helper or a name of xstate, with all that it needs, and returns
// its name.
func (m *module) use(name string) string {
	if m.used[name] {
		return name
	}
	m.used[name] = true
	for _, h := range helpers {
		if h.name == name {
			for _, n := range h.needs {
				m.use(n)
			}
		}
	}
	return name
}

// isHelper reports whether a name is one that a module may already hold.
func isHelper(name string) bool {
	return slices.Contains(imported, name) || slices.ContainsFunc(helpers, func(h helper) bool { return h.name == name })
}

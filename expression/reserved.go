package expression

import (
	"maps"
	"slices"
)

// words are the syntax and the names that the language itself gives.
var words = []string{
	"true", "false", "nil", "null", "not", "and", "or", "in", "contains", "startsWith", "endsWith", "matches",
	"let", "if", "else", "event", "input", "session", "now", "tools",
}

// Reserved reports whether a variable may not have that name: it is one of
// the language's words, values or functions, also of those that expr-lang
// has and this language refuses.
func Reserved(name string) bool {
	if _, ok := functions[name]; ok {
		return true
	}
	if _, ok := refused[name]; ok {
		return true
	}
	return slices.Contains(words, name)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

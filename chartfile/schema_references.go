package chartfile

import (
	"net/url"
	"slices"
	"strings"
)

// resolve finds what references refer to: a schema in the same document.
func (c *schemaCompiler) resolve() *schemaError {
	for _, s := range c.list {
		if s.reference == "" {
			continue
		}
		place, local := strings.CutPrefix(s.reference, "#")
		text, err := url.PathUnescape(place)
		found := c.byPointer[text]
		if place != "" && !strings.HasPrefix(place, "/") {
			found = c.byPointer["#"+text]
		}
		path := append(slices.Clone(s.path), "$ref")
		switch {
		case !local:
			return wrongSchema(path, "refer into the same schema, such as #/$defs/name", "%s lies outside the schema, and nothing is fetched", quote(s.reference))
		case err != nil || found == nil:
			return wrongSchema(path, "refer to a schema, such as #/$defs/name", "%s refers to no schema here", quote(s.reference))
		}
		s.refers = found
	}
	return nil
}

// inPlace lists the schemas that s applies to the very value it is asked
// about.
func (s *schema) inPlace() []*schema {
	out := slices.Concat(s.all, s.any, s.one)
	for _, one := range []*schema{s.not, s.when, s.then, s.otherwise, s.refers} {
		if one != nil {
			out = append(out, one)
		}
	}
	for _, name := range sortedNames(s.given) {
		out = append(out, s.given[name])
	}
	return out
}

// ends refuses schemas that apply themselves to one value again and again.
func (c *schemaCompiler) ends() *schemaError {
	const open = -1
	height := map[*schema]int{}
	var visit func(s *schema) (int, *schemaError)
	visit = func(s *schema) (int, *schemaError) {
		if h, seen := height[s]; seen {
			if h == open {
				return 0, wrongSchema(s.path, "let the reference stand below properties or items", "the schema refers to itself without end")
			}
			return h, nil
		}
		height[s] = open
		most := 0
		for _, inner := range s.inPlace() {
			h, err := visit(inner)
			if err != nil {
				return 0, err
			}
			most = max(most, h+1)
		}
		if height[s] = most; most > maxSchemaDepth {
			return 0, wrongSchema(s.path, "", "schemas refer to each other more than %d deep", maxSchemaDepth)
		}
		return most, nil
	}
	for _, s := range c.list {
		if _, err := visit(s); err != nil {
			return err
		}
	}
	return nil
}

func sortedNames[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

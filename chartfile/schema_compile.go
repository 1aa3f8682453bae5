package chartfile

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/internal/edits"
	"github.com/detent-run/detent/statechart"
)

// Bounds of a schema. With the work that a check may do they keep every
// check short.
const (
	maxSchemas     = 10_000
	maxSchemaDepth = 64 // of schemas in schemas, and of schemas that apply to one value through each other
)

// schema is a compiled JSON Schema. The keywords that it does not have are
// zero; recursive references make it a graph.
type schema struct {
	path  []string
	never bool // the schema false

	types    []string
	enum     []any
	constant *any

	minimum, maximum, above, below, multipleOf any // int64 or float64
	minLength, maxLength                       *int
	pattern                                    *regexp.Regexp
	steps                                      int // that a pattern compiles to

	properties            map[string]*schema
	patterns              []patternSchema
	additional            *schema
	names                 *schema
	required              []string
	needs                 map[string][]string
	given                 map[string]*schema
	minFields             *int
	maxFields             *int
	prefix                []*schema
	items                 *schema
	contains              *schema
	minContains           *int
	maxContains           *int
	minItems              *int
	maxItems              *int
	unique                bool
	all, any, one         []*schema
	not                   *schema
	when, then, otherwise *schema
	reference             string
	refers                *schema
}

type patternSchema struct {
	pattern *regexp.Regexp
	steps   int
	schema  *schema
}

// schemaError is what is wrong with a schema, and where in it.
type schemaError struct {
	path          []string // keys and indexes from the schema's root
	message, hint string
}

func (e *schemaError) Error() string {
	if len(e.path) == 0 {
		return e.message
	}
	return "at " + strings.Join(e.path, ".") + ": " + e.message
}

// Diagnose returns the hint; the code is the core's.
func (e *schemaError) Diagnose() (statechart.Code, string) { return "", e.hint }

// schemaCompiler compiles one schema with all in it.
type schemaCompiler struct {
	byPointer map[string]*schema // by JSON pointer, and anchors by "#name"
	list      []*schema
}

// compileSchema compiles a schema given as data.
func compileSchema(v any) (*schema, *schemaError) {
	c := &schemaCompiler{byPointer: map[string]*schema{}}
	root, err := c.schema(v, nil)
	if err == nil {
		err = c.resolve()
	}
	if err == nil {
		err = c.ends()
	}
	return root, err
}

func wrongSchema(path []string, hint, format string, args ...any) *schemaError {
	return &schemaError{slices.Clone(path), fmt.Sprintf(format, args...), hint}
}

func (c *schemaCompiler) schema(v any, path []string) (*schema, *schemaError) {
	s := &schema{path: slices.Clone(path)}
	if len(c.list) >= maxSchemas || len(path) > 2*maxSchemaDepth {
		return nil, wrongSchema(path, "", "a schema is made of at most %d, nested %d deep", maxSchemas, maxSchemaDepth)
	}
	c.list = append(c.list, s)
	c.byPointer[pointer(path)] = s
	switch x := v.(type) {
	case bool:
		s.never = !x
		return s, nil
	case map[string]any:
		for _, key := range schemaOrder(x) {
			if err := c.keyword(s, key, x[key], append(path, key)); err != nil {
				return nil, err
			}
		}
		return s, nil
	}
	return nil, wrongSchema(path, "", "a schema is an object, true or false")
}

// schemaOrder sorts the keywords of a schema, so that of several errors the
// same is named each time.
func schemaOrder(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// pointer is a path as a JSON pointer.
func pointer(path []string) string {
	var b strings.Builder
	for _, p := range path {
		b.WriteByte('/')
		b.WriteString(strings.NewReplacer("~", "~0", "/", "~1").Replace(p))
	}
	return b.String()
}

// keyword reads one keyword into s.
func (c *schemaCompiler) keyword(s *schema, key string, v any, path []string) *schemaError {
	if target := s.schemaField(key); target != nil {
		if _, list := v.([]any); list && key == "items" {
			return wrongSchema(path, "write prefixItems for items by their position", "items is one schema")
		}
		inner, err := c.schema(v, path)
		*target = inner
		return err
	}
	if target := s.listField(key); target != nil {
		return c.schemas(target, v, path)
	}
	if target := s.countField(key); target != nil {
		if !isType(v, "integer") || compareNumbers(v, int64(0)) < 0 {
			return wrongSchema(path, "", "%s is a whole number from 0", key)
		}
		n, _ := exact(v).Int64()
		count := int(min(n, 1<<40))
		*target = &count
		return nil
	}
	if target := s.numberField(key); target != nil {
		return numberKeyword(target, key, v, path)
	}
	return c.otherKeyword(s, key, v, path)
}

func (s *schema) schemaField(key string) **schema {
	return map[string]**schema{
		"additionalProperties": &s.additional, "propertyNames": &s.names, "items": &s.items, "contains": &s.contains,
		"not": &s.not, "if": &s.when, "then": &s.then, "else": &s.otherwise,
	}[key]
}

func (s *schema) listField(key string) *[]*schema {
	return map[string]*[]*schema{"allOf": &s.all, "anyOf": &s.any, "oneOf": &s.one, "prefixItems": &s.prefix}[key]
}

func (s *schema) countField(key string) **int {
	return map[string]**int{
		"minLength": &s.minLength, "maxLength": &s.maxLength, "minItems": &s.minItems, "maxItems": &s.maxItems,
		"minProperties": &s.minFields, "maxProperties": &s.maxFields, "minContains": &s.minContains, "maxContains": &s.maxContains,
	}[key]
}

func (s *schema) numberField(key string) *any {
	return map[string]*any{
		"minimum": &s.minimum, "maximum": &s.maximum, "exclusiveMinimum": &s.above, "exclusiveMaximum": &s.below, "multipleOf": &s.multipleOf,
	}[key]
}

func numberKeyword(target *any, key string, v any, path []string) *schemaError {
	switch v.(type) {
	case int64, float64:
	default:
		return wrongSchema(path, "", "%s is a number", key)
	}
	if key == "multipleOf" && compareNumbers(v, int64(0)) <= 0 {
		return wrongSchema(path, "", "multipleOf is more than 0")
	}
	*target = v
	return nil
}

func (c *schemaCompiler) schemas(target *[]*schema, v any, path []string) *schemaError {
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return wrongSchema(path, "", "%s is a list of schemas", path[len(path)-1])
	}
	for i, item := range list {
		inner, err := c.schema(item, append(path, strconv.Itoa(i)))
		if err != nil {
			return err
		}
		*target = append(*target, inner)
	}
	return nil
}

// named compiles an object of schemas.
func (c *schemaCompiler) named(v any, path []string) (map[string]*schema, *schemaError) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil, wrongSchema(path, "", "%s is an object of schemas", path[len(path)-1])
	}
	out := make(map[string]*schema, len(m))
	for _, name := range schemaOrder(m) {
		inner, err := c.schema(m[name], append(path, name))
		if err != nil {
			return nil, err
		}
		out[name] = inner
	}
	return out, nil
}

func (c *schemaCompiler) otherKeyword(s *schema, key string, v any, path []string) (err *schemaError) {
	switch key {
	case "type":
		s.types, err = typeNames(v, path)
	case "enum":
		list, ok := v.([]any)
		if !ok || len(list) == 0 {
			return wrongSchema(path, "", "enum is a list of values")
		}
		s.enum = list
	case "const":
		s.constant = &v
	case "pattern":
		s.pattern, s.steps, err = compilePattern(v, path)
	case "properties":
		s.properties, err = c.named(v, path)
	case "dependentSchemas":
		s.given, err = c.named(v, path)
	case "$defs", "definitions":
		_, err = c.named(v, path)
	case "patternProperties":
		err = c.patternProperties(s, v, path)
	case "required":
		s.required, err = texts(v, path)
	case "dependentRequired":
		err = s.dependentRequired(v, path)
	case "uniqueItems":
		unique, ok := v.(bool)
		if s.unique = unique; !ok {
			return wrongSchema(path, "", "uniqueItems is true or false")
		}
	case "$ref", "$anchor", "$id", "$schema":
		return c.identity(s, key, v, path)
	default:
		return otherKeyword(key, path)
	}
	return err
}

// otherKeyword refuses keywords that do more than a chart allows, and those
// that are nearly one.
func otherKeyword(key string, path []string) *schemaError {
	if hint, refused := refusedKeywords[key]; refused {
		return wrongSchema(path, hint, "%s cannot be used in a chart's schema", key)
	}
	if slices.Contains(silentKeywords, key) || strings.HasPrefix(key, "x-") {
		return nil
	}
	for _, known := range sayingKeywords {
		if edits.Distance(strings.ToLower(key), strings.ToLower(known), 3) <= min(2, len(key)/4) {
			return wrongSchema(path, "did you mean "+quote(known)+"?", "%s is no keyword of JSON Schema", quote(key))
		}
	}
	return nil
}

func (c *schemaCompiler) identity(s *schema, key string, v any, path []string) *schemaError {
	text, ok := v.(string)
	switch {
	case !ok:
		return wrongSchema(path, "", "%s is text", key)
	case key == "$ref":
		s.reference = text
	case key == "$anchor":
		c.byPointer["#"+text] = s
	case key == "$id" && len(path) > 1:
		return wrongSchema(path, "refer to it by its place, such as #/$defs/name", "only the whole schema can have an $id")
	case key == "$schema" && !strings.HasPrefix(text, "https://json-schema.org/draft/2020-12/schema"):
		return wrongSchema(path, "leave $schema out, or write https://json-schema.org/draft/2020-12/schema", "schemas are of the draft 2020-12")
	}
	return nil
}

func typeNames(v any, path []string) ([]string, *schemaError) {
	if one, ok := v.(string); ok {
		v = []any{one}
	}
	names, err := texts(v, path)
	if err != nil || len(names) == 0 {
		return nil, wrongSchema(path, "", "type is the name of a type, or a list of them")
	}
	for _, name := range names {
		if !slices.Contains(typeWords, name) {
			hint := nearest(name, typeWords)
			if hint == "" {
				hint = "one of " + strings.Join(typeWords, ", ")
			}
			return nil, wrongSchema(path, hint, "%s is no type", quote(name))
		}
	}
	return names, nil
}

func texts(v any, path []string) ([]string, *schemaError) {
	list, ok := v.([]any)
	out := make([]string, len(list))
	for i, item := range list {
		text, isText := item.(string)
		ok = ok && isText
		out[i] = text
	}
	if !ok {
		return nil, wrongSchema(path, "", "%s is a list of texts", path[len(path)-1])
	}
	return out, nil
}

func (s *schema) dependentRequired(v any, path []string) *schemaError {
	m, ok := v.(map[string]any)
	if !ok {
		return wrongSchema(path, "", "dependentRequired is an object of lists of texts")
	}
	s.needs = make(map[string][]string, len(m))
	for _, name := range schemaOrder(m) {
		list, err := texts(m[name], append(path, name))
		if err != nil {
			return err
		}
		s.needs[name] = list
	}
	return nil
}

func (c *schemaCompiler) patternProperties(s *schema, v any, path []string) *schemaError {
	m, err := c.named(v, path)
	if err != nil {
		return err
	}
	for _, text := range sortedNames(m) {
		pattern, steps, err := compilePattern(text, append(path, text))
		if err != nil {
			return err
		}
		s.patterns = append(s.patterns, patternSchema{pattern, steps, m[text]})
	}
	return nil
}

// compilePattern compiles a pattern in RE2's syntax, whose matching takes
// time in proportion to the text.
func compilePattern(v any, path []string) (*regexp.Regexp, int, *schemaError) {
	text, ok := v.(string)
	if !ok {
		return nil, 0, wrongSchema(path, "", "pattern is text")
	}
	if wrong := expression.CheckPattern(text); wrong != nil {
		return nil, 0, wrongSchema(path, wrong.Hint, "%s", wrong.Message)
	}
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, 0, wrongSchema(path, "", "the pattern cannot be read: %s", err)
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, 0, wrongSchema(path, "", "the pattern cannot be compiled: %s", err)
	}
	return regexp.MustCompile(text), len(program.Inst), nil
}

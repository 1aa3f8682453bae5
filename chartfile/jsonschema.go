package chartfile

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Schema returns the JSON Schema (2020-12) of chart files, indented, with a
// newline at its end. Editors complete and check files with it; it knows the
// shape of a file, and what a name refers to is [Check]'s to find. The caller
// owns the slice.
func Schema() []byte {
	g := schemaGenerator{defs: map[string]*jsonschema.Schema{}, types: map[string]reflect.Type{}}
	root := g.object(reflect.TypeFor[fileObject]())
	root.PatternProperties = map[string]*jsonschema.Schema{"^x-": {Description: "Anything: for other programs. Not part of the chart."}}
	root.Defs = g.defs
	head := struct {
		Schema      string `json:"$schema"`
		Title       string `json:"title"`
		Description string `json:"description"`
	}{
		"https://json-schema.org/draft/2020-12/schema", "Detent chart file",
		"A statechart: its states, the events that move it, its data and its outside calls.",
	}
	// What a reader wants to see first is encoded first.
	text := bytes.TrimSuffix(encode(head), []byte("}"))
	text = append(append(text, ','), encode(root)[1:]...)
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", "  "); err != nil {
		panic("chartfile: the schema of the format is no JSON: " + err.Error())
	}
	out.WriteByte('\n')
	return out.Bytes()
}

func encode(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic("chartfile: the schema of the format cannot be written: " + err.Error()) // it is made of constants
	}
	return text
}

// schemaGenerator makes schemas of the types of the format. Objects and
// leaves become definitions, so that each is said once.
type schemaGenerator struct {
	defs  map[string]*jsonschema.Schema
	types map[string]reflect.Type // of the definitions
}

// object is the schema of an object with known keys.
func (g schemaGenerator) object(t reflect.Type) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: nothing()}
	for _, k := range keysOf(t) {
		s.Properties[k.Key] = g.key(k)
		s.PropertyOrder = append(s.PropertyOrder, k.Key)
		if k.Required {
			s.Required = append(s.Required, k.Key)
		}
	}
	if t == reflect.TypeFor[guardObject]() {
		s.MinProperties = jsonschema.Ptr(1)
		s.DependentRequired = map[string][]string{"params": {"type"}}
	}
	return s
}

// key is the schema of what stands under a key. Its own words stand beside
// those of its shape.
func (g schemaGenerator) key(k formatKey) *jsonschema.Schema {
	s := g.shape(k.Type)
	if k.Enum != nil {
		words := &jsonschema.Schema{}
		for _, word := range k.Enum {
			words.Enum = append(words.Enum, word)
		}
		if s.Type == "array" {
			s.Items = words
		} else {
			s = words
		}
	}
	s.Description = k.Doc
	if k.Type.Kind() == reflect.Int || k.Type.Kind() == reflect.Float64 {
		s.Minimum, s.Maximum = bound(k.Min), bound(k.Max)
	}
	if k.Type.Kind() == reflect.Slice && k.Min != "" {
		s.MinItems = jsonschema.Ptr(1) // where an empty list would mean what none means
	}
	return s
}

// bound is the bound of a number, nil when there is none.
func bound(text string) *float64 {
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		return &f
	}
	return nil
}

// shape is the schema of a type of the format, the caller's to add to.
func (g schemaGenerator) shape(t reflect.Type) *jsonschema.Schema {
	if t.Kind() == reflect.Pointer {
		return g.shape(t.Elem())
	}
	if l, ok := leaves[t]; ok {
		return g.refer(t, func() *jsonschema.Schema { return leafSchema(t, l) })
	}
	switch t.Kind() {
	case reflect.Bool:
		return &jsonschema.Schema{Type: "boolean"}
	case reflect.Int:
		return &jsonschema.Schema{Type: "integer"}
	case reflect.Float64:
		return &jsonschema.Schema{Type: "number"}
	case reflect.Slice:
		return &jsonschema.Schema{Type: "array", Items: g.shape(t.Elem())}
	}
	generic, _, isGeneric := strings.Cut(t.Name(), "[")
	switch {
	case !isGeneric && t == reflect.TypeFor[actionForms]():
		return g.refer(t, func() *jsonschema.Schema { return g.alternatives(t) })
	case !isGeneric:
		return g.refer(t, func() *jsonschema.Schema { return g.object(t) })
	case generic == "keyed":
		return &jsonschema.Schema{Type: "object", PropertyNames: g.shape(t.Field(0).Type), AdditionalProperties: g.shape(t.Field(1).Type)}
	}
	return g.alternatives(t) // either, either3, oneOrMany
}

// alternatives is the schema of a type whose fields are its possible shapes.
// Alternatives among them are laid flat.
func (g schemaGenerator) alternatives(t reflect.Type) *jsonschema.Schema {
	if t.NumField() == 2 && t.Field(1).Type == reflect.TypeFor[anyValue]() {
		return g.longForm(t.Field(0).Type)
	}
	s := &jsonschema.Schema{}
	for i := range t.NumField() {
		one := g.shape(t.Field(i).Type)
		if one.AnyOf != nil && one.Description == "" {
			s.AnyOf = append(s.AnyOf, one.AnyOf...)
		} else {
			s.AnyOf = append(s.AnyOf, one)
		}
	}
	return s
}

// longForm is the schema of any value, among which an object with what t
// requires must be a t.
func (g schemaGenerator) longForm(t reflect.Type) *jsonschema.Schema {
	return &jsonschema.Schema{
		If:   &jsonschema.Schema{Type: "object", Required: g.object(t).Required},
		Then: g.shape(t),
		Else: g.shape(reflect.TypeFor[anyValue]()),
	}
}

// refer gives a reference to the definition of t, which build makes the first
// time.
func (g schemaGenerator) refer(t reflect.Type, build func() *jsonschema.Schema) *jsonschema.Schema {
	name := definitionName(t)
	if g.types[name] == nil {
		g.types[name] = t // first: what is being made may refer to itself
		g.defs[name] = build()
	}
	if g.types[name] != t {
		panic("chartfile: two types of the format are both called " + name)
	}
	return &jsonschema.Schema{Ref: "#/$defs/" + name}
}

// definitionName is a type's name for readers of the schema.
func definitionName(t reflect.Type) string {
	name := t.Name()
	for _, suffix := range []string{"Object", "Text", "Forms"} {
		if cut, ok := strings.CutSuffix(name, suffix); ok && cut != "" {
			return cut
		}
	}
	return name
}

// leafSchema is the schema of a text that means something, or of any value.
func leafSchema(t reflect.Type, l leaf) *jsonschema.Schema {
	s := &jsonschema.Schema{Description: l.doc, Pattern: l.pattern}
	switch {
	case t.Kind() == reflect.String:
		s.Type = "string"
	case t == reflect.TypeFor[jsonSchema]():
		s.Types = []string{"object", "boolean"}
	}
	return s
}

// nothing is the schema that nothing fits.
func nothing() *jsonschema.Schema { return &jsonschema.Schema{Not: &jsonschema.Schema{}} }

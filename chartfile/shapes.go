package chartfile

import (
	"reflect"
	"strings"
	"sync"
)

// The shapes that a value of the format can have. A plain Go type stands for
// itself: bool, int, float64, a slice for a list, a map for an object whose
// keys the author chooses, a struct for an object with known keys.
type (
	// either is one of two shapes.
	either[A, B any] struct {
		First  A
		Second B
	}

	// either3 is one of three shapes.
	either3[A, B, C any] struct {
		First  A
		Second B
		Third  C
	}

	// oneOrMany is one of a shape, or a list of them.
	oneOrMany[A any] struct {
		One  A
		Many []A
	}

	// keyed is an object whose keys the author chooses, in an order that has
	// meaning: K says what a key is, V what stands under it.
	keyed[K ~string, V any] struct {
		Key   K
		Value V
	}
)

// The leaves of the format: texts that mean something. leaves says of each
// what it is.
type (
	literalText string // said as it stands
	nameText    string // a key or an id
	targetText  string
	eventName   string
	eventOf     string // a descriptor: a name, prefix.*, or *
	delayText   string
	fixedDelay  string // a delay without ${…}
	sourceText  string
	bareText    string // an expression, without ${…}
	listedName  string // of requires
	toolName    string
)

// The leaves that are not texts.
type (
	anyValue   struct{} // a value position: any JSON, in which ${…} is evaluated
	anyLiteral struct{} // any JSON, said as it stands
	jsonSchema struct{} // a JSON Schema: an object, or true or false
)

// leaf describes a leaf of the format, for the schema and the reader's
// messages.
type leaf struct {
	what    string // "a name": what a message says was wanted
	doc     string
	pattern string // that every such text matches; "" for none
}

// leaves describes each leaf type.
var leaves = map[reflect.Type]leaf{
	reflect.TypeFor[literalText](): {"text", "Text, said as it stands.", ""},
	reflect.TypeFor[nameText]():    {"a name", "A name: no dot, '#', '*' or white space.", `^[^.#*\s]+$`},
	reflect.TypeFor[targetText](): {"a target", "A target: `#id` or `#id.path`; `.path` below the source; otherwise the first part is a sibling of the source or the source itself.",
		`^\S+$`},
	reflect.TypeFor[eventName](): {"an event's name", "The name of an event, not one of the engine's.", `^[^*\s]+$`},
	reflect.TypeFor[eventOf]():   {"an event", "An event: its name, `prefix.*`, or `*` for any but the engine's.", `^([^*\s]+(\.\*)?|\*)$`},
	reflect.TypeFor[delayText](): {"a delay", "A delay: `500ms`, `45s`, `15m`, `72h`, `30d`, a name from `delays`, or `${ … }` that yields milliseconds or such a text.", `\D`},
	reflect.TypeFor[fixedDelay](): {"a duration", "A duration: `500ms`, `45s`, `15m`, `72h`, `30d`.",
		`^[-+]?([0-9]+(\.[0-9]*)?(ns|us|µs|ms|s|m|h|d))+$`},
	reflect.TypeFor[sourceText](): {"a source", "What is called: `tool:NAME`, `mcp:SERVER/TOOL`, `model:NAME`, `decide:NAME`, `human:approve`, `human:input`, `chart:ID`, `workflow:ID`, or the name of a registered performer.", `\S`},
	reflect.TypeFor[bareText]():   {"an expression", "An expression, bare: without `${…}`.", `\S`},
	reflect.TypeFor[listedName](): {"a name", "A name that Go code registers.", `\S`},
	reflect.TypeFor[toolName]():   {"a tool's name", "The name of a tool of the deployment.", `\S`},
	reflect.TypeFor[anyValue]():   {"a value", "A value; in its texts `${ expression }` is evaluated, and `$${` is a plain `${`.", ""},
	reflect.TypeFor[anyLiteral](): {"a value", "Any value, carried as it stands.", ""},
	reflect.TypeFor[jsonSchema](): {"a JSON Schema", "A JSON Schema (2020-12).", ""},
}

// formatKey is one key of an object of the format.
type formatKey struct {
	Key      string
	Doc      string
	Required bool
	Enum     []string     // the values of a text, or a list of texts, that allows only some
	Min, Max string       // the bounds of a number; "" for none
	Type     reflect.Type // its shape
}

// keysOf lists the keys of an object of the format in their order. A key of
// an embedded object that the outer one has too is the outer one's. The slice
// is shared.
func keysOf(object reflect.Type) []formatKey {
	if known, ok := knownKeys.Load(object); ok {
		return known.([]formatKey)
	}
	keys := findKeys(object)
	knownKeys.Store(object, keys)
	return keys
}

// knownKeys keeps what keysOf found by type: a reader asks for every object.
var knownKeys sync.Map

func findKeys(object reflect.Type) []formatKey {
	var out []formatKey
	seen := map[string]bool{}
	add := func(k formatKey) {
		if !seen[k.Key] {
			seen[k.Key] = true
			out = append(out, k)
		}
	}
	for i := range object.NumField() {
		f := object.Field(i)
		if f.Anonymous {
			for _, k := range keysOf(f.Type) {
				add(k)
			}
			continue
		}
		k := formatKey{Key: f.Tag.Get("key"), Doc: f.Tag.Get("doc"), Required: f.Tag.Get("required") == "true",
			Min: f.Tag.Get("min"), Max: f.Tag.Get("max"), Type: f.Type}
		if enum := f.Tag.Get("enum"); enum != "" {
			k.Enum = strings.Split(enum, ",")
		}
		add(k)
	}
	return out
}

package statechart

import "unsafe"

// A Registry binds the names that a [Definition] uses to Go functions, and
// holds the language of its expressions. It is filled before [Compile] and
// not changed afterwards; one Registry may serve many charts. Mistakes made
// while filling it (a name given twice, two context types) are reported by
// Compile. The zero Registry is not usable: see [NewRegistry].
//
// Registered functions must be pure: they depend on their arguments only,
// perform nothing outside (R23), and must not send to the instance that
// calls them.
type Registry struct {
	guards     map[string]guardFunc
	actions    map[string]actionFunc
	values     map[string]func(*Scope) (any, error)
	performers map[string]bool
	versions   map[string]string
	language   Language
	schemas    SchemaLanguage
	grants     []string
	granted    bool
	context    *contextType
	errors     Errors
}

// guardFunc and actionFunc hold a registered function in one of its two
// forms: quick, on the typed context, which cannot fail; or general.
type guardFunc struct {
	quick   func(unsafe.Pointer, Event) bool
	general func(*Scope) (bool, error)
}

type actionFunc struct {
	quick   func(unsafe.Pointer, Event)
	general func(*Scope) error
}

// NewRegistry returns an empty registry.
func NewRegistry() *Registry {
	return &Registry{
		guards:     map[string]guardFunc{},
		actions:    map[string]actionFunc{},
		values:     map[string]func(*Scope) (any, error){},
		performers: map[string]bool{},
		versions:   map[string]string{},
	}
}

// Guard registers a guard on a chart's data. An error counts as false and
// raises error.execution (R7).
func (r *Registry) Guard(name string, f func(*Scope) (bool, error)) {
	r.guards[r.fresh("guard", name, f == nil)] = guardFunc{general: f}
}

// Action registers an action on a chart's data. It writes through the scope
// it is given, so that an undone macrostep leaves no trace (R22). An error
// stops its block (R20).
func (r *Registry) Action(name string, f func(*Scope) error) {
	r.actions[r.fresh("action", name, f == nil)] = actionFunc{general: f}
}

// Value registers a computed value, for use as an [Expression] in charts
// that have no expression language.
func (r *Registry) Value(name string, f func(*Scope) (any, error)) {
	r.values[r.fresh("value", name, f == nil)] = f
}

// Performer declares the sources of outside calls that exist. Charts that
// list their Performers are checked against it.
func (r *Registry) Performer(names ...string) {
	for _, name := range names {
		r.performers[name] = true
	}
}

// Language sets the language of Expressions.
func (r *Registry) Language(l Language) { r.language = l }

// Schemas sets the language of the JSON Schemas of inputs and events.
func (r *Registry) Schemas(l SchemaLanguage) { r.schemas = l }

// Grant says which tools the deployment grants, for expressions that ask.
// Without it nothing is known of grants. They are not part of the digest; a
// host that changes them compiles its charts again.
func (r *Registry) Grant(tools ...string) { r.grants, r.granted = append(r.grants, tools...), true }

// Version gives the function called name a version, "1" unless set. It is
// part of the digest of each chart that uses the name: raise it when the
// function's meaning changes.
func (r *Registry) Version(name, version string) { r.versions[name] = version }

// fresh notes an error when kind and name are taken or there is no function,
// and returns the key.
func (r *Registry) fresh(kind, name string, missing bool) string {
	taken := false
	switch kind {
	case "guard":
		_, taken = r.guards[name]
	case "action":
		_, taken = r.actions[name]
	default:
		_, taken = r.values[name]
	}
	switch {
	case name == "":
		r.errors = append(r.errors, &Error{Code: CodeMissing, Path: "registry", Message: "a " + kind + " is registered without a name"})
	case missing:
		r.errors = append(r.errors, &Error{Code: CodeMissing, Path: "registry", Message: "the " + kind + " " + quote(name) + " is registered without a function"})
	case taken:
		r.errors = append(r.errors, &Error{Code: CodeDuplicate, Path: "registry", Message: "the " + kind + " " + quote(name) + " is registered twice"})
	}
	return name
}

func (r *Registry) version(name string) string {
	if v, ok := r.versions[name]; ok {
		return v
	}
	return "1"
}

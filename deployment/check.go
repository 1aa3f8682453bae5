package deployment

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// Place finds where a part of a chart stands in its file, both from 1; 0 and 0
// where that is not known. The path is as the compiler names places, such as
// root.states.a.invoke[0].
type Place func(path string) (line, column int)

// Check lists what of a chart cannot work with a deployment: tools and models
// that are called and not defined or not granted, inputs that are constant and
// do not fit the schema of the tool or are no question, and modes that need a look-up that the tool
// does not have. Sources that are computed are not looked at. A diagnostic is
// about the chart; Hint names the line of the deployment's file that has to do
// with it. A nil place leaves them without one. The order is that of the
// definition.
func Check(def *statechart.Definition, d *Deployment, place Place) chartfile.Diagnostics {
	var out chartfile.Diagnostics
	each(reflect.ValueOf(def).Elem(), "", func(v *statechart.Invocation, path string) {
		src, _ := v.Src.(string)
		p := d.wrong(src, v)
		if p == nil {
			return
		}
		d := chartfile.Diagnostic{Code: p.code, Severity: chartfile.Error, Message: caller(path) + p.message, Hint: p.hint}
		if place != nil {
			d.Line, d.Column = place(path + p.below)
		}
		out = append(out, d)
	})
	return out
}

// each calls f with every call of a definition, in order.
func each(v reflect.Value, path string, f func(v *statechart.Invocation, path string)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			each(v.Elem(), path, f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			at := fmt.Sprintf("%s[%d]", path, i)
			if s, ok := v.Index(i).Interface().(statechart.State); ok {
				at = path + "." + s.Name
			}
			each(v.Index(i), at, f)
		}
	case reflect.Struct:
		if i, ok := v.Addr().Interface().(*statechart.Invocation); ok {
			f(i, path)
		}
		for i := range v.NumField() {
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			each(v.Field(i), strings.TrimPrefix(path+"."+name, "."), f)
		}
	}
}

// caller begins a sentence with the state in which a call stands.
func caller(path string) string {
	var names []string
	rest := strings.TrimPrefix(path, "root")
	for {
		after, ok := strings.CutPrefix(rest, ".states.")
		if !ok {
			break
		}
		name, more, _ := strings.Cut(after, ".")
		names, rest = append(names, name), "."+more
	}
	return cmp.Or(strings.Join(names, "."), "the root") + " calls "
}

// misfit is one thing that is wrong with a call. below is where, under the
// call.
type misfit struct {
	code          statechart.Code
	message, hint string
	below         string
}

// wrong says what is wrong with a call; nil when nothing is.
func (d *Deployment) wrong(src string, v *statechart.Invocation) *misfit {
	if message, hint := d.missing(src); message != "" {
		return &misfit{statechart.CodeUnknownSource, message, hint, ".src"}
	}
	if err := askable(src, v.Input); err != nil {
		return &misfit{statechart.CodeInput, fmt.Sprintf("%s, and %v", src, err), "correct the input of the call", ".input"}
	}
	name, isTool := strings.CutPrefix(src, "tool:")
	entry, there := d.tools[name]
	if !isTool || !there {
		return nil
	}
	defined := d.where("tools." + name)
	if _, finds := entry.Performer.(host.Finder); v.Mode == string(host.Reconcile) && !finds {
		return &misfit{statechart.CodeInvalid, fmt.Sprintf("the tool %q with the mode reconcile, and the tool has no look-up", name),
			"give the tool " + defined + "a lookup, or call it at_most_once", ".mode"}
	}
	if entry.Check == nil || !constant(v.Input) {
		return nil
	}
	if err := entry.Check(v.Input); err != nil {
		return &misfit{statechart.CodeInput, fmt.Sprintf("the tool %q, and %v", name, err),
			"correct it; the schema stands with the tool " + strings.TrimSpace(defined), ".input"}
	}
	return nil
}

// constant reports whether a value of a chart holds no expression.
func constant(v any) bool {
	switch x := v.(type) {
	case statechart.Expression:
		return false
	case []any:
		return !slices.ContainsFunc(x, func(v any) bool { return !constant(v) })
	case map[string]any:
		for _, v := range x {
			if !constant(v) {
				return false
			}
		}
	case nil, bool, string, int64, float64:
	default:
		return false // a template
	}
	return true
}

// missing says what is wrong with a source; empty when nothing is.
func (d *Deployment) missing(src string) (message, hint string) {
	kind, name, _ := strings.Cut(src, ":")
	switch kind {
	case "tool":
		if _, defined := d.tools[name]; !defined {
			return fmt.Sprintf("the tool %q, which the deployment does not define", name), d.near(name, d.Tools(), "tools")
		}
		if !granted(d.toolGrants, name) {
			return fmt.Sprintf("the tool %q, which the deployment does not grant", name), strings.TrimSpace("add it to grants.tools " + d.where("grants.tools"))
		}
	case "model", "decide":
		if _, defined := d.Models[name]; !defined && len(d.Models) > 0 {
			return fmt.Sprintf("the model %q, which the deployment does not define", name), d.near(name, slices.Sorted(maps.Keys(d.Models)), "models")
		}
		if !granted(d.modelGrants, name) {
			return fmt.Sprintf("the model %q, which the deployment does not grant", name), strings.TrimSpace("add it to grants.models " + d.where("grants.models"))
		}
	}
	return "", ""
}

// near is the hint for a name that the file does not have.
func (d *Deployment) near(name string, among []string, key string) string {
	if len(among) == 0 {
		return strings.TrimSpace("define it under " + key + " " + d.where(key))
	}
	return strings.TrimSpace(didYouMean(name, among) + " " + d.where(key))
}

// where is the place of a key of the file, for a hint, with a space behind it;
// empty where the key does not stand in the file.
func (d *Deployment) where(key string) string {
	at, ok := d.places[key]
	if !ok || d.name == "" {
		return ""
	}
	return fmt.Sprintf("(%s:%d:%d) ", d.name, at.Line, at.Column)
}

// placesOf notes where the keys stand of which Check speaks.
func placesOf(n *document.Node) map[string]document.Position {
	out := map[string]document.Position{}
	for _, f := range n.Fields {
		out[f.Key] = f.KeyStart
		if f.Value == nil || f.Value.Kind != document.Object {
			continue
		}
		for _, below := range f.Value.Fields {
			out[f.Key+"."+below.Key] = below.KeyStart
		}
	}
	return out
}

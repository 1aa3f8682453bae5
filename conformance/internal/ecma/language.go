// Package ecma is a [statechart.Language] of ECMAScript expressions, for the
// suites' documents only. It has no script state: an expression reads the
// variables it names, the system variables of SCXML, and the standard
// library, and gives a value of JSON's kinds back.
package ecma

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/dop251/goja"

	"github.com/detent-run/detent/statechart"
)

// Language compiles the expressions of one document.
type Language struct {
	// Name is the document's, for _name.
	Name string
	// States are the paths of the document's states by id, for In.
	States map[string]string

	// One engine serves all programs; it is not for concurrent use.
	mu     sync.Mutex
	engine *goja.Runtime
}

// Version implements [statechart.Language].
func (l *Language) Version() string { return "ecmascript-expressions/1" }

// maxCalls bounds recursion; the engine itself has no bound.
const maxCalls = 500

// program is a compiled expression: a function of the system variables and
// of the variables that its text may refer to.
type program struct {
	language  *Language
	function  goja.Callable
	variables []statechart.Slot
	broken    error // of a text that is no expression; SCXML says so when run
}

var identifier = regexp.MustCompile(`[A-Za-z_$][A-Za-z0-9_$]*`)

// system are the parameters that each expression has, beside its variables.
var system = []string{"_event", "_sessionid", "_name", "_ioprocessors", "_x", "In", "_nextid", "_input"}

// Compile implements [statechart.Language]. A text that is no expression is
// not refused: in SCXML it is an error when it is evaluated.
func (l *Language) Compile(source string, names statechart.Names) (statechart.Program, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.engine == nil {
		l.engine = goja.New()
		l.engine.SetMaxCallStackSize(maxCalls)
	}
	p := &program{language: l}
	parameters := append([]string(nil), system...)
	seen := map[string]bool{}
	for _, name := range identifier.FindAllString(source, -1) {
		slot, known := names.Variable(name)
		if !known || seen[name] {
			continue
		}
		seen[name] = true
		parameters = append(parameters, name)
		p.variables = append(p.variables, slot)
	}
	text := fmt.Sprintf("(function(%s) { 'use strict'; return (\n%s\n); })", strings.Join(parameters, ","), source)
	made, err := l.engine.RunString(text)
	if err != nil {
		p.broken = fmt.Errorf("%q is no expression: %w", source, err)
		return p, nil
	}
	p.function, _ = goja.AssertFunction(made)
	return p, nil
}

// Evaluate implements [statechart.Program].
func (p *program) Evaluate(scope *statechart.Scope) (any, error) {
	if p.broken != nil {
		return nil, p.broken
	}
	if err := scope.Charge(1); err != nil {
		return nil, err
	}
	l := p.language
	l.mu.Lock()
	defer l.mu.Unlock()
	arguments := l.system(scope)
	for _, slot := range p.variables {
		arguments = append(arguments, toScript(l.engine, scope.Load(slot)))
	}
	result, err := p.function(goja.Undefined(), arguments...)
	if err != nil {
		return nil, err
	}
	return fromScript(result)
}

// system returns the values of the parameters that system names, in order.
func (l *Language) system(scope *statechart.Scope) []goja.Value {
	e := l.engine
	location := map[string]any{"location": "#_scxml_" + scope.Session()}
	return []goja.Value{
		l.event(scope),
		e.ToValue(scope.Session()),
		e.ToValue(l.Name),
		toScript(e, map[string]any{"http://www.w3.org/TR/scxml/#SCXMLEventProcessor": location, "scxml": location}),
		e.NewObject(),
		e.ToValue(func(id string) bool {
			path, known := l.States[id]
			return known && scope.Active(path)
		}),
		e.ToValue(scope.NextID),
		e.ToValue(func(name string, otherwise goja.Callable) (goja.Value, error) {
			given, _ := scope.Input().(map[string]any)
			if v, ok := given[name]; ok {
				return toScript(e, v), nil
			}
			return otherwise(goja.Undefined())
		}),
	}
}

// event is _event, unbound while the session starts (SCXML 5.10).
func (l *Language) event(s *statechart.Scope) goja.Value {
	e := s.Event()
	if e.Name == "" || e.Name == "detent.init" {
		return goja.Undefined()
	}
	kind := "internal"
	switch {
	case strings.HasPrefix(e.Name, "error."):
		kind = "platform"
	case s.Envelope() != (statechart.Envelope{}):
		kind = "external"
	}
	object := l.engine.NewObject()
	for _, field := range []struct {
		name  string
		value goja.Value
	}{
		{"name", l.engine.ToValue(e.Name)}, {"type", l.engine.ToValue(kind)},
		{"sendid", goja.Undefined()}, {"origin", goja.Undefined()},
		{"origintype", goja.Undefined()}, {"invokeid", goja.Undefined()},
		{"data", toScript(l.engine, e.Data)},
	} {
		// Set fails on read-only properties only, and a new object has none.
		_ = object.Set(field.name, field.value)
	}
	return object
}

package ecmascript

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/detent-run/detent/chartfile/scxml"
	"github.com/detent-run/detent/statechart"
)

// globalsName is the variable that keeps what scripts define beside the
// document's own variables.
const globalsName = "_globals"

// evaluator has an engine answer a request.
type evaluator interface {
	evaluate(r request) (response []byte, err error)
}

// language is the expressions, statements and locations of one document. It
// may be used concurrently.
type language struct {
	engine  evaluator
	details scxml.Details
	ids     []string // of the document's states, sorted

	mu     sync.Mutex
	latest *variables // of the last compiled source
}

// variables are those that code at one place can see.
type variables struct {
	names   []string
	slots   map[string]statechart.Slot
	globals statechart.Slot
	keeps   bool // globals is one
}

func newLanguage(engine evaluator, details scxml.Details) *language {
	return &language{engine: engine, details: details, ids: slices.Sorted(maps.Keys(details.States))}
}

// Version names the language and the document, which _name tells.
func (l *language) Version() string { return "ecmascript/1 " + strconv.Quote(l.details.Name) }

// Compile implements [statechart.Language].
func (l *language) Compile(source string, names statechart.Names) (statechart.Program, error) {
	k := anExpression
	if names.Guard() {
		k = aCondition
	}
	// Documents in the wild end expressions like statements.
	return l.compile(k, strings.TrimRight(source, "; \t\r\n"), names)
}

// CompileScript implements [statechart.ScriptLanguage].
func (l *language) CompileScript(source string, names statechart.Names) (statechart.Script, error) {
	return l.compile(aScript, source, names)
}

// CompileLocation implements [statechart.LocationLanguage].
func (l *language) CompileLocation(source string, names statechart.Names) (statechart.Location, error) {
	return l.compile(aLocation, source, names)
}

// Admit implements [statechart.WatchfulLanguage]: functions are made by the
// document alone, and so is what its scripts define.
func (l *language) Admit(variable string, value any) error {
	switch {
	case variable == globalsName:
		return fmt.Errorf("%s is the scripts' own", globalsName)
	case forged(value):
		return fmt.Errorf("an object with a field called %s cannot be kept", functionKey)
	}
	return nil
}

func (l *language) compile(k kind, source string, names statechart.Names) (*program, error) {
	r, err := l.ask(checkRequest(k, source))
	if err != nil {
		return nil, err
	}
	if r.Error != "" {
		return nil, fmt.Errorf("not ECMAScript: %s", strings.TrimPrefix(r.Error, "SyntaxError: "))
	}
	p := &program{language: l, kind: k, source: source, visible: l.variables(names)}
	p.mentions.names = map[string]bool{}
	p.mentions.add(source)
	p.calm = (k == anExpression || k == aCondition) && calm(source)
	return p, nil
}

// variables returns those that names knows. All code of an SCXML document
// sees the same ones, so they are kept once.
func (l *language) variables(names statechart.Names) *variables {
	v := &variables{names: names.Visible(), slots: map[string]statechart.Slot{}}
	for _, name := range v.names {
		v.slots[name], _ = names.Variable(name)
	}
	v.globals, v.keeps = names.Variable(globalsName)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.latest == nil || !maps.Equal(l.latest.slots, v.slots) {
		l.latest = v
	}
	return l.latest
}

func (l *language) ask(asked request) (response, error) {
	var r response
	raw, err := l.engine.evaluate(asked)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return r, fmt.Errorf("the engine answers with no JSON: %w", err)
	}
	return r, nil
}

// program is compiled source text of any kind. It holds nothing that an
// evaluation changes.
type program struct {
	language *language
	kind     kind
	source   string
	visible  *variables
	mentions mentions // by the source
	calm     bool
}

// Fuel. One evaluation costs as much time as some hundred steps of the other
// languages. One that ran out of time has cost a thousand times more than any
// that did not; a few of them end the macrostep.
const (
	fuelEvaluation = 100
	fuelPerBytes   = 64
	fuelDeadline   = 250_000
)

// run has the engine answer for a scope. It returns besides which kept
// globals the code could see.
func (p *program) run(scope *statechart.Scope, value any) (r response, seen map[string]bool, err error) {
	c := collector{program: p, scope: scope}
	request, err := c.request(value)
	if err != nil {
		return r, nil, err
	}
	if err := scope.Charge(fuelEvaluation + int64(len(request.text))/fuelPerBytes); err != nil {
		return r, nil, err
	}
	r, err = p.language.ask(request)
	if errors.Is(err, errDeadline) {
		if spent := scope.Charge(fuelDeadline); spent != nil {
			return r, nil, spent
		}
	}
	if err == nil && r.Error != "" {
		err = errors.New(r.Error)
	}
	return r, c.globals, err
}

// Evaluate implements [statechart.Program].
func (p *program) Evaluate(scope *statechart.Scope) (any, error) {
	r, _, err := p.run(scope, nil)
	switch {
	case err != nil:
		return nil, err
	case p.kind == aCondition:
		return r.Condition, nil
	}
	if err := scope.Charge(int64(len(r.Value)) / fuelPerBytes); err != nil {
		return nil, err
	}
	return decode(r.Value)
}

// Run implements [statechart.Script].
func (p *program) Run(scope *statechart.Scope) error {
	r, seen, err := p.run(scope, nil)
	if err != nil {
		return err
	}
	return p.store(scope, r, seen)
}

// Assign implements [statechart.Location].
func (p *program) Assign(scope *statechart.Scope, value any) error {
	r, seen, err := p.run(scope, value)
	if err != nil {
		return err
	}
	return p.store(scope, r, seen)
}

// write is a value for a variable.
type write struct {
	slot  statechart.Slot
	value any
}

// store writes what a script or an assignment changed: all of it, or after an
// error of it nothing.
func (p *program) store(scope *statechart.Scope, r response, seen map[string]bool) error {
	writes, err := p.writes(scope, r, seen)
	if err != nil {
		return err
	}
	for i, w := range writes {
		before := scope.Load(w.slot)
		if err := scope.Store(w.slot, w.value); err != nil {
			for _, done := range slices.Backward(writes[:i]) {
				err = errors.Join(err, scope.Store(done.slot, done.value))
			}
			return err
		}
		writes[i].value = before
	}
	return nil
}

// writes lists what store writes.
func (p *program) writes(scope *statechart.Scope, r response, seen map[string]bool) (writes []write, err error) {
	globals, size := map[string]any{}, 0
	for _, part := range []map[string]json.RawMessage{r.Changed, r.Globals} {
		for _, name := range slices.Sorted(maps.Keys(part)) {
			v, err := decode(part[name])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			size += len(part[name])
			slot, declared := p.visible.slots[name]
			if !declared || name == globalsName {
				globals[name] = v
				continue
			}
			writes = append(writes, write{slot, v})
		}
	}
	if err := scope.Charge(int64(size) / fuelPerBytes); err != nil {
		return nil, err
	}
	switch {
	case r.Globals == nil:
		return writes, nil
	case !p.visible.keeps:
		return nil, fmt.Errorf("the chart has no variable %s to keep globals in", globalsName)
	}
	p.keepGlobals(scope, globals, seen)
	return append(writes, write{p.visible.globals, globals}), nil
}

// keepGlobals adds the globals that the code could not name: they were not
// sent and stay.
func (p *program) keepGlobals(scope *statechart.Scope, globals map[string]any, seen map[string]bool) {
	old, _ := scope.Load(p.visible.globals).(map[string]any)
	for name, v := range old {
		if !seen[name] {
			globals[name] = v
		}
	}
}

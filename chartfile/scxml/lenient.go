package scxml

import "github.com/detent-run/detent/statechart"

// failure names a source that does not compile.
type failure struct {
	kind sourceKind
	text string
}

// lenient wraps a language: what does not compile fails when it is executed,
// and is noted. It has the abilities of the language.
func lenient(l statechart.Language, failing map[failure]error) statechart.Language {
	if l == nil {
		return nil
	}
	base := lenientLanguage{l, failing}
	script, scripts := l.(statechart.ScriptLanguage)
	location, locations := l.(statechart.LocationLanguage)
	switch {
	case scripts && locations:
		return struct {
			lenientLanguage
			lenientScripts
			lenientLocations
		}{base, lenientScripts{script, failing}, lenientLocations{location, failing}}
	case scripts:
		return struct {
			lenientLanguage
			lenientScripts
		}{base, lenientScripts{script, failing}}
	case locations:
		return struct {
			lenientLanguage
			lenientLocations
		}{base, lenientLocations{location, failing}}
	}
	return base
}

type lenientLanguage struct {
	language statechart.Language
	failing  map[failure]error
}

func (l lenientLanguage) Version() string { return l.language.Version() }

func (l lenientLanguage) Compile(source string, names statechart.Names) (statechart.Program, error) {
	p, err := l.language.Compile(source, names)
	if err == nil {
		return p, nil
	}
	kind := isExpression
	if names.Guard() {
		kind = isCondition
	}
	l.failing[failure{kind, source}] = err
	return fails{err}, nil
}

// Admit asks the language, if it wants to be asked.
func (l lenientLanguage) Admit(variable string, value any) error {
	if w, able := l.language.(statechart.WatchfulLanguage); able {
		return w.Admit(variable, value)
	}
	return nil
}

type lenientScripts struct {
	language statechart.ScriptLanguage
	failing  map[failure]error
}

func (l lenientScripts) CompileScript(source string, names statechart.Names) (statechart.Script, error) {
	s, err := l.language.CompileScript(source, names)
	if err == nil {
		return s, nil
	}
	l.failing[failure{isScript, source}] = err
	return fails{err}, nil
}

type lenientLocations struct {
	language statechart.LocationLanguage
	failing  map[failure]error
}

func (l lenientLocations) CompileLocation(source string, names statechart.Names) (statechart.Location, error) {
	p, err := l.language.CompileLocation(source, names)
	if err == nil {
		return p, nil
	}
	l.failing[failure{isLocation, source}] = err
	return fails{err}, nil
}

// fails stands for a source that does not compile.
type fails struct{ err error }

func (f fails) Evaluate(*statechart.Scope) (any, error) { return nil, f.err }

func (f fails) Run(*statechart.Scope) error { return f.err }

func (f fails) Assign(*statechart.Scope, any) error { return f.err }

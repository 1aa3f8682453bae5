package statechart

import (
	"errors"
	"slices"
)

// A storer stores a value in a location of its chart.
type storer func(*Scope, any) error

// location compiles what a value is assigned to: a variable, or, in the
// scxml dialect, whatever else the language knows. There, a wrong one is an
// error when it is used (SCXML 5.9.3).
func (c *compiler) location(name string, state int32, place string, local []localName) (storer, bool) {
	target, ok := c.visible(state, name)
	if k := slices.IndexFunc(local, func(l localName) bool { return l.name == name }); k >= 0 {
		target, ok = variable{slot: local[k].slot}, c.chart.scxml
	}
	switch {
	case ok && !target.constant:
		slot := target.slot
		return func(s *Scope, v any) error { s.store(name, slot, v); return nil }, true
	case !c.chart.scxml:
		c.fail(CodeUnknownName, place, quote(name)+" is no variable that can be assigned here", nearest(c, name, c.namesAt(state)))
		return nil, false
	}
	language, able := c.registry.language.(LocationLanguage)
	if !able {
		return failing(&Error{Code: CodeUnknownName, Path: place, Message: quote(name) + " is no variable that can be assigned here"}), true
	}
	l, err := language.CompileLocation(name, Names{c, state, local, c.event, false})
	if err != nil {
		return failing(err), true
	}
	return func(s *Scope, v any) error {
		return s.writing(func() error { return l.Assign(s, v) })
	}, true
}

func failing(err error) storer { return func(*Scope, any) error { return err } }

// optionalLocation compiles a location where one is given.
func (c *compiler) optionalLocation(name string, state int32, place string, local []localName) storer {
	if name == "" {
		return nil
	}
	store, _ := c.location(name, state, place, local)
	return store
}

// writing runs what may write variables, within the bounds of the macrostep.
func (s *Scope) writing(f func() error) error {
	outer := s.writes
	s.writes = true
	err := f()
	s.writes = outer
	if err == nil && s.in.rare.broken != nil {
		return errBroken
	}
	return err
}

// script compiles a statement.
func (c *compiler) script(a *Action, state int32, place string, local []localName) func(*Scope) error {
	language, able := c.registry.language.(ScriptLanguage)
	if !able {
		c.fail(CodeNotAllowed, place+".script", "the language of the chart's expressions has no statements", "write it as assignments, or use a data model that has them")
		return nil
	}
	if len(a.Script) > maxScript {
		c.fail(CodeLimit, place+".script", "a script is too long", "split it")
		return nil
	}
	program, err := language.CompileScript(a.Script, Names{c, state, local, c.event, false})
	if err != nil {
		return func(*Scope) error { return err }
	}
	return func(s *Scope) error {
		if err := s.Charge(1); err != nil {
			return err
		}
		return s.writing(func() error { return program.Run(s) })
	}
}

// fail compiles an action that is an error.
func (c *compiler) failure(a *Action, _ int32, place string, _ []localName) func(*Scope) error {
	if len(a.Fail) > maxName || !validText(a.Fail) {
		c.fail(CodeInvalid, place+".fail", "the message of an error is text of at most 1,000 bytes", "")
	}
	err := errors.New(a.Fail)
	return func(*Scope) error { return err }
}

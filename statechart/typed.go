package statechart

import "unsafe"

// This file is the edge between typed contexts and the step. A chart is not
// generic: hosts, pictures and checks take any chart. The context is held as
// an untyped pointer whose type was checked once, when the instance started
// (contextType.pointer), and a registered function is called through a
// function type that differs from its own only in that pointer's type. This
// is the one use of unsafe in the package; docs/adr records what it saves.

// contextType knows how to handle contexts of one Go type.
type contextType struct {
	zero    any            // a nil *C, to compare types by
	is      func(any) bool // whether a value is a *C
	make    func() unsafe.Pointer
	pointer func(any) (unsafe.Pointer, bool)
	box     func(unsafe.Pointer) any
	// copy returns a copy that shares no memory which actions may write; it
	// may reuse into, an earlier copy.
	copy func(from, into unsafe.Pointer) unsafe.Pointer
	// assign sets *to to *from.
	assign func(to, from unsafe.Pointer)
}

// contextOf returns the description of C, the same for each call on one
// registry, and notes an error when the registry has another type already.
func contextOf[C any](r *Registry) {
	if r.context == nil {
		r.context = describe[C]()
		return
	}
	if _, same := r.context.zero.(*C); !same {
		r.errors = append(r.errors, &Error{Code: CodeContextType, Path: "registry",
			Message: "functions of two context types are registered", Hint: "one registry serves one context type"})
	}
}

func describe[C any]() *contextType {
	return &contextType{
		zero:    (*C)(nil),
		is:      func(v any) bool { _, ok := v.(*C); return ok },
		make:    func() unsafe.Pointer { return unsafe.Pointer(new(C)) },
		pointer: func(v any) (unsafe.Pointer, bool) { p, ok := v.(*C); return unsafe.Pointer(p), ok && p != nil },
		box:     func(p unsafe.Pointer) any { return (*C)(p) },
		copy: func(from, into unsafe.Pointer) unsafe.Pointer {
			c := (*C)(from)
			switch cl := any(c).(type) {
			case interface{ Clone() *C }:
				return unsafe.Pointer(cl.Clone())
			case interface{ Clone() C }:
				copied := cl.Clone()
				return unsafe.Pointer(&copied)
			}
			if into == nil {
				into = unsafe.Pointer(new(C))
			}
			*(*C)(into) = *c
			return into
		},
		assign: func(to, from unsafe.Pointer) { *(*C)(to) = *(*C)(from) },
	}
}

// Guard registers a guard on a typed context. C is one type in a registry:
// the type that instances are started with a pointer to.
func Guard[C any](r *Registry, name string, f func(*C, Event) bool) {
	contextOf[C](r)
	r.guards[r.fresh("guard", name, f == nil)] = guardFunc{quick: *(*func(unsafe.Pointer, Event) bool)(unsafe.Pointer(&f))}
}

// Assign registers an action that changes a typed context and does nothing
// else. A macrostep that is undone restores the context by value: slices and
// maps in it must be replaced, never written to, unless *C has a method Clone
// that copies them, and returns a *C or a C.
func Assign[C any](r *Registry, name string, f func(*C, Event)) {
	contextOf[C](r)
	r.actions[r.fresh("action", name, f == nil)] = actionFunc{quick: *(*func(unsafe.Pointer, Event))(unsafe.Pointer(&f))}
}

// Run registers an action that changes a typed context and may fail, raise
// events or read the scope. For undoing, the rule of [Assign] holds.
func Run[C any](r *Registry, name string, f func(*C, *Scope) error) {
	contextOf[C](r)
	if f == nil {
		r.Action(name, nil)
		return
	}
	r.Action(name, func(s *Scope) error { return f((*C)(s.in.ctx), s) })
}

// Compute registers a value computed from a typed context, for use as an
// [Expression] in a definition without an expression language: the input of
// a call, the payload of a send, a delay. What it returns must be JSON-like:
// null, booleans, numbers, text, and []any and map[string]any of these.
func Compute[C any](r *Registry, name string, f func(*C, Event) any) {
	contextOf[C](r)
	if f == nil {
		r.Value(name, nil)
		return
	}
	r.Value(name, func(s *Scope) (any, error) { return f((*C)(s.in.ctx), s.Event()), nil })
}

package ecmascript

import (
	_ "embed"
	"errors"
	"fmt"
	"sync"

	"modernc.org/quickjs"
)

// harnessSource evaluates to a function that answers one request.
//
//go:embed harness.js
var harnessSource string

// harness is harnessSource compiled, which loads faster.
var harness = sync.OnceValues(func() ([]byte, error) {
	vm, err := quickjs.NewVM()
	if err != nil {
		return nil, err
	}
	defer vm.Close()
	return vm.Compile(harnessSource, quickjs.EvalGlobal)
})

// engines answer requests. Nothing that one evaluation does to the built-in
// objects is seen by another: an engine is used again only for requests that
// leave it as it was.
type engines struct {
	limits Limits // Time 0: none

	mu     sync.Mutex
	idle   []*engine
	closed bool
}

// most is how many engines are kept for later.
const most = 4

// engine is one that has loaded the harness.
type engine struct {
	vm     *quickjs.VM
	answer quickjs.Value
	uses   int
}

// maxUses bounds what an engine gathers over time, such as names.
const maxUses = 2000

// answer has an engine answer a request. The limits hold for interpreted
// code; a single call of a built-in function can run past the time.
func (s *engines) answer(r request) (out []byte, err error) {
	again := r.sort != evaluateOnce
	e, err := s.take(again)
	if err != nil {
		return nil, err
	}
	// A panic says that the engine is broken: closing it would touch what is.
	defer func() {
		if p := recover(); p != nil {
			out, err = nil, fmt.Errorf("the engine broke down: %v", p)
			return
		}
		s.give(e, again && err == nil)
	}()
	if r.sort != evaluateAgain && r.sort != evaluateOnce {
		return e.check(r.sort, string(r.text))
	}
	return e.evaluate(string(r.text))
}

// evaluate has the harness answer.
func (e *engine) evaluate(text string) ([]byte, error) {
	answer, err := e.answer.Call(quickjs.UndefinedValue, text)
	if err != nil {
		return nil, engineError(err)
	}
	out, ok := answer.(string)
	if !ok {
		return nil, fmt.Errorf("the engine answers with a %T", answer)
	}
	return []byte(out), nil
}

// take gives an engine, a new one unless a used one will do.
func (s *engines) take(used bool) (*engine, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch last := len(s.idle) - 1; {
	case s.closed:
		return nil, errClosed
	case used && last >= 0:
		e := s.idle[last]
		s.idle = s.idle[:last]
		return e, nil
	}
	return newEngine(s.limits)
}

// give keeps the engine if it can be used again.
func (s *engines) give(e *engine, again bool) {
	e.uses++
	s.mu.Lock()
	again = again && !s.closed && e.uses < maxUses && len(s.idle) < most
	if again {
		s.idle = append(s.idle, e)
	}
	s.mu.Unlock()
	if !again {
		e.close()
	}
}

// close ends the engines that are idle; those at work end when they are done.
func (s *engines) close() {
	s.mu.Lock()
	idle := s.idle
	s.idle, s.closed = nil, true
	s.mu.Unlock()
	for _, e := range idle {
		e.close()
	}
}

func newEngine(limits Limits) (*engine, error) {
	code, err := harness()
	if err != nil {
		return nil, fmt.Errorf("load the harness: %w", err)
	}
	vm, err := quickjs.NewVM()
	if err != nil {
		return nil, fmt.Errorf("start the engine: %w", err)
	}
	vm.SetMemoryLimit(uintptr(limits.Memory))
	answer, err := vm.EvalBytecodeValue(code)
	if err == nil {
		err = vm.SetEvalTimeout(limits.Time)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start the engine: %w", err), vm.Close())
	}
	return &engine{vm: vm, answer: answer}, nil
}

// close frees the engine. Nothing can be done about an error, and none
// matters: the engine is not used again.
func (e *engine) close() {
	e.answer.Free()
	_ = e.vm.Close()
}

// engineError tells what the harness cannot catch from the rest.
func engineError(err error) error {
	var js *quickjs.Error
	if errors.As(err, &js) && js.Name == "InternalError" && js.Message == "interrupted" {
		return errDeadline
	}
	return err
}

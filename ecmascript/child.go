package ecmascript

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"

	"github.com/detent-run/detent/internal/sandbox"
)

// childName is what [Main] and its child processes know each other by, and
// memoryVariable tells a child how much its engine may use.
const (
	childName      = "ecmascript"
	memoryVariable = "DETENT_ECMASCRIPT_MEMORY"
)

// Errors that are told apart.
var (
	errDeadline = errors.New("the code ran longer than it may")
	errMemory   = errors.New("the code needs more memory than it may use")
	errLarge    = errors.New("what the code can name is too large together; name less, or keep less")
	errClosed   = errors.New("the ECMAScript data model was closed")
	errNoMain   = errors.New("code that is not trusted runs in a child process, and this program did not call ecmascript.Main first thing in its main; call it there, or trust the document")
)

// Main makes the running program able to run code that is not trusted: in
// child processes that are this program, started once more. Call it first
// thing in main, before flags are read or files opened, and in TestMain. In a
// child it never returns; in any other process it returns at once.
func Main() { sandbox.Main(childName, serve) }

// serve answers one request in a child. Its time is bounded from outside.
func serve(message []byte) []byte {
	e, err := served()
	if err == nil {
		var text []byte
		if text, err = e.answer(requestOf(message)); err == nil {
			return text
		}
	}
	text, _ := json.Marshal(response{Error: err.Error()}) // text alone
	return text
}

// served are the engines of a child.
var served = sync.OnceValues(func() (*engines, error) {
	memory, err := strconv.ParseInt(os.Getenv(memoryVariable), 10, 64)
	return &engines{limits: Limits{Memory: memory}}, err
})

// children is the child processes of a data model.
type children struct {
	mu     sync.Mutex
	turns  chan struct{} // a token for each child that may be at work
	idle   []*sandbox.Child
	closed bool
}

// defaultChildren is enough that one document that hangs holds up no other.
const defaultChildren = 2

// evaluate has a child answer a request.
func (e *children) evaluate(m *DataModel, r request) ([]byte, error) {
	child, err := e.take(m)
	if err != nil {
		return nil, err
	}
	defer e.give(child)
	out, err := child.Do(context.Background(), r.message())
	switch {
	case errors.Is(err, sandbox.ErrDeadline):
		return nil, errDeadline
	case errors.Is(err, sandbox.ErrMemory):
		return nil, errMemory
	case errors.Is(err, sandbox.ErrNoMain):
		return nil, errNoMain
	case err != nil:
		return nil, fmt.Errorf("the engine's child process: %w", err)
	}
	return out, nil
}

// take gives a child that is idle; the one used last is likely to run.
func (e *children) take(m *DataModel) (*sandbox.Child, error) {
	e.mu.Lock()
	if e.turns == nil {
		e.turns = make(chan struct{}, max(1, cmp.Or(m.Children, defaultChildren)))
	}
	turns := e.turns
	e.mu.Unlock()
	turns <- struct{}{}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		<-turns
		return nil, errClosed
	}
	if last := len(e.idle) - 1; last >= 0 {
		child := e.idle[last]
		e.idle = e.idle[:last]
		return child, nil
	}
	return newChild(m), nil
}

func newChild(m *DataModel) *sandbox.Child {
	limits := m.Limits.withDefaults()
	const beside = 64 << 20 // what the program around the engine needs
	return sandbox.New(sandbox.Config{
		Name:    childName,
		Command: m.Command,
		Env:     []string{memoryVariable + "=" + strconv.FormatInt(limits.Memory, 10)},
		Limits:  sandbox.Limits{Deadline: limits.Time, Data: limits.Memory + beside, Request: maxMessage + 1},
	})
}

// give puts a child back, or ends it if the data model was closed meanwhile.
func (e *children) give(child *sandbox.Child) {
	e.mu.Lock()
	closed := e.closed
	if !closed {
		e.idle = append(e.idle, child)
	}
	e.mu.Unlock()
	if closed {
		_ = child.Close()
	}
	<-e.turns
}

func (e *children) close() error {
	e.mu.Lock()
	idle := e.idle
	e.idle, e.closed = nil, true
	e.mu.Unlock()
	var err error
	for _, child := range idle {
		err = errors.Join(err, child.Close())
	}
	return err
}

package ecmascript

import (
	"cmp"
	"sync"
	"time"

	"github.com/detent-run/detent/chartfile/scxml"
	"github.com/detent-run/detent/statechart"
)

// DataModel is the data model "ecmascript" of SCXML documents, for
// [scxml.Options]. Set its fields before the first use; after that it may
// serve any number of documents and sessions concurrently, until Close.
type DataModel struct {
	// Trusted runs the code of documents in this process, which is faster.
	// Limits then stop what is interpreted, but not a single call of a
	// built-in function, which can take the processor for minutes or the
	// memory of the process: set it for documents alone that you would also
	// run as a program. Without it the code runs in child processes, for which
	// the program must call [Main] first.
	Trusted bool
	// Limits bound each evaluation.
	Limits Limits
	// Children is how many child processes there are at most; they start when
	// they are needed. Default: 2. Not used with Trusted.
	Children int
	// Command is the program of the child processes and its arguments. It must
	// call [Main]. Empty: the running program. Not used with Trusted.
	Command []string

	pool children
	once sync.Once
	own  engines
}

// Limits bound one evaluation. A field that is not positive has the default that it
// names. What passes a bound is an error.execution in the session, which goes
// on.
type Limits struct {
	// Time is how long an evaluation may take. Default: 1 s.
	Time time.Duration
	// Memory is how much memory the engine may use, in bytes. Default: 64 MiB.
	Memory int64
}

var _ scxml.DataModel = (*DataModel)(nil)

func (l Limits) withDefaults() Limits {
	l.Time = cmp.Or(max(l.Time, 0), time.Second)
	l.Memory = cmp.Or(max(l.Memory, 0), 64<<20)
	return l
}

// Language implements [scxml.DataModel].
func (m *DataModel) Language(d scxml.Details) statechart.Language {
	return newLanguage(m, d)
}

// Globals implements [scxml.DataModel].
func (m *DataModel) Globals() []string { return []string{globalsName} }

// Close ends the child processes. Evaluations after it are errors. A program
// that ends without it leaves none behind either.
func (m *DataModel) Close() error {
	m.own.close()
	return m.pool.close()
}

// evaluate has an engine answer a request.
func (m *DataModel) evaluate(r request) ([]byte, error) {
	if len(r.text) > maxMessage {
		return nil, errLarge
	}
	if !m.Trusted {
		return m.pool.evaluate(m, r)
	}
	m.once.Do(func() { m.own.limits = m.Limits.withDefaults() })
	return m.own.answer(r)
}

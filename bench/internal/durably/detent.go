package durably

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/sqlite"
)

// turns is the chart of the measured sessions: a guarded pair of states, and
// data that each event changes.
const turns = `
id: turns
context: {turn: 0, note: ""}
initial: there
states:
  there:
    on:
      go: {target: back, guard: "turn >= 0", actions: [{assign: {turn: "${ turn + 1 }", note: "${ event.text }"}}]}
  back:
    on:
      go: {target: there, guard: "turn >= 0", actions: [{assign: {turn: "${ turn + 1 }", note: "${ event.text }"}}]}
`

func sessionID(n int) string { return fmt.Sprintf("session-%06d", n) }

// Engine is Detent's engine on SQLite, as both come.
type Engine struct {
	engine *durable.Engine
	store  *noting
	sent   []int
}

// NewEngine opens an engine on a new file and starts the sessions.
func NewEngine(directory string, sessions int) (*Engine, error) {
	chart, err := chartfile.Load("turns.yaml", []byte(turns), nil)
	if err != nil {
		return nil, err
	}
	file, err := sqlite.Open(filepath.Join(directory, "engine.db"), sqlite.Options{})
	if err != nil {
		return nil, err
	}
	store := &noting{Store: file}
	engine, err := durable.Open(context.Background(), store, durable.Config{Charts: durable.NewCharts(chart)})
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	e := &Engine{engine: engine, store: store, sent: make([]int, sessions)}
	for n := range sessions {
		if _, err := engine.Start(context.Background(), durable.Start{ID: sessionID(n), Chart: "turns", User: "ann"}); err != nil {
			return nil, errors.Join(err, e.Close())
		}
	}
	return e, nil
}

// payload is what an event carries.
var payload = map[string]any{"text": "the caller asks for an instalment plan"}

// Send sends one event under an id of its own and waits until it is committed.
func (e *Engine) Send(session int) error {
	e.sent[session]++
	a, err := e.engine.Send(context.Background(), durable.Event{Session: sessionID(session), Name: "go", ID: strconv.Itoa(e.sent[session]), Data: payload})
	if err == nil && (a.Outcome != statechart.Taken || a.Duplicate) {
		err = fmt.Errorf("the event was %s: %v", a.Outcome, a.Reason)
	}
	return err
}

// Syncs is how many transactions were committed so far.
func (e *Engine) Syncs() int64 { return e.store.commits.Load() }

// Close ends the engine and its store.
func (e *Engine) Close() error { return errors.Join(e.engine.Close(), e.store.Close()) }

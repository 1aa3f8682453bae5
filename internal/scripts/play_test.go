package scripts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/internal/sim"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/memory"
	"github.com/detent-run/detent/store/sqlite"
)

// budget is how many steps of goroutines one step of a script may take.
const budget = 100_000

// player plays scripts on the engine, in a world where only the script lets
// time pass. It has two stores and moves between them.
type player struct {
	world   *sim.World
	runtime durable.Runtime // of this life
	chart   *statechart.Chart
	stores  []durable.Store
	at      int
	engine  *durable.Engine
	session string
	moved   int
}

// kinds are the stores to play on, and to move to.
var kinds = map[string]func(testing.TB) []durable.Store{
	"memory": func(testing.TB) []durable.Store { return []durable.Store{memory.New(), memory.New()} },
	"sqlite": func(t testing.TB) []durable.Store { return []durable.Store{file(t), memory.New()} },
}

func file(t testing.TB) durable.Store {
	s, err := sqlite.Open(filepath.Join(t.TempDir(), "detent.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func newPlayer(c *statechart.Chart, stores []durable.Store) *player {
	p := &player{world: sim.New(1), chart: c, stores: stores, session: "first"}
	p.runtime = p.world.Runtime()
	return p
}

func (p *player) start() error {
	if err := p.open(); err != nil {
		return err
	}
	return p.ask(func(ctx context.Context) error {
		_, err := p.engine.Start(ctx, durable.Start{ID: p.session, Chart: "script"})
		return err
	})
}

// ask runs f as a client, and then lets everything be done that needs no time.
func (p *player) ask(f func(context.Context) error) error {
	var err error
	done := p.world.Start("client", func() { err = f(context.Background()) })
	if stuck := p.world.Pass(0, budget); stuck != nil {
		return stuck
	}
	if !done() {
		return errors.New("the call does not return")
	}
	return err
}

func (p *player) open() error {
	p.runtime = p.world.Runtime()
	return p.ask(func(ctx context.Context) (err error) {
		p.engine, err = durable.Open(ctx, p.stores[p.at], durable.Config{Runtime: p.runtime, Charts: durable.NewCharts(p.chart), Turn: 1000, Resident: 1, Full: 7,
			Doors: 1 << 40, Performers: host.Table{"tool:any": {Performer: host.PerformerFunc(p.perform)}}})
		return err
	})
}

// perform takes the time that the input says and gives what it says.
func (p *player) perform(ctx context.Context, c host.Call) host.Outcome {
	input := c.Input.(map[string]any)
	if err := p.world.Sleep(ctx, input["after"].(int64)); err != nil {
		return host.Unknown("cut", "")
	}
	return outcome(input)
}

// close ends the life of the engine: at once, as a kill would.
func (p *player) close() { p.world.Crash() }

// do plays one step and says what the caller was told.
func (p *player) do(o op) (string, error) {
	told := answered
	var err error
	switch o.Kind {
	case "send":
		err = p.ask(func(ctx context.Context) error {
			a, err := p.engine.Send(ctx, durable.Event{Session: p.session, Name: o.Name, ID: o.ID, Data: map[string]any{"k": o.K}})
			switch {
			case a.Duplicate:
				told = duplicate
			case a.Queued:
				told = queued
			}
			return err
		})
	case "pass":
		err = p.world.Pass(o.Ms, budget)
	case "restart":
		p.close()
		if err = p.world.Pass(o.Ms, budget); err == nil {
			err = p.reopen()
		}
	case "suspend":
		s := durable.Suspension{Reason: "script", By: "script"}
		if o.Ms > 0 {
			s.WakeAt = p.now() + o.Ms
		}
		err = p.ask(func(ctx context.Context) error { return p.engine.Suspend(ctx, p.session, s) })
	case "resume":
		err = p.ask(func(ctx context.Context) error { return p.engine.Resume(ctx, p.session, "script") })
	case "cancel":
		err = p.ask(func(ctx context.Context) error { return p.engine.Cancel(ctx, p.session, "script") })
	case "move":
		err = p.move()
	}
	var known *statechart.Error
	if errors.As(err, &known) && (known.Code == durable.CodeConflict || known.Code == durable.CodeStatus) {
		return string(known.Code), nil
	}
	return told, err
}

func (p *player) now() int64 { return p.runtime.Now() }

func (p *player) reopen() error {
	if s, ok := p.stores[p.at].(*memory.Store); ok {
		s.Close() // gives up ownership and keeps what it has
	} else if err := p.reopenFile(); err != nil {
		return err
	}
	return p.open()
}

// reopenFile opens the file again, as a new process would.
func (p *player) reopenFile() error {
	old := p.stores[p.at].(*sqlite.Store)
	path := old.Path()
	if err := old.Close(); err != nil {
		return err
	}
	s, err := sqlite.Open(path, sqlite.Options{})
	p.stores[p.at] = s
	return err
}

// move exports the session and imports it on the other store.
func (p *player) move() error {
	var document []byte
	if err := p.ask(func(ctx context.Context) (err error) {
		document, err = p.engine.Export(ctx, p.session)
		return err
	}); err != nil {
		return err
	}
	p.close()
	p.at = 1 - p.at
	if err := p.reopen(); err != nil {
		return err
	}
	p.moved++
	p.session = fmt.Sprint("moved", p.moved)
	return p.ask(func(ctx context.Context) error {
		_, err := p.engine.Import(ctx, document, durable.ImportOptions{ID: p.session, By: "script"})
		return err
	})
}

// rows are what the engine has written of the session, as [plain] tells them,
// but for what it notes about calls outside of steps.
func (p *player) rows() (out []string, err error) {
	err = p.ask(func(ctx context.Context) error {
		if v, err := p.engine.Verify(ctx, p.session); err != nil || len(v.Problems) > 0 {
			return errors.Join(err, fmt.Errorf("verify: %v", v.Problems))
		}
		rows, err := p.engine.History(ctx, p.session, 1, 100_000)
		for _, r := range rows {
			if !slices.Contains([]string{"detent.late", "detent.outcome"}, r.Event) {
				out = append(out, plain(r))
			}
		}
		return err
	})
	return out, err
}

// state is the session's as an export holds it, with its status and its calls.
func (p *player) state() (state, status string, calls []string, err error) {
	err = p.ask(func(ctx context.Context) error {
		document, err := p.engine.Export(ctx, p.session)
		if err != nil {
			return err
		}
		var x struct {
			State  json.RawMessage
			Status string
		}
		if err := json.Unmarshal(document, &x); err != nil {
			return err
		}
		state, status = string(x.State), x.Status
		v, err := p.engine.Get(ctx, p.session)
		for _, f := range v.Effects {
			calls = append(calls, f.Key[:6]+" "+f.Stands)
		}
		slices.Sort(calls)
		return err
	})
	return state, status, calls, err
}

// leave ends the engine and closes the stores.
func (p *player) leave() error {
	p.close()
	return errors.Join(p.stores[0].Close(), p.stores[1].Close())
}

package cli

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/sqlite"
)

// Commands ask three things of a store's sessions: of the engine that owns it,
// or through it of the one that does.
type (
	// reading needs no owner.
	reading interface {
		Get(ctx context.Context, session string) (durable.View, error)
		List(context.Context, durable.Filter) ([]durable.Head, error)
		History(ctx context.Context, session string, from uint64, limit int) ([]host.Record, error)
		Pending(ctx context.Context, session string) ([]durable.PendingView, error)
		Export(ctx context.Context, session string) ([]byte, error)
		Verify(ctx context.Context, session string) (durable.Verification, error)
	}
	// driving changes sessions.
	driving interface {
		Start(context.Context, durable.Start) (durable.Answer, error)
		Send(context.Context, durable.Event) (durable.Answer, error)
		Suspend(ctx context.Context, session string, s durable.Suspension) error
		Resume(ctx context.Context, session, by string) error
		Cancel(ctx context.Context, session, by string) error
		Retry(ctx context.Context, session, by string) error
		Delete(ctx context.Context, session, by string) error
	}
	// deciding is what people say of calls.
	deciding interface {
		Answer(ctx context.Context, session, id string, r durable.Reply) error
		Settle(ctx context.Context, session, effect string, s durable.Settlement) error
	}
)

// home is an opened store with whoever answers for its sessions.
type home struct {
	reading
	driving
	deciding
	*ownership // nil where a store is only read
	store      *sqlite.Store
	setup      *setup
	slow       func() // says that an end takes long
}

// location says which store a command works on, and how its calls are made.
type location struct {
	db, config string
	named      bool                           // the deployment file names the store
	given      func() bool                    // --db was typed, and goes before that
	hold       func(session, src string) bool // which calls are not started
}

// defaultStore is the file of a store that nobody names.
const defaultStore = "detent.db"

// flags are those of every command that works on a store.
func (p *location) flags(c *cobra.Command) {
	c.Flags().StringVar(&p.db, "db", defaultStore, "the store's `FILE`; else the one that the deployment file names")
	c.Flags().StringVar(&p.config, "config", "", "the deployment `FILE`; else detent.yaml beside the chart, then here")
	p.given = func() bool { return c.Flags().Changed("db") }
}

// ours opens the store as its owner, or as a visitor of the owner. The store
// and the deployment that were found are put into p. A store that is not there
// is made only if make says so.
func (a *app) ours(ctx context.Context, p *location, charts durable.Charts, chartName string, make bool) (*home, error) {
	setup, bad := a.setUp(p, chartName)
	if bad != nil {
		return nil, bad
	}
	if bad := a.readable(p.db, make); bad != nil {
		setup.close()
		return nil, bad
	}
	store, err := sqlite.Open(p.db, sqlite.Options{MaxPages: a.env.StorePages})
	if err != nil {
		setup.close()
		return nil, told(err)
	}
	o, err := own(ctx, store, durable.Config{Charts: charts, Performers: setup.performers, Deployment: setup.digest, Log: setup.log,
		Calls: setup.calls, EventBytes: setup.eventBytes, Hold: p.hold})
	slow := func() { a.say("%s", a.warnings.faint("waits for calls that run; Ctrl-C cuts them off")) }
	if err == nil {
		return &home{o.engine, o.engine, o.engine, o, store, setup, slow}, nil
	}
	if errors.Is(err, durable.ErrOwned) {
		visitor, visitErr := durable.Visit(store, durable.VisitConfig{Charts: charts, Deployment: setup.digest})
		if err = visitErr; err == nil {
			o.standBy(func() {
				a.say("%s", a.warnings.faint("the process that owned the store has ended; this one carries its sessions now"))
			})
			return &home{visitor, visitor, visitor, o, store, setup, slow}, nil
		}
	}
	setup.close()
	store.Close()
	return nil, told(err)
}

// A command that opens the store for a moment does not start outside calls: it
// would cut them off when it ends. Questions to people are only written down.
func holdCalls(_, src string) bool { return !strings.HasPrefix(src, "human:") }

// holdOthers is for a command that waits for one session and its children.
func holdOthers(id string) func(session, src string) bool {
	return func(session, src string) bool {
		return session != id && !strings.HasPrefix(session, id+"/") && holdCalls(session, src)
	}
}

// theirs opens the store to read it. Of a deployment file it takes only where
// the store is, and no secret is looked up.
func (a *app) theirs(p *location) (*home, error) {
	if bad := a.find(p); bad != nil {
		return nil, bad
	}
	if bad := a.readable(p.db, false); bad != nil {
		return nil, bad
	}
	store, err := sqlite.Open(p.db, sqlite.Options{})
	if err != nil {
		return nil, told(err)
	}
	visitor, err := durable.Visit(store, durable.VisitConfig{Charts: a.fileCharts("", nil, nil)})
	if err != nil {
		store.Close()
		return nil, told(err)
	}
	return &home{visitor, visitor, visitor, nil, store, &setup{close: func() {}}, nil}, nil
}

// readable says that a store which is only read or asked is not there.
func (a *app) readable(name string, make bool) *problem {
	if name == "" {
		return usage("--db needs the name of a file", "leave it out for detent.db")
	}
	if _, err := os.Stat(name); make || err == nil {
		return nil
	}
	return failure("there is no store "+plain(name), "detent run makes one; --db says where it is")
}

func (h *home) close() {
	if h.ownership != nil {
		h.end(h.slow)
	}
	h.store.Close()
	h.setup.close()
}

// told puts an error of the engine into a problem.
func told(err error) error {
	var e *statechart.Error
	var p *problem
	var code exit
	switch {
	case err == nil || errors.As(err, &p) || errors.As(err, &code):
		return err
	case !errors.As(err, &e):
		return raw(err)
	}
	out := failure(e.Message+" ["+string(e.Code)+"]", e.Hint)
	switch e.Code {
	case durable.CodeNoSession, durable.CodeStatus, durable.CodeSessionExists, durable.CodeConflict, durable.CodeAnswer, durable.CodeNoEffect,
		durable.CodeOverload, durable.CodeFull, durable.CodeNotRepeatable, statechart.CodeInput, statechart.CodeStart:
		out.exit = exitNotTaken
	}
	if e.Code == durable.CodeNoChart {
		out.hint = chartBack
	}
	if out.hint == "" {
		out.hint = "detent explain " + string(e.Code) + " says more"
	}
	return out
}

// chartBack is how the chart of a session that is gone comes back.
const chartBack = "detent run with the chart's file, in this store, brings the chart back; then detent resume goes on with the session"

// raw is a problem of an error that comes from a store as it is.
func raw(err error) *problem {
	for _, k := range []struct {
		is   error
		code statechart.Code
		hint string
	}{
		{durable.ErrFull, durable.CodeFull, "free some space and try again; nothing was changed"},
		{durable.ErrDamaged, durable.CodeDamaged, "detent doctor says what; restore a backup"},
		{durable.ErrBroken, durable.CodeStoreFailed, "look at the disk, then start again: what was acknowledged is there"},
		{durable.ErrOwned, durable.CodeOwned, "end the process that owns the store, or try again"},
		{durable.ErrFenced, durable.CodeOwned, "another process owns the store now; this one must not go on"},
	} {
		if errors.Is(err, k.is) {
			return failure(err.Error()+" ["+string(k.code)+"]", k.hint)
		}
	}
	return failure(err.Error(), "detent doctor looks at the store")
}

// fileCharts finds charts in files: the one that a command names, those
// beside it by their ids, and those that the store keeps.
type fileCharts struct {
	app    *app
	folder string
	main   *statechart.Chart
	source []byte
}

// chartSource is how a chart is kept in a store: its file.
type chartSource struct {
	Name   string `json:"name"`
	Format string `json:"format"`
	Text   string `json:"text"`
}

func (a *app) fileCharts(name string, main *statechart.Chart, source []byte) *fileCharts {
	return &fileCharts{app: a, folder: filepath.Dir(name), main: main, source: source}
}

// Chart is that of [durable.Charts].
func (f *fileCharts) Chart(id string) (*statechart.Chart, []byte, bool) {
	if f.main != nil && (id == f.main.Definition().ID || id == f.main.Digest()) {
		return f.main, f.source, true
	}
	if f.main == nil || strings.ContainsAny(id, `/\`) {
		return nil, nil, false
	}
	for _, extension := range chartExtensions {
		name := filepath.Join(f.folder, id+extension)
		data, err := f.app.env.ReadFile(name)
		if err != nil {
			continue
		}
		chart, source, err := f.app.compileSource(&source{name: name, data: data})
		if err == nil && chart.Definition().ID == id {
			return chart, source, true
		}
	}
	return nil, nil, false
}

// Read is that of [durable.Charts].
func (f *fileCharts) Read(_ string, kept []byte) (*statechart.Chart, error) {
	var s chartSource
	if err := host.Decode(kept, &s); err != nil {
		return nil, &statechart.Error{Code: durable.CodeNoChart, Message: "the stored chart cannot be read: " + err.Error(), Hint: "use the version of detent that wrote it"}
	}
	sub := *f.app
	sub.from = s.Format
	chart, _, err := sub.compileSource(&source{name: s.Name, data: []byte(s.Text)})
	return chart, err
}

// compileSource compiles a chart and gives the form in which it is kept.
func (a *app) compileSource(s *source) (*statechart.Chart, []byte, error) {
	l, found, p := a.load(s)
	if p != nil {
		return nil, nil, p
	}
	var chart *statechart.Chart
	if l != nil && !found.Errors() {
		chart, found = l.compile(nil)
	}
	if chart == nil {
		showDiagnostics(a.err, a.warnings, s.data, found)
		return nil, nil, failure(shownName(s.name)+" is no chart that can run", "detent check "+plain(s.name)+" says what is wrong")
	}
	format, _ := a.formatOf(s)
	kept, err := json.Marshal(chartSource{Name: s.name, Format: format, Text: string(s.data)})
	return chart, kept, err
}

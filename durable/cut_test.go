package durable_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/internal/sim"
	"github.com/detent-run/detent/store/memory"
	"github.com/detent-run/detent/store/sqlite"
)

// disk is what outlives an engine: open gives the store of one life.
type disk struct {
	name string
	open func() durable.Store
}

func inMemory() disk {
	kept := memory.New()
	return disk{"memory", func() durable.Store { return kept }}
}

func onDisk(t testing.TB) disk {
	folder := t.TempDir()
	if ram, err := os.MkdirTemp("/dev/shm", "detent"); err == nil { // what a sync costs is not the question here
		folder = ram
		t.Cleanup(func() { os.RemoveAll(ram) })
	}
	path := filepath.Join(folder, "detent.db")
	return disk{"SQLite", func() durable.Store {
		s, err := sqlite.Open(path, sqlite.Options{Readers: 1})
		must(t, err)
		return s
	}}
}

// cut says where a life ends: at its n-th commit (0: never), before the store
// has seen it, or when it is stored and nobody was told; or before its n-th
// call of any kind.
type cut struct {
	commit int
	before bool
	call   int
}

// committed is what was seen of one commit.
type committed struct {
	to      []string // where the rows in it lead
	running int      // the attempts that may run once it is stored
}

// cutting is the store of one life. It cuts the power at its place.
type cutting struct {
	durable.Store
	world *sim.World
	ctx   context.Context // of the client, who survives the cut
	cut   cut
	seen  []committed
	calls int
	over  bool // the power is cut
	// claimed are the attempts that are on record, running those without an
	// end, by key.
	claimed map[attempt]bool
	running map[string]bool
}

type attempt struct {
	key    string
	number int
}

// asked counts a call of the store, and cuts the power at its place.
func (c *cutting) asked() {
	if c.calls++; c.calls == c.cut.call {
		c.stop()
	}
}

func (c *cutting) Acquire(ctx context.Context) (durable.Lease, error) {
	lease, err := c.Store.Acquire(ctx)
	c.asked() // it has the store: what follows is its own
	return lease, err
}

func (c *cutting) Load(ctx context.Context, q durable.LoadQuery) (*durable.Stored, error) {
	c.asked()
	return c.Store.Load(ctx, q)
}

func (c *cutting) Due(ctx context.Context, through int64, limit int) ([]durable.Due, error) {
	c.asked()
	return c.Store.Due(ctx, through, limit)
}

func (c *cutting) Select(ctx context.Context, f durable.Filter) ([]durable.Head, error) {
	c.asked()
	return c.Store.Select(ctx, f)
}

func (c *cutting) Journal(ctx context.Context, session string, from uint64, limit int) ([]durable.JournalRow, error) {
	c.asked()
	return c.Store.Journal(ctx, session, from, limit)
}

func (c *cutting) Records(ctx context.Context, q durable.RecordQuery) ([]durable.Record, error) {
	c.asked()
	return c.Store.Records(ctx, q)
}

func (c *cutting) Commit(ctx context.Context, x durable.Commit) error {
	c.asked()
	s, claims, err := c.read(x)
	if err != nil {
		return err
	}
	c.seen = append(c.seen, s)
	here := len(c.seen) == c.cut.commit
	if here && c.cut.before {
		c.stop()
	}
	if err := c.Store.Commit(ctx, x); err != nil {
		return err
	}
	for _, a := range claims {
		c.claimed[a] = true
	}
	if here {
		c.stop()
	}
	return nil
}

// read tells what a commit holds, and the attempts that it puts on record.
func (c *cutting) read(x durable.Commit) (s committed, claims []attempt, err error) {
	for _, change := range x.Changes {
		for _, r := range change.Journal {
			row, err := host.DecodeRecord(r.Body)
			if err != nil {
				return s, nil, err
			}
			s.to = append(s.to, row.To...)
		}
		for _, f := range change.Effects {
			var row struct {
				Stands  string
				Attempt int
			}
			if err := json.Unmarshal(f.Body, &row); err != nil {
				return s, nil, err
			}
			delete(c.running, f.Key)
			if row.Stands == "claimed" {
				c.running[f.Key] = true
				claims = append(claims, attempt{f.Key, row.Attempt})
			}
		}
	}
	s.running = len(c.running)
	return s, claims, nil
}

// stop lets nothing happen any more that needs a commit.
func (c *cutting) stop() {
	c.over = true
	_ = c.world.Sleep(c.ctx, 1<<50)
}

// client is what is done from outside. Each part may be done again after a
// restart: events have ids.
type client func(ctx context.Context, e *durable.Engine) error

// lives plays a client against one engine after another: each ends where its
// cut says, and one more brings it to its end. It returns the commits of each.
type lives struct {
	t       testing.TB
	disk    disk
	config  durable.Config
	client  client
	claimed map[attempt]bool
	rows    string // of all sessions, when the last life has ended
	world   *sim.World
	seed    uint64
	night   int64 // milliseconds between two lives
}

func (l *lives) play(cuts ...cut) [][]committed {
	l.t.Helper()
	w := sim.New(l.seed + 1)
	l.world = w
	l.claimed = map[attempt]bool{}
	var all [][]committed
	for _, c := range append(slices.Clone(cuts), cut{}) {
		kept := l.disk.open()
		ctx, cancel := context.WithCancel(context.Background())
		store := &cutting{Store: kept, world: w, ctx: ctx, cut: c, claimed: l.claimed, running: map[string]bool{}}
		config := l.config
		config.Runtime = w.Runtime()
		var failed error
		ended := w.Start("client", func() { failed = l.live(ctx, store, config) })
		err := w.Run(func() bool { return store.over || ended() }, 1_000_000)
		cancel()
		all = append(all, store.seen)
		if !store.over {
			if err != nil || failed != nil {
				l.t.Fatalf("cut at %v: %v %v", cuts, err, failed)
			}
		}
		w.Crash()
		must(l.t, w.Run(ended, 1000))
		must(l.t, kept.Close())
		w.Jump(l.night)
		if !store.over {
			break
		}
	}
	return all
}

// live is one life up to the end of what the client wants.
func (l *lives) live(ctx context.Context, store *cutting, c durable.Config) error {
	e, err := durable.Open(ctx, store, c)
	if err != nil {
		return err
	}
	if err := l.client(ctx, e); err != nil {
		return err
	}
	if err := store.world.Sleep(ctx, 60_000); err != nil { // whatever else is on its way
		return err
	}
	l.rows, err = everything(ctx, e, store)
	return err
}

// everything is all that the journals of a store hold, and whether each is
// whole.
func everything(ctx context.Context, e *durable.Engine, store durable.Store) (string, error) {
	var b strings.Builder
	heads, err := e.List(ctx, durable.Filter{})
	for _, h := range heads {
		fmt.Fprintf(&b, "%s is %s\n", h.Session, h.Status)
		rows, err := store.Journal(ctx, h.Session, 1, 1000)
		if err != nil {
			return "", err
		}
		for _, r := range rows {
			fmt.Fprintf(&b, "  %d at %d %s %s\n", r.Sequence, r.Time, r.Body, r.Hash)
		}
		v, err := e.Verify(ctx, h.Session)
		if err != nil || len(v.Problems) > 0 {
			return "", fmt.Errorf("%s does not verify: %v %v", h.Session, v.Problems, err)
		}
	}
	return b.String(), err
}

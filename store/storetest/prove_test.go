package storetest

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/store/memory"
)

// wrong is a store in memory with a bug: what is set replaces what the store
// does.
type wrong struct {
	*memory.Store
	acquire  func(*memory.Store) (durable.Lease, error)
	commit   func(*memory.Store, durable.Commit) error
	load     func(*memory.Store, durable.LoadQuery) (*durable.Stored, error)
	due      func(s *memory.Store, through int64, limit int) ([]durable.Due, error)
	picks    func(*memory.Store, durable.Filter) ([]durable.Head, error)
	journal  func(s *memory.Store, id string, from uint64, limit int) ([]durable.JournalRow, error)
	records  func(*memory.Store, durable.RecordQuery) ([]durable.Record, error)
	close    func(*memory.Store) error
	requests func(*memory.Store, int) ([]durable.Request, error)
	reply    func(s *memory.Store, epoch uint64, id string, body []byte) error
}

var ctx = context.Background()

func (w *wrong) Acquire(context.Context) (durable.Lease, error) {
	if w.acquire != nil {
		return w.acquire(w.Store)
	}
	return w.Store.Acquire(ctx)
}

func (w *wrong) Commit(_ context.Context, c durable.Commit) error {
	if w.commit != nil {
		return w.commit(w.Store, c)
	}
	return w.Store.Commit(ctx, c)
}

func (w *wrong) Load(_ context.Context, q durable.LoadQuery) (*durable.Stored, error) {
	if w.load != nil {
		return w.load(w.Store, q)
	}
	return w.Store.Load(ctx, q)
}

func (w *wrong) Due(_ context.Context, through int64, limit int) ([]durable.Due, error) {
	if w.due != nil {
		return w.due(w.Store, through, limit)
	}
	return w.Store.Due(ctx, through, limit)
}

func (w *wrong) Select(_ context.Context, f durable.Filter) ([]durable.Head, error) {
	if w.picks != nil {
		return w.picks(w.Store, f)
	}
	return w.Store.Select(ctx, f)
}

func (w *wrong) Journal(_ context.Context, id string, from uint64, limit int) ([]durable.JournalRow, error) {
	if w.journal != nil {
		return w.journal(w.Store, id, from, limit)
	}
	return w.Store.Journal(ctx, id, from, limit)
}

func (w *wrong) Records(_ context.Context, q durable.RecordQuery) ([]durable.Record, error) {
	if w.records != nil {
		return w.records(w.Store, q)
	}
	return w.Store.Records(ctx, q)
}

func (w *wrong) Close() error {
	if w.close != nil {
		return w.close(w.Store)
	}
	return w.Store.Close()
}

func (w *wrong) Requests(_ context.Context, limit int) ([]durable.Request, error) {
	if w.requests != nil {
		return w.requests(w.Store, limit)
	}
	return w.Store.Requests(ctx, limit)
}

func (w *wrong) Reply(_ context.Context, epoch uint64, id string, body []byte) error {
	if w.reply != nil {
		return w.reply(w.Store, epoch, id, body)
	}
	return w.Store.Reply(ctx, epoch, id, body)
}

// each commits a copy with every change edited first.
func each(edit func(*memory.Store, *durable.Change)) *wrong {
	return &wrong{commit: func(s *memory.Store, c durable.Commit) error {
		c.Changes = slices.Clone(c.Changes)
		for i := range c.Changes {
			edit(s, &c.Changes[i])
		}
		return s.Commit(ctx, c)
	}}
}

// asks edits each filter, as a store that overlooks a part of it.
func asks(edit func(*durable.Filter)) *wrong {
	return &wrong{picks: func(s *memory.Store, f durable.Filter) ([]durable.Head, error) {
		edit(&f)
		return s.Select(ctx, f)
	}}
}

// reads edits each query of records.
func reads(edit func(*durable.RecordQuery)) *wrong {
	return &wrong{records: func(s *memory.Store, q durable.RecordQuery) ([]durable.Record, error) {
		edit(&q)
		return s.Records(ctx, q)
	}}
}

// loads edits what is loaded.
func loads(edit func(durable.LoadQuery, *durable.Stored)) *wrong {
	return &wrong{load: func(s *memory.Store, q durable.LoadQuery) (*durable.Stored, error) {
		out, err := s.Load(ctx, q)
		if err == nil {
			edit(q, out)
		}
		return out, err
	}}
}

// revision is that of a session, 0 without one.
func revision(s *memory.Store, id string) uint64 {
	if got, err := s.Load(ctx, durable.LoadQuery{Session: id}); err == nil {
		return got.Head.Revision
	}
	return 0
}

// The suite fails with each of these stores.
func TestSuiteNoticesBugs(t *testing.T) {
	caught := 0
	for _, b := range slices.Concat(commitBugs, readBugs, listBugs, lifeBugs) {
		var by []string
		for _, c := range checks {
			w := b.make()
			w.Store = memory.New()
			err := c.run(Opened{Store: w, Reopen: func() durable.Store {
				_ = w.Close()
				return w
			}})
			if err != nil {
				by = append(by, c.name)
			}
		}
		if len(by) == 0 {
			t.Errorf("nothing noticed: %s", b.name)
			continue
		}
		caught++
		t.Logf("%-45s %s", b.name, strings.Join(by, " "))
	}
	t.Logf("caught %d of %d", caught, len(commitBugs)+len(readBugs)+len(listBugs)+len(lifeBugs))
}

type bug struct {
	name string
	make func() *wrong
}

var commitBugs = []bug{
	{"drops the revision's comparison", func() *wrong {
		return each(func(s *memory.Store, c *durable.Change) { c.Before = revision(s, c.Session) })
	}},
	{"lets a creation replace", func() *wrong {
		return each(func(s *memory.Store, c *durable.Change) {
			if c.Before == 0 {
				c.Before = revision(s, c.Session)
			}
		})
	}},
	{"deletes whatever the revision", func() *wrong {
		return each(func(s *memory.Store, c *durable.Change) {
			if c.Delete {
				c.Before = revision(s, c.Session)
			}
		})
	}},
	{"ignores the epoch", func() *wrong {
		var epoch uint64
		w := &wrong{acquire: func(s *memory.Store) (durable.Lease, error) {
			l, err := s.Acquire(ctx)
			epoch = max(epoch, l.Epoch)
			return l, err
		}}
		w.commit = func(s *memory.Store, c durable.Commit) error {
			c.Epoch = epoch
			return s.Commit(ctx, c)
		}
		return w
	}},
	{"ignores the epoch of puts", func() *wrong {
		var epoch uint64
		w := &wrong{acquire: func(s *memory.Store) (durable.Lease, error) {
			l, err := s.Acquire(ctx)
			epoch = max(epoch, l.Epoch)
			return l, err
		}}
		w.commit = func(s *memory.Store, c durable.Commit) error {
			if len(c.Changes) == 1 && c.Changes[0].Head == nil {
				c.Epoch = epoch
			}
			return s.Commit(ctx, c)
		}
		return w
	}},
	{"applies what stands before a stale change", func() *wrong {
		return &wrong{commit: func(s *memory.Store, c durable.Commit) error {
			err := s.Commit(ctx, c)
			var stale *durable.StaleError
			if errors.As(err, &stale) {
				c.Changes = c.Changes[:len(c.Changes)/2]
				_ = s.Commit(ctx, c)
			}
			return err
		}}
	}},
	{"moves the clock with a refused commit", func() *wrong {
		return &wrong{commit: func(s *memory.Store, c durable.Commit) error {
			err := s.Commit(ctx, c)
			if err != nil {
				c.Changes = nil
				_ = s.Commit(ctx, c)
			}
			return err
		}}
	}},
	{"shows half of a commit", func() *wrong {
		return &wrong{commit: func(s *memory.Store, c durable.Commit) error {
			for i := range c.Changes {
				part := c
				part.Changes = c.Changes[i : i+1]
				if err := s.Commit(ctx, part); err != nil {
					return err
				}
				for range 50 {
					runtime.Gosched()
				}
			}
			return nil
		}}
	}},
	{"writes a journal row twice", func() *wrong {
		return each(func(s *memory.Store, c *durable.Change) {
			rows, _ := s.Journal(ctx, c.Session, 0, 1000)
			c.Journal = slices.DeleteFunc(slices.Clone(c.Journal), func(j durable.JournalRow) bool {
				return slices.ContainsFunc(rows, func(r durable.JournalRow) bool { return r.Sequence == j.Sequence })
			})
		})
	}},
	{"creates a session to put to", func() *wrong {
		return each(func(s *memory.Store, c *durable.Change) {
			if c.Head == nil && !c.Delete && c.Session != "" && revision(s, c.Session) == 0 {
				c.Head = &durable.Head{}
			}
		})
	}},
	{"takes nothing", func() *wrong { return each(func(_ *memory.Store, c *durable.Change) { c.Take = nil }) }},
	{"puts nothing beside a step", func() *wrong {
		return each(func(_ *memory.Store, c *durable.Change) {
			if c.Head != nil {
				c.Put = nil
			}
		})
	}},
	{"keeps the first state", func() *wrong {
		return each(func(s *memory.Store, c *durable.Change) {
			if got, err := s.Load(ctx, durable.LoadQuery{Session: c.Session}); err == nil && got.StateAt > 0 {
				c.State = nil
			}
		})
	}},
	{"keeps the first row of an effect", func() *wrong {
		return each(func(s *memory.Store, c *durable.Change) {
			c.Effects = slices.DeleteFunc(slices.Clone(c.Effects), func(e durable.EffectRow) bool {
				got, err := s.Load(ctx, durable.LoadQuery{Session: c.Session, Effects: []string{e.Key}})
				return err == nil && slices.ContainsFunc(got.Effects, func(x durable.EffectRow) bool { return x.Key == e.Key })
			})
		})
	}},
	{"deletes no records", func() *wrong {
		return each(func(_ *memory.Store, c *durable.Change) {
			c.Records = slices.DeleteFunc(slices.Clone(c.Records), func(r durable.Record) bool { return r.Body == nil })
		})
	}},
	{"takes an empty record for none", func() *wrong {
		return each(func(_ *memory.Store, c *durable.Change) {
			c.Records = slices.Clone(c.Records)
			for i := range c.Records {
				if len(c.Records[i].Body) == 0 {
					c.Records[i].Body = nil
				}
			}
		})
	}},
	{"leaves a deleted session's records", func() *wrong {
		return &wrong{commit: func(s *memory.Store, c durable.Commit) error {
			list, _ := s.Records(ctx, durable.RecordQuery{Namespace: "n", Session: c.Changes[0].Session})
			err := s.Commit(ctx, c)
			if err == nil && c.Changes[0].Delete {
				c.Changes = []durable.Change{{Records: list}}
				err = s.Commit(ctx, c)
			}
			return err
		}}
	}},
	{"deletes nothing", func() *wrong { return each(func(_ *memory.Store, c *durable.Change) { c.Delete = false }) }},
}

var readBugs = []bug{
	{"reads a whole session where its row is asked for", func() *wrong {
		return &wrong{load: func(s *memory.Store, q durable.LoadQuery) (*durable.Stored, error) {
			q.Row = false
			return s.Load(ctx, q)
		}}
	}},
	{"forgets that a put makes ready", func() *wrong {
		return loads(func(_ durable.LoadQuery, s *durable.Stored) { s.Head.Ready = false })
	}},
	{"is ready for ever", func() *wrong {
		var put atomic.Bool // readers load while the owner commits
		w := each(func(_ *memory.Store, c *durable.Change) {
			if len(c.Put) > 0 {
				put.Store(true)
			}
		})
		w.load = func(s *memory.Store, q durable.LoadQuery) (*durable.Stored, error) {
			out, err := s.Load(ctx, q)
			if err == nil {
				out.Head.Ready = out.Head.Ready || put.Load()
			}
			return out, err
		}
		return w
	}},
	{"returns the same memory twice", func() *wrong {
		var mu sync.Mutex // readers load side by side
		kept := map[string]*durable.Stored{}
		return &wrong{load: func(s *memory.Store, q durable.LoadQuery) (*durable.Stored, error) {
			out, err := s.Load(ctx, q)
			if err != nil {
				return nil, err
			}
			mu.Lock()
			defer mu.Unlock()
			if k := kept[q.Session]; k != nil && k.Head.Revision == out.Head.Revision && len(q.Effects) > 0 {
				return k, nil
			}
			kept[q.Session] = out
			return out, nil
		}}
	}},
	{"ignores the inbox's limit", func() *wrong {
		return &wrong{load: func(s *memory.Store, q durable.LoadQuery) (*durable.Stored, error) {
			q.Inbox = 1000
			return s.Load(ctx, q)
		}}
	}},
	{"never says that there is more", func() *wrong {
		return loads(func(_ durable.LoadQuery, s *durable.Stored) { s.MoreInbox = false })
	}},
	{"says that there is more when it is just full", func() *wrong {
		return loads(func(q durable.LoadQuery, s *durable.Stored) { s.MoreInbox = len(s.Inbox) == q.Inbox })
	}},
	{"reads the inbox in the wrong order", func() *wrong {
		return loads(func(_ durable.LoadQuery, s *durable.Stored) { slices.Reverse(s.Inbox) })
	}},
	{"reads the rows since in the wrong order", func() *wrong {
		return loads(func(_ durable.LoadQuery, s *durable.Stored) { slices.Reverse(s.Since) })
	}},
	{"reads live effects only", func() *wrong {
		return loads(func(_ durable.LoadQuery, s *durable.Stored) {
			s.Effects = slices.DeleteFunc(s.Effects, func(e durable.EffectRow) bool { return !e.Live })
		})
	}},
	{"reads effects that are over", func() *wrong {
		return &wrong{load: func(s *memory.Store, q durable.LoadQuery) (*durable.Stored, error) {
			q.Effects = append(slices.Clone(q.Effects), "b", "over")
			return s.Load(ctx, q)
		}}
	}},
	{"reads the journal backwards", func() *wrong {
		return &wrong{journal: func(s *memory.Store, id string, from uint64, limit int) ([]durable.JournalRow, error) {
			rows, err := s.Journal(ctx, id, from, limit)
			slices.Reverse(rows)
			return rows, err
		}}
	}},
	{"reads the journal from the start", func() *wrong {
		return &wrong{journal: func(s *memory.Store, id string, _ uint64, limit int) ([]durable.JournalRow, error) {
			return s.Journal(ctx, id, 1, limit)
		}}
	}},
	{"ignores the journal's limit", func() *wrong {
		return &wrong{journal: func(s *memory.Store, id string, from uint64, _ int) ([]durable.JournalRow, error) {
			return s.Journal(ctx, id, from, 1000)
		}}
	}},
	{"has an empty journal of no session", func() *wrong {
		return &wrong{journal: func(s *memory.Store, id string, from uint64, limit int) ([]durable.JournalRow, error) {
			rows, err := s.Journal(ctx, id, from, limit)
			if errors.Is(err, durable.ErrNotFound) {
				err = nil
			}
			return rows, err
		}}
	}},
}

var listBugs = []bug{
	{"overlooks the chart", func() *wrong { return asks(func(f *durable.Filter) { f.Chart = "" }) }},
	{"overlooks the digest", func() *wrong { return asks(func(f *durable.Filter) { f.Digest = "" }) }},
	{"overlooks the user", func() *wrong { return asks(func(f *durable.Filter) { f.User = "" }) }},
	{"overlooks the tag", func() *wrong { return asks(func(f *durable.Filter) { f.Tag = "" }) }},
	{"overlooks the parent", func() *wrong { return asks(func(f *durable.Filter) { f.Parent = "" }) }},
	{"overlooks the reason", func() *wrong { return asks(func(f *durable.Filter) { f.ReasonCode = "" }) }},
	{"overlooks the status", func() *wrong { return asks(func(f *durable.Filter) { f.Status = "" }) }},
	{"overlooks the state", func() *wrong { return asks(func(f *durable.Filter) { f.State = "" }) }},
	{"overlooks ready", func() *wrong { return asks(func(f *durable.Filter) { f.Ready = false }) }},
	{"overlooks waits", func() *wrong { return asks(func(f *durable.Filter) { f.Waits = false }) }},
	{"overlooks the first time", func() *wrong { return asks(func(f *durable.Filter) { f.UpdatedFrom = 0 }) }},
	{"overlooks the last time", func() *wrong { return asks(func(f *durable.Filter) { f.UpdatedTo = 0 }) }},
	{"includes the last time", func() *wrong {
		return asks(func(f *durable.Filter) {
			if f.UpdatedTo > 0 {
				f.UpdatedTo++
			}
		})
	}},
	{"overlooks the page", func() *wrong { return asks(func(f *durable.Filter) { f.After = "" }) }},
	{"overlooks the limit of a page", func() *wrong { return asks(func(f *durable.Filter) { f.Limit = 10_000 }) }},
	{"takes ab for a part of a", func() *wrong {
		return &wrong{picks: func(s *memory.Store, f durable.Filter) ([]durable.Head, error) {
			state := f.State
			f.State = ""
			list, err := s.Select(ctx, f)
			return slices.DeleteFunc(list, func(h durable.Head) bool {
				return state != "" && !slices.ContainsFunc(h.Configuration, func(p string) bool { return strings.HasPrefix(p, state) })
			}), err
		}}
	}},
	{"finds leaves only", func() *wrong {
		return &wrong{picks: func(s *memory.Store, f durable.Filter) ([]durable.Head, error) {
			list, err := s.Select(ctx, f)
			return slices.DeleteFunc(list, func(h durable.Head) bool { return f.State != "" && !slices.Contains(h.Configuration, f.State) }), err
		}}
	}},
	{"lists sessions backwards", func() *wrong {
		return &wrong{picks: func(s *memory.Store, f durable.Filter) ([]durable.Head, error) {
			list, err := s.Select(ctx, f)
			slices.Reverse(list)
			return list, err
		}}
	}},
	{"lists what is due backwards", func() *wrong {
		return &wrong{due: func(s *memory.Store, through int64, limit int) ([]durable.Due, error) {
			list, err := s.Due(ctx, through, limit)
			slices.Reverse(list)
			return list, err
		}}
	}},
	{"ignores the limit of what is due", func() *wrong {
		return &wrong{due: func(s *memory.Store, through int64, _ int) ([]durable.Due, error) { return s.Due(ctx, through, 1000) }}
	}},
	{"fires a millisecond early", func() *wrong {
		return &wrong{due: func(s *memory.Store, through int64, limit int) ([]durable.Due, error) {
			return s.Due(ctx, through+1, limit)
		}}
	}},
	{"fires a millisecond late", func() *wrong {
		return &wrong{due: func(s *memory.Store, through int64, limit int) ([]durable.Due, error) {
			return s.Due(ctx, through-1, limit)
		}}
	}},
	{"overlooks the first key", func() *wrong { return reads(func(q *durable.RecordQuery) { q.From = "" }) }},
	{"overlooks the last key", func() *wrong { return reads(func(q *durable.RecordQuery) { q.To = "" }) }},
	{"includes the last key", func() *wrong {
		return reads(func(q *durable.RecordQuery) {
			if q.To != "" {
				q.To += "\x00"
			}
		})
	}},
	{"never reads backwards", func() *wrong { return reads(func(q *durable.RecordQuery) { q.Reverse = false }) }},
	{"overlooks the limit of records", func() *wrong { return reads(func(q *durable.RecordQuery) { q.Limit = 0 }) }},
	{"searches for one word only", func() *wrong {
		return reads(func(q *durable.RecordQuery) { q.Search = q.Search[:min(1, len(q.Search))] })
	}},
	{"searches by case", func() *wrong {
		return &wrong{records: func(s *memory.Store, q durable.RecordQuery) ([]durable.Record, error) {
			list, err := s.Records(ctx, q)
			return slices.DeleteFunc(list, func(r durable.Record) bool {
				return slices.ContainsFunc(q.Search, func(w string) bool { return !strings.Contains(r.Text, w) })
			}), err
		}}
	}},
	{"searches in one session only", func() *wrong {
		return reads(func(q *durable.RecordQuery) {
			if q.Session == "*" {
				q.Session = "s"
			}
		})
	}},
}

var lifeBugs = []bug{
	{"lets two own it", func() *wrong {
		return &wrong{acquire: func(s *memory.Store) (durable.Lease, error) {
			s.Steal()
			return s.Acquire(ctx)
		}}
	}},
	{"keeps the epoch", func() *wrong {
		return &wrong{
			acquire: func(s *memory.Store) (durable.Lease, error) {
				l, err := s.Acquire(ctx)
				if err == nil {
					l.Epoch = 1
				}
				return l, err
			},
		}
	}},
	{"turns the clock back", func() *wrong {
		var last int64
		return &wrong{
			commit: func(s *memory.Store, c durable.Commit) error {
				last = c.Clock
				return s.Commit(ctx, c)
			},
			acquire: func(s *memory.Store) (durable.Lease, error) {
				l, err := s.Acquire(ctx)
				l.Clock = last
				return l, err
			},
		}
	}},
	{"forgets the position", func() *wrong {
		return &wrong{acquire: func(s *memory.Store) (durable.Lease, error) {
			l, err := s.Acquire(ctx)
			l.Position = 0
			return l, err
		}}
	}},
	{"cannot be closed twice", func() *wrong {
		closed := false
		return &wrong{close: func(s *memory.Store) error {
			if closed {
				return errors.New("it is closed already")
			}
			closed = true
			return s.Close()
		}}
	}},
	{"reads after it was closed", func() *wrong {
		return loadsAnyway()
	}},
	{"lists requests backwards", func() *wrong {
		return &wrong{requests: func(s *memory.Store, limit int) ([]durable.Request, error) {
			list, err := s.Requests(ctx, limit)
			slices.Reverse(list)
			return list, err
		}}
	}},
	{"replies for another owner", func() *wrong {
		return &wrong{reply: func(s *memory.Store, epoch uint64, id string, body []byte) error {
			if err := s.Reply(ctx, epoch, id, body); !errors.Is(err, durable.ErrFenced) {
				return err
			}
			return nil
		}}
	}},
	{"loses replies", func() *wrong {
		return &wrong{reply: func(*memory.Store, uint64, string, []byte) error { return nil }}
	}},
}

// loadsAnyway answers loads from what it read before, whether open or not.
func loadsAnyway() *wrong {
	return &wrong{load: func(s *memory.Store, q durable.LoadQuery) (*durable.Stored, error) {
		out, err := s.Load(ctx, q)
		if err != nil && !errors.Is(err, durable.ErrNotFound) {
			return &durable.Stored{}, nil
		}
		return out, err
	}}
}

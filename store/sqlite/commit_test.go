package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/store/sqlite"
)

// D2: of a batch in which one change does not fit nothing is done, and the
// store goes on from where it was.
func TestD2StaleChangeUndoesItsBatch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s, epoch := owned(t, path, sqlite.Options{})
	ctx := context.Background()
	one, two := head("one"), head("two")
	commit(t, s, epoch, advance(&one, 1, []byte("{}")), advance(&two, 1, []byte("{}")))
	for name, bad := range map[string]durable.Change{
		"a revision of before": {Session: "two", Before: 0, Head: &two},
		"a later revision":     {Session: "two", Before: 2, Head: &two},
		"no such session":      {Session: "three", Before: 1, Head: &two},
		"a deletion":           {Session: "two", Before: 7, Delete: true},
	} {
		next := one
		good := advance(&next, 2, []byte("{}"))
		good.Put = []durable.InboxRow{{Position: 5, Body: []byte("{}")}}
		good.Effects = []durable.EffectRow{{Key: "k", Live: true, Body: []byte("{}")}}
		good.Records = []durable.Record{{Namespace: "n", Session: "one", Key: "k", Body: []byte("{}")}}
		good.State = []byte("{}")
		err := s.Commit(ctx, durable.Commit{Epoch: epoch, Clock: 99, Changes: []durable.Change{good, bad}})
		var stale *durable.StaleError
		if !errors.As(err, &stale) || stale.Session != bad.Session {
			t.Errorf("%s: %v", name, err)
		}
		got, err := s.Load(ctx, durable.LoadQuery{Session: "one", Inbox: 5})
		if err != nil || got.Head.Revision != 1 || got.State != nil || len(got.Since) != 1 || len(got.Inbox)+len(got.Effects) != 0 {
			t.Errorf("%s: left %+v (%v)", name, got, err)
		}
		if r, err := s.Records(ctx, durable.RecordQuery{Namespace: "n", Session: "one"}); err != nil || len(r) != 0 {
			t.Errorf("%s: left the records %v (%v)", name, r, err)
		}
	}
	commit(t, s, epoch, advance(&one, 2, []byte("{}")))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if lease, err := open(t, path, sqlite.Options{}).Acquire(ctx); err != nil || lease.Clock != 1 || lease.Position != 0 {
		t.Errorf("refused batches left the lease %+v (%v)", lease, err)
	}
}

// Each column that an index holds can change on its own, and lists follow.
func TestListsFollowTheHead(t *testing.T) {
	s, epoch := owned(t, filepath.Join(t.TempDir(), "s.db"), sqlite.Options{})
	ctx := context.Background()
	h := head("one")
	look := func() string {
		t.Helper()
		out := ""
		for _, c := range []struct {
			name   string
			filter durable.Filter
		}{
			{"ready", durable.Filter{Ready: true}}, {"waits", durable.Filter{Waits: true}}, {"active", durable.Filter{Status: durable.Active}},
			{"ready-active", durable.Filter{Ready: true, Status: durable.Active}}, {"child", durable.Filter{Parent: "p"}},
			{"ann", durable.Filter{User: "ann"}}, {"in-b", durable.Filter{State: "b"}}, {"since-5", durable.Filter{UpdatedFrom: 5}}, {"until-5", durable.Filter{UpdatedTo: 5}},
		} {
			list, err := s.Select(ctx, c.filter)
			if err != nil {
				t.Fatal(err)
			}
			if len(list) > 0 {
				out += c.name + " "
			}
		}
		due, err := s.Due(ctx, 1000, 10)
		if err != nil {
			t.Fatal(err)
		}
		return out + fmt.Sprint(due)
	}
	for _, c := range []struct {
		name string
		do   func(c *durable.Change, h *durable.Head)
		want string
	}{
		{"made", func(*durable.Change, *durable.Head) {}, "active ann until-5 []"},
		{"ready", func(_ *durable.Change, h *durable.Head) { h.Ready = true }, "ready active ready-active ann until-5 []"},
		{"due", func(_ *durable.Change, h *durable.Head) { h.Due, h.Ready = 7, false }, "active ann until-5 [{one 7}]"},
		{"due later", func(_ *durable.Change, h *durable.Head) { h.Due = 9 }, "active ann until-5 [{one 9}]"},
		{"waits", func(_ *durable.Change, h *durable.Head) { h.Due, h.Waits = 0, true }, "waits active ann until-5 []"},
		{"moved", func(_ *durable.Change, h *durable.Head) { h.Configuration, h.Waits = []string{"a", "b.c"}, false }, "active ann in-b until-5 []"},
		{"given away", func(_ *durable.Change, h *durable.Head) { h.User, h.Parent = "bob", "p" }, "active child in-b until-5 []"},
		{"an event waits", func(c *durable.Change, _ *durable.Head) {
			c.Put = []durable.InboxRow{{Position: 4, Body: []byte("{}")}}
		}, "ready active ready-active child in-b until-5 []"},
		{"suspended", func(_ *durable.Change, h *durable.Head) { h.Status = durable.Suspended }, "ready child in-b until-5 []"},
		{"the event is taken", func(c *durable.Change, h *durable.Head) { c.Take, h.Status = []uint64{4, 77}, durable.Active }, "active child in-b until-5 []"},
		{"later", func(_ *durable.Change, h *durable.Head) { h.Updated = 5 }, "active child in-b since-5 []"},
	} {
		step := advance(&h, 1, []byte("{}"))
		c.do(&step, step.Head)
		commit(t, s, epoch, step)
		revision := h.Revision
		h = *step.Head
		h.Revision = revision
		if got := look(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	// An event alone, past the head.
	commit(t, s, epoch, durable.Change{Session: "one", Put: []durable.InboxRow{{Position: 6, Body: []byte("{}")}}},
		durable.Change{Session: "nobody", Put: []durable.InboxRow{{Position: 7, Body: []byte("{}")}}})
	if got, want := look(), "ready active ready-active child in-b since-5 []"; got != want {
		t.Errorf("an event alone: %s, want %s", got, want)
	}
}

// A deleted session leaves nothing, and its name is free.
func TestDeleteLeavesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s, epoch := owned(t, path, sqlite.Options{})
	ctx := context.Background()
	h := head("one")
	full := advance(&h, 1, []byte("{}"))
	full.Head.Due = 5
	full.State = []byte("{}")
	full.Put = []durable.InboxRow{{Position: 3, Body: []byte("{}")}}
	full.Effects = []durable.EffectRow{{Key: "a", Live: true, Body: []byte("{}")}, {Key: "b", Body: []byte("{}")}}
	full.Records = []durable.Record{{Namespace: "n", Session: "one", Key: "k", Body: []byte("{}"), Text: "word"}, {Namespace: "n", Key: "shared", Body: []byte("{}")}}
	commit(t, s, epoch, full, durable.Change{Session: "one", Before: 1, Delete: true})
	if _, err := s.Load(ctx, durable.LoadQuery{Session: "one"}); !errors.Is(err, durable.ErrNotFound) {
		t.Errorf("loaded: %v", err)
	}
	if _, err := s.Journal(ctx, "one", 1, 10); !errors.Is(err, durable.ErrNotFound) {
		t.Errorf("its journal: %v", err)
	}
	for session, want := range map[string]int{"one": 0, "": 1} {
		if r, err := s.Records(ctx, durable.RecordQuery{Namespace: "n", Session: session}); err != nil || len(r) != want {
			t.Errorf("records of %q: %v (%v)", session, r, err)
		}
	}
	if due, err := s.Due(ctx, 100, 10); err != nil || len(due) != 0 {
		t.Errorf("due: %v (%v)", due, err)
	}
	h = head("one")
	commit(t, s, epoch, advance(&h, 1, []byte("{}")))
	got, err := s.Load(ctx, durable.LoadQuery{Session: "one", Inbox: 5, Effects: []string{"b"}})
	if err != nil || len(got.Since) != 1 || got.State != nil || len(got.Inbox)+len(got.Effects) != 0 {
		t.Errorf("made again: %+v (%v)", got, err)
	}
	if found, err := s.Check(ctx); err != nil || len(found) > 0 {
		t.Errorf("check: %v (%v)", found, err)
	}
	// T5: the clock of the store never goes back, the position is never used
	// twice.
	for _, clock := range []int64{50, 20} {
		if err := s.Commit(ctx, durable.Commit{Epoch: epoch, Clock: clock}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if lease, err := open(t, path, sqlite.Options{}).Acquire(ctx); err != nil || lease.Clock != 50 || lease.Position != 3 {
		t.Errorf("the next lease is %+v (%v)", lease, err)
	}
}

// An effect has one row however often it is put in, live or ended.
func TestEffectHasOneRow(t *testing.T) {
	s, epoch := owned(t, filepath.Join(t.TempDir(), "s.db"), sqlite.Options{})
	h := head("one")
	for i, c := range []struct {
		live bool
		want string
	}{{true, "k live=true 0; other live=true x; "}, {true, "k live=true 1; other live=true x; "}, {false, "k live=false 2; other live=true x; "},
		{false, "k live=false 3; other live=true x; "}, {true, "k live=true 4; other live=true x; "}} {
		step := advance(&h, 1, []byte("{}"))
		step.Effects = []durable.EffectRow{{Key: "other", Live: true, Body: []byte("x")}, {Key: "k", Live: c.live, Body: []byte(fmt.Sprint(i))}}
		commit(t, s, epoch, step)
		got, err := s.Load(context.Background(), durable.LoadQuery{Session: "one", Effects: []string{"k", "none", "other", "k"}})
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, e := range got.Effects {
			text += fmt.Sprintf("%s live=%t %s; ", e.Key, e.Live, e.Body)
		}
		if text != c.want {
			t.Errorf("%d: %s, want %s", i, text, c.want)
		}
	}
	if st, err := s.Stats(context.Background()); err != nil || st.Effects != 2 {
		t.Errorf("%d live effects are stored (%v), want 2", st.Effects, err)
	}
}

package storetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/detent-run/detent/durable"
)

func highWater(t *trial) {
	t.acquire()
	t.same("clock and position of an empty store", []any{t.lease.Clock, t.lease.Position}, []any{0, 0})
	h := begun("one")
	t.clock = 500
	c := step(&h)
	c.Put = []durable.InboxRow{{Position: 77}}
	t.commit(c)
	t.clock = 400
	c = step(&h)
	c.Take = []uint64{77}
	t.commit(c)
	t.commit(durable.Change{Session: "one", Put: []durable.InboxRow{{Position: 60}}})
	if t.again() {
		// Of the position only what is there counts: a taken one may be used again.
		t.same("clock afterwards", t.lease.Clock, 500)
		if t.lease.Position < 60 {
			t.fail("the highest position afterwards is %d, and 60 is in the inbox", t.lease.Position)
		}
	}
}

// readers sees that no read shows a part of a commit.
func readers(t *trial) {
	t.acquire()
	one, two := begun("one"), begun("two")
	t.commit(step(&one), step(&two))
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var wait sync.WaitGroup
	found := make([]error, 3) // of each reader, and of the commits
	for i, look := range []func() error{t.halfSession, t.halfCommit} {
		wait.Go(func() {
			for ctx.Err() == nil && found[i] == nil {
				found[i] = look()
			}
		})
	}
	for n := uint64(2); n < 150; n++ {
		c, d := step(&one), step(&two)
		c.Put = []durable.InboxRow{{Position: n}}
		c.Take = []uint64{n - 1}
		c.Effects = []durable.EffectRow{{Key: "k", Live: true, Body: fmt.Append(nil, n)}}
		if n%7 == 0 {
			c.State = fmt.Append(nil, n)
		}
		if found[2] = t.try(c, d); found[2] != nil {
			break
		}
	}
	stop()
	wait.Wait()
	t.must(errors.Join(found...), "reading during commits")
}

// halfSession reads one session and sees that its parts belong together.
func (t *trial) halfSession() error {
	s, err := t.Store.Load(context.Background(), durable.LoadQuery{Session: "one", Inbox: 5})
	if err != nil {
		return err
	}
	last := s.StateAt
	if n := len(s.Since); n > 0 {
		last = s.Since[n-1].Sequence
	}
	n := s.Head.Sequence
	if last != n || n > 1 && (len(s.Inbox) != 1 || s.Inbox[0].Position != n || len(s.Effects) != 1 || string(s.Effects[0].Body) != fmt.Sprint(n)) {
		return fmt.Errorf("half a commit is seen at sequence %d: %+v", n, *s)
	}
	return nil
}

// halfCommit reads two sessions that always move together.
func (t *trial) halfCommit() error {
	heads, err := t.Store.Select(context.Background(), durable.Filter{})
	if err == nil && (len(heads) != 2 || heads[0].Sequence != heads[1].Sequence) {
		err = fmt.Errorf("half a commit is seen: %+v", heads)
	}
	return err
}

func closes(t *trial) {
	t.acquire()
	h := begun("one")
	t.commit(step(&h))
	for range 2 {
		t.must(t.Store.Close(), "close")
	}
	ctx := context.Background()
	_, load := t.Store.Load(ctx, durable.LoadQuery{Session: "one"})
	_, selected := t.Store.Select(ctx, durable.Filter{})
	_, journal := t.Store.Journal(ctx, "one", 1, 1)
	_, records := t.Store.Records(ctx, durable.RecordQuery{Namespace: "n"})
	_, due := t.Store.Due(ctx, math.MaxInt64, 1)
	for _, c := range []struct {
		what string
		err  error
	}{{"load", load}, {"select", selected}, {"journal", journal}, {"records", records}, {"due", due}, {"commit", t.try(step(&h))}} {
		if c.err == nil || errors.Is(c.err, durable.ErrNotFound) {
			t.fail("%s of a closed store: %v", c.what, c.err)
		}
	}
}

func reopens(t *trial) {
	t.acquire()
	_, one := full("one")
	_, two := full("two")
	t.commit(one, two)
	t.commit(durable.Change{Session: "two", Before: 1, Delete: true})
	want := t.all()
	for range 2 {
		if t.again() {
			t.same("what is stored after opening again", t.all(), want)
		}
	}
}

// requests tries what a store does that several processes can open.
func requests(t *trial) {
	door, ok := t.Store.(durable.Visited)
	if !ok {
		return
	}
	ctx := context.Background()
	for _, id := range []string{"b", "a", "c", "a"} {
		t.must(door.Ask(ctx, durable.Request{ID: id, Body: []byte("body of " + id)}), "ask")
	}
	if door.Ask(ctx, durable.Request{ID: "a", Body: []byte("other")}) == nil {
		t.fail("one id stands for two requests")
	}
	t.acquire()
	sees := func(limit int, want string) {
		list, err := door.Requests(ctx, limit)
		t.must(err, "requests")
		var got []string
		for _, r := range list {
			t.same("a body", string(r.Body), "body of "+r.ID)
			got = append(got, r.ID)
		}
		t.same(fmt.Sprintf("at most %d requests", limit), strings.Join(got, " "), want)
	}
	answered := func(id, want string, there bool) {
		reply, ok, err := door.Answered(ctx, id)
		t.must(err, "answered")
		t.same("the reply to "+id, []any{string(reply), ok}, []any{want, there})
	}
	sees(2, "b a")
	sees(10, "b a c")
	answered("a", "", false)
	if err := door.Reply(ctx, t.lease.Epoch+1, "a", []byte("no")); !errors.Is(err, durable.ErrFenced) {
		t.fail("a reply of another owner: %v", err)
	}
	answered("a", "", false)
	t.must(door.Reply(ctx, t.lease.Epoch, "a", []byte("yes")), "reply")
	t.must(door.Reply(ctx, t.lease.Epoch, "a", []byte("late")), "reply")
	answered("a", "yes", true)
	answered("a", "yes", true)
	answered("no such", "", false)
	sees(10, "b c")
	if t.again() {
		door = t.Store.(durable.Visited)
		sees(10, "b c")
		answered("a", "yes", true)
	}
}

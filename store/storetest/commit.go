package storetest

import (
	"context"
	"errors"

	"github.com/detent-run/detent/durable"
)

// full is a session with something of everything.
func full(session string) (durable.Head, durable.Change) {
	h := begun(session)
	h.Status, h.Reason, h.ReasonCode = durable.Suspended, []byte(`{"code":"asked"}`), "asked"
	h.User, h.Tags, h.Priority = "ann", []string{"red", "blue"}, -3
	h.Parent, h.ParentKey, h.Depth = "mother", "key", 2
	h.Configuration = []string{"a.b", "c"}
	h.Created, h.Updated, h.Since, h.Due, h.Waits = 5, 6, 7, 8, true
	c := step(&h)
	c.State = []byte(`{"state":1}`)
	c.Put = []durable.InboxRow{{Position: 4, Body: []byte("four")}, {Position: 2, Body: []byte("two")}}
	c.Effects = []durable.EffectRow{{Key: "live", Live: true, Body: []byte("l")}, {Key: "over", Body: []byte("o")}}
	c.Records = []durable.Record{{Namespace: "n", Session: session, Key: "k", Body: []byte("b"), Text: "some words"}, {Namespace: "m", Key: "shared", Body: []byte{}}}
	h.Ready = true // while something is queued
	return h, c
}

func storesWhole(t *trial) {
	t.acquire()
	h, c := full("one")
	t.commit(c)
	got := t.load(durable.LoadQuery{Session: "one", Inbox: 10, Effects: []string{"over", "no such"}})
	t.same("head", got.Head, h)
	t.same("state", got.State, c.State)
	t.same("state's sequence", got.StateAt, 1)
	t.same("rows since", got.Since, []durable.JournalRow{})
	t.same("inbox", got.Inbox, []durable.InboxRow{c.Put[1], c.Put[0]})
	t.same("more in the inbox", got.MoreInbox, false)
	t.same("effects", got.Effects, c.Effects)
	heads, err := t.Store.Select(context.Background(), durable.Filter{})
	t.must(err, "select")
	t.same("heads", heads, []durable.Head{h})
	for _, r := range c.Records {
		list, err := t.Store.Records(context.Background(), durable.RecordQuery{Namespace: r.Namespace, Session: r.Session})
		t.must(err, "records")
		t.same("records", list, []durable.Record{r})
	}
}

// copies: what was handed in, and what came out, is the caller's.
func copies(t *trial) {
	t.acquire()
	_, c := full("one")
	t.commit(c)
	want := t.all()
	scribble := func(h *durable.Head, bodies ...[]byte) {
		for _, b := range append(bodies, h.Reason) {
			for i := range b {
				b[i] = '!'
			}
		}
		h.Tags[0], h.Configuration[0] = "!", "!"
	}
	scribble(c.Head, c.State, c.Journal[0].Body, c.Put[0].Body, c.Effects[0].Body, c.Records[0].Body)
	t.same("after the committer wrote into what it handed in", t.all(), want)
	got := t.load(durable.LoadQuery{Session: "one", Inbox: 10})
	rows, err := t.Store.Journal(context.Background(), "one", 1, 1)
	t.must(err, "journal")
	list, err := t.Store.Records(context.Background(), durable.RecordQuery{Namespace: "n", Session: "one"})
	t.must(err, "records")
	scribble(&got.Head, got.State, rows[0].Body, got.Inbox[0].Body, got.Effects[0].Body, list[0].Body)
	t.same("after a reader wrote into what it read", t.all(), want)
}

// staleChangesNothing: D2, and the sequence's half of X9.
func staleChangesNothing(t *trial) {
	t.acquire()
	one, two := begun("one"), begun("two")
	t.commit(step(&one), step(&two))
	want := t.all()
	t.clock = 1_000_000
	for _, b := range []struct {
		name string
		bad  durable.Change
	}{
		{"created although it is there", durable.Change{Session: "two", Before: 0, Head: &two}},
		{"a later revision", durable.Change{Session: "two", Before: 2, Head: &two}},
		{"no such session", durable.Change{Session: "three", Before: 1, Head: &two}},
		{"a stale deletion", durable.Change{Session: "two", Before: 7, Delete: true}},
	} {
		next := one
		first := step(&next)
		_, parts := full("one")
		first.State, first.Put, first.Effects, first.Records = parts.State, parts.Put, parts.Effects, parts.Records
		fresh := begun("fresh")
		err := t.try(first, step(&fresh), b.bad, durable.Change{Session: "one", Put: []durable.InboxRow{{Position: 9, Body: []byte("x")}}})
		var stale *durable.StaleError
		if !errors.As(err, &stale) || stale.Session != b.bad.Session {
			t.fail("%s: the error is %v, not a StaleError of %q", b.name, err, b.bad.Session)
		}
		t.same(b.name+": what is stored", t.all(), want)
	}
	t.clock = 0
	t.commit(step(&one))
	if t.again() && (t.lease.Clock != 0 || t.lease.Position != 0) {
		t.fail("refused commits moved the clock or the position: %+v", t.lease)
	}
}

func sessionTwice(t *trial) {
	t.acquire()
	h := begun("one")
	t.commit(step(&h), durable.Change{Session: "one", Put: []durable.InboxRow{{Position: 1}}}, step(&h))
	got := t.load(durable.LoadQuery{Session: "one", Inbox: 5})
	t.same("revision, rows and inbox", []int{int(got.Head.Revision), len(got.Since), len(got.Inbox)}, []int{2, 2, 1})
}

func journalRowTwice(t *trial) {
	t.acquire()
	h := begun("one")
	t.commit(step(&h))
	want := t.all()
	next := h
	c := step(&next)
	c.Journal = []durable.JournalRow{row(2), row(1)}
	if t.try(c) == nil {
		t.fail("D4: a journal row was written twice")
	}
	t.same("what is stored", t.all(), want)
	t.commit(step(&h))
}

// fence: X9. An epoch that is not the newest changes nothing, though the
// revision fits; a revision that does not fit changes nothing, though the epoch
// is the newest.
func fence(t *trial) {
	t.acquire()
	h := begun("one")
	t.commit(step(&h))
	want, right := t.all(), t.lease.Epoch
	for _, epoch := range []uint64{right - 1, right + 1} {
		next := h
		t.lease.Epoch = epoch
		err := t.try(step(&next), durable.Change{Session: "one", Put: []durable.InboxRow{{Position: 1}}})
		if !errors.Is(err, durable.ErrFenced) {
			t.fail("epoch %d of %d, the revision right: %v", epoch, right, err)
		}
		if err := t.try(durable.Change{Session: "one", Put: []durable.InboxRow{{Position: 1}}}); !errors.Is(err, durable.ErrFenced) {
			t.fail("epoch %d of %d, the inbox alone: %v", epoch, right, err)
		}
		t.same("what is stored", t.all(), want)
	}
	t.lease.Epoch = right
	next := h
	next.Revision = 5
	var stale *durable.StaleError
	if err := t.try(step(&next)); !errors.As(err, &stale) {
		t.fail("the epoch right, the revision not: %v", err)
	}
	t.same("what is stored", t.all(), want)
}

func fenceOfLaterOwner(t *trial) {
	t.acquire()
	h := begun("one")
	t.commit(step(&h))
	before := t.lease.Epoch
	if !t.again() {
		return
	}
	if t.lease.Epoch <= before {
		t.fail("the epoch after %d is %d", before, t.lease.Epoch)
	}
	now := t.lease.Epoch
	want := t.all()
	t.lease.Epoch = before
	next := h
	if err := t.try(step(&next)); !errors.Is(err, durable.ErrFenced) {
		t.fail("a commit of the owner before: %v", err)
	}
	t.same("what is stored", t.all(), want)
	t.lease.Epoch = now
	t.commit(step(&h))
}

func oneOwner(t *trial) {
	t.acquire()
	if t.lease.Epoch == 0 {
		t.fail("epochs begin at 1")
	}
	if _, err := t.Store.Acquire(context.Background()); !errors.Is(err, durable.ErrOwned) {
		t.fail("a second owner: %v", err)
	}
	h := begun("one")
	t.commit(step(&h)) // the first one is still the owner
}

func notAcquired(t *trial) {
	h := begun("one")
	if t.try(step(&h)) == nil {
		t.fail("a commit without an owner")
	}
}

// deletes: everything of a session goes, nothing of another, and the id begins
// anew.
func deletes(t *trial) {
	t.acquire()
	h, c := full("one")
	_, other := full("one more")
	t.commit(other)
	want := t.all()
	t.commit(c)
	t.commit(durable.Change{Session: "one", Before: h.Revision, Delete: true})
	t.gone("one")
	if _, err := t.Store.Journal(context.Background(), "one", 1, 10); !errors.Is(err, durable.ErrNotFound) {
		t.fail("the journal of a deleted session: %v", err)
	}
	if list, err := t.Store.Records(context.Background(), durable.RecordQuery{Namespace: "n", Session: "one"}); err != nil || len(list) > 0 {
		t.fail("the records of a deleted session: %v (%v)", list, err)
	}
	t.same("what is left", t.all(), want)
	_, c = full("one")
	t.commit(c)
	t.commit(durable.Change{Session: "one", Before: 99, Delete: true, Whatever: true})
	t.commit(durable.Change{Session: "one", Delete: true, Whatever: true})
	t.gone("one")
	t.same("what is left", t.all(), want)
	anew := begun("one")
	t.commit(step(&anew))
	got := t.load(durable.LoadQuery{Session: "one", Inbox: 5, Effects: []string{"over"}})
	t.same("the id again", *got, durable.Stored{Head: anew, Since: []durable.JournalRow{row(1)}})
}

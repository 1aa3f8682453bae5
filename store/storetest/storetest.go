// Package storetest is the suite that every store passes: each promise of
// [durable.Store] and [durable.Visited] that a store can break.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/detent-run/detent/durable"
)

// Opened is a store to be tried.
type Opened struct {
	// Store is empty and not acquired. The suite closes it.
	Store durable.Store
	// Reopen closes the store and opens it again as a new process would; nil
	// where nothing outlives it. The suite acquires what it returns before
	// anything else.
	Reopen func() durable.Store
}

// Run tries a store. Each check calls open for a store of its own.
func Run(t *testing.T, open func(t *testing.T) Opened) {
	t.Helper()
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			if err := c.run(open(t)); err != nil {
				t.Error(err)
			}
		})
	}
}

// check is one promise. It ends at the first thing that is not as promised.
type check struct {
	name string
	f    func(*trial)
}

// checks are all there are.
var checks = []check{
	{"StoresWhole", storesWhole}, {"Copies", copies}, {"StaleChangesNothing", staleChangesNothing}, {"SessionTwiceInCommit", sessionTwice},
	{"JournalRowTwice", journalRowTwice}, {"Fence", fence}, {"FenceOfLaterOwner", fenceOfLaterOwner}, {"OneOwner", oneOwner}, {"NotAcquired", notAcquired},
	{"Journal", journal}, {"StateAndSince", stateAndSince}, {"RowAlone", rowAlone}, {"Inbox", inbox}, {"Ready", ready}, {"PutToMissing", putToMissing}, {"Effects", effects},
	{"Records", records}, {"Search", search}, {"Due", due}, {"Select", selects}, {"SelectPages", pages}, {"StatePaths", statePaths},
	{"OddTexts", oddTexts}, {"BigBodies", bigBodies}, {"Delete", deletes}, {"HighWater", highWater}, {"Readers", readers},
	{"Close", closes}, {"Reopen", reopens}, {"Requests", requests},
}

// run gives what was not as promised.
func (c check) run(o Opened) (err error) {
	t := &trial{Opened: o}
	defer func() {
		if f, ok := recover().(broken); ok {
			err = f
		} else if f != nil {
			panic(f)
		}
		err = errors.Join(err, t.Store.Close())
	}()
	c.f(t)
	return nil
}

// broken is a promise that was not kept.
type broken error

// trial is a store while a check tries it.
type trial struct {
	Opened
	lease durable.Lease
	clock int64
}

func (t *trial) fail(format string, args ...any) { panic(broken(fmt.Errorf(format, args...))) }

func (t *trial) must(err error, doing string) {
	if err != nil {
		t.fail("%s: %w", doing, err)
	}
}

// same compares two values as a reader would: nil and empty are one.
func (t *trial) same(what string, got, want any) {
	if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); g != w {
		t.fail("%s: got %s, want %s", what, short(g), short(w))
	}
}

func short(s string) string {
	if len(s) > 600 {
		return s[:600] + " …"
	}
	return s
}

func (t *trial) acquire() {
	lease, err := t.Store.Acquire(context.Background())
	t.must(err, "acquire")
	t.lease = lease
}

// again opens the store anew and acquires it; false where that cannot be.
func (t *trial) again() bool {
	if t.Reopen == nil {
		return false
	}
	t.Store = t.Reopen()
	t.acquire()
	return true
}

func (t *trial) try(changes ...durable.Change) error {
	return t.Store.Commit(context.Background(), durable.Commit{Epoch: t.lease.Epoch, Clock: t.clock, Changes: changes})
}

func (t *trial) commit(changes ...durable.Change) {
	t.must(t.try(changes...), "commit")
}

func (t *trial) load(q durable.LoadQuery) *durable.Stored {
	s, err := t.Store.Load(context.Background(), q)
	t.must(err, "load "+short(q.Session))
	return s
}

func (t *trial) gone(session string) {
	if _, err := t.Store.Load(context.Background(), durable.LoadQuery{Session: session}); !errors.Is(err, durable.ErrNotFound) {
		t.fail("load of %q, which is not there: %v", short(session), err)
	}
}

// picked gives the ids that fit a filter.
func (t *trial) picked(f durable.Filter) string {
	heads, err := t.Store.Select(context.Background(), f)
	t.must(err, "select")
	var ids []string
	for _, h := range heads {
		ids = append(ids, h.Session)
	}
	return strings.Join(ids, " ")
}

// all is everything that can be read, as one text.
func (t *trial) all() string {
	ctx := context.Background()
	heads, err := t.Store.Select(ctx, durable.Filter{Limit: 10_000})
	t.must(err, "select")
	var b strings.Builder
	spaces := []string{""}
	for _, h := range heads {
		spaces = append(spaces, h.Session)
		fmt.Fprintf(&b, "%+v\n%+v\n", h, *t.load(durable.LoadQuery{Session: h.Session, Inbox: 1000, Effects: []string{"live", "over"}}))
		rows, err := t.Store.Journal(ctx, h.Session, 1, 1000)
		t.must(err, "journal")
		fmt.Fprintf(&b, "%+v\n", rows)
	}
	for _, s := range spaces {
		for _, n := range []string{"m", "n"} {
			list, err := t.Store.Records(ctx, durable.RecordQuery{Namespace: n, Session: s})
			t.must(err, "records")
			fmt.Fprintf(&b, "%+v\n", list)
		}
	}
	list, err := t.Store.Due(ctx, math.MaxInt64, 1000)
	t.must(err, "due")
	fmt.Fprintf(&b, "%+v\n", list)
	return b.String()
}

// begun is a session that did nothing yet.
func begun(session string) durable.Head {
	return durable.Head{Session: session, Format: 1, Chart: "door", Digest: strings.Repeat("d", 64), Status: durable.Active, Created: 1, Updated: 1, Since: 1}
}

// step is the next change of a session, with one journal row; h is then as it
// is afterwards.
func step(h *durable.Head) durable.Change {
	before := h.Revision
	h.Revision++
	h.Sequence++
	h.Hash = fmt.Sprintf("%064x", h.Sequence)
	next := *h
	return durable.Change{Session: h.Session, Before: before, Head: &next, Journal: []durable.JournalRow{row(h.Sequence)}}
}

func row(n uint64) durable.JournalRow {
	return durable.JournalRow{Sequence: n, Time: int64(n) * 10, Hash: fmt.Sprintf("%064x", n), Body: fmt.Appendf(nil, `{"n":%d}`, n)}
}

package durable

import (
	"context"
	"errors"
	"fmt"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// reader answers what can be read from a store without owning it.
type reader struct {
	store   Store
	library *library
}

func isNotFound(err error) bool { return errors.Is(err, ErrNotFound) }

// pinned finds the chart that a session is pinned to.
func (r *reader) pinned(ctx context.Context, digest string) (*statechart.Chart, error) {
	return r.library.byDigest(digest, func() ([]byte, error) {
		list, err := r.store.Records(ctx, RecordQuery{Namespace: SpaceChart, From: digest, To: digest + "\x00", Limit: 1})
		if err != nil || len(list) == 0 {
			return nil, err
		}
		return list[0].Body, nil
	})
}

// headOf reads a session's row and nothing else of it, nil if there is none.
func (r *reader) headOf(ctx context.Context, session string) (*Head, error) {
	stored, err := r.store.Load(ctx, LoadQuery{Session: session, Row: true})
	if isNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &stored.Head, nil
}

// Get returns a session as it stands. After an acknowledgement it shows that
// event's step, or a later one.
func (r *reader) Get(ctx context.Context, session string) (View, error) {
	stored, err := r.store.Load(ctx, LoadQuery{Session: session, Inbox: 1000})
	if err != nil {
		return View{}, storeProblem(err, session)
	}
	return r.view(ctx, stored)
}

func (r *reader) view(ctx context.Context, stored *Stored) (View, error) {
	h := &stored.Head
	v := View{Session: h.Session, Chart: h.Chart, Digest: h.Digest, Status: h.Status, Sequence: h.Sequence, Configuration: h.Configuration,
		Data: map[string]map[string]any{}, Timers: []TimerView{}, Effects: []EffectView{}, Pending: []PendingView{}, Queued: len(stored.Inbox),
		Since: h.Since, Created: h.Created, Updated: h.Updated, User: h.User, Tags: h.Tags, Priority: h.Priority, Parent: h.Parent}
	if len(h.Reason) > 0 {
		stands, err := readStanding(h.Reason)
		if err != nil {
			return v, storeProblem(fmt.Errorf("%w: %v", ErrDamaged, err), h.Session)
		}
		v.Reason, v.WakeAt = &stands.Why, stands.WakeAt
	}
	if err := v.effects(stored); err != nil {
		return v, storeProblem(err, h.Session)
	}
	chart, err := r.pinned(ctx, h.Digest)
	if err != nil {
		return v, storeProblem(err, h.Session)
	}
	_, snap, err := unfold(chart, stored)
	if err != nil {
		return v, storeProblem(err, h.Session)
	}
	if snap.IsZero() {
		return v, nil
	}
	v.Data, v.History, v.Output, v.Context, v.Next = snap.Data(), snap.History(), snap.Output(), snap.Context(), possible(snap)
	if h.Status == Active || h.Status == Suspended || h.Status == Parked {
		for _, t := range snap.Timers() {
			v.Timers = append(v.Timers, TimerView{Event: t.Name, Kind: t.Kind, Due: t.Due, State: t.State})
		}
	}
	return v, nil
}

// effects fills in the calls that have not ended.
func (v *View) effects(stored *Stored) error {
	all := map[string]*effect{}
	for _, row := range stored.Effects {
		f, err := decodeEffect(row)
		if err != nil {
			return fmt.Errorf("%w: the effect %s: %v", ErrDamaged, row.Key, err)
		}
		all[f.Key] = f
	}
	named := map[string]int{}
	for _, f := range all {
		named[f.name()]++
	}
	for _, f := range effectsInOrder(all) {
		if f.Stands == standsEnded {
			continue
		}
		id := f.name()
		if named[id] > 1 {
			id = f.Key
		}
		v.Effects = append(v.Effects, EffectView{ID: id, Key: f.Key, Src: f.Src, State: f.State, Mode: f.Mode, Stands: string(f.Stands),
			Attempt: f.Attempt, Due: f.Due, Last: f.Last, Since: f.Since, Input: f.Input, Child: f.Child})
		if f.Stands == standsHeld && f.Question != nil {
			v.Pending = append(v.Pending, PendingView{ID: id, Key: f.Key, Session: v.Session, Question: *f.Question, Approval: f.Approval,
				Src: f.Src, Input: f.Input, Digest: f.Digest, Since: f.Since, Due: f.Due})
		}
	}
	return nil
}

// List lists sessions by id, see [Filter].
func (r *reader) List(ctx context.Context, f Filter) ([]Head, error) {
	list, err := r.store.Select(ctx, f)
	return list, storeProblem(err, "")
}

// History reads rows of the journal from a sequence on; at most limit, 0 is
// 1,000.
func (r *reader) History(ctx context.Context, session string, from uint64, limit int) ([]host.Record, error) {
	if limit <= 0 {
		limit = 1000
	}
	rows, err := r.history(ctx, session, from, limit)
	if err == nil && len(rows) == 0 {
		var head *Head
		if head, err = r.headOf(ctx, session); err == nil && head == nil {
			err = noSession(session)
		}
	}
	return rows, storeProblem(err, session)
}

// history is History without a look whether there is such a session.
func (r *reader) history(ctx context.Context, session string, from uint64, limit int) ([]host.Record, error) {
	rows, err := r.store.Journal(ctx, session, from, limit)
	if err != nil {
		return nil, storeProblem(err, session)
	}
	out := make([]host.Record, len(rows))
	for i, row := range rows {
		if out[i], err = readRow(row); err != nil {
			return nil, storeProblem(fmt.Errorf("%w: the journal row %d: %v", ErrDamaged, row.Sequence, err), session)
		}
	}
	return out, nil
}

// Pending lists what waits for a person: of one session or, for "", of all.
func (r *reader) Pending(ctx context.Context, session string) ([]PendingView, error) {
	if session != "" {
		v, err := r.Get(ctx, session)
		return v.Pending, err
	}
	var out []PendingView
	after := ""
	for {
		heads, err := r.store.Select(ctx, Filter{Waits: true, After: after, Limit: 1000})
		if err != nil {
			return nil, storeProblem(err, "")
		}
		for _, h := range heads {
			stored, err := r.store.Load(ctx, LoadQuery{Session: h.Session})
			if isNotFound(err) {
				continue
			}
			if err != nil {
				return nil, storeProblem(err, h.Session)
			}
			v := View{Session: h.Session}
			if err := v.effects(stored); err != nil {
				return nil, storeProblem(err, h.Session)
			}
			out = append(out, v.Pending...)
			after = h.Session
		}
		if len(heads) < 1000 {
			return out, nil
		}
	}
}

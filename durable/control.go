package durable

import (
	"context"
	"fmt"
	"slices"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// do puts work before a session and waits until it is durable.
func (e *Engine) do(ctx context.Context, session string, f func(t *turn) error) error {
	return e.control(ctx, session, &control{do: f})
}

// control puts control work before a session and waits until it is durable.
func (e *Engine) control(ctx context.Context, session string, c *control) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.promise = e.promise()
	e.mu.Lock()
	if err := e.usable(); err != nil {
		e.mu.Unlock()
		return err
	}
	e.order(session, c)
	e.mu.Unlock()
	_, err := e.await(ctx, c.promise)
	return err
}

// Suspension says why a session is suspended, and until when.
type Suspension struct {
	// Reason is for people; By is who asked.
	Reason, By string
	// WakeAt resumes it by itself, in milliseconds since 1970; 0: never.
	WakeAt int64
}

// Suspend stops a session where it is: no effect starts, no timer fires, and
// events are queued. Calls that run finish, and their outcome is queued. Its
// children are suspended first. A suspended session costs a row and nothing
// else. Suspending again changes the reason and the wake time.
func (e *Engine) Suspend(ctx context.Context, session string, s Suspension) error {
	return e.overTree(ctx, &wish{Verb: verbSuspend, Session: session, By: s.By, Reason: s.Reason, Code: reasonSuspended, WakeAt: s.WakeAt})
}

func (t *turn) suspend(s Suspension, code statechart.Code) error {
	h := &t.s.head
	switch h.Status {
	case Active, Suspended:
	case Completed, Cancelled, Failed, Expired, Parked:
		return wrongStatus(h, "suspended")
	}
	h.Status = Suspended
	why := &statechart.Reason{Code: code, Message: s.Reason}
	t.setStanding(why, s.By, s.WakeAt)
	t.whole = true
	if code == reasonPreempted {
		t.gaveWay()
	}
	return t.mark("detent.suspend", s.By, why)
}

func wrongStatus(h *Head, what string) error {
	return problem(CodeStatus, "detent show says where it stands", "the session %q is %s and cannot be %s", h.Session, h.Status, what)
}

// Resume lets a suspended session go on at the very leaves where it was. Its
// children are resumed after it. On an active session it does nothing.
func (e *Engine) Resume(ctx context.Context, session, by string) error {
	return e.overTree(ctx, &wish{Verb: verbResume, Session: session, By: by})
}

func (t *turn) resume(by string) error {
	h := &t.s.head
	switch h.Status {
	case Active:
		return nil
	case Suspended:
		h.Status = Active
		t.setReason(nil)
		return t.mark("detent.resume", by, nil)
	}
	err := wrongStatus(h, "resumed")
	if h.Status == Parked || h.Status == Failed {
		err.(*statechart.Error).Hint = "detent retry " + h.Session
	}
	return err
}

// Cancel ends a session from outside; exit actions run, calls are taken back.
// Its children are cancelled first. Cancelling one that is cancelled does
// nothing.
func (e *Engine) Cancel(ctx context.Context, session, by string) error {
	return e.overTree(ctx, &wish{Verb: verbCancel, Session: session, By: by})
}

func (t *turn) cancelAsked(by string) error {
	switch h := &t.s.head; {
	case h.Status == Cancelled:
		return nil
	case h.Status.Over():
		return wrongStatus(h, "cancelled")
	}
	return t.cancel(by, "cancelled")
}

// Delete removes a session with everything that is stored of it, its children
// first. One that is not over is cancelled before.
func (e *Engine) Delete(ctx context.Context, session, by string) error {
	return e.overTree(ctx, &wish{Verb: verbDelete, Session: session, By: by})
}

// delete removes the session. One whose state cannot be read is removed as it
// is.
func (t *turn) delete(by string) error {
	over := t.s.head.Status.Over()
	switch {
	case !over && t.s.loaded:
		if err := t.cancel(by, "deleted"); err != nil {
			return err
		}
	case !over:
		if err := t.reportEnd(host.Failed(host.Failure{Code: string(Cancelled), Message: "the session was deleted", Final: true})); err != nil {
			return err
		}
	}
	for key := range t.s.effects {
		t.later(func() { t.e.calls.cancel(key, errLeft) })
	}
	t.own = Change{Session: t.s.id, Before: t.before, Delete: true, Whatever: t.s.head.Session == ""}
	t.dirty = true
	t.e.mu.Lock()
	t.s.exists = false
	t.e.mu.Unlock()
	return nil
}

// Retry lets a parked or failed session try again what stopped it: the same
// event on the state before it, under the same keys. A call of the mode
// at_most_once whose outcome is unknown is never repeated by it: [Engine.Settle]
// says what became of it.
func (e *Engine) Retry(ctx context.Context, session, by string) error {
	return e.do(ctx, session, func(t *turn) error { return t.retry(by) })
}

func (t *turn) retry(by string) error {
	h := &t.s.head
	if h.Status != Parked && h.Status != Failed {
		return wrongStatus(h, "retried")
	}
	if h.Status == Parked && t.s.snap.Status() == statechart.Active {
		h.Status = Active
		t.setReason(nil)
		return t.mark("detent.retry", by, nil)
	}
	before, row, err := t.beforeFailure()
	if err != nil {
		return err
	}
	if f := t.s.effects[row.Effect]; f != nil && f.Stands == standsUnknown && f.Mode == host.AtMostOnce {
		return problem(CodeNotRepeatable, fmt.Sprintf("detent settle %s %s --done JSON, --failed, or --again", h.Session, f.name()),
			"nobody knows whether the call %s happened, and it may not be repeated", f.name())
	}
	if err := t.goBack(before, by); err != nil {
		return err
	}
	if f := t.s.effects[row.Effect]; f != nil && f.Stands == standsUnknown {
		return t.lostAttempt(f, "tried again")
	}
	t.postSelf(&message{Kind: messageEvent, At: row.AcceptedAt, Name: row.Event, Data: row.Data, From: row.Sender, By: by, Source: row.Source,
		Effect: row.Effect, Origin: row.Origin, SendID: row.SendID, Invocation: row.Invocation})
	return nil
}

// beforeFailure finds the row that ended the session, and the state before it.
func (t *turn) beforeFailure() (statechart.Snapshot, *host.Record, error) {
	var none statechart.Snapshot
	id := t.s.id
	state := map[string]any{}
	from := uint64(1)
	var last *host.Record
	var before []byte
	for {
		rows, err := t.e.store.Journal(t.e.context, id, from, 1000)
		if err != nil {
			return none, nil, err
		}
		for _, row := range rows {
			r, err := readRow(row)
			if err != nil {
				return none, nil, fmt.Errorf("%w: the journal row %d: %v", ErrDamaged, row.Sequence, err)
			}
			if r.Step > 0 && (r.Status == string(Failed) || r.Status == string(Parked)) {
				if before, err = statechart.AppendDocument(nil, state); err != nil {
					return none, nil, err
				}
				last = &r
			}
			if r.Change != nil {
				if err := apply(state, r.Change); err != nil {
					return none, nil, fmt.Errorf("%w: the journal row %d: %v", ErrDamaged, row.Sequence, err)
				}
			}
			from = row.Sequence + 1
		}
		if len(rows) < 1000 {
			break
		}
	}
	if last == nil || len(before) <= 2 {
		return none, nil, problem(CodeStatus, "start a new session", "the session %q failed in its first step, or that row was compacted away", id)
	}
	snap, err := t.s.chart.Decode(before)
	return snap, last, err
}

// goBack makes an earlier state the session's, with the calls that ran then.
func (t *turn) goBack(before statechart.Snapshot, by string) error {
	s := t.s
	doc, err := before.Encode()
	if err != nil {
		return err
	}
	from := configurationOf(s.snap)
	if len(s.chart.Definition().Lists) > 0 {
		before = before.WithRows(t.e.rowsOf(s))
	}
	s.snap = before
	s.head.Status = Active
	t.setReason(nil)
	t.whole = true
	r := &host.Record{AcceptedAt: t.now, Event: "detent.retry", By: by, Outcome: statechart.Taken.String()}
	if err := t.write(r, from, doc); err != nil {
		return err
	}
	return t.reviveCalls()
}

// reviveCalls brings back the calls that the state still waits for and that
// the failure had taken back.
func (t *turn) reviveCalls() error {
	var keys []string
	for _, l := range t.s.snap.Live() {
		switch f := t.s.effects[l.Key]; {
		case f == nil:
			keys = append(keys, l.Key)
		case f.Stands == standsStopping:
			if err := t.end(f, childGone(), nil); err != nil {
				return err
			}
		case f.Stands == standsAbandoned:
			if err := t.lostAttempt(f, "it was cut off when the session failed"); err != nil {
				return err
			}
		}
	}
	if len(keys) == 0 {
		return nil
	}
	stored, err := t.e.store.Load(t.e.context, LoadQuery{Session: t.s.id, Effects: keys})
	if err != nil {
		return err
	}
	for _, row := range stored.Effects {
		f, err := decodeEffect(row)
		if err != nil {
			return err
		}
		if !slices.Contains(keys, f.Key) || f.Outcome == nil || f.Outcome.Kind != host.KindCancelled {
			continue
		}
		f.Outcome = nil
		t.s.effects[f.Key] = f
		if f.Child != "" {
			if err := t.end(f, childGone(), nil); err != nil {
				return err
			}
			continue
		}
		if f.Attempt == 0 || f.Mode != host.AtMostOnce {
			t.set(f, standsPending)
			continue
		}
		if err := t.lostAttempt(f, "it was cut off when the session failed"); err != nil {
			return err
		}
	}
	return nil
}

// childGone is how the call of a child ends that was cancelled when its parent
// failed: an ended session does not come back.
func childGone() host.Outcome {
	return host.Failed(host.Failure{Code: string(Cancelled), Message: "the child was cancelled when the session failed", Executed: true})
}

// Settlement says what became of a call whose outcome is unknown. Exactly one
// of Done, Failed and Again is set.
type Settlement struct {
	// Done is set when it happened; Output is what it gave.
	Done   bool
	Output any
	// Failed is set when it did not happen.
	Failed *host.Failure
	// Again makes the call once more, whatever its mode says.
	Again bool
	// By and Why go on record.
	By, Why string
}

// Settle resolves a call whose outcome is unknown, by the id or the key that
// [View.Effects] shows. A session that is parked because of it goes on.
func (e *Engine) Settle(ctx context.Context, session, effect string, s Settlement) error {
	if _, err := e.checkData(s.Output); err != nil {
		return err
	}
	return e.do(ctx, session, func(t *turn) error { return t.settle(effect, s) })
}

func (t *turn) settle(id string, s Settlement) error {
	f := t.findEffect(id, standsUnknown, standsAbandoned)
	if f == nil {
		return problem(CodeNoEffect, "detent show lists the calls", "the session %q has no call %q whose outcome is unknown", t.s.id, id)
	}
	outcome := host.Done(s.Output)
	if s.Failed != nil {
		outcome = host.Failed(*s.Failed)
	}
	if f.Stands == standsAbandoned {
		f.Outcome = &outcome
		t.set(f, standsEnded)
		return t.settled(f, s, &outcome)
	}
	if t.s.head.Status == Parked && t.s.snap.Status() == statechart.Parked {
		before, row, err := t.beforeFailure()
		if err != nil {
			return err
		}
		if row.Effect == f.Key {
			if err := t.goBack(before, s.By); err != nil {
				return err
			}
		}
	}
	if s.Again {
		t.set(f, standsPending)
		return t.settled(f, s, nil)
	}
	if err := t.settled(f, s, &outcome); err != nil {
		return err
	}
	return t.end(f, outcome, nil)
}

func (t *turn) settled(f *effect, s Settlement, o *host.Outcome) error {
	r := &host.Record{AcceptedAt: t.now, Event: "detent.settle", By: s.By, Effect: f.Key, Outcome: statechart.Taken.String(),
		Calls: []host.CallChange{{Key: f.Key, Src: f.Src, State: string(f.Stands), Attempt: f.Attempt, Outcome: o, Note: s.Why}}}
	return t.write(r, configurationOf(t.s.snap), t.s.doc)
}

// findEffect finds a call by its key or, if that is unique, by its id.
func (t *turn) findEffect(id string, at ...stands) *effect {
	var found []*effect
	for _, f := range effectsInOrder(t.s.effects) {
		if !slices.Contains(at, f.Stands) {
			continue
		}
		if f.Key == id {
			return f
		}
		if f.name() == id {
			found = append(found, f)
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return nil
}

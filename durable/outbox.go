package durable

import (
	"fmt"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// set moves an effect on and marks it to be stored with the turn.
func (t *turn) set(f *effect, to stands) {
	f.Stands, f.Since, f.Due, f.dirty = to, t.now, 0, true
	t.dirty = true
}

// ask stores an outside call that the chart asks for.
func (t *turn) ask(x *statechart.Effect, r *host.Record) error {
	s := t.s
	f := &effect{Key: x.Key, Sources: []statechart.Source{x.Source}, Src: x.Call.Src, State: x.State, Input: x.Data, Digest: digestOf(x.Data),
		Declared: x.Call.DeclaredKey != nil, Mode: host.Mode(x.Call.Mode), Timeout: x.Call.Timeout, Heartbeat: x.Call.Heartbeat,
		Choices: x.Call.Choices, Created: t.now, Sequence: x.Sequence, Index: x.Index}
	if f.Declared {
		if known, err := t.sameKey(f); known || err != nil {
			return err
		}
	}
	s.effects[f.Key] = f
	if id, ok := childOf(f.Src); ok {
		return t.startChild(f, id)
	}
	_, traits, found := t.e.find(f.Src)
	if problem := freeze(f, x.Call, traits); problem != nil {
		return t.end(f, *problem, r)
	}
	if !found {
		return t.end(f, host.Missing(f.Src), r)
	}
	if traits.Check != nil {
		if err := traits.Check(f.Input); err != nil {
			return t.end(f, host.Failed(host.Failure{Code: "bad_input", Message: err.Error(), Final: true}), r)
		}
	}
	if x.Call.Approval != nil {
		return t.hold(f, approvalQuestion(f, x.Call.Approval))
	}
	t.set(f, standsPending)
	return nil
}

// freeze fixes the policy of a call in its row: what the chart says, else
// what is declared of the source.
func freeze(f *effect, o *statechart.CallOptions, traits host.Traits) *host.Outcome {
	if f.Mode == "" {
		f.Mode = traits.Mode
	}
	if !f.Mode.Valid() {
		f.Mode = host.AtMostOnce
	}
	if f.Timeout == 0 {
		f.Timeout = traits.Timeout
	}
	f.Version = traits.Version
	if traits.Retry != nil {
		f.Retry = *traits.Retry
	}
	if o != nil && o.Retry != nil {
		var err error
		if f.Retry, err = host.ReadRetry(o.Retry); err != nil {
			out := host.Failed(host.Failure{Code: "bad_retry", Message: err.Error(), Final: true})
			return &out
		}
	}
	return nil
}

// sameKey deals with a call whose declared key is known: it adopts the result
// of a finished one, joins a live one, goes on with an unknown one, or is in
// conflict with one of another input (X3).
func (t *turn) sameKey(f *effect) (bool, error) {
	first := t.s.effects[f.Key]
	if first == nil {
		stored, err := t.e.store.Load(t.e.context, LoadQuery{Session: t.s.id, Effects: []string{f.Key}})
		if err != nil && !isNotFound(err) {
			return false, err
		}
		if stored != nil {
			for _, row := range stored.Effects {
				if row.Key == f.Key {
					if first, err = decodeEffect(row); err != nil {
						return false, err
					}
				}
			}
		}
	}
	switch {
	case first == nil || first.Stands == standsStopping:
		return false, nil
	case first.cancelled() && !first.happened():
		return false, nil
	case first.Digest != f.Digest:
		t.tell(f.Sources, f.Key, host.Failed(host.Failure{Code: "key_conflict", Message: "the key belongs to a call with another input", Final: true}))
	case first.cancelled(): // too late for who asked first, but it happened
		t.tell(f.Sources, f.Key, *first.Evidence)
	case first.Stands == standsEnded && first.Outcome.Kind == host.KindError:
		return false, nil // it was not done: this is a new try
	case first.Stands == standsEnded:
		t.tell(f.Sources, f.Key, *first.Outcome)
	case first.Stands == standsUnknown || first.Stands == standsAbandoned:
		first.Sources, first.Base = f.Sources, first.Attempt // who asks anew has all the tries
		t.s.effects[f.Key] = first
		return true, t.lostAttempt(first, "its outcome is not known")
	default:
		first.Sources = append(first.Sources, f.Sources...)
		first.dirty = true
	}
	t.dirty = true
	return true, nil
}

// tell puts the end of a call, or news of it, behind what is accepted.
func (t *turn) tell(sources []statechart.Source, key string, o host.Outcome) {
	for _, source := range sources {
		t.postSelf(&message{Kind: messageEvent, At: t.now, Name: string(o.Kind) + "." + source.Kind + "." + source.ID,
			Data: o.Event(), ID: key + "/" + string(o.Kind), Source: &source, Effect: key})
	}
}

// end records how a call ended and tells the chart, or the call that asked
// for it.
func (t *turn) end(f *effect, o host.Outcome, r *host.Record) error {
	f.Outcome = &o
	if o.Failure != nil {
		f.Last = o.Failure
	}
	if o.Kind == host.KindUnknown {
		t.set(f, standsUnknown)
	} else {
		t.set(f, standsEnded)
	}
	if r != nil {
		r.Calls = append(r.Calls, host.CallChange{Key: f.Key, Src: f.Src, State: string(f.Stands), Attempt: f.Attempt, Outcome: &o})
	}
	if f.Parent != "" {
		return t.subEnded(f)
	}
	if t.s.head.Status.Over() {
		return t.note(f, "detent.outcome", &o)
	}
	t.tell(f.Sources, f.Key, o)
	return nil
}

// note writes a row for what became of a call outside of a step.
func (t *turn) note(f *effect, name string, o *host.Outcome) error {
	r := &host.Record{AcceptedAt: t.now, Event: name, Effect: f.Key, Outcome: statechart.Taken.String(),
		Calls: []host.CallChange{{Key: f.Key, Src: f.Src, State: string(f.Stands), Attempt: f.Attempt, Outcome: o}}}
	return t.write(r, configurationOf(t.s.snap), t.s.doc)
}

// leave takes back one asker's interest in a call: the call itself, unless
// others have joined it.
func (t *turn) leave(f *effect, source statechart.Source, r *host.Record) {
	if len(f.Sources) > 1 {
		rest := f.Sources[:0:0]
		for _, s := range f.Sources {
			if s != source {
				rest = append(rest, s)
			}
		}
		f.Sources, f.dirty, t.dirty = rest, true, true
		return
	}
	before := f.Stands
	t.stop(f, "its state was left")
	if f.Stands != before {
		r.Calls = append(r.Calls, host.CallChange{Key: f.Key, Src: f.Src, State: string(f.Stands), Attempt: f.Attempt, Note: "its state was left"})
	}
}

// stop cancels a call in this commit. One whose attempt may run ends as
// abandoned: what becomes of it is kept as evidence (X8).
func (t *turn) stop(f *effect, why string) {
	for _, key := range f.Subs {
		if sub := t.s.effects[key]; sub != nil {
			t.stop(sub, why)
		}
	}
	if fresh := t.fresh[f.Key]; fresh != nil && f.Stands == standsClaimed { // it has not begun
		fresh.left = true
		f.Attempt--
		f.Outcome = &host.Outcome{Kind: host.KindCancelled}
		t.set(f, standsEnded)
		return
	}
	switch f.Stands {
	case standsEnded, standsAbandoned, standsUnknown, standsStopping:
		return
	case standsChild:
		t.set(f, standsStopping)
		if err := t.post(f.Child, &message{Kind: messageCancel, At: t.now, Origin: t.s.id, Effect: f.Key}); err != nil {
			panic(err)
		}
	case standsClaimed, standsAsking:
		t.set(f, standsAbandoned)
		t.later(func() { t.e.calls.cancel(f.Key, errLeft) })
	default:
		f.Outcome = &host.Outcome{Kind: host.KindCancelled}
		t.set(f, standsEnded)
	}
}

var errLeft = fmt.Errorf("the call is wanted no more")

// lostAttempt decides what follows an attempt whose end nobody saw.
func (t *turn) lostAttempt(f *effect, why string) error {
	switch f.Mode {
	case host.AtLeastOnce:
		t.set(f, standsPending)
		return nil
	case host.Reconcile:
		f.Asked, f.Lost = 0, f.Stands == standsClaimed
		t.set(f, standsAsking)
		return nil
	}
	if f.Outcome != nil && f.Stands == standsUnknown {
		t.tell(f.Sources, f.Key, *f.Outcome)
		return nil
	}
	return t.end(f, host.Unknown("lost", why), nil)
}

// came takes up what an attempt gave. What comes too late is kept as evidence
// and changes nothing (X7).
func (t *turn) came(key string, attempt int, o host.Outcome) error {
	f := t.s.effects[key]
	switch {
	case f == nil:
		return nil
	case f.Stands == standsAbandoned && f.Attempt == attempt && o.Kind == host.KindUnknown && f.Mode != host.AtLeastOnce:
		f.Evidence, f.dirty, t.dirty = &o, true, true // still nobody knows: a person may settle it
		return t.note(f, "detent.late", &o)
	case f.Stands == standsAbandoned && f.Attempt == attempt:
		f.Evidence = &o
		f.Outcome = &host.Outcome{Kind: host.KindCancelled}
		t.set(f, standsEnded)
		return t.note(f, "detent.late", &o)
	case f.Stands == standsUnknown && f.Attempt == attempt:
		f.Evidence, f.dirty, t.dirty = &o, true, true
		return t.note(f, "detent.late", &o)
	case f.Stands != standsClaimed || f.Attempt != attempt:
		return nil
	}
	hit("result.before")
	switch o.Kind {
	case host.KindDone:
		return t.end(f, o, nil)
	case host.KindMore:
		return t.goOn(f, o.More)
	case host.KindWait:
		return t.hold(f, o.Question)
	case host.KindUnknown:
		return t.unseen(f, o)
	case host.KindError:
		executed := o.Failure != nil && o.Failure.Executed
		if f.Retry.Allows(f.Attempt-f.Base, o.Failure) && !(f.Mode == host.AtMostOnce && executed) {
			return t.again(f, o.Failure)
		}
		return t.end(f, o, nil)
	}
	return t.end(f, host.Unknown("bad_outcome", "the performer gave an outcome of no kind"), nil)
}

// unseen deals with an attempt whose performer did not see its end.
func (t *turn) unseen(f *effect, o host.Outcome) error {
	switch f.Mode {
	case host.AtLeastOnce:
		if f.Retry.Allows(f.Attempt-f.Base, o.Failure) {
			return t.again(f, o.Failure)
		}
	case host.Reconcile:
		f.Last, f.Asked, f.Lost = o.Failure, 0, false
		t.set(f, standsAsking)
		return nil
	}
	return t.end(f, o, nil)
}

// again puts the next attempt off, by the policy.
func (t *turn) again(f *effect, failure *host.Failure) error {
	wait := f.Retry.Wait(f.Key, f.Attempt-f.Base)
	if failure != nil {
		wait = max(wait, failure.RetryAfter)
	}
	f.Last = failure
	t.set(f, standsRetrying)
	f.Due = t.now + wait
	return t.note(f, "detent.retry", &host.Outcome{Kind: host.KindError, Failure: failure})
}

// asks are how often an unclear look-up is repeated when the call's policy
// says nothing.
const asks = 3

// found takes up what a look-up by key said (X6).
func (t *turn) found(key string, finding host.Finding, o host.Outcome) error {
	f := t.s.effects[key]
	if f == nil {
		return nil
	}
	switch {
	case f.Stands == standsAbandoned && finding == host.Found:
		f.Evidence = &o
		f.Outcome = &host.Outcome{Kind: host.KindCancelled}
		t.set(f, standsEnded)
		return t.note(f, "detent.late", &o)
	case f.Stands == standsAbandoned && finding == host.Absent:
		f.Outcome = &host.Outcome{Kind: host.KindCancelled}
		t.set(f, standsEnded)
		return t.note(f, "detent.absent", nil)
	case f.Stands != standsAsking:
		return nil
	case finding == host.Found:
		return t.end(f, o, nil)
	case finding == host.Absent && f.Lost:
		f.Base, f.Lost = f.Base+1, false // nobody saw it run, and it did not happen
		t.set(f, standsPending)
		return t.note(f, "detent.absent", nil)
	case finding == host.Absent && f.Attempt-f.Base <= f.Retry.Max+1:
		t.set(f, standsPending)
		return t.note(f, "detent.absent", nil)
	case finding == host.Absent:
		failure := f.Last
		if failure == nil {
			failure = &host.Failure{Code: "absent", Message: "the call did not happen"}
		}
		return t.end(f, host.Failed(host.Failure{Code: failure.Code, Message: failure.Message, Status: failure.Status}), nil)
	}
	f.Asked++
	if f.Asked >= max(asks, f.Retry.Max) {
		return t.end(f, host.Unknown("unclear", "the other side could not say whether the call happened"), nil)
	}
	wait := f.Retry.Wait(f.Key, f.Asked)
	f.Since, f.Due, f.dirty, t.dirty = t.now, t.now+wait, true, true
	return nil
}

// goOn stores the further effects that a call asks for.
func (t *turn) goOn(f *effect, m *host.More) error {
	if m == nil || len(m.Effects) > maxMore || len(m.Continuation) > maxContinuation {
		return t.end(f, host.Failed(host.Failure{Code: "too_much", Message: fmt.Sprintf("a call may ask for %d effects and keep %d bytes", maxMore, maxContinuation), Executed: true, Final: true}), nil)
	}
	f.Round++
	f.Continuation, f.Subs, f.Asked = m.Continuation, nil, 0
	for i, q := range m.Effects {
		sub := &effect{Key: subKey(f.Key, f.Round, i), Src: q.Src, State: f.State, Input: q.Input, Digest: digestOf(q.Input), Mode: q.Mode, Timeout: q.Timeout,
			Parent: f.Key, Created: t.now, Sequence: f.Sequence, Index: f.Index}
		f.Subs = append(f.Subs, sub.Key)
		t.s.effects[sub.Key] = sub
		_, traits, found := t.e.find(q.Src)
		freeze(sub, nil, traits)
		if q.Retry != nil {
			sub.Retry = *q.Retry
		}
		if !found {
			o := host.Missing(q.Src)
			sub.Outcome = &o
			t.set(sub, standsEnded)
			continue
		}
		t.set(sub, standsPending)
	}
	t.set(f, standsWaiting)
	if err := t.note(f, "detent.more", nil); err != nil {
		return err
	}
	return t.subsOver(f)
}

const (
	maxMore         = 100
	maxContinuation = 64 << 10
)

// subEnded looks whether the call that asked for a further effect can go on.
func (t *turn) subEnded(sub *effect) error {
	if f := t.s.effects[sub.Parent]; f != nil && f.Stands == standsWaiting {
		if err := t.note(sub, "detent.part", sub.Outcome); err != nil {
			return err
		}
		return t.subsOver(f)
	}
	return nil
}

// subsOver lets a call go on when all that it waits for has ended.
func (t *turn) subsOver(f *effect) error {
	for _, key := range f.Subs {
		if sub := t.s.effects[key]; sub != nil && sub.alive() && sub.Stands != standsUnknown {
			return nil
		}
	}
	f.Base = f.Attempt
	t.set(f, standsPending)
	return nil
}

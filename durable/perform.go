package durable

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/detent-run/detent/host"
)

// claim makes a call this engine's to run: the row says so, durably, before
// the call starts (X4).
func (t *turn) claim(w *want) error {
	f := t.s.effects[w.key]
	quiet := t.s.head.Status != Active && !t.s.head.Status.Over()
	t.unit.lost = append(t.unit.lost, func(error) { t.e.release(w) })
	if f == nil || quiet || !slices.Contains([]stands{standsPending, standsRetrying, standsAsking}, f.Stands) || f.Due > t.now || t.e.outer.Err() != nil {
		t.later(func() { t.e.release(w) })
		return nil
	}
	ask := f.Stands == standsAsking
	if !ask {
		hit("claim.before")
		f.Attempt++
		f.Epoch = t.e.lease.Epoch
		t.set(f, standsClaimed)
		if t.fresh == nil {
			t.fresh = map[string]*want{}
		}
		t.fresh[f.Key] = w
	}
	call := f.call(&t.s.head)
	rhythm, subs := f.Heartbeat, f.Subs
	if call.Round == 0 {
		subs = nil
	}
	t.later(func() { t.e.launch(w, call, rhythm, subs, ask) })
	return nil
}

// launch starts the goroutine of an attempt. The engine's lock is held.
func (e *Engine) launch(w *want, call host.Call, rhythm int64, subs []string, ask bool) {
	hit("claim.after")
	if w.left || e.outer.Err() != nil { // at the end of the engine: by its mode, when the store is opened again
		e.release(w)
		return
	}
	ctx, cancel := context.WithCancelCause(e.outer)
	now := e.now()
	a := &attempt{want: w, number: call.Attempt, cancel: cancel, rhythm: rhythm, told: now - progressPace}
	if call.Timeout > 0 {
		a.deadline = now + call.Timeout
	}
	if rhythm > 0 {
		a.beat = now + rhythm
	}
	e.calls.running[w.key] = a
	e.time.Open()
	call.Heartbeat = func() { e.heartbeat(a) }
	call.Progress = func(data any) { e.progress(a, data) }
	e.startLocked("call "+call.Src, func() {
		defer cancel(nil)
		if ask {
			finding, outcome := e.lookUp(ctx, call)
			e.finished(a, func(t *turn) error { return t.found(w.key, finding, outcome) })
			return
		}
		outcome := e.perform(ctx, call, subs)
		hit("call.after")
		e.finished(a, func(t *turn) error { return t.came(w.key, a.number, outcome) })
	})
}

// perform makes one attempt. A panic is an outcome that nobody saw.
func (e *Engine) perform(ctx context.Context, call host.Call, subs []string) (outcome host.Outcome) {
	defer func() {
		if p := recover(); p != nil {
			e.log.Error("a performer panicked", "session", call.Session, "src", call.Src, "problem", fmt.Sprint(p))
			outcome = host.Unknown("panic", "the performer broke off")
		}
	}()
	p, _, ok := e.find(call.Src)
	if !ok {
		return host.Missing(call.Src)
	}
	if len(subs) > 0 {
		results, err := e.results(ctx, call.Session, subs)
		if err != nil {
			return host.Fail("store", "the results of the call's effects cannot be read: "+err.Error())
		}
		call.Results = results
	}
	hit("call.before")
	outcome = p.Perform(ctx, call)
	outcome, err := asStored(outcome)
	if err != nil {
		return host.Unknown("bad_outcome", "what the performer gave cannot be kept: "+err.Error())
	}
	if ctx.Err() != nil && outcome.Kind == host.KindError && errors.Is(context.Cause(ctx), errDrained) {
		// It was cut off by the engine: whether it happened is not known.
		outcome.Kind = host.KindUnknown
	}
	return outcome
}

// asStored is an outcome as it comes back from the store: a performer may give
// structs and lists of its own types, and the chart sees JSON, live as after a
// restart.
func asStored(o host.Outcome) (host.Outcome, error) {
	body, err := host.Encode(o)
	if err != nil {
		return o, err
	}
	var stored host.Outcome
	err = host.Decode(body, &stored)
	return stored, err
}

// results reads how the effects that a call asked for have ended.
func (e *Engine) results(ctx context.Context, session string, keys []string) ([]host.Result, error) {
	stored, err := e.store.Load(ctx, LoadQuery{Session: session, Effects: keys})
	if err != nil {
		return nil, err
	}
	byKey := map[string]*effect{}
	for _, row := range stored.Effects {
		f, err := decodeEffect(row)
		if err != nil {
			return nil, err
		}
		byKey[f.Key] = f
	}
	out := make([]host.Result, 0, len(keys))
	for _, key := range keys {
		f := byKey[key]
		if f == nil || f.Outcome == nil {
			return nil, fmt.Errorf("the effect %s has no end", key)
		}
		out = append(out, host.Result{Key: key, Src: f.Src, Outcome: *f.Outcome})
	}
	return out, nil
}

// lookUp asks a performer by key whether the call happened.
func (e *Engine) lookUp(ctx context.Context, call host.Call) (finding host.Finding, outcome host.Outcome) {
	defer func() {
		if p := recover(); p != nil {
			finding = host.Unclear
		}
	}()
	p, _, _ := e.find(call.Src)
	finder, ok := p.(host.Finder)
	if !ok {
		return host.Unclear, host.Outcome{}
	}
	finding, outcome = finder.Find(ctx, call)
	outcome, err := asStored(outcome)
	if finding == host.Found && (err != nil || !outcome.Ends()) {
		finding = host.Unclear
	}
	return finding, outcome
}

// finished hands in what an attempt gave and frees its place.
func (e *Engine) finished(a *attempt, do func(t *turn) error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	a.over = true
	e.release(a.want)
	if e.usable() != nil {
		return // the next owner deals with it by its mode
	}
	e.deliverOutcome(a, do)
}

// deliverOutcome puts what is known of an attempt before its session. It is
// not forgotten when a commit fails. The engine's lock is held.
func (e *Engine) deliverOutcome(a *attempt, do func(t *turn) error) {
	gone := func() {
		if e.calls.running[a.want.key] == a {
			delete(e.calls.running, a.want.key)
		}
	}
	e.order(a.want.session, &control{again: true, dropped: func(error) { gone() }, do: func(t *turn) error {
		t.later(gone)
		return do(t)
	}})
}

// expireAttempts ends the attempts whose time is up: their context is
// cancelled, and what they give later is evidence. The engine's lock is held.
func (e *Engine) expireAttempts(now int64) {
	for _, a := range e.attempts() {
		code := ""
		switch {
		case a.over:
		case a.deadline != 0 && a.deadline <= now:
			code = "timeout"
		case a.beat != 0 && a.beat <= now:
			code = "heartbeat"
		}
		if code != "" {
			a.over = true
			a.cancel(fmt.Errorf("the attempt's time is up: %s", code))
			e.release(a.want) // what follows does not wait for one that does not listen
			key, number := a.want.key, a.number
			outcome := host.Unknown(code, "the attempt took too long")
			e.deliverOutcome(a, func(t *turn) error { return t.came(key, number, outcome) })
			continue
		}
		if a.news != nil && a.told+progressPace <= now {
			e.tellProgress(a, now)
		}
	}
}

func (e *Engine) attempts() []*attempt {
	out := make([]*attempt, 0, len(e.calls.running))
	for _, a := range e.calls.running {
		out = append(out, a)
	}
	slices.SortFunc(out, func(a, b *attempt) int { return strings.Compare(a.want.key, b.want.key) })
	return out
}

// nextExpiry is when an attempt's time is up next, 0 for never.
func (e *Engine) nextExpiry() (next int64) {
	soonest := func(at int64) {
		if at != 0 && (next == 0 || at < next) {
			next = at
		}
	}
	for _, a := range e.calls.running {
		if a.over {
			continue
		}
		soonest(a.deadline)
		soonest(a.beat)
		if a.news != nil {
			soonest(a.told + progressPace)
		}
	}
	return next
}

// progressPace is the least time between two progress events of a call.
const progressPace = 1000

func (e *Engine) heartbeat(a *attempt) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if a.rhythm > 0 && !a.over {
		a.beat = e.now() + a.rhythm
	}
}

func (e *Engine) progress(a *attempt, data any) {
	told, err := asStored(host.Done(data))
	if err != nil {
		e.log.Error("a call's progress cannot be kept", "session", a.want.session, "problem", err.Error())
		return
	}
	data = told.Output
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.now()
	if a.over || e.usable() != nil {
		return
	}
	if a.rhythm > 0 {
		a.beat = now + a.rhythm
	}
	a.news = &data
	if a.told+progressPace <= now {
		e.tellProgress(a, now)
	}
	e.time.Open()
}

// tellProgress hands the latest news on. The engine's lock is held.
func (e *Engine) tellProgress(a *attempt, now int64) {
	data, key, number := *a.news, a.want.key, a.number
	a.news, a.told = nil, now
	e.order(a.want.session, &control{do: func(t *turn) error {
		f := t.s.effects[key]
		if f == nil || f.Attempt != number || f.Stands != standsClaimed || t.s.head.Status != Active {
			return nil
		}
		for _, source := range f.Sources {
			t.postSelf(&message{Kind: messageEvent, At: t.now, Name: "progress." + source.Kind + "." + source.ID, Data: data, Source: &source, Effect: key})
		}
		return nil
	}})
}

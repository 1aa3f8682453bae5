package durable

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// wish is a control verb over a session and the sessions that it has started.
// That takes several commits, children first or, of a resumption, last; so the
// wish goes on record with the first of them and off it with the last, and an
// engine that finds one goes on with it (R35).
type wish struct {
	Verb    verb            `json:"verb"`
	Session string          `json:"session"`
	By      string          `json:"by,omitempty"`
	Reason  string          `json:"reason,omitempty"`
	Code    statechart.Code `json:"code,omitempty"` // of a suspension
	WakeAt  int64           `json:"wakeAt,omitempty"`

	key string // of its record; empty: it is not on record
}

type verb string

const (
	verbSuspend verb = "suspend"
	verbResume  verb = "resume"
	verbCancel  verb = "cancel"
	verbDelete  verb = "delete"
)

// concerned are the statuses of the children that a verb is done to. All but
// a resumption leave none of them behind.
var concerned = map[verb][]Status{
	verbSuspend: {Active},
	verbResume:  {Suspended, Active}, // an active one may have children that are suspended
	verbCancel:  {Active, Suspended, Parked},
	verbDelete:  {""},
}

// overTree does a verb to a session and its children. Without children it is
// one commit. Once the wish is on record it is carried out, whatever becomes
// of ctx.
func (e *Engine) overTree(ctx context.Context, w *wish) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	first, whole := e.promise(), e.promise()
	e.mu.Lock()
	if err := e.usable(); err != nil {
		e.mu.Unlock()
		return err
	}
	e.order(w.Session, &control{promise: first, blind: w.Verb == verbDelete, do: func(t *turn) error { return t.wish(w, whole) }})
	e.mu.Unlock()
	if _, err := e.await(ctx, first); err != nil || w.key == "" {
		return err
	}
	_, err := e.await(ctx, whole)
	return err
}

// wish does the first step of a wish in this turn. If children are concerned,
// the rest follows when the wish is durable, and whole is told at the end.
func (t *turn) wish(w *wish, whole *promise) error {
	children, err := t.children(w.Verb)
	if err != nil {
		return err
	}
	refused := w.Verb == verbSuspend && t.s.head.Status == Parked || w.Verb != verbDelete && t.s.head.Status.Over()
	if len(children) == 0 || w.Verb == verbResume || refused {
		if err := t.obey(w); err != nil || len(children) == 0 || refused {
			return err
		}
	}
	body, err := host.Encode(w)
	if err != nil {
		return err
	}
	w.key = fmt.Sprintf("%016x %s", t.now, drawID(t.e.runtime))
	t.share(Record{Namespace: SpaceWish, Key: w.key, Body: body})
	t.later(func() { t.e.startLocked(string(w.Verb), func() { t.e.fulfil(w, whole) }) })
	return nil
}

// share stores a record that belongs to no session.
func (t *turn) share(r Record) {
	t.unit.changes = append(t.unit.changes, Change{Records: []Record{r}})
	t.dirty = true
}

// children lists children that the verb concerns: all of them for a
// resumption, else at most a page of each status.
func (t *turn) children(v verb) ([]string, error) {
	calls := false
	for _, f := range t.s.effects {
		calls = calls || f.Stands == standsChild
	}
	if !calls && v != verbDelete {
		return nil, nil
	}
	var out []string
	for _, status := range concerned[v] {
		for after := ""; ; {
			heads, err := t.e.store.Select(t.e.context, Filter{Parent: t.s.id, Status: status, After: after, Limit: 1000})
			if err != nil {
				return nil, err
			}
			for _, h := range heads {
				out = append(out, h.Session)
				after = h.Session
			}
			if len(heads) < 1000 || v != verbResume {
				break
			}
		}
	}
	return out, nil
}

// obey does the verb to the session itself.
func (t *turn) obey(w *wish) error {
	t.quiet = w.Session != t.s.id && (w.Verb == verbCancel || w.Verb == verbDelete)
	defer func() { t.quiet = false }()
	switch w.Verb {
	case verbSuspend:
		s, code := Suspension{Reason: w.Reason, By: w.By, WakeAt: w.WakeAt}, reasonSuspended
		if w.Session == t.s.id {
			code = w.Code
		}
		return t.suspend(s, code)
	case verbResume:
		return t.resume(w.By)
	case verbCancel:
		return t.cancelAsked(w.By)
	default:
		return t.delete(w.By)
	}
}

// wishTries is how often a wish is tried before it is left to the next engine,
// and wishPace how long it waits in between, in milliseconds.
const (
	wishTries = 100
	wishPace  = 1000
)

// fulfil carries a wish out that is on record. Who asked hears of the first
// try.
func (e *Engine) fulfil(w *wish, whole *promise) {
	gate := e.runtime.Gate()
	for range wishTries {
		err := e.fulfilOnce(w)
		e.mu.Lock()
		whole.keep(nil, err)
		e.mu.Unlock()
		if err == nil || ignorable(err) {
			return
		}
		if gate.Wait(e.outer, e.runtime.Now()+wishPace) != ErrTime {
			return
		}
	}
}

func (e *Engine) fulfilOnce(w *wish) error {
	err := e.visitTree(w, w.Session)
	if err != nil && !ignorable(err) {
		return err
	}
	return cmp.Or(e.control(e.outer, w.Session, &control{absent: true, blind: true, do: func(t *turn) error {
		t.share(Record{Namespace: SpaceWish, Key: w.key})
		return nil
	}}), err)
}

// visitTree does the verb to a session and to the children that it concerns.
// A child that was started meanwhile is seen by the session's own turn.
func (e *Engine) visitTree(w *wish, session string) error {
	for last := w.Verb == verbResume; ; {
		var children []string
		err := e.control(e.outer, session, &control{blind: w.Verb == verbDelete, do: func(t *turn) (err error) {
			children, err = t.children(w.Verb)
			if err == nil && (last || len(children) == 0) {
				err = t.obey(w)
			}
			return err
		}})
		if err != nil || len(children) == 0 || last && w.Verb != verbResume {
			return err
		}
		if last, err = e.visitChildren(w, children); err != nil || w.Verb == verbResume {
			return err
		}
	}
}

// visitChildren does the verb to children, and reports whether none of them
// can be brought any further.
func (e *Engine) visitChildren(w *wish, children []string) (stuck bool, err error) {
	stuck = true
	for _, child := range children {
		err := e.visitTree(w, child)
		if err != nil && !ignorable(err) {
			return false, err
		}
		stuck = stuck && err != nil
	}
	return stuck, nil
}

// ignorable are errors that say that a session is past it.
func ignorable(err error) bool {
	var p *statechart.Error
	return errors.As(err, &p) && (p.Code == CodeStatus || p.Code == CodeNoSession)
}

// goOnWithWishes carries out what an earlier engine was asked for and has not
// brought to its end. It returns when each was tried.
func (e *Engine) goOnWithWishes(ctx context.Context) error {
	list, err := e.store.Records(ctx, RecordQuery{Namespace: SpaceWish})
	if err != nil {
		return err
	}
	for _, r := range list {
		w := &wish{key: r.Key}
		if err := host.Decode(r.Body, w); err != nil {
			e.log.Error("a wish cannot be read", "key", r.Key, "error", err.Error())
			continue
		}
		whole := e.promise()
		e.start(string(w.Verb), func() { e.fulfil(w, whole) })
		if _, err := e.await(ctx, whole); err != nil {
			e.log.Error("a wish waits", "verb", string(w.Verb), "session", w.Session, "error", err.Error())
		}
	}
	return nil
}

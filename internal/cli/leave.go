package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/detent-run/detent/durable"
)

// leave says of a session that waits for something which nobody does when this
// command has ended, how it goes on. Where another process owns the store, that
// one does it.
func (a *app) leave(ctx context.Context, h *home, session string, p *location) {
	if h.owner() == nil {
		return
	}
	v, err := h.Get(ctx, session)
	if err != nil || v.Status != durable.Active {
		return
	}
	if left := leftOver(&v); left != "" {
		a.say("nobody carries %s, and it waits for %s: detent resume %s%s goes on with it, detent work with all", plain(session), plain(left), plain(session), p.where())
	}
}

// leftOver is what only who carries a session brings on: calls but those that
// a person answers, timers, and events that wait.
func leftOver(v *durable.View) string {
	var parts []string
	add := func(text string) {
		if !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	for _, e := range v.Effects {
		switch {
		case e.Stands == "held" || e.Stands == "unknown":
		case e.Child != "":
			add("the session " + e.Child)
		default:
			add(e.Src)
		}
	}
	for _, t := range v.Timers {
		if t.Kind != "warn" {
			add(t.Event + " at " + time.UnixMilli(t.Due).Format("15:04:05"))
		}
	}
	if v.Queued > 0 {
		add(count(v.Queued, "event"))
	}
	return strings.Join(atMost(maxListed, parts), ", ")
}

// asked waits a moment until the questions of a session are written down: a
// call of a person begins like any other, right after its step.
func asked(ctx context.Context, h *home, session string) {
	for range 40 {
		v, err := h.Get(ctx, session)
		if err != nil || v.Status != durable.Active || !slices.ContainsFunc(v.Effects, func(e durable.EffectView) bool {
			return strings.HasPrefix(e.Src, "human:") && (e.Stands == "pending" || e.Stands == "claimed")
		}) {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pace):
		}
	}
}

// waited does what may take long, and says after a while what it waits for.
func (a *app) waited(what string, do func() error) error {
	timer := time.AfterFunc(4*patience, func() { a.say("%s", a.warnings.faint(what)) })
	defer timer.Stop()
	return do()
}

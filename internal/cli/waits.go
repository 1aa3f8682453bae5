package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/detent-run/detent/durable"
)

// waits says what the session waits for: once for each, or where there is a
// terminal, on a line that stays and tells how long already.
func (f *follower) waits(v *durable.View) {
	for i := range v.Effects {
		f.planned(v.Effects[i].Src)
	}
	if f.json {
		return
	}
	live := f.a.liveTerminal()
	var now int64
	if live {
		now = time.Now().UnixMilli()
	}
	line := waitingFor(v, now)
	switch {
	case line == "" || f.next <= 1:
		f.a.err.clear()
	case live:
		f.a.err.pass(f.a.warnings.faint(clip("waits for "+plain(line), f.a.width()-1)))
	case line != f.waiting:
		f.waiting = line
		f.a.say("%s", f.a.warnings.faint("waits for "+plain(line)))
	}
}

// liveTerminal tells whether a line can be written over and over.
func (a *app) liveTerminal() bool {
	kind, _ := a.env.lookup("TERM")
	return a.env.ErrTerminal && a.env.OutTerminal && kind != "dumb"
}

// width is how many characters go into a line of the terminal.
func (a *app) width() int {
	if a.env.Size != nil && a.env.InTerminal {
		if width, _ := a.env.Size(); width >= 20 {
			return width
		}
	}
	return 80
}

// waitingFor is what a session waits for, in a line. With the time it also
// says how long calls have run and how long timers will.
func waitingFor(v *durable.View, now int64) string {
	if gaveWay(v) {
		return "room: " + v.Reason.Message
	}
	var parts []string
	for i := range v.Effects {
		parts = append(parts, waitingCall(v, &v.Effects[i], now))
	}
	for _, t := range v.Timers {
		if t.Kind != "warn" {
			parts = append(parts, t.Event+" "+due(t.Due, now))
		}
	}
	var events []string
	for _, e := range v.Next {
		events = append(events, e.Name)
	}
	if len(events) > 0 {
		parts = append(parts, "an event: "+strings.Join(events, ", "))
	}
	return strings.Join(parts, "; ")
}

func waitingCall(v *durable.View, e *durable.EffectView, now int64) string {
	text := e.Src
	if e.Child != "" {
		text = "the session " + e.Child
	}
	if now > 0 {
		text += ", for " + shortly(now-e.Since)
	}
	switch e.Stands {
	case "retrying":
		text += fmt.Sprintf(" (attempt %d has failed, the next comes %s)", e.Attempt, due(e.Due, now))
	case "held":
		text += fmt.Sprintf(" (detent answer %s %s)", v.Session, e.ID)
	}
	return text
}

// due says when something comes: in how long, or without the time, when.
func due(at, now int64) string {
	if now > 0 {
		return "in " + shortly(at-now)
	}
	return "at " + time.UnixMilli(at).Format("15:04:05")
}

// shortly shows milliseconds in whole seconds.
func shortly(ms int64) string {
	return (time.Duration(max(ms, 0)) * time.Millisecond).Round(time.Second).String()
}

// planned says once that a call of a model is answered by the fixed planner.
func (f *follower) planned(src string) {
	kind, _, _ := strings.Cut(src, ":")
	if f.told || !f.home.setup.fixed || kind != "model" && kind != "decide" {
		return
	}
	f.told = true
	f.a.say("%s", f.a.warnings.faint("no model is configured: the fixed planner answers "+plain(src)))
}

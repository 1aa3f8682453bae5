package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// follower shows a session's rows as they come.
type follower struct {
	a       *app
	home    *home
	session string
	next    uint64
	begun   int64 // for elapsed times
	json    bool
	until   string
	waiting string // the last line of what is waited for
	quiet   int    // looks without a new row
	often   *oftenFlag
}

// pace is how often a follower looks for new rows, and calm after how many
// looks without any it reads the session nevertheless: a call that begins to
// wait for a person writes none.
const (
	pace = 25 * time.Millisecond
	calm = 20
)

// follow shows rows until the session is over, parked or suspended, or in the
// state that is waited for.
func (f *follower) follow(ctx context.Context) (durable.View, error) {
	for first := true; ; first = false {
		before := f.next
		if err := f.rows(ctx); err != nil {
			return durable.View{}, err
		}
		if f.quiet++; f.next != before {
			f.quiet = 0
		}
		if first || f.quiet%calm == 0 {
			v, err := f.home.Get(ctx, f.session)
			if err != nil {
				return v, err
			}
			if err := f.rows(ctx); err != nil { // all that the view shows
				return v, err
			}
			if v.Status != durable.Active && !gaveWay(&v) || f.until != "" && inState(v.Configuration, f.until) {
				return v, nil
			}
			f.waits(&v)
		}
		if err := f.rest(ctx); err != nil {
			return durable.View{}, err
		}
	}
}

// gaveWay reports whether the session is suspended for a more important one.
// The engine lets it go on by itself, so its follower stays.
func gaveWay(v *durable.View) bool {
	return v.Status == durable.Suspended && v.Reason != nil && v.Reason.Code == "preempted"
}

// rest waits a little; it ends early when the engine does.
func (f *follower) rest(ctx context.Context) error {
	var failed <-chan struct{}
	engine := f.home.owner()
	if engine != nil {
		failed = engine.Failed()
	}
	timer := time.NewTimer(pace)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-failed:
		return engine.Err()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func inState(configuration []string, path string) bool {
	return slices.ContainsFunc(configuration, func(p string) bool { return p == path || strings.HasPrefix(p, path+".") })
}

// rows shows what is new.
func (f *follower) rows(ctx context.Context) error {
	for {
		rows, err := f.home.History(ctx, f.session, f.next, 500)
		if err != nil {
			return err
		}
		for i := range rows {
			f.show(&rows[i])
			f.next = rows[i].Sequence + 1
		}
		if len(rows) < 500 {
			return nil
		}
	}
}

// show prints one row.
func (f *follower) show(r *host.Record) {
	if f.begun == 0 {
		f.begun = r.Time
	}
	if f.often != nil {
		f.often.count(r)
	}
	if f.json {
		fmt.Fprintln(f.a.out, compact.text(rowObject(r)))
		return
	}
	p := f.a.colours
	way := leaves(r.To)
	if !slices.Equal(r.From, r.To) {
		way = p.place(leaves(r.To))
		if len(r.From) > 0 {
			way = leaves(r.From) + " → " + way
		}
	}
	line := fmt.Sprintf("%4d %s  %s  %s", r.Sequence, p.faint(fmt.Sprintf("%9s", "+"+elapsed(r.Time-f.begun))), p.strong(padded(plain(r.Event), 26)), way)
	if r.Outcome != statechart.Taken.String() {
		line += "  " + p.care(r.Outcome)
	}
	if r.Reason != nil && r.Reason.Message != "" {
		line += ": " + plain(r.Reason.Message)
	}
	fmt.Fprintln(f.a.out, line)
	for i := range r.Calls {
		if o := r.Calls[i].Outcome; o != nil && o.Failure != nil {
			fmt.Fprintf(f.a.out, "%17s %s: %s\n", "", plain(r.Calls[i].Src), plain(o.Failure.Code+" "+o.Failure.Message))
		}
	}
	for i := range r.Effects {
		if e := &r.Effects[i]; e.Type == statechart.EffectLog || e.Type == statechart.EffectWarn {
			fmt.Fprintf(f.a.out, "%17s %s %s\n", "", p.faint(string(e.Type)), clip(plain(spaced.text(e.Data)), maxShown))
		}
	}
}

// elapsed shows milliseconds as seconds.
func elapsed(ms int64) string {
	d := time.Duration(ms) * time.Millisecond
	if d >= time.Minute {
		return d.Round(time.Second).String()
	}
	return fmt.Sprintf("%.3fs", d.Seconds())
}

// waits says, once for each, what the session waits for.
func (f *follower) waits(v *durable.View) {
	if f.json {
		return
	}
	var parts []string
	for _, e := range v.Effects {
		text := e.Src
		switch {
		case e.Child != "":
			text = "the session " + e.Child
		case e.Stands == "retrying":
			text += fmt.Sprintf(" (attempt %d has failed, the next comes in %s)", e.Attempt, elapsed(max(0, e.Due-time.Now().UnixMilli())))
		case e.Stands == "held":
			text += fmt.Sprintf(" (detent answer %s %s)", v.Session, e.ID)
		}
		parts = append(parts, text)
	}
	for _, t := range v.Timers {
		if t.Kind != "warn" {
			parts = append(parts, fmt.Sprintf("%s at %s", t.Event, time.UnixMilli(t.Due).Format("15:04:05")))
		}
	}
	var events []string
	for _, e := range v.Next {
		events = append(events, e.Name)
	}
	if len(events) > 0 {
		parts = append(parts, "an event: "+strings.Join(events, ", "))
	}
	line := strings.Join(parts, "; ")
	if gaveWay(v) {
		line = "room: " + v.Reason.Message
	}
	if line != "" && line != f.waiting && f.next > 1 {
		f.waiting = line
		f.a.say("%s", f.a.warnings.faint("waits for "+plain(line)))
	}
}

// rowObject is a row by the contract of log and run.
func rowObject(r *host.Record) object {
	o := object{{"sequence", r.Sequence}, {"time", r.Time}, {"event", r.Event}, {"outcome", r.Outcome}, {"from", r.From}, {"to", r.To}, {"took", r.Took()},
		{"data", r.Data}, {"effects", generic(r.Effects)}, {"reason", generic(r.Reason)}, {"hash", r.Hash}}
	for i := range o {
		if list, ok := o[i].value.([]string); ok && list == nil {
			o[i].value = []string{}
		}
	}
	if len(r.Calls) > 0 {
		o = append(o, member{"calls", generic(r.Calls)})
	}
	return o
}

// generic turns a value with json tags into plain data.
func generic(v any) any {
	body, err := host.Encode(v)
	if err != nil {
		return nil
	}
	out, err := statechart.ReadJSON(body)
	if err != nil {
		return nil
	}
	return out
}

package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/detent-run/detent/durable"
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
	told    bool   // that the fixed planner answers
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

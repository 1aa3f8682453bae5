package sim

import (
	"context"
	"fmt"

	"github.com/detent-run/detent/host"
)

// outside is what the calls really did: it survives every crash.
type outside struct {
	w       *World
	watch   *watch
	done    map[string]int // by key
	started map[string]int // by key
}

func newOutside(w *World, o *watch) *outside {
	return &outside{w: w, watch: o, done: map[string]int{}, started: map[string]int{}}
}

// performers are those of the charts. Calls of the mode at_least_once have one
// place between them, so that the more important ones drive others out.
func (o *outside) performers() host.Table {
	entry := func(p host.Performer) host.Entry { return host.Entry{Performer: p} }
	scarce := host.Entry{Performer: &tool{o}, Traits: host.Traits{Concurrency: 1}}
	return host.Table{"tool:at_most_once": entry(&tool{o}), "tool:at_least_once": scarce, "tool:reconcile": entry(finder{&tool{o}}),
		"tool:keyed": entry(&tool{o}), "tool:more": entry(rounds{&tool{o}})}
}

// begin notes an attempt. The claim must be durable before it, and only the last
// attempt's claim counts (X4); one that may be repeated can be taken back
// while it begins.
func (o *outside) begin(c host.Call) {
	o.started[c.Key]++
	o.w.Note("call %s attempt %d", c.Key[:6], c.Attempt)
	if f := o.watch.call(c.Session, c.Key); f == nil {
		o.watch.bad("X1: %s calls %s, which no commit has asked for", c.Session, c.Key[:6])
	} else if c.Mode != host.AtLeastOnce && (f.Stands == "claimed" && f.Attempt != c.Attempt || f.Attempt < c.Attempt) {
		o.watch.bad("X4: %s calls %s, attempt %d, while the store has attempt %d as %s", c.Session, c.Key[:6], c.Attempt, f.Attempt, f.Stands)
	}
}

type tool struct{ *outside }

func (p *tool) Perform(ctx context.Context, c host.Call) host.Outcome {
	r := p.w.random
	p.begin(c)
	if r.IntN(3) == 0 {
		if p.w.Sleep(ctx, int64(r.IntN(6000))) != nil && r.IntN(2) == 0 {
			return host.Unknown("cut", "")
		}
	} else {
		p.w.Yield()
	}
	switch r.IntN(8) {
	case 0:
		return host.Fail("no", "not done")
	case 1:
		return host.Unknown("lost", "no answer")
	case 2:
		p.done[c.Key]++
		return host.Unknown("lost", "done, and the answer was lost")
	case 3:
		panic("broken")
	}
	p.done[c.Key]++
	p.w.Yield()
	return host.Done(fmt.Sprint("result ", p.done[c.Key]))
}

// finder can say what happened.
type finder struct{ *tool }

func (p finder) Find(_ context.Context, c host.Call) (host.Finding, host.Outcome) {
	switch {
	case p.w.random.IntN(4) == 0:
		return host.Unclear, host.Outcome{}
	case p.done[c.Key] > 0:
		return host.Found, host.Done("found")
	}
	return host.Absent, host.Outcome{}
}

// rounds is a call of three rounds: each asks for further effects and is called
// again with their ends.
type rounds struct{ *tool }

func (p rounds) Perform(_ context.Context, c host.Call) host.Outcome {
	p.begin(c)
	p.w.Yield()
	if c.Round > 0 && len(c.Results) != c.Round {
		p.watch.bad("more: %s has %d results in round %d", c.Key[:6], len(c.Results), c.Round)
	}
	if c.Round == 2 {
		p.watch.counts["three rounds"]++
		return host.Done("all")
	}
	var ask []host.Request
	for i := range c.Round + 1 {
		ask = append(ask, host.Request{Src: []string{"tool:at_least_once", "tool:at_most_once"}[i], Input: int64(i), Timeout: 2000})
	}
	return host.GoOn(host.More{Effects: ask})
}

package conformance

import (
	"fmt"
	"slices"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// forms are the ways in which a chart can hold configurations.
var forms = map[string]statechart.Cache{
	"planned":            {},
	"no regions":         {Regions: -1},
	"never interned":     {Configurations: -1},
	"bits only":          {Configurations: -1, Regions: -1},
	"two configurations": {Configurations: 2},
}

// TestSCIONInEveryForm plays the pairs by [statechart.Instance.Send] with
// plain events, the way that is planned and cached, in each form. (The world
// of TestSuites gives every event an envelope and records each macrostep, and
// so never takes that way.) Each chart is played twice, on the plans that the
// first play left.
func TestSCIONInEveryForm(t *testing.T) {
	files := suite(t)
	all := pairs(t, files)
	for name, cache := range forms {
		t.Run(name, func(t *testing.T) {
			played := 0
			for _, p := range all {
				if hasScript(t, files, p) {
					continue // what the others need of the forms is the same
				}
				d, err := p.open(files, inDetent)
				if err != nil {
					t.Errorf("%s: %v", p.name, err)
					continue
				}
				chart, found := d.Compile(nil)
				if err := found.Err(); err != nil {
					t.Errorf("%s: %v", p.name, err)
					continue
				}
				chart = chart.WithCache(cache)
				for play := range 2 {
					if err := p.playBare(d, chart); err != nil {
						t.Errorf("%s, play %d: %v", p.name, play+1, err)
					}
				}
				played++
			}
			if played != noScript {
				t.Errorf("%d pairs were played, want %d", played, noScript)
			}
		})
	}
}

// bare drives one instance with plain events: sends to itself go to the end
// of its inbox, timers fire when time passes.
type bare struct {
	in    *statechart.Instance
	inbox []statechart.Event
	now   int64
}

func (p pair) playBare(d *scxmlDocument, chart *statechart.Chart) error {
	b := &bare{in: chart.Instance(nil)}
	b.keepSends()
	if err := b.expect(d, p.script.Initial); err != nil {
		return fmt.Errorf("after the start: %w", err)
	}
	for i, step := range p.script.Events {
		b.advance(step.After)
		b.inbox = append(b.inbox, statechart.Event{Name: step.Event.Name, Data: step.Event.Data})
		b.drain()
		if err := b.expect(d, step.Next); err != nil {
			return fmt.Errorf("after event %d, %s: %w", i+1, step.Event.Name, err)
		}
	}
	return nil
}

func (b *bare) expect(d *scxmlDocument, want []string) error {
	var got []string
	for _, path := range b.in.Configuration() {
		got = append(got, d.ids[path])
	}
	slices.Sort(got)
	if want = slices.Sorted(slices.Values(want)); !slices.Equal(got, want) {
		return fmt.Errorf("active are %v, want %v", got, want)
	}
	return nil
}

func (b *bare) keepSends() {
	for _, e := range b.in.Effects() {
		if e.Type == statechart.EffectSend {
			b.inbox = append(b.inbox, statechart.Event{Name: e.Event, Data: e.Data})
		}
	}
}

// drain sends what waits, and what these sends send.
func (b *bare) drain() {
	for len(b.inbox) > 0 {
		e := b.inbox[0]
		b.inbox = b.inbox[1:]
		b.in.Send(e)
		b.keepSends()
	}
}

// advance lets time pass and fires what comes due on the way.
func (b *bare) advance(ms int64) {
	end := b.now + ms
	for ms > 0 {
		b.drain()
		timers := b.in.Timers()
		if len(timers) == 0 || timers[0].Due > end {
			break
		}
		b.now = max(b.now, timers[0].Due)
		b.in.SetNow(b.now)
		b.in.Receive(timers[0].Delivery())
		b.keepSends()
	}
	b.now = end
	b.in.SetNow(b.now)
}

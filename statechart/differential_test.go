package statechart_test

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"testing"

	"github.com/detent-run/detent/internal/chartgen"
	"github.com/detent-run/detent/internal/oracle"
	"github.com/detent-run/detent/statechart"
)

var (
	chartsFlag      = flag.Int("charts", 0, "how many random charts TestDifferential plays; 0 is a number that fits a normal test run")
	seedFlag        = flag.Uint64("seed", 1, "the seed of the random charts")
	firstFlag       = flag.Uint64("first", 0, "the number of the first random chart")
	differencesFlag = flag.Int("differences", 1, "how many differences to shrink and print")
)

// TestDifferential plays random charts on the product, in all its forms, and
// on the oracle, and compares all that can be seen after each macrostep. The
// environment variable DETENT_CHARTS sets the number of charts as -charts
// does. A difference is shrunk and printed with its seed.
func TestDifferential(t *testing.T) {
	n := chartCount(t)
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // many small charts, little memory
	d := &differential{refused: map[string]int{}, shares: map[string]int{}}
	d.play(*seedFlag, *firstFlag, n)
	for reason, times := range d.refused {
		t.Errorf("%d charts could not be played: %s", times, reason)
	}
	for i, c := range d.differing {
		if i < *differencesFlag {
			t.Error(explain(c))
		}
	}
	t.Logf("seed %d: differential %d/%d", *seedFlag, n-len(d.differing)-d.refusals(), n)
	for _, name := range chartgen.Shared {
		share := 100 * float64(d.shares[name]) / float64(n)
		t.Logf("%-15s in %.0f %% of the charts", name, share)
		if share < 20 && n >= 200 {
			t.Errorf("only %.1f %% of the charts have %s", share, name)
		}
	}
	t.Logf("typed contexts in %.0f %%, steps taken %d, deferred %d, undone or failed %d, kept events delivered %d",
		100*float64(d.shares["typed"])/float64(n), d.steps[statechart.Taken], d.steps[statechart.Deferred], d.steps[statechart.Failed], d.delivered)
}

func chartCount(t *testing.T) int {
	if n, err := strconv.Atoi(os.Getenv("DETENT_CHARTS")); err == nil && n > 0 {
		return n
	}
	switch {
	case *chartsFlag > 0:
		return *chartsFlag
	case testing.Short():
		return 400
	}
	return 1500
}

// differential gathers what many charts showed.
type differential struct {
	sync.Mutex
	refused   map[string]int
	shares    map[string]int
	differing []chartgen.Case
	steps     [5]int
	delivered int
}

func (d *differential) refusals() int {
	n := 0
	for _, times := range d.refused {
		n += times
	}
	return n
}

// play plays n cases on all processors.
func (d *differential) play(seed, first uint64, n int) {
	numbers := make(chan uint64)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for number := range numbers {
				d.one(chartgen.New(seed, number))
			}
		}()
	}
	for i := range n {
		numbers <- first + uint64(i)
	}
	close(numbers)
	workers.Wait()
}

func (d *differential) one(c chartgen.Case) {
	p := compare(c)
	features := chartgen.Features(c.Definition)
	d.Lock()
	defer d.Unlock()
	for name, on := range features {
		if on {
			d.shares[name]++
		}
	}
	if c.Typed {
		d.shares["typed"]++
	}
	for o, times := range p.steps {
		d.steps[o] += times
	}
	d.delivered += p.delivered
	switch {
	case p.refused != "":
		d.refused[p.refused]++
	case p.difference != "":
		d.differing = append(d.differing, c)
	}
}

// explain shrinks a case and tells what differs.
func explain(c chartgen.Case) string {
	small := chartgen.Shrink(c, func(c chartgen.Case) bool { return compare(c).difference != "" })
	return fmt.Sprintf("seed %d chart %d, shrunk to\n%s\nscript %s\n%s",
		c.Seed, c.Number, chartgen.JSON(small.Definition), chartgen.JSON(small.Script), compare(small).difference)
}

// played is what became of one case.
type played struct {
	refused    string // by Compile, with the reason; or what the oracle cannot read
	difference string
	steps      [5]int
	delivered  int
}

// compare plays a case on the oracle and on each form of the product.
func compare(c chartgen.Case) (p played) {
	defer func() {
		if r := recover(); r != nil {
			stack := make([]byte, 4096)
			p.difference = fmt.Sprintf("panic: %v\n%s", r, stack[:runtime.Stack(stack, false)])
		}
	}()
	chart, err := statechart.Compile(c.Definition, chartgen.Registry(c.Typed))
	if err != nil {
		p.refused = err.Error()
		return p
	}
	model, err := oracle.New(c.Definition, chartgen.Behaviour(c.Typed))
	if err != nil {
		p.refused = err.Error()
		return p
	}
	m := match{played: &p, world: &chartgen.World{}, keys: map[string]string{}}
	m.faces, m.relay = faces(chart, c)
	m.model, m.last = model.Start(c.Context(), c.Input, 0)
	m.want(m.last)
	for _, f := range m.faces {
		m.same(f, "start", f.record())
		m.sameKeys(f, m.last.Sequence)
	}
	m.world.Observe(m.last)
	for i, ended := 0, 0; i < len(c.Script) && p.difference == "" && ended < 3; i++ {
		m.step(c.Script[i])
		if m.last.Status != statechart.Active {
			ended++ // three refusals say enough
		}
	}
	return p
}

// match is one case being played.
type match struct {
	*played
	model *oracle.Session
	last  oracle.Record
	faces []face
	relay *relay
	world *chartgen.World

	wanted string            // the record that all faces must show
	keys   map[string]string // what has one, to its key
}

// step plays one op: the macrostep of its event, then those of the kept events
// that can be taken now.
func (m *match) step(op chartgen.Op) {
	m.relay.recode()
	if op.Kind == "cancel" {
		m.cancel()
		return
	}
	e := m.world.Delivery(op, m.last)
	m.looks(e)
	now := m.world.Now
	outcome := m.model.Step(e, now)
	m.steps[outcome.Outcome]++
	m.last = outcome
	place := fmt.Sprintf("%s %s", e.Name, oracle.Text(e.Data))
	m.want(outcome)
	for _, f := range m.faces {
		if got := f.step(e, now); !f.together() {
			m.same(f, place, got)
			m.sameKeys(f, outcome.Sequence)
		}
	}
	m.world.Observe(outcome)
	effects := outcome.Effects
	for m.difference == "" && stepped(outcome) && m.kept(now) {
		effects = append(append([]statechart.Effect{}, effects...), m.last.Effects...)
	}
	all := m.last
	all.Effects, all.Outcome, all.Code = effects, outcome.Outcome, outcome.Code
	m.want(all)
	for _, f := range m.faces {
		if f.together() {
			m.same(f, place+" and all kept events", f.record())
			m.sameKeys(f, outcome.Sequence)
		}
	}
}

// kept delivers the next kept event, if one can be taken.
func (m *match) kept(now int64) bool {
	if len(m.last.Deferred) > 0 {
		m.relay.recode()
	}
	kept, r, ok := m.model.Next(now)
	m.want(r)
	for _, f := range m.faces {
		m.next(f, kept, ok, now)
	}
	if ok {
		m.delivered++
		m.last = r
		m.world.Observe(r)
	}
	return ok
}

// looks compares what each form answers without a step.
func (m *match) looks(e statechart.Delivery) {
	if m.last.Status != statechart.Active {
		return
	}
	can, active := m.model.Can(e.Event, m.world.Now), m.model.Matches()
	for _, d := range m.relay.runners {
		d.in.SetNow(m.world.Now)
		if got := d.in.Can(e.Event); e.Envelope == nil && got != can {
			m.difference = fmt.Sprintf("%s: Can(%s) is %v, by the oracle %v", d.name(), e.Name, got, can)
		}
		for path, is := range active {
			if d.in.Matches(path) != is {
				m.difference = fmt.Sprintf("%s: Matches(%q) is not %v", d.name(), path, is)
			}
		}
	}
}

// cancel cancels the session.
func (m *match) cancel() {
	m.last = m.model.Cancel(m.world.Now)
	m.want(m.last)
	for _, f := range m.faces {
		m.same(f, "cancel", f.cancel(m.world.Now))
	}
}

// stepped reports whether there was a macrostep at all.
func stepped(r oracle.Record) bool {
	switch r.Code {
	case statechart.CodeEnded, statechart.CodeReserved, statechart.CodeUnknownEvent, statechart.CodeFull:
		return false
	}
	return true
}

func (m *match) next(f face, kept statechart.Delivery, ok bool, now int64) {
	if f.together() {
		return
	}
	e, got, more := f.next(now)
	switch {
	case more != ok || e.Name != kept.Name:
		m.difference = fmt.Sprintf("%s: delivers kept event %q (%v), the oracle %q (%v)", f.name(), e.Name, more, kept.Name, ok)
	case ok:
		m.same(f, "kept event "+kept.Name, got)
	}
}

// want notes what the oracle says.
func (m *match) want(r oracle.Record) { m.wanted = r.String() }

// same notes the first difference from that.
func (m *match) same(f face, place string, got oracle.Record) {
	if m.difference != "" {
		return
	}
	if text := got.String(); text != m.wanted {
		m.difference = fmt.Sprintf("%s, after %s\n--- oracle\n%s--- product\n%s", f.name(), place, m.wanted, text)
	}
}

// sameKeys checks that the effects which have keys have one, the same in each
// form, and that a stop bears that of the call. Effects of macrosteps before
// first are old.
func (m *match) sameKeys(f face, first uint64) {
	for _, e := range f.record().Effects {
		var name string
		switch e.Type {
		case statechart.EffectInvoke, statechart.EffectDo, statechart.EffectStop:
			name = fmt.Sprintf("call %s/%s/%d", e.Source.Kind, e.Source.ID, e.Source.Entry)
		case statechart.EffectSend:
			name = fmt.Sprintf("send %d.%d", e.Sequence, e.Index)
		default:
			continue
		}
		if m.keys[name] == "" {
			m.keys[name] = e.Key
		}
		if m.difference == "" && (e.Key == "" || e.Key != m.keys[name] || e.Sequence < first) {
			m.difference = fmt.Sprintf("%s: %s has the key %q at one time and %q at another", f.name(), name, m.keys[name], e.Key)
		}
	}
}

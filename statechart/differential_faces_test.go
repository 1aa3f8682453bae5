package statechart_test

import (
	"bytes"

	"github.com/detent-run/detent/internal/chartgen"
	"github.com/detent-run/detent/internal/oracle"
	"github.com/detent-run/detent/statechart"
)

// face is one way to drive the product.
type face interface {
	name() string
	// together says that one step also delivers the kept events.
	together() bool
	step(d statechart.Delivery, now int64) oracle.Record
	next(now int64) (statechart.Delivery, oracle.Record, bool)
	cancel(now int64) oracle.Record
	record() oracle.Record // of the last step
}

// forms are the three configuration forms: interned configurations with their
// plans, one leaf per region, and bitsets.
func forms(chart *statechart.Chart) []form {
	return []form{
		{"cached", chart},
		{"one leaf per region", chart.WithCache(statechart.Cache{Configurations: -1})},
		{"bitsets", chart.WithCache(statechart.Cache{Configurations: -1, Regions: -1})},
	}
}

type form struct {
	name  string
	chart *statechart.Chart
}

// faces are all ways: each form in place, by Send and the like; each form with
// its state encoded and decoded before each macrostep (R31); the cached form
// by Step and Next, so that with the first it meets its own plans; and the
// pure step.
func faces(chart *statechart.Chart, c chartgen.Case) ([]face, *relay) {
	start := func(f form, title string, send bool) *driven {
		d := &driven{title: f.name + ", " + title, chart: f.chart, send: send, in: &statechart.Instance{}}
		d.result = f.chart.Start(d.in, statechart.Start{Context: c.Context(), Session: "s", Input: c.Input})
		return d
	}
	all := []face{begin(chart, c)}
	r := &relay{}
	for i, f := range forms(chart) {
		if i == 0 {
			all = append(all, start(f, "by Step", false))
		}
		all = append(all, start(f, "by Send, SendID and Receive", true))
		coded := start(f, "encoded and decoded", false)
		r.runners = append(r.runners, coded)
		all = append(all, coded)
	}
	return all, r
}

// relay hands the state over, encoded, among instances of the three forms
// before each macrostep: in turn one of them encodes, and all go on from what
// that decodes to (R31).
type relay struct {
	runners []*driven
	turn    int
}

func (r *relay) recode() {
	from := r.runners[r.turn%len(r.runners)]
	text := encoded(from.in.Snapshot())
	s, err := from.chart.Decode(text)
	if err != nil {
		panic(err)
	}
	if r.turn%5 == 0 { // equal states have equal bytes, whatever their form
		r.same(text, encoded(s))
		for _, d := range r.runners {
			r.same(text, encoded(d.in.Snapshot()))
		}
	}
	r.turn++
	for _, d := range r.runners {
		d.in = &statechart.Instance{}
		if err := d.chart.Resume(d.in, s); err != nil {
			panic(err)
		}
	}
}

func (r *relay) same(a, b []byte) {
	if !bytes.Equal(a, b) {
		panic("equal states have different encodings:\n" + string(a) + "\n" + string(b))
	}
}

func encoded(s statechart.Snapshot) []byte {
	text, err := s.Encode()
	if err != nil {
		panic(err)
	}
	return text
}

// driven drives an Instance in place.
type driven struct {
	title  string
	chart  *statechart.Chart
	in     *statechart.Instance
	result statechart.Result
	send   bool // by Send and SendID, kept events included
}

func (d *driven) name() string          { return d.title }
func (d *driven) together() bool        { return d.send }
func (d *driven) record() oracle.Record { return record(d.in, d.in.Effects(), d.result) }

func (d *driven) step(e statechart.Delivery, now int64) oracle.Record {
	d.in.SetNow(now)
	id, known := d.chart.EventID(e.Name)
	switch {
	case d.send && known && e.Envelope == nil:
		d.result = d.in.SendID(id, e.Data)
	case d.send && e.Envelope == nil:
		d.result = d.in.Send(e.Event)
	case d.send:
		d.result = d.in.Receive(e)
	default:
		d.result = d.in.Step(e)
	}
	return d.record()
}

func (d *driven) cancel(now int64) oracle.Record {
	d.in.SetNow(now)
	d.result = d.in.Cancel()
	return d.record()
}

func (d *driven) next(int64) (e statechart.Delivery, r oracle.Record, ok bool) {
	if e, d.result, ok = d.in.Next(); !ok {
		return e, r, ok
	}
	return e, d.record(), ok
}

// pure drives snapshots by the pure functions, and checks that they leave
// their argument alone.
type pure struct {
	chart *statechart.Chart
	now   statechart.Next
	steps int
}

func begin(chart *statechart.Chart, c chartgen.Case) face {
	next, err := chart.Begin(statechart.Start{Context: c.Context(), Session: "s", Input: c.Input})
	if err != nil {
		panic(err)
	}
	return &pure{chart: chart, now: next}
}

func (p *pure) name() string   { return "pure" }
func (p *pure) together() bool { return false }
func (p *pure) record() oracle.Record {
	return record(p.now.Snapshot, p.now.Effects, p.now.Result)
}

func (p *pure) step(e statechart.Delivery, now int64) oracle.Record {
	p.unchanged(func() {
		next, err := statechart.Step(p.chart, p.now.Snapshot, e, now)
		if err != nil {
			panic(err)
		}
		p.now = next
	})
	return p.record()
}

func (p *pure) next(now int64) (e statechart.Delivery, r oracle.Record, ok bool) {
	p.unchanged(func() {
		var next statechart.Next
		var err error
		if next, e, ok, err = statechart.Deliver(p.chart, p.now.Snapshot, now); err != nil {
			panic(err)
		}
		if ok {
			p.now = next
		}
	})
	if !ok {
		return e, r, false
	}
	return e, p.record(), true
}

func (p *pure) cancel(now int64) oracle.Record {
	p.unchanged(func() {
		next, err := p.now.Snapshot.Cancel(now)
		if err != nil {
			panic(err)
		}
		p.now = next
	})
	return p.record()
}

// unchanged checks, now and then, that f leaves the snapshot alone.
func (p *pure) unchanged(f func()) {
	if p.steps++; p.steps%4 != 0 {
		f()
		return
	}
	s := p.now.Snapshot
	before := encoded(s)
	f()
	if !bytes.Equal(before, encoded(s)) {
		panic("a pure step changed its argument")
	}
}

// reader is what an Instance and a Snapshot have in common.
type reader interface {
	Configuration() []string
	Context() any
	Data() map[string]map[string]any
	Deferred() []statechart.Delivery
	Len(list string) int64
	Live() []statechart.LiveCall
	Output() any
	Sequence() uint64
	Status() statechart.Status
	Timers() []statechart.Timer
	Chart() *statechart.Chart
}

// record brings the product to the oracle's form.
func record(in reader, effects []statechart.Effect, result statechart.Result) oracle.Record {
	r := oracle.Record{Outcome: result.Outcome, Status: in.Status(), Configuration: in.Configuration(), Output: in.Output(),
		Data: in.Data(), Effects: effects, Deferred: in.Deferred(), Sequence: in.Sequence(), Lists: map[string]int64{}}
	if result.Reason != nil {
		r.Code = result.Reason.Code
	}
	if c, ok := in.Context().(*chartgen.Counters); ok && c != nil {
		copied := *c
		r.Context = &copied
	}
	for _, t := range in.Timers() {
		e := t.Delivery()
		r.Timers = append(r.Timers, oracle.Timer{Name: e.Name, Due: t.Due, Source: e.Envelope.Source, Data: e.Data})
	}
	for _, c := range in.Live() {
		r.Live = append(r.Live, oracle.Call{Source: c.Source, Src: c.Src, State: c.State})
	}
	for _, name := range in.Chart().Definition().Lists {
		r.Lists[name] = in.Len(name)
	}
	return r
}

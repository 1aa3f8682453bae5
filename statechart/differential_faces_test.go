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
	record() oracle.Record // of the last step
}

// faces are all of them: the cache cold and warm, and the two forms that do
// without it, with the state encoded and decoded before each event (R31), and
// the pure step.
func faces(chart *statechart.Chart, c chartgen.Case) []face {
	driven := func(title string, chart *statechart.Chart, coded, send bool) face {
		d := &driven{title: title, chart: chart, coded: coded, send: send, in: &statechart.Instance{}}
		d.result = chart.Start(d.in, statechart.Start{Context: c.Context(), Session: "s", Input: c.Input})
		return d
	}
	return []face{
		driven("cached", chart, false, false),
		driven("cached, by Send, SendID and Receive", chart, false, true),
		driven("cached, coded", chart, true, false),
		driven("one leaf per region", chart.WithCache(statechart.Cache{Configurations: -1}), false, true),
		driven("bitsets, coded", chart.WithCache(statechart.Cache{Configurations: -1, Regions: -1}), true, false),
		begin(chart, c),
	}
}

// driven drives an Instance in place.
type driven struct {
	title  string
	chart  *statechart.Chart
	in     *statechart.Instance
	result statechart.Result
	coded  bool // encode and decode before each event
	send   bool // by Send, SendID and Receive, kept events included
}

func (d *driven) name() string          { return d.title }
func (d *driven) together() bool        { return d.send }
func (d *driven) record() oracle.Record { return record(d.in, d.in, d.in.Effects(), d.result) }

func (d *driven) step(e statechart.Delivery, now int64) oracle.Record {
	d.recode()
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

func (d *driven) next(int64) (e statechart.Delivery, r oracle.Record, ok bool) {
	d.recode()
	if e, d.result, ok = d.in.Next(); !ok {
		return e, r, ok
	}
	return e, d.record(), ok
}

// recode replaces the instance by one that comes from its encoding.
func (d *driven) recode() {
	if !d.coded {
		return
	}
	s := recoded(d.chart, d.in.Snapshot())
	d.in = &statechart.Instance{}
	if err := d.chart.Resume(d.in, s); err != nil {
		panic(err)
	}
}

func recoded(chart *statechart.Chart, s statechart.Snapshot) statechart.Snapshot {
	first := encoded(s)
	back, err := chart.Decode(first)
	if err != nil {
		panic(err)
	}
	if second := encoded(back); !bytes.Equal(first, second) {
		panic("an encoding changes when it is decoded and encoded:\n" + string(first) + "\n" + string(second))
	}
	return back
}

func encoded(s statechart.Snapshot) []byte {
	text, err := s.Encode()
	if err != nil {
		panic(err)
	}
	return text
}

// pure drives snapshots by the pure functions, and checks that they leave
// their argument alone.
type pure struct {
	chart *statechart.Chart
	now   statechart.Next
}

func begin(chart *statechart.Chart, c chartgen.Case) face {
	next, err := chart.Begin(statechart.Start{Context: c.Context(), Session: "s", Input: c.Input})
	if err != nil {
		panic(err)
	}
	return &pure{chart, next}
}

func (p *pure) name() string   { return "pure" }
func (p *pure) together() bool { return false }
func (p *pure) record() oracle.Record {
	in := &statechart.Instance{}
	if err := p.chart.Resume(in, p.now.Snapshot); err != nil {
		panic(err)
	}
	return record(p.now.Snapshot, in, p.now.Effects, p.now.Result)
}

func (p *pure) step(e statechart.Delivery, now int64) oracle.Record {
	before := encoded(p.now.Snapshot)
	next, err := statechart.Step(p.chart, p.now.Snapshot, e, now)
	if err != nil {
		panic(err)
	}
	p.unchanged(before)
	p.now = next
	return p.record()
}

func (p *pure) next(now int64) (statechart.Delivery, oracle.Record, bool) {
	before := encoded(p.now.Snapshot)
	next, e, ok, err := statechart.Deliver(p.chart, p.now.Snapshot, now)
	if err != nil {
		panic(err)
	}
	p.unchanged(before)
	if !ok {
		return e, oracle.Record{}, false
	}
	p.now = next
	return e, p.record(), true
}

func (p *pure) unchanged(before []byte) {
	if !bytes.Equal(before, encoded(p.now.Snapshot)) {
		panic("a pure step changed its argument")
	}
}

// reader is what an Instance and a Snapshot have in common.
type reader interface {
	Configuration() []string
	Context() any
	Data() map[string]map[string]any
	Deferred() []statechart.Delivery
	Live() []statechart.LiveCall
	Output() any
	Sequence() uint64
	Status() statechart.Status
	Timers() []statechart.Timer
	Chart() *statechart.Chart
}

// record brings the product to the oracle's form; the lengths of lists are read
// from an instance.
func record(in reader, lists *statechart.Instance, effects []statechart.Effect, result statechart.Result) oracle.Record {
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
		r.Lists[name] = lists.Len(name)
	}
	return r
}

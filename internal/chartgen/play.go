package chartgen

import (
	"github.com/detent-run/detent/internal/oracle"
	"github.com/detent-run/detent/statechart"
)

// Play plays a case on a chart and returns what can be seen after each
// macrostep, as text. Two charts that mean the same give the same.
func Play(chart *statechart.Chart, c Case) []string {
	var in statechart.Instance
	w := &World{}
	last := observe(&in, chart.Start(&in, statechart.Start{Context: c.Context(), Session: "s", Input: c.Input}))
	w.Observe(last)
	out := []string{"start\n" + last.String()}
	note := func(name string, r statechart.Result) {
		last = observe(&in, r)
		w.Observe(last)
		out = append(out, name+"\n"+last.String())
	}
	for _, op := range c.Script {
		if op.Kind == "cancel" {
			in.SetNow(w.Now)
			note("cancel", in.Cancel())
			continue
		}
		d := w.Delivery(op, last)
		in.SetNow(w.Now)
		note(d.Name, in.Step(d))
		for more := true; more; {
			in.SetNow(w.Now)
			var r statechart.Result
			if d, r, more = in.Next(); more {
				note("kept "+d.Name, r)
			}
		}
	}
	return out
}

// observe brings an instance to the form of records.
func observe(in *statechart.Instance, result statechart.Result) oracle.Record {
	r := oracle.Record{Outcome: result.Outcome, Status: in.Status(), Configuration: in.Configuration(), Output: in.Output(),
		Data: in.Data(), Effects: in.Effects(), Deferred: in.Deferred(), Sequence: in.Sequence(), Lists: map[string]int64{}}
	if result.Reason != nil {
		r.Code = result.Reason.Code
	}
	if c, ok := in.Context().(*Counters); ok && c != nil {
		copied := *c
		r.Context = &copied
	}
	for _, t := range in.Timers() {
		d := t.Delivery()
		r.Timers = append(r.Timers, oracle.Timer{Name: d.Name, Due: t.Due, Source: d.Envelope.Source, Data: d.Data})
	}
	for _, c := range in.Live() {
		r.Live = append(r.Live, oracle.Call{Source: c.Source, Src: c.Src, State: c.State})
	}
	for _, name := range in.Chart().Definition().Lists {
		r.Lists[name] = in.Len(name)
	}
	return r
}

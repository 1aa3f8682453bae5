// Package detent runs the workloads on Detent's statechart package: all of
// them. Instances are held by value and started with [statechart.Chart.Start],
// as a program does that keeps many of them.
package detent

import (
	"errors"
	"strings"

	"github.com/detent-run/detent/bench/internal/workload"
	"github.com/detent-run/detent/statechart"
)

// machine drives one instance.
type machine struct {
	in      statechart.Instance
	context *workload.Context
	ids     []statechart.EventID
}

// New returns a started machine for a workload, or [errors.ErrUnsupported].
func New(id workload.ID) (workload.Machine, error) {
	chart, err := chartFor(id)
	if err != nil {
		return nil, err
	}
	w := workload.ByID(id)
	if id == workload.CycleByName {
		m := &namedCycle{events: w.Events}
		return m, m.start(chart, w)
	}
	if len(w.Events) == 2 {
		m := &pair{}
		return m, m.start(chart, w)
	}
	m := &cycle{}
	return m, m.start(chart, w)
}

// Idle returns a maker of idle cycle instances that share chart and context.
func Idle() (func() any, error) {
	chart, err := chartFor(workload.Cycle)
	if err != nil {
		return nil, err
	}
	c := workload.NewContext()
	return func() any { return chart.Instance(c) }, nil
}

func (m *machine) start(chart *statechart.Chart, w workload.Workload) error {
	m.context = workload.NewContext()
	if r := chart.Start(&m.in, statechart.Start{Context: m.context}); r.Outcome != statechart.Taken {
		return errors.New("the instance did not start: " + r.Outcome.String())
	}
	for _, name := range w.Events {
		id, ok := chart.EventID(name)
		if !ok {
			return errors.New("the chart does not know the event " + name)
		}
		m.ids = append(m.ids, id)
	}
	return nil
}

func (m *machine) Send(i int) bool { return m.in.SendID(m.ids[i], nil).Outcome == statechart.Taken }

func (m *machine) State() string { return strings.Join(m.in.Configuration(), " ") }

func (m *machine) Counts() workload.Counts { return m.context.Counts }

type pair struct{ machine }

func (m *pair) Laps(n int) bool {
	in, first, second := &m.in, m.ids[0], m.ids[1]
	for range n {
		if in.SendID(first, nil).Outcome != statechart.Taken || in.SendID(second, nil).Outcome != statechart.Taken {
			return false
		}
	}
	return true
}

type cycle struct{ machine }

func (m *cycle) Laps(n int) bool {
	in, ids := &m.in, m.ids
	for range n {
		for _, id := range ids {
			if in.SendID(id, nil).Outcome != statechart.Taken {
				return false
			}
		}
	}
	return true
}

type namedCycle struct {
	machine
	events []string
}

func (m *namedCycle) Laps(n int) bool {
	in, events := &m.in, m.events
	for range n {
		for _, name := range events {
			if in.Send(statechart.Event{Name: name}).Outcome != statechart.Taken {
				return false
			}
		}
	}
	return true
}

func (m *namedCycle) Send(i int) bool {
	return m.in.Send(statechart.Event{Name: m.events[i]}).Outcome == statechart.Taken
}

package transcript

import "github.com/detent-run/detent/statechart"

// why tells what an event would do, and what each of its candidates says.
func (p *player) why(s *Step) ([]string, error) {
	in, err := p.instance(s)
	if err != nil {
		return nil, err
	}
	x := in.Explain(statechart.Event{Name: s.Name, Data: s.Data})
	lines := []string{"  " + plain(s.Name) + ": " + verdict(statechart.Result{Outcome: x.Outcome, Reason: x.Reason})}
	for _, c := range x.Candidates {
		lines = append(lines, "    "+plain(c.Place)+": "+candidate(&c))
		if len(c.Parts) < 2 {
			continue
		}
		for _, a := range c.Parts {
			lines = append(lines, "      "+answer(a.Guard, a.Holds, a.Error))
		}
	}
	for _, state := range x.DeferredBy {
		lines = append(lines, "    deferred by "+plain(state))
	}
	return lines, nil
}

func candidate(c *statechart.Candidate) string {
	text := "no guard"
	if c.Guard != "" {
		text = answer(c.Guard, c.Holds, c.Error)
	}
	switch {
	case !c.Asked:
		return "not asked"
	case c.Chosen:
		return text + ", taken"
	case c.Preempted:
		return text + ", preempted"
	}
	return text
}

func answer(guard string, holds bool, fault string) string {
	switch {
	case fault != "":
		return oneLine(guard) + " fails: " + oneLine(fault)
	case holds:
		return oneLine(guard) + " holds"
	}
	return oneLine(guard) + " does not hold"
}

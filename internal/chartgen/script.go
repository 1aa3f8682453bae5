package chartgen

// Op is one step of a script. What it names is chosen when it is reached,
// from what is armed, live or waiting then.
type Op struct {
	// Kind is event, timer (the first to be due), late (the same, long
	// after), answer (of a live call), stale (of one that is over), self (the
	// oldest undelivered send to oneself), trouble (error.communication) or
	// cancel (of the session).
	Kind string `json:"kind"`
	Name string `json:"name,omitempty"`
	Data any    `json:"data,omitempty"`
	Pick int    `json:"pick,omitempty"`
	Wait int64  `json:"wait,omitempty"` // milliseconds that pass before
}

// op draws one step.
func (g *gen) op() Op {
	o := Op{Kind: "event", Name: pick(g, names...), Data: map[string]any{"n": g.small(), "s": "d"}, Pick: g.r.IntN(8)}
	if g.chance(20) {
		o.Wait = int64(g.r.IntN(60))
	}
	if g.chance(10) {
		o.Data = pick[any](g, nil, "bare", []any{int64(1)})
	}
	switch k := g.r.IntN(100); {
	case k < 3:
		o.Name = pick(g, "zz", "e9", "done.state.a", "error.execution", "after", "detent.x", "r0", "after.a:0")
	case k < 25 && g.timers:
		o.Kind = pick(g, "timer", "timer", "timer", "late")
	case k < 50 && g.invokes:
		o.Kind, o.Name = "answer", pick(g, "done", "done", "error", "unknown", "progress")
		o.Data = map[string]any{"n": g.small(), "code": "x"}
	case k < 54 && !g.pure:
		o.Kind, o.Name = "stale", pick(g, "done", "error")
	case k < 62 && !g.pure:
		o.Kind = "self"
	case k < 63 && !g.pure:
		o.Kind = "trouble"
	case k < 64 && g.chance(40):
		o.Kind = "cancel"
	}
	return o
}

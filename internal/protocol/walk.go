package protocol

import "fmt"

// Result is what a walk found.
type Result struct {
	// States is how many were looked at.
	States int
	// Violation says what must not be, in the state that Trace leads to by the
	// fewest actions; empty: nothing was found.
	Violation string
	Trace     []string
}

// Walk goes through all states, the nearest first, and stops at the first that
// must not be.
func (m *Model) Walk() Result {
	w := walk{model: m, seen: map[state]bool{}}
	w.add(state{}, -1)
	for i := 0; i < len(w.states); i++ {
		s := w.states[i]
		if why := m.wrong(&s); why != "" {
			return Result{len(w.states), why, w.trace(i)}
		}
		m.next(&s, func(_ action, t state) { w.add(t, i) })
	}
	return Result{States: len(w.states)}
}

type walk struct {
	model  *Model
	seen   map[state]bool
	states []state
	from   []int32
}

func (w *walk) add(s state, from int) {
	if !w.seen[s] {
		w.seen[s] = true
		w.states = append(w.states, s)
		w.from = append(w.from, int32(from))
	}
}

// trace finds the actions again that led to a state.
func (w *walk) trace(i int) []string {
	var out []string
	for ; i > 0; i = int(w.from[i]) {
		label := ""
		w.model.next(&w.states[w.from[i]], func(a action, t state) {
			if label == "" && t == w.states[i] {
				label = a.String()
			}
		})
		out = append([]string{label}, out...)
	}
	return out
}

// wrong says what of a state must not be.
func (m *Model) wrong(s *state) string {
	sum := uint8(0)
	for i := range items {
		sum += s.applied[i]
		if s.applied[i] > 1 {
			return fmt.Sprintf("E1, X7: item %d is taken twice", i)
		}
	}
	if sum != s.seq {
		return fmt.Sprintf("D3, D4: an update is lost: the sequence is %d, and %d items are taken", s.seq, sum)
	}
	for e := range events {
		if why := m.wrongEvent(s, e); why != "" {
			return why
		}
	}
	if m.Bugs == (Bugs{}) && m.quiet(s) {
		for e := range events {
			if s.applied[e] != s.inbox[e] || s.applied[events+e] != s.inbox[e] || s.inbox[e] > 0 && s.out[e] != done && s.out[e] != unknown {
				return fmt.Sprintf("X2: an owner lives and nothing goes on with event %d", e)
			}
		}
	}
	return ""
}

func (m *Model) wrongEvent(s *state, e int) string {
	held := false
	for _, n := range s.node {
		held = held || n.stage == accepting && int(n.item) == e
	}
	switch {
	case s.acked[e] && s.inbox[e] == 0 && !held:
		return fmt.Sprintf("D1: event %d was answered and is lost", e)
	case e > 0 && s.applied[e] > s.applied[e-1]:
		return fmt.Sprintf("E2: event %d is taken before the one before it", e)
	case s.applied[e] == 0 && s.calls[e] > 0:
		return fmt.Sprintf("X1: effect %d is called without a committed cause", e)
	case s.applied[e] > 0 && s.out[e] == none:
		return fmt.Sprintf("D2, X2: the step of event %d is committed without its effect", e)
	case s.out[e] == done && s.calls[e] == 0:
		return fmt.Sprintf("X5: effect %d is done and was never called", e)
	case s.calls[e] > 1 && m.Mode == AtMostOnce:
		return fmt.Sprintf("X4: effect %d is called twice", e)
	case s.calls[e] > 1 && m.Mode == Reconcile && m.Lock:
		return fmt.Sprintf("X6: effect %d is called twice", e)
	}
	return ""
}

// quiet reports whether a living owner has nothing left to do.
func (m *Model) quiet(s *state) bool {
	alive := false
	for n := range nodes {
		alive = alive || s.held && s.owner(n)
	}
	if !alive {
		return false
	}
	quiet := true
	m.next(s, func(a action, _ state) {
		quiet = quiet && (a.verb == crash || a.verb == expire)
	})
	return quiet
}

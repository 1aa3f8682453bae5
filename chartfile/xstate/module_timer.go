package xstate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/detent-run/detent/statechart"
)

// longest is how long a timer of JavaScript can wait, in milliseconds.
const longest = math.MaxInt32

// timers are the transitions of after: by milliseconds where that keeps their
// order, since JavaScript puts numbers first, otherwise by names.
func (t *transitions) timers() {
	numbers, last := true, int64(-1)
	for i, after := range t.n.def.After {
		v, p := t.m.namedDelay(after.Delay, where{path: fmt.Sprintf("%s.after[%d].delay", t.n.place, i), state: t.n, sure: true})
		_, named := after.Delay.(statechart.Expression)
		if millis, ok := t.m.fixedDelay(v, p); ok && p.state == t.n {
			numbers = numbers && millis > last && last < math.MaxInt64
			last = millis
		} else if ok || named || v != nil {
			last = math.MaxInt64 // only names may follow
		}
	}
	for i := range t.n.def.After {
		after := &t.n.def.After[i]
		path := fmt.Sprintf("%s.after[%d]", t.n.place, i)
		if after.Keep && t.restorable() {
			t.m.refuse(path+".keep", "let the timer begin anew", "a timer of XState cannot go on with what remained when a history restores its state")
		}
		key := t.timerKey(after.Delay, path, numbers)
		name := t.n.path
		if t.n.parent == nil {
			name = "#" + t.m.def.ID
		}
		t.m.timers.add("xstate.after."+key+"."+t.n.id, quotedText(fmt.Sprintf("after.%s:%d", name, i)))
		t.after.add(key, t.list(after.Transitions, path+".transitions", anyEvent, "after "+key))
	}
}

// restorable reports whether a history may restore the state.
func (t *transitions) restorable() bool {
	for n := t.n.parent; n != nil; n = n.parent {
		for _, kid := range n.children {
			if kid.def.Type == statechart.History && (kid.def.History == "deep" || n == t.n.parent) {
				return true
			}
		}
	}
	return false
}

// timerKey is the delay of a timer as the key of after.
func (t *transitions) timerKey(delay any, path string, numbers bool) string {
	m := t.m
	v, p := m.namedDelay(delay, where{path: path + ".delay", state: t.n, sure: true})
	millis, fixed := m.fixedDelay(v, p)
	name, isText := delay.(string)
	named := p.state != t.n || isText && strings.HasPrefix(p.path, "delays")
	switch {
	case fixed && named:
		return unique(&m.delays, name, "", raw(strconv.FormatInt(millis, 10)))
	case fixed && numbers:
		return strconv.FormatInt(millis, 10)
	case fixed:
		if !isText {
			name = fmt.Sprint(millis, " ms")
		}
		return unique(&m.delays, name, "", raw(strconv.FormatInt(millis, 10)))
	}
	tr := m.translator(p)
	f := m.callTo("waits", tr.function1(tr.value(v)))
	tr.ended()
	if e, ok := v.(statechart.Expression); ok && !named {
		name = nameOf(e, path)
	}
	comments := sources(v, "")
	if slices.Contains(comments, name) {
		comments = nil // the name says it
	}
	return unique(&m.delays, name, t.n.name(), f, comments...)
}

// namedDelay puts the value of a named delay in its place.
func (m *module) namedDelay(v any, p where) (any, where) {
	name, ok := v.(string)
	if !ok {
		return v, p
	}
	for i, d := range m.def.Delays {
		if d.Name == name {
			p.state, p.event, p.locals = m.states[0], anyEvent, nil
			return d.Value, p.at(fmt.Sprintf("delays[%d]", i))
		}
	}
	return v, p
}

// fixedDelay is a delay that is not computed, in milliseconds; ok is false
// for one that is.
func (m *module) fixedDelay(v any, p where) (millis int64, ok bool) {
	switch x := v.(type) {
	case statechart.Expression:
		return 0, false
	case string:
		f, err := millisOf(x)
		if err != nil {
			m.refuse(p.path, `write it as "500ms", "15m" or "30d"`, "%q is no delay", x)
			return 0, true
		}
		return m.bounded(f, p), true
	}
	text := m.translator(p).number(v)
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		m.refuse(p.path, `write it as "500ms", "15m" or "30d"`, "%v is no delay", v)
		return 0, true
	}
	return m.bounded(f, p), true
}

func (m *module) bounded(millis float64, p where) int64 {
	if millis > longest {
		m.refuse(p.path, "wait in several steps", "a timer of JavaScript waits for 24.8 days at most")
		return 0
	}
	return int64(max(0, math.Ceil(millis)))
}

// millisOf reads a duration with days, in milliseconds.
func millisOf(text string) (float64, error) {
	days := 0.0
	if before, after, ok := strings.Cut(text, "d"); ok {
		n, err := strconv.ParseFloat(before, 64)
		if err != nil || after == "" {
			return n * 864e5, err
		}
		days, text = n*864e5, after
	}
	d, err := time.ParseDuration(text)
	return days + float64(d)/1e6, err
}

package crash

// bug is a deliberate one: text of files is replaced, in a copy.
type bug struct {
	name     string
	harness  harness
	edits    []edit
	harmless bool // nothing must come of it
}

type edit struct{ file, from, to string }

// noFence takes out the first fence, noSequence the second: what a session's
// row and the numbers of its journal say.
var (
	noFence    = edit{"store/sqlite/commit.go", `if err == nil && m.epoch != epoch {`, `if err == nil && m.epoch < epoch {`}
	noSequence = []edit{
		{"store/sqlite/commit.go", `r == nil && c.Before != 0 || r != nil && r.revision != c.Before`, `r == nil && c.Before != 0`},
		{"store/sqlite/commit.go", `INSERT INTO journal(`, `INSERT OR REPLACE INTO journal(`},
	}
)

// bugs have the numbers that the list of guarantees gives them.
var bugs = []bug{
	{name: "M1 the log is not synced in a commit", harness: byPowerCut, edits: []edit{
		{"store/sqlite/schema.go", `synchronous = FULL`, `synchronous = NORMAL`}}},
	{name: "M2 the outbox is written outside the transaction", harness: byKill, edits: []edit{{"store/sqlite/commit.go",
		`return s.durably(func() error { return s.apply(c) })`,
		`late := c
	late.Changes = nil
	for i := range c.Changes {
		if len(c.Changes[i].Effects) > 0 {
			late.Changes = append(late.Changes, durable.Change{Session: c.Changes[i].Session, Effects: c.Changes[i].Effects})
		}
	}
	c.Changes = append([]durable.Change(nil), c.Changes...)
	for i := range c.Changes {
		c.Changes[i].Effects = nil
	}
	if err := s.durably(func() error { return s.apply(c) }); err != nil {
		return err
	}
	return s.durably(func() error { return s.apply(late) })`}}},
	{name: "M3 acknowledged before the commit", harness: byKill, edits: []edit{
		{"durable/commit.go", `import "errors"`, "import (\n\t\"errors\"\n\t\"runtime\"\n)"},
		{"durable/commit.go", `hit("commit.before")`, `e.mu.Lock()
	for _, u := range group {
		u.settle(nil)
	}
	e.mu.Unlock()
	e.runtime.Go("let the answer out", func() {})
	for range 1000 {
		runtime.Gosched()
	}
	hit("commit.before")`}}},
	{name: "M4 no event is known again", harness: byKill, edits: []edit{{"durable/take.go",
		`body, err := t.seenBefore(m.ID)`,
		`body, err := t.seenBefore(m.ID + "?")`}}},
	{name: "M5 both fences off", harness: withOneFence, edits: append(noSequence[:2:2], noFence)},
	{name: "   the epoch's fence off", harness: withOneFence, edits: []edit{noFence}, harmless: true},
	{name: "   the sequence's fence off", harness: byTwoOwners, edits: noSequence, harmless: true},
	{name: "M6 performed before the claim", harness: byKill, edits: []edit{{"durable/perform.go",
		`t.later(func() { t.e.launch(w, call, rhythm, subs, ask) })`,
		`t.e.mu.Lock()
	t.e.launch(w, call, rhythm, subs, ask)
	t.e.mu.Unlock()`}}},
	{name: "M7 an at_most_once call is made again", harness: byKill, edits: []edit{{"durable/outbox.go",
		"case host.AtLeastOnce:\n\t\tt.set(f, standsPending)",
		"case host.AtLeastOnce, host.AtMostOnce:\n\t\tt.set(f, standsPending)"}}},
	{name: "M8 timers fire early", harness: bySimulation, edits: []edit{{"durable/step.go", `timers[0].Due > t.now`, `timers[0].Due > t.now+700`}}},
	{name: "M9 a timer is taken out before its event commits", harness: byKill, edits: []edit{
		{"durable/step.go", `import (`, "import (\n\t\"encoding/json\""},
		{"durable/step.go", `hit("timer.before")`, `if !t.dirty {
		var doc map[string]any
		if err := json.Unmarshal(t.s.doc, &doc); err != nil {
			return err
		}
		delete(doc, "timers")
		without, err := json.Marshal(doc)
		if err != nil {
			return err
		}
		h := t.s.head
		h.Due, h.Revision = 0, t.before+1
		if err := t.e.store.Commit(t.e.context, Commit{Epoch: t.e.lease.Epoch, Changes: []Change{{Session: t.s.id, Before: t.before, Head: &h, State: without}}}); err != nil {
			return err
		}
		t.before++
	}
	hit("timer.before")`}}},
	{name: "M10 a result's id is random", harness: byKill, edits: []edit{{"durable/outbox.go",
		`ID: key + "/" + string(o.Kind)`, `ID: drawID(t.e.runtime) + "/" + string(o.Kind)`}}},
	{name: "M11 the order of a map in the step", harness: bySimulation, edits: []edit{{"statechart/json.go",
		`for i, k := range sortedKeys(x) {`,
		`var keys []string
	for k := range x {
		keys = append(keys, k)
	}
	for i, k := range keys {`}}},
	{name: "M12 state is kept after a failed commit", harness: bySimulation, edits: []edit{{"durable/commit.go", "e.forget(u.session)\n", "\n"}}},
}

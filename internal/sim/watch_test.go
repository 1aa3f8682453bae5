package sim

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// watch sees every commit that the store has taken, and holds it to the
// invariants at once. It shares no code with the engine.
type watch struct {
	world    *World
	counts   map[string]int // what happened, by kind
	latest   int64          // the time of the last commit
	problems []string
	sessions map[string]*watched
	modes    map[string]host.Mode // of every call that a commit asked for, by key
	forked   map[string]bool      // keys of calls that an import took along
	gone     map[string]bool      // sessions that were deleted
}

// watched is one session as the commits so far make it.
type watched struct {
	id       string
	head     durable.Head
	sequence uint64
	hash     string
	time     int64
	status   durable.Status
	state    map[string]any
	ids      map[string]uint64 // of clients' events → row
	heard    map[string]bool   // ends of calls that were taken
	calls    map[string]*callRow
	inbox    map[uint64]bool
}

// callRow is what the checks need of a row of the outbox.
type callRow struct {
	Stands  string
	Mode    host.Mode
	Attempt int
	Outcome *host.Outcome
	Sources []statechart.Source
	Child   string
}

// open reports whether something still has to be done about the call.
func (c *callRow) open() bool {
	return slices.Contains([]string{"pending", "claimed", "retrying", "asking", "held", "waiting", "child"}, c.Stands)
}

func newWatch(world *World, counts map[string]int) *watch {
	return &watch{world: world, counts: counts, sessions: map[string]*watched{}, modes: map[string]host.Mode{}, forked: map[string]bool{}, gone: map[string]bool{}}
}

func (w *watch) bad(format string, args ...any) {
	w.problems = append(w.problems, fmt.Sprintf(format, args...))
}

// call is the row of a call, nil if no commit has asked for it.
func (w *watch) call(session, key string) *callRow {
	if s := w.sessions[session]; s != nil {
		return s.calls[key]
	}
	if mode, ok := w.modes[key]; ok { // the session was deleted meanwhile
		return &callRow{Stands: "gone", Mode: mode, Attempt: 1 << 30}
	}
	return nil
}

// children are the sessions that others have started, and that are not over.
func (w *watch) children() []string {
	var out []string
	for id, s := range w.sessions {
		if s.head.Depth > 0 && !s.status.Over() {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

// stored looks at one transaction.
func (w *watch) stored(c durable.Commit) {
	w.latest = c.Clock
	posted := map[string]bool{} // ids of the events that it puts into inboxes
	for i := range c.Changes {
		for _, row := range c.Changes[i].Put {
			var m struct{ ID, Name string }
			json.Unmarshal(row.Body, &m)
			posted[m.ID], posted["="+m.Name] = true, true
		}
		for _, row := range c.Changes[i].Journal { // what was taken up in the same turn
			var r struct{ Event string }
			json.Unmarshal(row.Body, &r)
			posted["="+r.Event] = true
		}
	}
	for i := range c.Changes {
		w.change(&c.Changes[i], posted)
	}
}

func (w *watch) change(c *durable.Change, posted map[string]bool) {
	s := w.sessions[c.Session]
	if c.Delete {
		w.counts["session deleted"]++
		delete(w.sessions, c.Session)
		w.gone[c.Session] = true
		return
	}
	if s == nil {
		if c.Head == nil {
			return // for one that is gone
		}
		s = &watched{id: c.Session, state: map[string]any{}, ids: map[string]uint64{}, heard: map[string]bool{}, calls: map[string]*callRow{}, inbox: map[uint64]bool{}}
		w.sessions[c.Session] = s
		w.counts[fmt.Sprintf("session at depth %d", c.Head.Depth)]++
	}
	w.queue(s, c)
	if c.Head == nil {
		return
	}
	if c.Before != s.head.Revision || c.Head.Revision != c.Before+1 {
		w.bad("X9: %s goes from revision %d to %d, the store had %d", s.id, c.Before, c.Head.Revision, s.head.Revision)
	}
	before := s.calls
	w.outbox(s, c)
	for _, row := range c.Journal {
		w.row(s, row, before, posted)
	}
	s.head, s.status = *c.Head, c.Head.Status
	w.standing(s, c)
}

// queue holds what goes into and out of the inbox.
func (w *watch) queue(s *watched, c *durable.Change) {
	for _, row := range c.Put {
		if s.inbox[row.Position] {
			w.bad("E5: %s has two events at the position %d of its inbox", s.id, row.Position)
		}
		s.inbox[row.Position] = true
	}
	for _, position := range c.Take {
		if !s.inbox[position] {
			w.bad("E1: %s takes the event at %d, which its inbox does not have", s.id, position)
		}
		delete(s.inbox, position)
	}
}

// outbox takes in the rows of calls.
func (w *watch) outbox(s *watched, c *durable.Change) {
	calls := make(map[string]*callRow, len(s.calls)+len(c.Effects))
	for key, f := range s.calls {
		calls[key] = f
	}
	imported := len(c.Journal) > 0 && c.Before == 0 && strings.Contains(string(c.Journal[0].Body), `"event":"detent.import"`)
	for _, row := range c.Effects {
		f := new(callRow)
		if err := json.Unmarshal(row.Body, f); err != nil {
			w.bad("%s: the call %s: %v", s.id, row.Key, err)
			continue
		}
		if imported {
			w.forked[row.Key] = true
			if f.open() && f.Stands != "held" {
				w.bad("S10: %s takes in the call %s as %s", s.id, row.Key[:6], f.Stands)
			}
		}
		if was := s.calls[row.Key]; was != nil {
			w.follows(s, row.Key, was, f)
			if was.Stands == "held" && f.open() && f.Stands != "held" && !approved(c) {
				w.bad("S2: the call %s of %s goes from held to %s, and nobody said yes", row.Key[:6], s.id, f.Stands)
			}
		}
		if row.Live == (f.Stands == "ended") {
			w.bad("X2: %s has the call %s as %s, live: %t", s.id, row.Key[:6], f.Stands, row.Live)
		}
		if len(f.Sources) > 1 {
			w.counts["call joined"]++
		}
		w.world.Note("%s: call %s %s %d", s.id, row.Key[:6], f.Stands, f.Attempt)
		w.counts["call "+f.Stands]++
		calls[row.Key], w.modes[row.Key] = f, f.Mode
	}
	s.calls = calls
}

// approved reports whether the commit holds somebody's yes.
func approved(c *durable.Change) bool {
	for _, row := range c.Journal {
		if b := string(row.Body); strings.Contains(b, `"event":"detent.answer"`) && strings.Contains(b, `"approve":true`) {
			return true
		}
	}
	return false
}

// follows says what may become of a call's row.
func (w *watch) follows(s *watched, key string, was, is *callRow) {
	if was.Mode != is.Mode {
		w.bad("X4: the call %s of %s was %s and is %s", key[:6], s.id, was.Mode, is.Mode)
	}
	if was.Stands == "ended" && was.Outcome != nil && was.Outcome.Kind == host.KindDone && (is.Outcome == nil || fmt.Sprint(is.Outcome.Output) != fmt.Sprint(was.Outcome.Output)) {
		w.bad("X3, X5: the call %s of %s has two results", key[:6], s.id)
	}
	if is.Attempt > was.Attempt+1 {
		w.bad("X4: the call %s of %s goes from attempt %d to %d", key[:6], s.id, was.Attempt, is.Attempt)
	}
	if is.Mode == host.AtMostOnce && is.Attempt > was.Attempt && (was.Stands == "claimed" || was.Stands == "unknown" || was.Stands == "abandoned") {
		w.bad("X4: the call %s of %s is claimed again after it was %s", key[:6], s.id, was.Stands)
	}
}

// row holds one row of the journal to the rules.
func (w *watch) row(s *watched, row durable.JournalRow, before map[string]*callRow, posted map[string]bool) {
	r, err := host.DecodeRecord(row.Body)
	if err != nil {
		w.bad("A1: %s row %d: %v", s.id, row.Sequence, err)
		return
	}
	sum := sha256.Sum256(append([]byte(s.hash), row.Body...))
	if row.Sequence != s.sequence+1 || r.Sequence != row.Sequence {
		w.bad("D4: %s writes row %d (it says %d) after %d", s.id, row.Sequence, r.Sequence, s.sequence)
	}
	if hex.EncodeToString(sum[:]) != row.Hash {
		w.bad("A1: the hash of row %d of %s does not follow", row.Sequence, s.id)
	}
	if r.Time < s.time {
		w.bad("R30: %s went back in time at row %d", s.id, r.Sequence)
	}
	s.sequence, s.hash, s.time = row.Sequence, row.Hash, r.Time
	w.step(s, &r)
	w.effects(s, &r, before, posted)
	if r.Change != nil {
		if err := fold(s.state, r.Change); err != nil {
			w.bad("D3: row %d of %s: %v", r.Sequence, s.id, err)
		}
	}
	if !slices.Equal(r.To, texts(s.state["configuration"])) {
		w.bad("D3: row %d of %s leads to %v, its state is in %v", r.Sequence, s.id, r.To, s.state["configuration"])
	}
	s.status = durable.Status(r.Status)
	w.world.Note("%s: row %d %s %s → %v %s", s.id, r.Sequence, r.Event, r.Outcome, r.To, r.Status)
	w.count(&r)
}

// step holds a macrostep to what may happen where.
func (w *watch) step(s *watched, r *host.Record) {
	if r.ID != "" && r.Sender == "client" && !r.Deferred {
		if at := s.ids[r.ID]; at != 0 {
			w.bad("E1: %s took %s at %d and at %d", s.id, r.ID, at, r.Sequence)
		}
		s.ids[r.ID] = r.Sequence
	}
	if r.Step == 0 {
		if strings.HasPrefix(r.Event, "detent.retry") || r.Event == "detent.settle" {
			s.heard = map[string]bool{} // the event that had stopped it comes again
		}
		return
	}
	quiet := s.status != "" && s.status != durable.Active
	if quiet && r.Event != "detent.cancel" {
		w.bad("R35: %s is %s and takes %s at row %d", s.id, s.status, r.Event, r.Sequence)
	}
	if r.Source == nil {
		return
	}
	switch {
	case r.Source.Kind == "timer":
		due, ok := armed(s.state, r.Source.Entry)
		if !ok || r.Time < due {
			w.bad("T1, T3: %s fired timer %d at %d, due %d (armed: %t)", s.id, r.Source.Entry, r.Time, due, ok)
		}
	case (r.Source.Kind == "invoke" || r.Source.Kind == "do") && r.Outcome == "taken" && !strings.HasPrefix(r.Event, "progress"):
		end := fmt.Sprint(r.Effect, r.Source.Entry)
		if s.heard[end] {
			w.bad("X7: %s heard of the end of %s twice", s.id, r.Effect[:6])
		}
		s.heard[end] = true
	}
}

// effects sees that what a step asks for is stored with it.
func (w *watch) effects(s *watched, r *host.Record, before map[string]*callRow, posted map[string]bool) {
	for _, f := range r.Effects {
		w.counts["effect "+string(f.Type)]++
		switch f.Type {
		case statechart.EffectInvoke, statechart.EffectDo:
			if s.calls[f.Key] == nil {
				w.bad("X2: %s asks for the call %s at row %d and has no row of it", s.id, f.Key[:6], r.Sequence)
			}
			if before[f.Key] != nil {
				w.counts["key asked for again"]++
			}
		case statechart.EffectStop:
			if c := s.calls[f.Key]; c != nil && c.open() && slices.Contains(c.Sources, f.Source) {
				w.bad("X8: %s leaves the call %s at row %d, and it stays %s", s.id, f.Key[:6], r.Sequence, c.Stands)
			}
		case statechart.EffectSend:
			if f.To != "" && f.To != "self" && !posted[f.Key] && !posted["=error.communication"] {
				w.bad("D2: %s sends %s to %s at row %d, and no inbox has it", s.id, f.Event, f.To, r.Sequence)
			}
		}
	}
}

// standing holds the row of the session to its state.
func (w *watch) standing(s *watched, c *durable.Change) {
	h := c.Head
	if h.Sequence != s.sequence || h.Hash != s.hash {
		w.bad("D2: %s says that it stands at row %d, the journal ends with %d", s.id, h.Sequence, s.sequence)
	}
	if len(c.State) > 0 {
		if whole, err := statechart.AppendJSON(nil, s.state); err != nil || string(whole) != string(c.State) {
			w.bad("D3: the state that %s stores at row %d is not what its rows add up to (%v)", s.id, s.sequence, err)
		}
	}
	if !slices.Equal(h.Configuration, texts(s.state["configuration"])) {
		w.bad("D2: %s says that it is in %v, its state in %v", s.id, h.Configuration, s.state["configuration"])
	}
	ready, waits := false, false
	for _, f := range s.calls {
		ready = ready || slices.Contains([]string{"pending", "claimed", "asking"}, f.Stands)
		waits = waits || f.Stands == "held"
	}
	if h.Status == durable.Active && ready && !h.Ready || waits != h.Waits {
		w.bad("X2: %s has calls to make: %t (it says %t), held: %t (it says %t)", s.id, ready, h.Ready, waits, h.Waits)
	}
	if first, ok := firstTimer(s.state); h.Status == durable.Active && ok && (h.Due == 0 || h.Due > max(first, 1)) {
		w.bad("T2: %s is to be looked at at %d, its first timer is due at %d", s.id, h.Due, first)
	}
}

// count keeps which kinds of row there were.
func (w *watch) count(r *host.Record) {
	w.counts["row "+r.Outcome]++
	if strings.HasPrefix(r.Event, "detent.") {
		w.counts[r.Event]++
	}
	if r.Event == "detent.suspend" && r.By == "engine" {
		w.counts["preempted"]++
	}
	if r.Deferred {
		w.counts["row delivered later"]++
	}
	if len(r.To) > 1 {
		w.counts["row with two leaves"]++
	}
	if r.Source != nil {
		w.counts["event of a "+r.Source.Kind]++
	}
	if r.Sender == "session" {
		w.counts["event of a session"]++
	}
	if data, ok := r.Data.(map[string]any); ok && r.Source != nil {
		w.counts[fmt.Sprint("answer ", data["code"])]++
	}
}

// fold puts a row's change into a state.
func fold(state map[string]any, change []byte) error {
	v, err := statechart.ReadJSON(change)
	if err != nil {
		return err
	}
	for _, one := range v.([]any) {
		parts := one.([]any)
		at := state
		path := parts[0].([]any)
		for _, key := range path[:len(path)-1] {
			at = at[key.(string)].(map[string]any)
		}
		last := path[len(path)-1].(string)
		if delete(at, last); len(parts) == 2 {
			at[last] = parts[1]
		}
	}
	return nil
}

func texts(v any) []string {
	var out []string
	list, _ := v.([]any)
	for _, t := range list {
		out = append(out, t.(string))
	}
	return out
}

// armed is when the timer of a state is due.
func armed(state map[string]any, entry uint64) (due int64, ok bool) {
	list, _ := state["timers"].([]any)
	for _, t := range list {
		t := t.(map[string]any)
		if t["source"].(map[string]any)["entry"] == int64(entry) {
			return t["due"].(int64), true
		}
	}
	return 0, false
}

func firstTimer(state map[string]any) (due int64, ok bool) {
	list, _ := state["timers"].([]any)
	for _, t := range list {
		if at := t.(map[string]any)["due"].(int64); !ok || at < due {
			due, ok = at, true
		}
	}
	return due, ok
}

package durable

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// inboxWindow is how many rows of an inbox are in memory at once.
const inboxWindow = 256

// load reads the session into memory. Without a row it does not exist, which
// is no error.
func (t *turn) load() error {
	s, e := t.s, t.e
	stored, err := e.store.Load(e.context, LoadQuery{Session: s.id, Inbox: inboxWindow})
	if errors.Is(err, ErrNotFound) {
		e.mu.Lock()
		s.loaded, s.exists = true, false
		e.mu.Unlock()
		return nil
	}
	if err != nil {
		return err
	}
	s.head = stored.Head
	if err := t.unpack(stored); err != nil {
		return err
	}
	return t.recoverEffects()
}

// unpack makes the memory of a session from its rows.
func (t *turn) unpack(stored *Stored) (err error) {
	s, e := t.s, t.e
	if s.chart, err = e.pinned(e.context, s.head.Digest); err != nil {
		return err
	}
	if s.doc, s.snap, err = unfold(s.chart, stored); err != nil {
		return err
	}
	if !s.snap.IsZero() && len(s.chart.Definition().Lists) > 0 {
		s.snap = s.snap.WithRows(t.e.rowsOf(s))
	}
	s.sinceFull, s.listed = len(stored.Since), map[string]int64{}
	for _, name := range s.chart.Definition().Lists {
		s.listed[name] = s.snap.Len(name)
	}
	for _, r := range stored.Since {
		s.changed += len(r.Body)
	}
	s.effects = map[string]*effect{}
	for _, row := range stored.Effects {
		f, err := decodeEffect(row)
		if err != nil {
			return fmt.Errorf("%w: the effect %s: %v", ErrDamaged, row.Key, err)
		}
		s.effects[f.Key] = f
	}
	inbox := make([]*entry, len(stored.Inbox))
	for i, row := range stored.Inbox {
		m, err := decodeMessage(row.Body)
		if err != nil {
			return fmt.Errorf("%w: the inbox row %d: %v", ErrDamaged, row.Position, err)
		}
		inbox[i] = &entry{message: m, position: row.Position, stored: true}
	}
	e.mu.Lock()
	s.loaded, s.exists, s.more, s.read = true, true, stored.MoreInbox, map[uint64]bool{}
	for _, m := range inbox {
		s.read[m.position] = true
	}
	s.events = append(inbox, s.events...)
	e.queued += len(inbox)
	e.mu.Unlock()
	return nil
}

// unfold makes the state from the newest full one and the rows since. A
// session that has not taken its first step has none.
func unfold(c *statechart.Chart, stored *Stored) ([]byte, statechart.Snapshot, error) {
	doc := stored.State
	if len(stored.Since) > 0 {
		state := map[string]any{}
		if len(doc) > 0 {
			v, err := statechart.ReadDocument(doc)
			if err != nil {
				return nil, statechart.Snapshot{}, fmt.Errorf("%w: the state: %v", ErrDamaged, err)
			}
			state, _ = v.(map[string]any)
		}
		for _, row := range stored.Since {
			r, err := readRow(row)
			if err == nil && r.Change != nil {
				err = apply(state, r.Change)
			}
			if err != nil {
				return nil, statechart.Snapshot{}, fmt.Errorf("%w: the journal row %d: %v", ErrDamaged, row.Sequence, err)
			}
		}
		var err error
		if doc, err = statechart.AppendDocument(nil, state); err != nil {
			return nil, statechart.Snapshot{}, err
		}
	}
	if len(doc) == 0 || string(doc) == "{}" {
		return nil, statechart.Snapshot{}, nil
	}
	snap, err := c.Decode(doc)
	if err != nil {
		return nil, snap, fmt.Errorf("%w: the state: %v", ErrDamaged, err)
	}
	return doc, snap, nil
}

func readRow(row JournalRow) (host.Record, error) {
	r, err := host.DecodeRecord(row.Body)
	r.Hash = row.Hash
	return r, err
}

// rowsOf gives out the rows of the session's lists: those of this turn, which
// are not stored yet, and the store's.
func (e *Engine) rowsOf(s *session) statechart.Rows {
	id := s.id
	return func(list string, from, to int64) ([]any, error) {
		fresh := s.appended[list]
		var out []any
		if stored := s.listed[list]; from < stored {
			records, err := e.store.Records(e.context, RecordQuery{Namespace: SpaceList, Session: id,
				From: listKey(list, from), To: listKey(list, min(to, stored)), Limit: int(to - from)})
			if err != nil {
				return nil, err
			}
			for _, r := range records {
				v, err := statechart.ReadDocument(r.Body)
				if err != nil {
					return nil, err
				}
				out = append(out, v)
			}
			from = min(to, stored)
		}
		base := s.listed[list]
		return append(out, fresh[from-base:to-base]...), nil
	}
}

func listKey(list string, n int64) string { return fmt.Sprintf("%s/%016d", list, n) }

// recoverEffects looks at calls whose attempt nobody of this engine runs:
// their outcome is not known, and by the mode they are tried again, asked
// for, or unknown (X4 to X6). What it decides is stored before it acts.
func (t *turn) recoverEffects() error {
	t.e.mu.Lock()
	epoch := t.e.lease.Epoch
	var lost []*effect
	for _, f := range effectsInOrder(t.s.effects) {
		if f.Stands == standsClaimed && !t.e.calls.runs(f) {
			lost = append(lost, f)
		}
	}
	t.e.mu.Unlock()
	for _, f := range lost {
		if f.Epoch == epoch {
			// The claim was stored and the commit's end was not seen: the
			// attempt never began.
			f.Attempt--
			t.set(f, standsPending)
			continue
		}
		hit("recover.before")
		if err := t.lostAttempt(f, "the engine ended while the call ran"); err != nil {
			return err
		}
	}
	return nil
}

// effectsInOrder lists effects in the order in which they were asked for.
func effectsInOrder(all map[string]*effect) []*effect {
	out := make([]*effect, 0, len(all))
	for _, f := range all {
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b *effect) int {
		return cmp.Or(cmp.Compare(a.Sequence, b.Sequence), cmp.Compare(a.Index, b.Index), cmp.Compare(a.Key, b.Key))
	})
	return out
}

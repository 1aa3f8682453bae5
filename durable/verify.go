package durable

import (
	"bytes"
	"context"
	"fmt"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// Verification is what [Engine.Verify] found.
type Verification struct {
	Session string `json:"session"`
	// From is the sequence of the first row that is kept: 1, unless older ones
	// were compacted away. The chain is checked from there on.
	From uint64 `json:"from"`
	// Rows are the journal rows that were read, from the first that is kept.
	Rows uint64 `json:"rows"`
	// Head is the hash of the newest row: keep it elsewhere, and a cut tail is
	// found, too.
	Head string `json:"head"`
	// Problems are what does not hold, in order; none: all is well.
	Problems []string `json:"problems,omitempty"`
}

// base is where compaction has cut a journal.
type base struct {
	Sequence uint64 `json:"sequence"`
	Hash     string `json:"hash"`
}

// Verify reads a session's journal and sees that the numbers have no gap, that
// each row's hash follows from the one before (A1), and that the changes add up
// to the stored state (D3).
func (r *reader) Verify(ctx context.Context, session string) (Verification, error) {
	v := Verification{Session: session}
	stored, err := r.store.Load(ctx, LoadQuery{Session: session})
	if err != nil {
		return v, storeProblem(err, session)
	}
	cut, err := r.cut(ctx, session)
	if err != nil {
		return v, storeProblem(err, session)
	}
	v.From = cut.Sequence + 1
	bad := func(format string, args ...any) { v.Problems = append(v.Problems, fmt.Sprintf(format, args...)) }
	state, hash, next := map[string]any{}, cut.Hash, cut.Sequence+1
	for {
		rows, err := r.store.Journal(ctx, session, next, 1000)
		if err != nil {
			return v, storeProblem(err, session)
		}
		for _, row := range rows {
			if row.Sequence != next {
				bad("row %d is missing", next)
			}
			if want := chained(hash, row.Body); want != row.Hash {
				bad("row %d was changed: its hash does not follow from row %d", row.Sequence, next-1)
			}
			if err := fold(state, row, cut.Sequence == 0); err != nil {
				bad("row %d cannot be read: %v", row.Sequence, err)
			}
			hash, next = row.Hash, row.Sequence+1
			v.Rows++
		}
		if len(rows) < 1000 {
			break
		}
	}
	v.Head = hash
	if next-1 != stored.Head.Sequence || hash != stored.Head.Hash {
		bad("the journal ends with row %d, the session stands at %d", next-1, stored.Head.Sequence)
	}
	if cut.Sequence == 0 && len(v.Problems) == 0 {
		r.compare(stored, state, bad)
	}
	return v, nil
}

// cut reads where compaction has cut the journal.
func (r *reader) cut(ctx context.Context, session string) (base, error) {
	var b base
	list, err := r.store.Records(ctx, RecordQuery{Namespace: SpaceBase, Session: session, Limit: 1})
	if err != nil || len(list) == 0 {
		return b, err
	}
	return b, host.Decode(list[0].Body, &b)
}

func fold(state map[string]any, row JournalRow, whole bool) error {
	r, err := readRow(row)
	if err != nil {
		return err
	}
	if r.Sequence != row.Sequence {
		return fmt.Errorf("it says that it is row %d", r.Sequence)
	}
	if whole && r.Change != nil {
		return apply(state, r.Change)
	}
	return nil
}

// compare sees that the rows add up to what is stored.
func (r *reader) compare(stored *Stored, state map[string]any, bad func(string, ...any)) {
	want, err := statechart.AppendDocument(nil, state)
	if err != nil {
		bad("the rows add up to no state: %v", err)
		return
	}
	chart, err := r.pinned(context.Background(), stored.Head.Digest)
	if err != nil {
		bad("the chart cannot be read: %v", err)
		return
	}
	doc, _, err := unfold(chart, stored)
	if err != nil {
		bad("the state cannot be read: %v", err)
		return
	}
	if len(doc) > 0 && !bytes.Equal(doc, want) {
		bad("the rows add up to another state than the stored one")
	}
}

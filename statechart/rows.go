package statechart

import (
	"fmt"
	"slices"
)

// Rows gives the rows from (inclusive) to (exclusive) of an append-only list,
// counted from 0 in the order in which they were appended. A session's state
// holds only how many rows there are; a host that keeps them hands out this
// function with [Instance.SetRows] or [Snapshot.WithRows]. It is asked only
// for rows of macrosteps that are over, and must always give the same.
type Rows func(list string, from, to int64) ([]any, error)

// maxRows is how many rows an expression may read at once.
const maxRows = 100

// SetRows hands out the rows of the append-only lists, for this instance
// only: it is not part of the state.
func (in *Instance) SetRows(rows Rows) {
	if in.chart == nil || len(in.chart.lists) == 0 {
		return
	}
	in.rare.rows = rows // an instance with lists always has one
}

// WithRows returns the snapshot with the rows of its lists at hand for the
// steps that are made from it. They are not part of the state.
func (s Snapshot) WithRows(rows Rows) Snapshot {
	if s.s == nil {
		return s
	}
	with := *s.s
	with.rows = rows
	return Snapshot{&with}
}

// Last returns the last n rows of an append-only list, or all if there are
// fewer, oldest first. The list is the caller's, the rows must not be
// changed. More than 100, and rows that the host does not hold ready, are
// errors.
func (s *Scope) Last(list string, n int) ([]any, error) {
	i, ok := s.in.chart.listIndex[list]
	switch {
	case !ok:
		return nil, fmt.Errorf("there is no list %s", quote(list))
	case n < 0 || n > maxRows:
		return nil, fmt.Errorf("0 to %d rows can be read at once, not %d", maxRows, n)
	}
	r := s.in.rare
	if err := s.Charge(int64(n)); err != nil {
		return nil, err
	}
	var fresh []any // appended since the host was last told, newest first
	for k := len(r.effects) - 1; k >= 0 && len(fresh) < n; k-- {
		if e := &r.effects[k]; e.Type == EffectAppend && e.Name == list {
			fresh = append(fresh, e.Data)
		}
	}
	slices.Reverse(fresh)
	to := r.lists[i] - int64(len(fresh))
	from := max(0, to-int64(n-len(fresh)))
	if from == to {
		return fresh, nil
	}
	if r.rows == nil {
		return nil, fmt.Errorf("the rows of the list %s are not at hand", quote(list))
	}
	old, err := r.rows(list, from, to)
	if err == nil && int64(len(old)) != to-from {
		err = fmt.Errorf("%d rows came instead of %d", len(old), to-from)
	}
	if err != nil {
		return nil, fmt.Errorf("the rows of the list %s: %w", quote(list), err)
	}
	return append(slices.Clone(old), fresh...), nil
}

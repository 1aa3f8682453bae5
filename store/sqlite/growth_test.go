package sqlite_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/store/sqlite"
)

// A step that adds a message to a list writes as much at 10,000 messages as at
// 10. The log is never begun anew here, so it grows by what commits write.
func TestStepDoesNotGrowWithItsList(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s, epoch := owned(t, path, sqlite.Options{LogPages: 1 << 20})
	h, rows := head("one"), 0
	say := func() durable.Change {
		c := advance(&h, int64(rows), []byte(fmt.Sprintf(`{"event":"say","change":[{"list":"messages","at":%08d}]}`, rows)))
		c.Records = []durable.Record{{Namespace: durable.SpaceList, Session: "one", Key: fmt.Sprintf("messages/%016d", rows),
			Body: []byte(fmt.Sprintf(`{"role":"user","text":"%0200d"}`, rows))}}
		rows++
		return c
	}
	// A split of a page falls on one step in some ten, so many are measured.
	measure := func() float64 {
		before := size(t, path+"-wal")
		for range 200 {
			commit(t, s, epoch, say())
		}
		return float64(size(t, path+"-wal")-before) / 200
	}
	for rows < 10 {
		commit(t, s, epoch, say())
	}
	few := measure()
	for rows < 10_000 {
		var group []durable.Change
		for range 100 {
			group = append(group, say())
		}
		commit(t, s, epoch, group...)
	}
	many := measure()
	t.Logf("a step writes %.0f bytes at 10 messages, %.0f at 10,000", few, many)
	if many > 1.2*few || many < 0.8*few {
		t.Errorf("a step writes %.0f bytes at 10 messages, %.0f at 10,000", few, many)
	}
}

// S1: sessions that sleep cost rows only. What an engine asks at its start and
// while it runs is answered from indexes that do not hold them.
func TestS1SleepingSessionsAreNotRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s, epoch := owned(t, path, sqlite.Options{})
	ctx := context.Background()
	const sleeping = 10_000
	for i := 0; i < sleeping; i += 500 {
		var group []durable.Change
		for n := range 500 {
			h := head(fmt.Sprintf("sleeping-%06d", i+n))
			h.Status, h.Reason, h.ReasonCode = durable.Suspended, []byte(`{"code":"asked"}`), "asked"
			group = append(group, advance(&h, 1, []byte("{}")))
		}
		commit(t, s, epoch, group...)
	}
	for i := range 5 {
		h := head(fmt.Sprintf("awake-%d", i))
		h.Ready, h.Due, h.Parent = i%2 == 0, int64(100-i), "awake-0"
		commit(t, s, epoch, advance(&h, 1, []byte("{}")))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s, _ = owned(t, path, sqlite.Options{})
	for _, c := range []struct {
		filter durable.Filter
		want   int
	}{
		{durable.Filter{Ready: true, Status: durable.Active}, 3},
		{durable.Filter{Ready: true, Status: durable.Completed}, 0},
		{durable.Filter{Ready: true}, 3},
		{durable.Filter{Parent: "awake-0"}, 5},
		{durable.Filter{Waits: true}, 0},
		{durable.Filter{Status: durable.Suspended, ReasonCode: "preempted"}, 0},
	} {
		if got, err := s.Select(ctx, c.filter); err != nil || len(got) != c.want {
			t.Errorf("%+v: %d sessions (%v), want %d", c.filter, len(got), err, c.want)
		}
	}
	due, err := s.Due(ctx, 98, 10)
	if err != nil || fmt.Sprint(due) != "[{awake-4 96} {awake-3 97} {awake-2 98}]" {
		t.Errorf("due: %v (%v)", due, err)
	}
	plans, err := s.Plans(ctx, durable.Filter{Ready: true, Status: durable.Active}, durable.Filter{Ready: true, Status: durable.Active, After: "x"},
		durable.Filter{Ready: true}, durable.Filter{Waits: true}, durable.Filter{Parent: "awake-0"},
		durable.Filter{Status: durable.Suspended, ReasonCode: "preempted"})
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(plans, "\n")
	want := strings.Join([]string{
		"SEARCH sessions USING COVERING INDEX sessions_due (due>? AND due<?)",
		"SEARCH sessions USING INDEX sessions_ready (status=?)",
		"SEARCH sessions USING INDEX sessions_ready (status=? AND session>?)",
		"SCAN sessions USING INDEX sessions_ready",
		"USE TEMP B-TREE FOR ORDER BY",
		"SCAN sessions USING INDEX sessions_waits",
		"SEARCH sessions USING INDEX sessions_parent (parent=?)",
		"SEARCH sessions USING INDEX sessions_reason (reason=?)",
	}, "\n")
	if got != want {
		t.Errorf("the plans are\n%s\nwant\n%s", got, want)
	}
}

package memory_test

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/store/memory"
)

// filled is a store of so many suspended sessions, each with one journal row.
func filled(b *testing.B, sessions int) (*memory.Store, uint64) {
	b.Helper()
	s, ctx := memory.New(), context.Background()
	lease, err := s.Acquire(ctx)
	if err != nil {
		b.Fatal(err)
	}
	body := bytes.Repeat([]byte(`{"event":"x"}`), 40)
	for at := 0; at < sessions; at += 1000 {
		c := durable.Commit{Epoch: lease.Epoch, Clock: 1}
		for n := range 1000 {
			c.Changes = append(c.Changes, sleeper(at+n, 0, body))
		}
		if err := s.Commit(ctx, c); err != nil {
			b.Fatal(err)
		}
	}
	return s, lease.Epoch
}

// sleeper is the change that a suspended session comes to its next row by.
func sleeper(n int, before uint64, body []byte) durable.Change {
	id := fmt.Sprintf("session-%08d", n)
	return durable.Change{Session: id, Before: before, Journal: []durable.JournalRow{{Sequence: before + 1, Time: 1, Body: body}},
		Head: &durable.Head{Session: id, Revision: before + 1, Format: 1, Chart: "door", Status: durable.Suspended, Sequence: before + 1, Configuration: []string{"work.first"}}}
}

// BenchmarkMany is a step of one session among few and among a million, with
// what each session weighs and how long an engine's question at its start
// takes, which looks at all of them here.
func BenchmarkMany(b *testing.B) {
	for _, sessions := range []int{1_000, 1_000_000} {
		b.Run(fmt.Sprint(sessions), func(b *testing.B) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			s, epoch := filled(b, sessions)
			runtime.GC()
			runtime.ReadMemStats(&after)
			begin := time.Now()
			if list, err := s.Select(context.Background(), durable.Filter{Ready: true, Status: durable.Active}); err != nil || len(list) != 0 {
				b.Fatal(list, err)
			}
			asked := time.Since(begin)
			revisions := map[int]uint64{}
			for i := 0; b.Loop(); i++ {
				n := i * 7919 % sessions
				if revisions[n] == 0 {
					revisions[n] = 1
				}
				if err := s.Commit(context.Background(), durable.Commit{Epoch: epoch, Clock: 2, Changes: []durable.Change{sleeper(n, revisions[n], nil)}}); err != nil {
					b.Fatal(err)
				}
				revisions[n]++
			}
			b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(sessions), "B/session")
			b.ReportMetric(float64(asked.Microseconds())/1000, "ms/question")
		})
	}
}

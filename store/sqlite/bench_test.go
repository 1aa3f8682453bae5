package sqlite_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/store/sqlite"
)

// The bytes of a plain step: a journal row with its changes.
var benchBody = bytes.Repeat([]byte(`{"event":"x"}`), 40)

// BenchmarkCommit stores steps of as many sessions as its name says, one of
// each in every commit, and between them bare rows of the same bytes in plain
// tables of a file beside it: by turns, so that a slow moment of the disk falls
// on both. What is between the two is what the store costs; share is the median
// of the bare write's time in the store's.
func BenchmarkCommit(b *testing.B) {
	for _, sessions := range []int{1, 64} {
		b.Run(fmt.Sprint(sessions), func(b *testing.B) {
			s, epoch := owned(b, filepath.Join(b.TempDir(), "s.db"), sqlite.Options{})
			bare, err := sqlite.OpenBare(filepath.Join(b.TempDir(), "bare.db"), sessions)
			if err != nil {
				b.Fatal(err)
			}
			defer bare.Close()
			heads := make([]durable.Head, sessions)
			commit := durable.Commit{Epoch: epoch, Changes: make([]durable.Change, sessions)}
			for i := range heads {
				heads[i] = head(fmt.Sprintf("session-%06d", i))
			}
			store := func() error {
				commit.Clock++
				for i := range heads {
					commit.Changes[i] = advance(&heads[i], commit.Clock, benchBody)
				}
				return s.Commit(context.Background(), commit)
			}
			var ours, theirs, shares []float64
			for b.Loop() {
				mine := timed(b, store)
				its := timed(b, func() error { return bare.Commit(benchBody) })
				ours, theirs, shares = append(ours, mine), append(theirs, its), append(shares, its/mine)
			}
			b.ReportMetric(float64(sessions)/median(ours), "steps/s")
			b.ReportMetric(float64(sessions)/median(theirs), "bare/s")
			b.ReportMetric(median(shares), "share")
		})
	}
}

// timed is how many seconds a commit takes, the mean of a few.
func timed(b *testing.B, f func() error) float64 {
	const few = 8
	begin := time.Now()
	for range few {
		if err := f(); err != nil {
			b.Fatal(err)
		}
	}
	return time.Since(begin).Seconds() / few
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// BenchmarkStart opens and acquires a store that holds only suspended
// sessions, and asks what an engine asks at its start.
func BenchmarkStart(b *testing.B) {
	for _, sessions := range []int{1_000, 1_000_000} {
		b.Run(fmt.Sprint(sessions), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "s.db")
			s, epoch := owned(b, path, sqlite.Options{})
			for at := 0; at < sessions; at += 1000 {
				var group []durable.Change
				for n := range 1000 {
					h := head(fmt.Sprintf("session-%08d", at+n))
					h.Status, h.Reason, h.ReasonCode = durable.Suspended, []byte(`{"code":"asked"}`), "asked"
					group = append(group, advance(&h, 1, benchBody))
				}
				commit(b, s, epoch, group...)
			}
			if err := s.Close(); err != nil {
				b.Fatal(err)
			}
			ctx := context.Background()
			for b.Loop() {
				s, err := sqlite.Open(path, sqlite.Options{})
				if err != nil {
					b.Fatal(err)
				}
				if _, err := s.Acquire(ctx); err != nil {
					b.Fatal(err)
				}
				for _, status := range []durable.Status{durable.Active, durable.Completed, durable.Failed, durable.Cancelled, durable.Expired} {
					if list, err := s.Select(ctx, durable.Filter{Ready: true, Status: status}); err != nil || len(list) != 0 {
						b.Fatal(list, err)
					}
				}
				if list, err := s.Select(ctx, durable.Filter{Status: durable.Suspended, ReasonCode: "preempted"}); err != nil || len(list) != 0 {
					b.Fatal(list, err)
				}
				if list, err := s.Due(ctx, 1<<60, 100); err != nil || len(list) != 0 {
					b.Fatal(list, err)
				}
				if err := s.Close(); err != nil {
					b.Fatal(err)
				}
			}
			if info, err := os.Stat(path); err == nil {
				b.ReportMetric(float64(info.Size())/float64(sessions), "B/session")
			}
		})
	}
}

package sqlite_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/store/sqlite"
)

// The bytes of a plain step: a journal row with its changes.
var benchBody = bytes.Repeat([]byte(`{"event":"x"}`), 40)

// BenchmarkCommit stores steps of as many sessions as its name says, one of
// each in every commit. BenchmarkBare writes rows of the same bytes into bare
// tables of the same file; what is between them is what the store costs.
func BenchmarkCommit(b *testing.B) {
	for _, sessions := range []int{1, 64} {
		b.Run(fmt.Sprint(sessions), func(b *testing.B) {
			s, epoch := owned(b, filepath.Join(b.TempDir(), "s.db"), sqlite.Options{})
			heads := make([]durable.Head, sessions)
			commit := durable.Commit{Epoch: epoch, Changes: make([]durable.Change, sessions)}
			for i := range heads {
				heads[i] = head(fmt.Sprintf("session-%06d", i))
			}
			for b.Loop() {
				commit.Clock++
				for i := range heads {
					h := &heads[i]
					commit.Changes[i] = advance(h, commit.Clock, benchBody)
				}
				if err := s.Commit(context.Background(), commit); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*sessions)/b.Elapsed().Seconds(), "steps/s")
		})
	}
}

func BenchmarkBare(b *testing.B) {
	for _, sessions := range []int{1, 64} {
		b.Run(fmt.Sprint(sessions), func(b *testing.B) {
			bare, err := sqlite.OpenBare(filepath.Join(b.TempDir(), "s.db"), sessions)
			if err != nil {
				b.Fatal(err)
			}
			defer bare.Close()
			for b.Loop() {
				if err := bare.Commit(benchBody); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*sessions)/b.Elapsed().Seconds(), "steps/s")
		})
	}
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
					h.Status = durable.Suspended
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

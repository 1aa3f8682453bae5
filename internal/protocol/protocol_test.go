package protocol_test

import (
	"flag"
	"strings"
	"testing"

	"github.com/detent-run/detent/internal/protocol"
)

var large = flag.Bool("large", false, "walk with more crashes and owners: eight million states, some GB")

// bounded sets how far a walk goes.
func bounded(m protocol.Model) *protocol.Model {
	m.Crashes, m.Epochs = 1, 2
	if m.Lock {
		m.Crashes, m.Epochs = 3, 4
	}
	if *large {
		m.Crashes, m.Epochs = 2, 3
		if m.Lock {
			m.Crashes, m.Epochs = 5, 6
		}
	}
	return &m
}

func TestProtocol(t *testing.T) {
	states, violations := 0, 0
	for _, c := range []struct {
		name  string
		model protocol.Model
	}{
		{"at most once, lock", protocol.Model{Mode: protocol.AtMostOnce, Lock: true}},
		{"at least once, lock", protocol.Model{Mode: protocol.AtLeastOnce, Lock: true}},
		{"reconcile, lock", protocol.Model{Mode: protocol.Reconcile, Lock: true}},
		{"at most once, lease", protocol.Model{Mode: protocol.AtMostOnce}},
		{"at least once, lease", protocol.Model{Mode: protocol.AtLeastOnce}},
		{"reconcile, lease", protocol.Model{Mode: protocol.Reconcile}},
		// X9: either comparison alone keeps a late commit out.
		{"the sequence alone", protocol.Model{Bugs: protocol.Bugs{NoFence: true}}},
		{"the epoch alone", protocol.Model{Bugs: protocol.Bugs{NoSequence: true}}},
	} {
		r := bounded(c.model).Walk()
		states += r.States
		t.Logf("%-22s %8d states", c.name, r.States)
		if r.Violation != "" {
			violations++
			t.Errorf("%s: %s, after\n\t%s", c.name, r.Violation, strings.Join(r.Trace, "\n\t"))
		}
	}
	t.Logf("%d states, %d violations", states, violations)
}

func TestProtocolNoticesBugs(t *testing.T) {
	caught := 0
	bugs := []struct {
		name  string
		model protocol.Model
		want  string // the guarantee that breaks
	}{
		{"both comparisons off", protocol.Model{Bugs: protocol.Bugs{NoFence: true, NoSequence: true}}, "E1"},
		{"no dedupe", protocol.Model{Bugs: protocol.Bugs{NoDedupe: true}}, "E1"},
		{"call before claim", protocol.Model{Bugs: protocol.Bugs{ActFirst: true}}, "X4"},
		{"reclaim at most once", protocol.Model{Lock: true, Bugs: protocol.Bugs{Reclaim: true}}, "X4"},
		{"reconcile without asking", protocol.Model{Lock: true, Mode: protocol.Reconcile, Bugs: protocol.Bugs{Reclaim: true}}, "X6"},
		{"answer before commit", protocol.Model{Lock: true, Bugs: protocol.Bugs{AckFirst: true}}, "D1"},
		{"random result ids", protocol.Model{Lock: true, Bugs: protocol.Bugs{RandomIDs: true}}, "E1"},
		{"effect outside the step", protocol.Model{Lock: true, Bugs: protocol.Bugs{LooseEffect: true}}, "D2"},
	}
	for _, b := range bugs {
		r := bounded(b.model).Walk()
		if !strings.HasPrefix(r.Violation, b.want) {
			t.Errorf("%s: found %q in %d states, want %s", b.name, r.Violation, r.States, b.want)
			continue
		}
		caught++
		t.Logf("%s: %s, after %d actions\n\t%s", b.name, r.Violation, len(r.Trace), strings.Join(r.Trace, "\n\t"))
	}
	t.Logf("caught %d of %d", caught, len(bugs))
}

package main

import (
	"strings"
	"testing"
)

// The whole command with a handful of events, for its form and its exits:
// whether targets are met is not asked here.
func TestCommand(t *testing.T) {
	var out, prose strings.Builder
	code := run([]string{"-rounds", "1", "-events", "12", "-sessions", "1,3", "-suspended", "40", "-peers=false", "-busy"}, &out, &prose)
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, prose.String())
	}
	for _, want := range []string{"| 1 | Detent, SQLite |", "| 3 | bare grouped write, SQLite |", "other work ran", "| share of the bare write at one session |", "| row to leaf among 40 |", "| 40 |"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, out.String())
		}
	}
	if !strings.Contains(prose.String(), "measuring: events of 3 sessions") || strings.Contains(out.String(), "measuring") {
		t.Error("progress belongs to standard error")
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{"-rounds", "0"}, {"-events", "-1"}, {"-sessions", "many"}, {"-suspended", "-5"}, {"everything"}, {"-fast"}} {
		var out, prose strings.Builder
		if code := run(args, &out, &prose); code != exitUsage || prose.Len() == 0 || out.Len() > 0 {
			t.Errorf("%v: exit %d, %q, %q", args, code, prose.String(), out.String())
		}
	}
}

package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/detent-run/detent/bench/internal/peer"
	"github.com/detent-run/detent/bench/internal/report"
	"github.com/detent-run/detent/bench/internal/workload"
)

// The whole command in its three forms, in slices far too short for figures:
// whether targets are met is not asked here.
func TestCommand(t *testing.T) {
	short := []string{"-count", "1", "-time", "200us"}
	var text, prose strings.Builder
	if code := run(short, &text, &prose); code != exitOK {
		t.Fatalf("exit %d: %s", code, prose.String())
	}
	for _, w := range workload.All() {
		if !strings.Contains(text.String(), w.Title) {
			t.Errorf("the table lacks %q", w.Title)
		}
	}
	if strings.Contains(text.String(), "measuring") || !strings.Contains(prose.String(), "measuring") {
		t.Error("progress belongs to standard error")
	}

	var markdown strings.Builder
	if code := run(append(short, "-markdown"), &markdown, &prose); code != exitOK || !strings.HasPrefix(markdown.String(), "20") {
		t.Errorf("-markdown: exit %d, %s", code, markdown.String())
	}

	var document strings.Builder
	if code := run(append(short, "-json"), &document, &prose); code != exitOK {
		t.Fatalf("-json: exit %d", code)
	}
	var r report.Report
	if err := json.Unmarshal([]byte(document.String()), &r); err != nil {
		t.Fatal(err)
	}
	for _, w := range workload.All() {
		for _, name := range []string{peer.Detent, peer.Switch} {
			if x, ok := r.Result(w.ID, name); !ok || x.NS <= 0 || x.Ratio <= 0 {
				t.Errorf("%s has no figures on %s: %+v", name, w.ID, x)
			}
		}
	}
}

// With -check the exit code is that of the report's verdict.
func TestCheckExits(t *testing.T) {
	var document, prose strings.Builder
	code := run([]string{"-count", "1", "-time", "200us", "-json", "-check"}, &document, &prose)
	var r report.Report
	if err := json.Unmarshal([]byte(document.String()), &r); err != nil {
		t.Fatal(err)
	}
	if holds := r.Holds(); code != map[bool]int{true: exitOK, false: exitMissed}[holds] {
		t.Errorf("exit %d, but the report holds: %v", code, holds)
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{
		{"-count", "0"}, {"-time", "0s"}, {"-json", "-markdown"}, {"everything"}, {"-fast"},
	} {
		var out, prose strings.Builder
		if code := run(args, &out, &prose); code != exitUsage || prose.Len() == 0 || out.Len() > 0 {
			t.Errorf("%v: exit %d, %q, %q", args, code, prose.String(), out.String())
		}
	}
}

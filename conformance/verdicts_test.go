package conformance

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var updateVerdicts = flag.Bool("update", false, "write the verdicts into testdata; read the difference before you commit it")

// compareVerdicts fails for each verdict that is not the committed one: a case
// and its verdict on each line.
func compareVerdicts(t *testing.T, name string, verdicts map[string]string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *updateVerdicts {
		var b strings.Builder
		for _, c := range slices.Sorted(maps.Keys(verdicts)) {
			fmt.Fprintf(&b, "%s %s\n", c, verdicts[c])
		}
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	committed := map[string]string{}
	for line := range strings.Lines(string(data)) {
		if c, verdict, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			committed[c] = verdict
		}
	}
	for _, c := range slices.Sorted(maps.Keys(verdicts)) {
		if committed[c] != verdicts[c] {
			t.Errorf("%s: %s is %s, committed is %q", name, c, verdicts[c], committed[c])
		}
		delete(committed, c)
	}
	for _, c := range slices.Sorted(maps.Keys(committed)) {
		t.Errorf("%s: %s is no case of the suite", name, c)
	}
}

package xstate_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/chartfile/xstate"
	"github.com/detent-run/detent/statechart"
)

// Each chart of testdata/module, and each example that XState can say, as the
// module that is kept beside it.
func TestModuleGoldens(t *testing.T) {
	own, err := filepath.Glob("testdata/module/*.yaml")
	if err != nil || len(own) == 0 {
		t.Fatal("no charts in testdata/module", err)
	}
	for _, path := range append(own,
		"../../examples/search-assistant/search-assistant.yaml", "../../examples/search-assistant/search-assistant-calls.yaml",
		"../../examples/first-chart/ask.yaml", "../../examples/first-chart/sketch.yaml",
	) {
		name := strings.TrimSuffix(filepath.Base(path), ".yaml")
		t.Run(name, func(t *testing.T) {
			got, err := xstate.Module(definition(t, path))
			if err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join("testdata/module", name+".mjs")
			if *update {
				if err := os.WriteFile(golden, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != string(want) {
				t.Errorf("the module is not that of %s (read the new one with -update):\n%s", golden, got)
			}
		})
	}
}

// definition reads a chart and sees that it compiles.
func definition(t *testing.T, path string) statechart.Definition {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return chartOf(t, filepath.Base(path), string(data))
}

func chartOf(t *testing.T, name, text string) statechart.Definition {
	t.Helper()
	f, found := chartfile.Read(name, []byte(text))
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	if _, found := f.Compile(nil); found.Err() != nil {
		t.Fatal(found.Err())
	}
	return f.Definition
}

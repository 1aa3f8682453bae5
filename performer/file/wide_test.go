package file_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/detent-run/detent/performer/file"
)

// A search gives up in a tree without end, also in one without files.
func TestSearchInManyDirectories(t *testing.T) {
	root := t.TempDir()
	for i := range 100 {
		for k := range 101 {
			if err := os.MkdirAll(filepath.Join(root, fmt.Sprintf("%03d", i), fmt.Sprintf("%03d", k)), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(root, "z"), []byte("needle"), 0o644); err != nil {
		t.Fatal(err)
	}
	c := file.Config{Root: root}
	if got, want := show(t, perform(t, c, object{"op": "search", "query": "needle"})), `{"kind":"done","output":{"matches":[],"more":true}}`; got != want {
		t.Errorf("the outcome is %s", got)
	}
	if got, want := show(t, perform(t, c, object{"op": "search", "query": "needle", "path": "z"})), `{"kind":"done","output":{"matches":[{"line":1,"path":"z","text":"needle"}],"more":false}}`; got != want {
		t.Errorf("the outcome is %s", got)
	}
}

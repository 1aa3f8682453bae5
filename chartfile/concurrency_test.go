package chartfile_test

import (
	"os"
	"sync"
	"testing"

	"github.com/detent-run/detent/chartfile"
)

// One file may be compiled by many at once, and gives each the same chart.
// The race detector watches.
func TestFilesAreCompiledConcurrently(t *testing.T) {
	document, err := os.ReadFile("testdata/collections.yaml")
	if err != nil {
		t.Fatal(err)
	}
	f, found := chartfile.Read("collections.yaml", document)
	if len(found) > 0 {
		t.Fatal(found)
	}
	digests := make([]string, 8)
	var all sync.WaitGroup
	for i := range digests {
		all.Go(func() {
			if chart, found := f.Compile(nil); len(found) > 0 {
				t.Error(found)
			} else {
				digests[i] = chart.Digest()
			}
		})
	}
	all.Wait()
	for _, d := range digests {
		if d != digests[0] {
			t.Errorf("digests %v", digests)
		}
	}
}

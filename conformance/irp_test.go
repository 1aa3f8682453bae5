package conformance

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/detent-run/detent/conformance/internal/scxml"
	"github.com/detent-run/detent/internal/world"
	"github.com/detent-run/detent/statechart"
)

// irpDocuments returns the names of the W3C tests without the documents that
// only other tests invoke.
func irpDocuments(t *testing.T, files fs.FS) []string {
	t.Helper()
	names, err := fs.Glob(files, "*.scxml")
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(names, func(name string) bool { return strings.Contains(name, "sub") })
}

// maxTimers bounds how often time is let pass for one document. The tests
// have a handful of delays each.
const maxTimers = 1000

// verdict runs a document until it ends or nothing can happen any more. W3C's
// criterion is the only one: it must have ended in the final state "pass".
func verdict(d *scxml.Document, options world.Options) error {
	s, err := start(d, options)
	if err != nil {
		return err
	}
	for range maxTimers {
		more, err := s.world.AdvanceToNext()
		if err != nil {
			return err
		}
		if !more || s.world.Instance(sessionID).Status() != statechart.Active {
			break
		}
	}
	if leaves := s.leaves(); !slices.Equal(leaves, []string{"pass"}) {
		return fmt.Errorf("it came to rest in %v", leaves)
	}
	return nil
}

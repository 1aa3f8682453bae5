package conformance

import "github.com/detent-run/detent/conformance/internal/indetent"

// toDetent rewrites a document of ECMAScript in Detent's expression language.
func toDetent(document []byte) ([]byte, error) { return indetent.Rewrite(document) }

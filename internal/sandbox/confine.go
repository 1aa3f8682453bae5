package sandbox

import (
	"fmt"
	"runtime/debug"
)

// Confine bounds the running process for the rest of its life; [Main] does
// it for children before their first request. It returns the names of the
// bounds that hold: "stack" everywhere, "cpu", "core", "size" (of files) and
// "files" (how many are open) where the system has them, "data" on Linux.
// There, files that the process inherited beside the standard ones are closed.
func Confine(l Limits) (held []string, err error) {
	l = l.withDefaults()
	debug.SetMaxStack(int(l.Stack))
	held, err = confine(l)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	return append(held, "stack"), nil
}

// Bounds that need no number from outside.
const (
	maxFiles = 16 // what the Go runtime needs, and a few
	noFiles  = 0  // bytes that may be written to files, or as a core
)

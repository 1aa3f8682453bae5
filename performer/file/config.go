package file

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/performer"
)

// Config says where files are and what may be done with them.
type Config struct {
	// Root is the directory; it must be set. It is opened with each call, and
	// made by the first write if it is not there.
	Root string
	// Allow lists what may be done: read, write, list, search. Default: read,
	// list and search.
	Allow []string
	// MaxBytes bounds a file that is read or written. Default: 1 MiB. Larger
	// ones are not searched.
	MaxBytes int64
	// Redact takes secrets out of a text; nil: there are none.
	Redact func(string) string
}

// What can be done.
const (
	opRead   = "read"
	opWrite  = "write"
	opList   = "list"
	opSearch = "search"
)

var operations = []string{opRead, opWrite, opList, opSearch}

const (
	defaultBytes = 1 << 20
	maxPath      = 1024 // bytes
	maxQuery     = 1024
	maxEntries   = 1000
	maxMatches   = 100
	maxLine      = 400      // bytes of a line that is shown
	maxFiles     = 10_000   // entries of directories that one search looks at
	maxSearched  = 64 << 20 // bytes of one search
	maxDepth     = 32
)

// New checks a configuration and returns its performer. The error begins with
// the field that is wrong. It may be used concurrently and needs no closing.
//
// A call's input is an object with op and path, which has "/" between its
// parts and starts at the root:
//
//	{op: read, path}            → {path, content, bytes}
//	{op: write, path, content}  → {path, bytes}
//	{op: list, path}            → {path, entries: [{name, type, bytes}], more}
//	{op: search, path, query}   → {matches: [{path, line, text}], more}
//
// The path of a list or a search is the root if it is left out. more says that
// there are others. Failures have the codes bad_input, not_allowed, not_found,
// not_a_file, not_a_directory, outside, too_large, no_space and io.
func New(c Config) (host.Performer, error) {
	if c.Root == "" {
		return nil, errors.New("root: must be there")
	}
	root, err := filepath.Abs(c.Root)
	if err != nil {
		return nil, fmt.Errorf("root: %w", err)
	}
	c.Root = root
	c.MaxBytes = cmp.Or(max(c.MaxBytes, 0), defaultBytes)
	if len(c.Allow) == 0 {
		c.Allow = []string{opRead, opList, opSearch}
	}
	for _, op := range c.Allow {
		if !slices.Contains(operations, op) {
			return nil, fmt.Errorf("allow: %.20q is none of read, write, list and search", op)
		}
	}
	return &caller{c}, nil
}

type caller struct{ config Config }

// Perform is [host.Performer.Perform].
func (c *caller) Perform(ctx context.Context, call host.Call) host.Outcome {
	return performer.Clean(c.perform(ctx, call), c.config.Redact)
}

//go:build !linux && !darwin

package sqlite

import "os"

// rename gives a file a name that nothing has. For a moment it has two.
func rename(from, to string) error { return os.Link(from, to) }

package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Backup copies the store, as it is at one moment, to a new file at path, and
// syncs it. The owner goes on meanwhile; whoever has the store open may call
// it, and ends it by ctx. The file appears under its name when it is whole; one
// that is there already is never overwritten.
func (s *Store) Backup(ctx context.Context, path string) error {
	full, err := resolve(path)
	if err != nil {
		return refuse(CodeUnavailable, err, "name a file in a directory that exists", "the backup %s cannot be written: %v", path, err)
	}
	if _, err := os.Lstat(full); err == nil {
		return exists(full)
	}
	temporary, err := reserve(full)
	if err != nil {
		return refuse(CodeUnavailable, err, "name a file in a directory that can be written", "the backup %s cannot be written: %v", path, err)
	}
	defer discard(temporary)
	err = s.read(ctx, func(c *conn) error {
		// A connection that may only query cannot do it, though it changes
		// nothing in the store.
		if err := c.pragma("query_only = 0"); err != nil {
			return err
		}
		err := c.query(ctx, "VACUUM INTO ?", func([]driver.Value) error { return nil }, temporary)
		return unwrapJoin(errors.Join(err, c.pragma("query_only = 1")))
	})
	if err == nil {
		err = known(finish(temporary), false)
	}
	if err == nil {
		err = appear(temporary, full)
	}
	if errors.Is(err, fs.ErrExist) {
		return exists(full)
	}
	if err != nil {
		return fmt.Errorf("the backup %s: %w", full, err)
	}
	return nil
}

func exists(path string) error {
	return refuse(CodeExists, nil, "name another file, or remove it", "%s is there already", path)
}

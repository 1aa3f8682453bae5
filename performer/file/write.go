package file

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
)

// unsureError is an error after the file got its name.
type unsureError struct{ err error }

func (u *unsureError) Error() string { return u.err.Error() }

// write makes a file whole or not at all: under another name first, which then
// becomes its own. The other name follows from the key, so that what a crash
// left is taken away by the next attempt.
func (t *tree) write(name, content, key string) (any, error) {
	if err := t.ctx.Err(); err != nil {
		return nil, err
	}
	if err := t.target(name); err != nil {
		return nil, err
	}
	directory := path.Dir(name)
	if err := t.root.MkdirAll(directory, 0o755); err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(key + "\x00" + name))
	other := path.Join(directory, temporary+hex.EncodeToString(sum[:12]))
	if err := t.root.Remove(other); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err := t.fill(other, content); err != nil {
		_ = t.root.Remove(other) // the first error tells more
		return nil, err
	}
	if err := t.root.Rename(other, name); err != nil {
		_ = t.root.Remove(other)
		return nil, err
	}
	if err := t.sync(directory); err != nil {
		return nil, &unsureError{err}
	}
	return map[string]any{"path": name, "bytes": int64(len(content))}, nil
}

// target sees that what the file replaces is one. A link is refused: the new
// file would stand in its place and not in that of what it leads to.
func (t *tree) target(name string) error {
	info, err := t.root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return &problem{"not_a_file", "is a directory"}
	case info.Mode()&fs.ModeSymlink != 0:
		return &problem{"not_a_file", "is a link; write to what it leads to"}
	case !info.Mode().IsRegular():
		return &problem{"not_a_file", fmt.Sprintf("is no regular file but a %s", info.Mode().Type())}
	}
	return nil
}

func (t *tree) fill(name, content string) error {
	f, err := t.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(content)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

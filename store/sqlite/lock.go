//go:build unix || windows

package sqlite

import (
	"fmt"
	"os"

	"github.com/detent-run/detent/durable"
)

// fileLock is a lock on a side file, which ends with its handle. It is not one
// on the store itself: SQLite's own locks there would be lost with the first
// handle that closes.
type fileLock struct{ f *os.File }

// takeLock returns ErrOwned while anybody has the lock, in this process or
// another. The file stays: removing it would let two have one name.
func takeLock(path string) (*fileLock, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, refuse(CodeUnavailable, err, "see who may write the directory of the store", "the lock %s cannot be opened: %v", path, err)
	}
	taken, err := tryLock(f)
	if err == nil && !taken {
		return &fileLock{f}, nil
	}
	if taken {
		err = fmt.Errorf("%w: somebody holds %s", durable.ErrOwned, path)
	} else {
		err = refuse(CodeUnavailable, err, "keep the store on a file system with locks", "the lock %s cannot be taken: %v", path, err)
	}
	_ = f.Close()
	return nil, err
}

// release gives the lock up even if a child process that is just being started
// has a copy of the handle.
func (l *fileLock) release() error {
	unlock(l.f)
	return l.f.Close()
}

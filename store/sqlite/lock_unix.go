//go:build unix

package sqlite

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"github.com/detent-run/detent/durable"
)

// fileLock is a lock on a side file. It is not one on the store itself:
// SQLite's own locks there would be lost with the first handle that closes.
type fileLock struct{ f *os.File }

// takeLock returns ErrOwned while anybody has the lock, in this process or
// another. The file stays: removing it would let two have one name.
func takeLock(path string) (*fileLock, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, refuse(CodeUnavailable, err, "see who may write the directory of the store", "the lock %s cannot be opened: %v", path, err)
	}
	for {
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	if err == nil {
		return &fileLock{f}, nil
	}
	if errors.Is(err, unix.EWOULDBLOCK) {
		err = fmt.Errorf("%w: somebody holds %s", durable.ErrOwned, path)
	} else {
		err = refuse(CodeUnavailable, err, "keep the store on a file system with locks", "the lock %s cannot be taken: %v", path, err)
	}
	_ = f.Close()
	return nil, err
}

func (l *fileLock) release() error { return l.f.Close() }

// syncDirectory makes a new name in a directory durable.
func syncDirectory(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return unwrapJoin(errors.Join(d.Sync(), d.Close()))
}

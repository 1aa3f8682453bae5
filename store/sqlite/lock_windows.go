//go:build windows

package sqlite

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/windows"

	"github.com/detent-run/detent/durable"
)

// fileLock is a lock on a side file, which ends with its handle.
type fileLock struct{ f *os.File }

// takeLock returns ErrOwned while anybody has the lock, in this process or
// another.
func takeLock(path string) (*fileLock, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, refuse(CodeUnavailable, err, "see who may write the directory of the store", "the lock %s cannot be opened: %v", path, err)
	}
	err = windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, new(windows.Overlapped))
	if err == nil {
		return &fileLock{f}, nil
	}
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		err = fmt.Errorf("%w: somebody holds %s", durable.ErrOwned, path)
	} else {
		err = refuse(CodeUnavailable, err, "keep the store on a file system with locks", "the lock %s cannot be taken: %v", path, err)
	}
	_ = f.Close()
	return nil, err
}

func (l *fileLock) release() error { return l.f.Close() }

// syncDirectory does nothing: Windows has no sync of a directory, NTFS keeps
// names in a log of its own.
func syncDirectory(string) error { return nil }

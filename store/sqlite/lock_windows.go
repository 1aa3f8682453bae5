//go:build windows

package sqlite

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// tryLock locks the file, unless somebody else has taken it.
func tryLock(f *os.File) (taken bool, err error) {
	err = windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, new(windows.Overlapped))
	return errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING), err
}

func unlock(*os.File) {} // handles are not inherited

// singular cannot tell here.
func singular(os.FileInfo, string) error { return nil }

// syncDirectory does nothing: Windows has no sync of a directory, NTFS keeps
// names in a log of its own.
func syncDirectory(string) error { return nil }

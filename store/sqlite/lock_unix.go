//go:build unix

package sqlite

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// tryLock locks the file, unless somebody else has taken it.
func tryLock(f *os.File) (taken bool, err error) {
	for {
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if !errors.Is(err, unix.EINTR) {
			return errors.Is(err, unix.EWOULDBLOCK), err
		}
	}
}

func unlock(f *os.File) { _ = unix.Flock(int(f.Fd()), unix.LOCK_UN) } // closing does it, too

// singular refuses a file that has several names: SQLite keeps a log beside
// each, and a lock would be on each, too.
func singular(info os.FileInfo, path string) error {
	if at, ok := info.Sys().(*syscall.Stat_t); ok && at.Nlink > 1 {
		return refuse(CodeUnavailable, nil, "remove the other names, or copy the store with detent backup",
			"%s has %d names (hard links), and each would have a log of its own", path, at.Nlink)
	}
	return nil
}

// syncDirectory makes a new name in a directory durable.
func syncDirectory(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return unwrapJoin(errors.Join(d.Sync(), d.Close()))
}

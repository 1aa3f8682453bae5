//go:build unix

package sqlite

import (
	"errors"
	"os"

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

// syncDirectory makes a new name in a directory durable.
func syncDirectory(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return unwrapJoin(errors.Join(d.Sync(), d.Close()))
}

package sqlite

import (
	"os"

	"golang.org/x/sys/unix"
)

// rename gives a file a name that nothing has. At no moment has it two, which
// would be refused; only a file system that cannot do that makes a link.
func rename(from, to string) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_NOREPLACE)
	if err == unix.EINVAL || err == unix.ENOSYS {
		return os.Link(from, to)
	}
	return err
}

package sqlite

import (
	"os"

	"golang.org/x/sys/unix"
)

// rename gives a file a name that nothing has. At no moment has it two, which
// would be refused; only a file system that cannot do that makes a link.
func rename(from, to string) error {
	err := unix.RenamexNp(from, to, unix.RENAME_EXCL)
	if err == unix.ENOTSUP || err == unix.EINVAL {
		return os.Link(from, to)
	}
	return err
}

package sqlite

import "golang.org/x/sys/unix"

// local refuses a directory on a network file system.
func local(dir string) error {
	var at unix.Statfs_t
	if err := unix.Statfs(dir, &at); err != nil || at.Flags&unix.MNT_LOCAL != 0 {
		return nil // what cannot be asked is not refused
	}
	return onNetwork(dir, unix.ByteSliceToString(at.Fstypename[:]))
}

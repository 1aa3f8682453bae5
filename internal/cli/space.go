//go:build linux || darwin

package cli

import "golang.org/x/sys/unix"

// freeSpace is how many bytes may still be written in a folder; -1 when that
// cannot be known.
func freeSpace(folder string) int64 {
	var at unix.Statfs_t
	if err := unix.Statfs(folder, &at); err != nil {
		return -1
	}
	return int64(at.Bavail) * int64(at.Bsize)
}

//go:build unix

package file

import "syscall"

// noWait opens a pipe without waiting for its other end.
const noWait = syscall.O_NONBLOCK

// sync makes the names in a directory outlive a loss of power.
func (t *tree) sync(directory string) error {
	d, err := t.root.Open(directory)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

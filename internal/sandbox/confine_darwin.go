package sandbox

import (
	"syscall"
)

// confine leaves "data" out: this system does not count mapped memory.
func confine(l Limits) ([]string, error) {
	return setLimits([]limit{
		{"cpu", syscall.RLIMIT_CPU, seconds(l.CPU)},
		{"core", syscall.RLIMIT_CORE, noFiles},
		{"size", syscall.RLIMIT_FSIZE, noFiles},
		{"files", syscall.RLIMIT_NOFILE, maxFiles},
	})
}

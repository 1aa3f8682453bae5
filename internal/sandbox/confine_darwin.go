package sandbox

import (
	"syscall"
	"time"
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

// spent is the processor time that the process has used.
func spent() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

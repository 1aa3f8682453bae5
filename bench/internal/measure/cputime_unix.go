//go:build unix

package measure

import (
	"syscall"
	"time"
)

// CPUTimeExact says whether [CPUTime] is CPU time on this system.
const CPUTimeExact = true

// CPUTime returns the CPU time that this process has used, in user and in
// system mode, on all its threads. Unlike wall time it does not grow while
// another process has the core, and it includes the collector's work, which
// belongs to whoever allocates.
func CPUTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic("measure: internal error: getrusage: " + err.Error())
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

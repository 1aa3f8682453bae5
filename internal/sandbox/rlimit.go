//go:build linux || darwin

package sandbox

import (
	"fmt"
	"math"
	"syscall"
	"time"
)

// limit is a bound of the system, by the name that [Confine] gives it.
type limit struct {
	name  string
	which int
	value uint64
}

// setLimits sets limits for good and sees that they hold. Those of whoever
// started the process that are lower stay.
func setLimits(limits []limit) (held []string, err error) {
	for _, l := range limits {
		var now syscall.Rlimit
		if err := syscall.Getrlimit(l.which, &now); err != nil {
			return nil, fmt.Errorf("read the limit of %s: %w", l.name, err)
		}
		value := min(l.value, now.Cur, now.Max)
		if err := syscall.Setrlimit(l.which, &syscall.Rlimit{Cur: value, Max: value}); err != nil {
			return nil, fmt.Errorf("limit %s to %d: %w", l.name, value, err)
		}
		if err := syscall.Getrlimit(l.which, &now); err != nil || now.Cur != value || now.Max != value {
			return nil, fmt.Errorf("the limit of %s is %d and not %d", l.name, now.Max, value)
		}
		held = append(held, l.name)
	}
	return held, nil
}

// spent is the processor time that the process has used, and left what it may
// still use before the system ends it.
func spent() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func left() time.Duration {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_CPU, &limit); err != nil || limit.Cur > math.MaxInt64/uint64(time.Second) {
		return math.MaxInt64
	}
	return time.Duration(limit.Cur)*time.Second - spent()
}

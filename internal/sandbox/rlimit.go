//go:build linux || darwin

package sandbox

import (
	"fmt"
	"syscall"
)

// limit is a bound of the system, by the name that [Confine] gives it.
type limit struct {
	name  string
	which int
	value uint64
}

// setLimits sets limits for good and sees that they hold.
func setLimits(limits []limit) (held []string, err error) {
	for _, l := range limits {
		var now syscall.Rlimit
		if err := syscall.Getrlimit(l.which, &now); err != nil {
			return nil, fmt.Errorf("read the limit of %s: %w", l.name, err)
		}
		value := min(l.value, now.Max)
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

//go:build !unix

package measure

import "time"

// CPUTimeExact says whether [CPUTime] is CPU time on this system.
const CPUTimeExact = false

var start = time.Now()

// CPUTime returns wall time, for want of a portable clock of CPU time here.
// Figures of a machine that does anything else at the same time are void.
func CPUTime() time.Duration { return time.Since(start) }

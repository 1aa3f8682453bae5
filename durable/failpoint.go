package durable

import "github.com/detent-run/detent/internal/failpoint"

// hit is where a test may end the process.
func hit(name string) { failpoint.Hit(name) }

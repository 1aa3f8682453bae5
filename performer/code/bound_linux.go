package code

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// bound bounds the addresses of the child to what it has and so many bytes
// more. The sandbox bounds its data, but the kernel lets one large allocation
// pass that bound where its addresses were set aside before, as the Go runtime
// does; setting aside is what this one counts.
func bound(bytes int64) error {
	const addressSpace = syscall.RLIMIT_AS
	status, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return err
	}
	first, _, _ := strings.Cut(string(status), " ")
	pages, err := strconv.ParseUint(first, 10, 64)
	if err != nil {
		return err
	}
	now := syscall.Rlimit{}
	if err := syscall.Getrlimit(addressSpace, &now); err != nil {
		return err
	}
	most := min(now.Max, pages*uint64(os.Getpagesize())+uint64(bytes))
	return syscall.Setrlimit(addressSpace, &syscall.Rlimit{Cur: most, Max: most})
}

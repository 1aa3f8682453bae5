package sandbox

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
)

func confine(l Limits) ([]string, error) {
	if err := closeInherited(); err != nil {
		return nil, err
	}
	data, err := dataSize()
	if err != nil {
		return nil, err
	}
	return setLimits([]limit{
		{"data", syscall.RLIMIT_DATA, data + uint64(l.Data)},
		{"cpu", syscall.RLIMIT_CPU, seconds(l.CPU)},
		{"core", syscall.RLIMIT_CORE, noFiles},
		{"size", syscall.RLIMIT_FSIZE, noFiles},
		{"files", syscall.RLIMIT_NOFILE, maxFiles},
	})
}

// dataSize is the memory of the process as RLIMIT_DATA counts it. The bound
// is set beyond it: what a program has at its start depends on how it was
// built.
func dataSize() (uint64, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for line := range bytes.Lines(status) {
		if size, ok := bytes.CutPrefix(line, []byte("VmData:")); ok {
			kilobytes, err := strconv.ParseUint(string(bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimSpace(size), []byte("kB")))), 10, 64)
			return kilobytes << 10, err
		}
	}
	return 0, fmt.Errorf("/proc/self/status does not tell VmData")
}

// closeInherited closes the files that were open when the program started.
// All that the Go runtime opened itself would be closed in a new program,
// and what came into this one would not, which tells them apart.
func closeInherited() error {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return err
	}
	for _, e := range entries {
		fd, err := strconv.Atoi(e.Name())
		if err != nil || fd <= 2 {
			continue
		}
		flags, _, wrong := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_GETFD, 0)
		if wrong == 0 && flags&syscall.FD_CLOEXEC == 0 {
			_ = syscall.Close(fd)
		}
	}
	return nil
}

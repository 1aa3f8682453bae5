package durably

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// written is how many bytes this process has handed to files so far, 0 where
// the system does not tell.
func written() int64 {
	text, err := os.ReadFile("/proc/self/io")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if n, ok := strings.CutPrefix(line, "wchar: "); ok {
			total, _ := strconv.ParseInt(strings.TrimSpace(n), 10, 64)
			return total
		}
	}
	return 0
}

// ticks are the units of CPU time in /proc, a second has so many on every
// Linux that Go runs on.
const ticks = 100

// treeCPU is the CPU time of a process and of its children that still run, 0
// where the system does not tell.
func treeCPU(parent int) time.Duration {
	var total int64
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		// The name in the second field may hold anything, so the fields count
		// from the last parenthesis: state, parent, …, user and system time.
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		id, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		if len(fields) < 13 || id != parent && fields[1] != strconv.Itoa(parent) {
			continue
		}
		for _, f := range fields[11:13] {
			n, _ := strconv.ParseInt(f, 10, 64)
			total += n
		}
	}
	return time.Duration(total) * time.Second / ticks
}

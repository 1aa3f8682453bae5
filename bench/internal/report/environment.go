package report

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/detent-run/detent/bench/internal/measure"
)

// Here describes this computer and the command that is running.
func Here(now time.Time, command string) Environment {
	return Environment{
		Date:    now.UTC().Format(time.DateOnly),
		Machine: fmt.Sprintf("%s, %d CPUs, %s", processor(), runtime.NumCPU(), runtime.GOOS),
		Go:      runtime.Version() + " " + runtime.GOARCH,
		Command: command,
		CPUTime: measure.CPUTimeExact,
	}
}

// processor returns the model's name where the system tells it in a file.
func processor() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	for line := range strings.Lines(string(info)) {
		if name, ok := strings.CutPrefix(line, "model name"); ok {
			return strings.TrimSpace(strings.TrimLeft(name, "\t :"))
		}
	}
	return runtime.GOARCH
}

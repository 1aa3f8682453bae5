//go:build unix

package sandbox

import (
	"os/exec"
	"syscall"
)

const directory = "/"

// apart puts the child into a process group of its own: signals of the
// terminal do not reach it, and what it starts can be killed with it.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killAll kills the child and what it started. The child must not have been
// waited for.
func killAll(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	_ = cmd.Process.Kill()
}

//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// members are the program and what it starts: its process group.
type members struct{}

func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func gather(*exec.Cmd) (members, error) { return members{}, nil }

func (members) await(cmd *exec.Cmd) { awaitEnd(cmd) }

func (members) ask(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }

func (members) kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

func (members) free() {}

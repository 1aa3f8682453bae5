//go:build !unix && !windows

package process

import (
	"errors"
	"os/exec"
)

// members would be the program and what it starts. Here nothing can end what
// it starts, so nothing is started.
type members struct{}

const endsUnreaped = false

func apart(*exec.Cmd) {}

func gather(*exec.Cmd) (members, error) {
	return members{}, errors.New("on this system what a program starts cannot be ended with it")
}

func (members) await(*exec.Cmd) {}

func (members) ask(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

func (members) kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

func (members) free() {}

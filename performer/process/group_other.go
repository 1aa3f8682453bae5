//go:build !unix

package process

import "os/exec"

// Here a program has no group: what it started outlives it.

func apart(*exec.Cmd) {}

func askGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

package process

import (
	"os/exec"
	"syscall"
	"unsafe"
)

// endsUnreaped says that awaitEnd returns while the program's number, and so
// that of its group, cannot be given to another.
const endsUnreaped = true

// awaitEnd waits for the end of the program without taking it.
func awaitEnd(cmd *exec.Cmd) {
	const (
		byProcess    = 1          // P_PID
		ended        = 0x4        // WEXITED
		leave        = 0x01000000 // WNOWAIT
		sizeOfAnswer = 128        // siginfo_t
	)
	var answer [sizeOfAnswer]byte
	for {
		_, _, err := syscall.Syscall6(syscall.SYS_WAITID, byProcess, uintptr(cmd.Process.Pid), uintptr(unsafe.Pointer(&answer)), ended|leave, 0, 0)
		if err != syscall.EINTR {
			return
		}
	}
}

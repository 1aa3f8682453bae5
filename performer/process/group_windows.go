package process

import (
	"errors"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// members are the program and all that it starts: a job. It ends with us,
// however we end, as the system then closes it.
type members struct{ job, program windows.Handle }

// endsUnreaped says that await returns before the program was taken.
const endsUnreaped = true

// apart starts the program held, so that it starts nothing before it is in
// its job.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_SUSPENDED | windows.CREATE_NEW_PROCESS_GROUP}
}

// gather puts the program into a job and lets it go. After an error nothing of
// it has run; it must be killed.
func gather(cmd *exec.Cmd) (m members, err error) {
	defer func() {
		if err != nil {
			m.free()
		}
	}()
	if m.job, err = windows.CreateJobObject(nil, nil); err != nil {
		return m, err
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE},
	}
	size := uint32(unsafe.Sizeof(limits))
	if _, err = windows.SetInformationJobObject(m.job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limits)), size); err != nil {
		return m, err
	}
	const rights = windows.PROCESS_SET_QUOTA | windows.PROCESS_TERMINATE | windows.SYNCHRONIZE
	id := uint32(cmd.Process.Pid)
	if m.program, err = windows.OpenProcess(rights, false, id); err != nil {
		return m, err
	}
	if err = windows.AssignProcessToJobObject(m.job, m.program); err != nil {
		return m, err
	}
	return m, letGo(id)
}

// letGo wakes the one thread of a program that is held.
func letGo(program uint32) error {
	all, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(all)
	entry := windows.ThreadEntry32{}
	entry.Size = uint32(unsafe.Sizeof(entry))
	for err = windows.Thread32First(all, &entry); err == nil; err = windows.Thread32Next(all, &entry) {
		if entry.OwnerProcessID != program {
			continue
		}
		thread, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, entry.ThreadID)
		if err != nil {
			return err
		}
		defer windows.CloseHandle(thread)
		_, err = windows.ResumeThread(thread)
		return err
	}
	return errors.New("its thread is not found")
}

func (m members) await(*exec.Cmd) {
	_, _ = windows.WaitForSingleObject(m.program, windows.INFINITE)
}

// ask ends all at once: here there is no way to ask a program that has no
// window.
func (m members) ask(cmd *exec.Cmd) { m.kill(cmd) }

func (m members) kill(*exec.Cmd) { _ = windows.TerminateJobObject(m.job, 1) }

func (m members) free() {
	for _, h := range []windows.Handle{m.program, m.job} {
		if h != 0 {
			_ = windows.CloseHandle(h)
		}
	}
}

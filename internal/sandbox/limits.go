package sandbox

import (
	"cmp"
	"errors"
	"time"
)

// Limits bound a child. A field that is not positive has the default that it names.
type Limits struct {
	// Deadline bounds one request; then the child is killed. Default: 1 s.
	Deadline time.Duration
	// Start bounds the start of a child. Default: 10 s.
	Start time.Duration
	// Data is how many bytes of memory the child may add to what it has when
	// it starts. Default: 256 MiB.
	Data int64
	// Stack bounds the stack of one goroutine, in bytes. Default: 64 MiB.
	Stack int64
	// CPU bounds the processor time of a child over all its requests, rounded
	// up to seconds. A child that is near it is replaced between two requests.
	// Default: 10 minutes, and four times the deadline.
	CPU time.Duration
	// Request and Response bound the messages, in bytes. Default: 16 MiB, at
	// most 1 GiB.
	Request, Response int
}

// Errors of [Child.Do], for errors.Is. After the first three the child is
// gone, and the next request starts another.
var (
	// ErrDeadline: the request took longer than its limit.
	ErrDeadline = errors.New("it took longer than its time limit")
	// ErrMemory: the child ended for want of memory.
	ErrMemory = errors.New("it needs more memory than its limit")
	// ErrCrashed: the child ended, or answered what is no response.
	ErrCrashed = errors.New("the child process crashed")
	// ErrTooLarge: the request is larger than its limit. Nothing was sent.
	ErrTooLarge = errors.New("the request is larger than its limit")
	// ErrUnsupported: this system cannot bound a child as asked.
	ErrUnsupported = errors.New("this system cannot bound a child process")
	// ErrNoMain: the program did not call [Main], so it cannot be its own
	// child.
	ErrNoMain = errors.New("the program is not prepared to be its own child process")
	// ErrClosed: the [Child] was closed.
	ErrClosed = errors.New("the sandbox is closed")
)

const maxMessage = 1 << 30

// withDefaults fills in what is zero.
func (l Limits) withDefaults() Limits {
	l.Deadline = cmp.Or(max(l.Deadline, 0), time.Second)
	l.Start = cmp.Or(max(l.Start, 0), 10*time.Second)
	l.Data = cmp.Or(max(l.Data, 0), 256<<20)
	l.Stack = cmp.Or(max(l.Stack, 0), 64<<20)
	l.CPU = cmp.Or(max(l.CPU, 0), 10*time.Minute+4*l.Deadline)
	l.Request = min(cmp.Or(max(l.Request, 0), 16<<20), maxMessage)
	l.Response = min(cmp.Or(max(l.Response, 0), 16<<20), maxMessage)
	return l
}

// seconds is d rounded up, as the system counts processor time.
func seconds(d time.Duration) uint64 {
	return uint64((d + time.Second - 1) / time.Second)
}

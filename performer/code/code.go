package code

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/internal/sandbox"
	"github.com/detent-run/detent/performer"
)

// Config bounds programs. Its zero value serves.
type Config struct {
	// Language is "starlark", the default and the only one.
	Language string
	// Steps bounds the computation of one call. Default: 10,000,000, about a
	// second.
	Steps uint64
	// Memory bounds what a program may take, in bytes. Default: 128 MiB.
	Memory int64
	// Deadline bounds the time of one call. Default: 5 s.
	Deadline time.Duration
	// Redact takes secrets out of a text; nil: there are none.
	Redact func(string) string
}

const (
	defaultSteps    = 10_000_000
	defaultMemory   = 128 << 20
	defaultDeadline = 5 * time.Second

	beside    = 64 << 20 // bytes that the program around the interpreter needs
	children  = 2        // so that one program that hangs holds up no other
	childName = "starlark"

	maxCode   = 64 << 10 // bytes
	maxInput  = 4 << 20
	maxOutput = 1 << 20
	maxPrint  = 64 << 10
)

// Main makes the running program able to run code: in child processes that are
// this program, started once more. Call it first thing in main, before flags
// are read or files opened, and in TestMain. In a child it never returns; in
// any other process it returns at once.
func Main() { sandbox.Main(childName, serve) }

// Performer runs programs. It may be used concurrently. Close ends its child
// processes.
type Performer struct {
	config Config
	idle   chan *sandbox.Child // all that are not at work
}

// New checks a configuration and returns its performer. Nothing is started
// before the first call. The error begins with the field that is wrong.
//
// A call's input is an object with the code and its input. The output is what
// the function main gives for the input, or else the value of the variable
// output, or else what was printed.
func New(c Config) (*Performer, error) {
	if c.Language = cmp.Or(c.Language, "starlark"); c.Language != "starlark" {
		return nil, fmt.Errorf("language: %.20q is not known; there is starlark", c.Language)
	}
	c.Steps = cmp.Or(c.Steps, defaultSteps)
	c.Memory = cmp.Or(max(c.Memory, 0), defaultMemory)
	c.Deadline = cmp.Or(max(c.Deadline, 0), defaultDeadline)
	p := &Performer{c, make(chan *sandbox.Child, children)}
	for range children {
		p.idle <- sandbox.New(sandbox.Config{Name: childName, Limits: sandbox.Limits{
			Deadline: c.Deadline,
			Data:     c.Memory + beside,
			Request:  maxCode + maxInput + maxOutput,
			Response: 2 * (maxOutput + maxPrint),
		}})
	}
	return p, nil
}

// Close ends the child processes. Calls that run are waited for; later ones
// fail. It must be called once.
func (p *Performer) Close() error {
	var errs []error
	var closed []*sandbox.Child
	for range children {
		c := <-p.idle
		errs = append(errs, c.Close())
		closed = append(closed, c)
	}
	for _, c := range closed {
		p.idle <- c
	}
	return errors.Join(errs...)
}

// Perform is [host.Performer.Perform].
func (p *Performer) Perform(ctx context.Context, call host.Call) host.Outcome {
	return performer.Clean(p.perform(ctx, call), p.config.Redact)
}

func (p *Performer) perform(ctx context.Context, call host.Call) host.Outcome {
	q, err := p.request(call.Input)
	if err != nil {
		return fail("bad_input", err.Error(), "")
	}
	message, err := host.Encode(q)
	if err != nil {
		return fail("bad_input", "the input is no data: "+err.Error(), "")
	}
	if len(message) > maxCode+maxInput {
		return fail("bad_input", fmt.Sprintf("code and input are %d bytes long together, and may be %d", len(message), maxCode+maxInput), "")
	}
	var child *sandbox.Child
	select {
	case child = <-p.idle:
	case <-ctx.Done():
		return broken(ctx, ctx.Err())
	}
	defer func() { p.idle <- child }()
	data, err := child.Do(ctx, message)
	if err != nil {
		return broken(ctx, err)
	}
	var a answer
	if err := host.Decode(data, &a); err != nil {
		return host.Fail("crashed", "the program's answer cannot be read")
	}
	if a.Code != "" {
		return fail(a.Code, a.Message, a.Printed)
	}
	if a.Printed != "" && call.Progress != nil {
		call.Progress(performer.CleanValue(map[string]any{"printed": a.Printed}, p.config.Redact))
	}
	return host.Done(a.Output)
}

// request is what a child is asked.
type request struct {
	Code  string `json:"code"`
	Input any    `json:"input"`
	Steps int64  `json:"steps"`
	// Memory is the same in all requests to a child.
	Memory int64 `json:"memory"`
}

// answer is what a child gives. Code is set if the program failed.
type answer struct {
	Output  any    `json:"output,omitempty"`
	Printed string `json:"printed,omitempty"`
	Code    string `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
}

func (p *Performer) request(input any) (request, error) {
	q := request{Steps: int64(min(p.config.Steps, 1<<62)), Memory: p.config.Memory}
	object, ok := input.(map[string]any)
	if !ok {
		return q, errors.New("the input must be an object with code")
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		switch name {
		case "code":
			q.Code, _ = object[name].(string)
		case "input":
			q.Input = object[name]
		default:
			return q, fmt.Errorf("%.50q: there is no such field; there are code and input", name)
		}
	}
	switch {
	case q.Code == "":
		return q, errors.New("code: must be there, as text")
	case len(q.Code) > maxCode:
		return q, fmt.Errorf("code: is %d bytes long, and may be %d", len(q.Code), maxCode)
	}
	return q, nil
}

// fail is the outcome of a program that would fail again.
func fail(code, message, printed string) host.Outcome {
	f := host.Failure{Code: code, Message: message, Final: true}
	if printed != "" {
		f.Detail = map[string]any{"printed": printed}
	}
	return host.Failed(f)
}

// broken is the outcome of a program that was ended from outside. It has done
// nothing, as none can.
func broken(ctx context.Context, err error) host.Outcome {
	switch {
	case ctx.Err() != nil && errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		return host.Fail("timeout", "the call ended before the program did")
	case ctx.Err() != nil:
		return host.Fail("cancelled", "the call ended before the program did")
	case errors.Is(err, sandbox.ErrDeadline):
		return host.Fail("deadline", "the program ran longer than it may")
	case errors.Is(err, sandbox.ErrMemory):
		return host.Fail("memory", "the program needs more memory than it may have")
	case errors.Is(err, sandbox.ErrNoMain):
		return fail("no_main", "code runs in a child process, and this program did not call code.Main first thing in its main; call it there", "")
	case errors.Is(err, sandbox.ErrUnsupported):
		return fail("unsupported", "code cannot be run here: "+err.Error(), "")
	case errors.Is(err, sandbox.ErrClosed):
		return host.Fail("closed", "the performer of code was closed")
	}
	return host.Fail("crashed", "the program broke its child process")
}

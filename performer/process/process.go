package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/performer"
)

type caller struct{ config Config }

// Perform is [host.Performer.Perform].
func (c *caller) Perform(ctx context.Context, call host.Call) host.Outcome {
	return performer.Clean(c.perform(ctx, call), c.config.Redact)
}

func (c *caller) perform(ctx context.Context, call host.Call) host.Outcome {
	ctx, cancel := context.WithTimeout(ctx, c.config.Timeout)
	defer cancel()
	cmd, err := c.command(call)
	if err != nil {
		return host.Failed(host.Failure{Code: "bad_input", Message: err.Error(), Final: true})
	}
	if cmd.Path, err = find(cmd.Args[0], c.config.Path, c.config.Dir); err != nil {
		return host.Failed(host.Failure{Code: "no_such_program", Message: err.Error(), Final: true})
	}
	out := &head{limit: c.config.MaxOutput, alive: call.Heartbeat}
	complaints := &tail{alive: call.Heartbeat}
	cmd.Stdout, cmd.Stderr = out, complaints
	name := filepath.Base(cmd.Args[0])
	if ctx.Err() != nil {
		return ended(ctx, name, false)
	}
	if err := run(ctx, cmd, c.config.Grace); err != nil {
		return host.Fail("not_started", name+" cannot be started: "+plain(err))
	}
	said := complaints.text(c.config.Redact)
	if said != "" {
		said = ": " + said
	}
	state := cmd.ProcessState
	switch {
	case ctx.Err() != nil:
		return ended(ctx, name, true)
	case state.ExitCode() < 0:
		return host.Unknown("signal", fmt.Sprintf("%s was ended by %s%s", name, state, said))
	case state.ExitCode() > 0:
		code := state.ExitCode()
		return c.config.Errors[code].Outcome(host.Failure{
			Code:    "exit_" + strconv.Itoa(code),
			Message: fmt.Sprintf("%s ended with exit code %d%s", name, code, said),
			Status:  code,
		})
	}
	return c.output(out, name)
}

// output is the outcome of a program that ended well.
func (c *caller) output(out *head, name string) host.Outcome {
	data, cut := out.read()
	if cut {
		return happened("too_large", fmt.Sprintf("%s ended well, but wrote more than %d bytes", name, c.config.MaxOutput))
	}
	if c.config.Stdout == "text" {
		return host.Done(performer.CleanText(bytes.TrimRight(data, "\r\n")))
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return host.Done(nil)
	}
	v, err := performer.Decode(data)
	if err != nil {
		return happened("bad_output", fmt.Sprintf("%s ended well, but what it wrote is no JSON: %v", name, err))
	}
	return host.Done(v)
}

func happened(code, message string) host.Outcome {
	return host.Failed(host.Failure{Code: code, Message: message, Executed: true, Final: true})
}

// ended is the outcome of a call whose context ended.
func ended(ctx context.Context, name string, started bool) host.Outcome {
	code, message := "cancelled", name+" was ended with its call"
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		code, message = "timeout", name+" took too long and was ended"
	}
	if !started {
		return host.Fail(code, "the call ended before "+name+" was started")
	}
	return host.Unknown(code, message)
}

// plain leaves the arguments out of an error.
func plain(err error) string {
	var path *os.PathError
	var start *exec.Error
	switch {
	case errors.As(err, &path):
		return path.Err.Error()
	case errors.As(err, &start):
		return start.Err.Error()
	}
	return err.Error()
}

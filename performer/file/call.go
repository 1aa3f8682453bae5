package file

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"syscall"

	"github.com/detent-run/detent/host"
)

func (c *caller) perform(ctx context.Context, call host.Call) host.Outcome {
	q, err := readRequest(call.Input)
	if err != nil {
		return bad(err)
	}
	if !slices.Contains(c.config.Allow, q.op) {
		return host.Failed(host.Failure{Code: "not_allowed", Message: fmt.Sprintf("the deployment does not allow this tool to %s", q.op), Final: true})
	}
	if q.op == opWrite {
		if int64(len(q.content)) > c.config.MaxBytes {
			return bad(fmt.Errorf("content: is %d bytes long, and may be %d", len(q.content), c.config.MaxBytes))
		}
		if err := os.MkdirAll(c.config.Root, 0o755); err != nil {
			return failure(err, "the tool's root")
		}
	}
	root, err := os.OpenRoot(c.config.Root)
	if err != nil {
		return failure(err, "the tool's root")
	}
	defer root.Close()
	t := tree{ctx: ctx, root: root, limit: c.config.MaxBytes, redact: c.config.Redact}
	var out any
	switch q.op {
	case opRead:
		out, err = t.read(q.path)
	case opWrite:
		out, err = t.write(q.path, q.content, call.Key)
	case opList:
		out, err = t.list(q.path)
	case opSearch:
		out, err = t.search(q.path, q.query)
	}
	if err != nil {
		return failure(err, fmt.Sprintf("%q", q.path))
	}
	return host.Done(out)
}

// tree is the files below a root, during one call.
type tree struct {
	ctx    context.Context
	root   *os.Root
	limit  int64
	redact func(string) string
}

// problem is an error with a code.
type problem struct {
	code, message string // the message follows the path
}

func (p *problem) Error() string { return p.message }

// failure is the outcome of an error. Reads change nothing, and a write that
// failed before the file got its name has done nothing that anybody sees.
func failure(err error, what string) host.Outcome {
	var p *problem
	var unsure *unsureError
	switch {
	case errors.As(err, &p):
		return host.Failed(host.Failure{Code: p.code, Message: what + " " + p.message, Final: true})
	case errors.As(err, &unsure):
		return host.Unknown("io", what+" was written, but may not outlive a loss of power: "+reason(unsure.err))
	case errors.Is(err, context.DeadlineExceeded):
		return host.Fail("timeout", "the call took too long")
	case errors.Is(err, context.Canceled):
		return host.Fail("cancelled", "the call was ended")
	case errors.Is(err, fs.ErrNotExist):
		return host.Failed(host.Failure{Code: "not_found", Message: what + " is not there", Final: true})
	case errors.Is(err, fs.ErrPermission):
		return host.Failed(host.Failure{Code: "not_allowed", Message: what + " may not be opened: the system says no", Final: true})
	case errors.Is(err, syscall.ENOSPC):
		return host.Fail("no_space", "there is no space left for "+what)
	case errors.Is(err, syscall.ENOTDIR):
		return host.Failed(host.Failure{Code: "not_a_directory", Message: what + " leads through a file as if it were a directory", Final: true})
	case errors.Is(err, syscall.ELOOP):
		return host.Failed(host.Failure{Code: "outside", Message: what + " leads round in a circle of links", Final: true})
	}
	if escapes(err) {
		return host.Failed(host.Failure{Code: "outside", Message: what + " leads out of the tool's root", Final: true})
	}
	return host.Fail("io", what+": "+reason(err))
}

// reason leaves the path out of an error, which shows where the root is.
func reason(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err.Error()
	}
	return err.Error()
}

// escapes reports whether the error is that of os.Root about a path that leads
// out. The package has no value to compare it with.
func escapes(err error) bool { return reason(err) == "path escapes from parent" }

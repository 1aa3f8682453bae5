package sandbox

import (
	"context"
	"fmt"
)

// Config says what a [Child] is.
type Config struct {
	// Name is the one that [Main] was called with.
	Name string
	// Command is the program and its arguments. Empty: the running program,
	// which must have called [Main]; the other program must call it as well.
	Command []string
	// Env are the variables of its environment, as "NAME=value". It has no
	// others but a few of this package.
	Env []string
	// Limits bound it.
	Limits Limits
	// Lax runs it also where the system cannot bound its memory (all but
	// Linux).
	Lax bool
}

// A Child is a child process that starts with the first request and again
// with the next after it was killed. It may be used concurrently; requests
// wait for each other.
type Child struct {
	config Config
	turn   chan struct{} // holds one token while nobody is at work
	now    *process      // nil: none is running
	closed bool
}

// New returns a child that is not running yet.
func New(c Config) *Child {
	c.Limits = c.Limits.withDefaults()
	child := &Child{config: c, turn: make(chan struct{}, 1)}
	child.turn <- struct{}{}
	return child
}

// Do sends a request and returns the response. When ctx is done or the
// deadline passes while the child is at work, the child is killed; the error
// is then the cause of ctx, or [ErrDeadline]. Waiting for other requests does
// not count against the deadline.
func (c *Child) Do(ctx context.Context, request []byte) ([]byte, error) {
	if len(request) > c.config.Limits.Request {
		return nil, fmt.Errorf("%w: %d bytes, and %d are allowed", ErrTooLarge, len(request), c.config.Limits.Request)
	}
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-c.turn:
	}
	defer func() { c.turn <- struct{}{} }()
	switch {
	case c.closed:
		return nil, ErrClosed
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	if c.now == nil {
		p, err := start(ctx, &c.config)
		if err != nil {
			return nil, err
		}
		c.now = p
	}
	response, last, err := c.now.exchange(ctx, request)
	if err != nil || last {
		err = c.now.end(ctx, err)
		c.now = nil
	}
	if err != nil {
		return nil, err
	}
	return response, nil
}

// Close kills the child and waits for its end. A request that is running is
// waited for. Requests after it give [ErrClosed]. It may be called twice.
func (c *Child) Close() error {
	<-c.turn
	defer func() { c.turn <- struct{}{} }()
	c.closed = true
	if c.now == nil {
		return nil
	}
	err := c.now.end(context.Background(), nil)
	c.now = nil
	return err
}

package http

import (
	"context"
	"net/http"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/performer"
)

// caller makes calls.
type caller struct {
	request request
	config  Config
	client  *http.Client
}

// Perform is [host.Performer.Perform].
func (c *caller) Perform(ctx context.Context, call host.Call) host.Outcome {
	return performer.Clean(c.perform(ctx, call), c.config.Redact)
}

func (c *caller) perform(ctx context.Context, call host.Call) host.Outcome {
	ctx, cancel := context.WithTimeout(ctx, c.config.Timeout)
	defer cancel()
	s := scope(call)
	q, err := c.request.build(ctx, s, c.config.MaxBytes)
	if err != nil {
		return host.Failed(host.Failure{Code: "bad_input", Message: err.Error(), Final: true})
	}
	a, sent, err := send(c.client, q, c.config.MaxBytes)
	if err != nil {
		return broken(q, err, sent)
	}
	return c.outcome(a, s)
}

func scope(call host.Call) performer.Scope {
	return performer.Scope{Input: call.Input, Key: call.Key, Session: call.Session, Attempt: call.Attempt}
}

// finder is a caller whose other side can be asked.
type finder struct {
	*caller
	ask    request
	lookup Lookup
}

// Find is [host.Finder.Find].
func (f *finder) Find(ctx context.Context, call host.Call) (host.Finding, host.Outcome) {
	finding, o := f.find(ctx, call)
	return finding, performer.Clean(o, f.config.Redact)
}

func (f *finder) find(ctx context.Context, call host.Call) (host.Finding, host.Outcome) {
	ctx, cancel := context.WithTimeout(ctx, f.config.Timeout)
	defer cancel()
	s := scope(call)
	q, err := f.ask.build(ctx, s, f.config.MaxBytes)
	if err != nil {
		return unclear("bad_input", "lookup."+err.Error())
	}
	a, sent, err := send(f.client, q, f.config.MaxBytes)
	if err != nil {
		o := broken(q, err, sent)
		return unclear(o.Failure.Code, "the look-up did not work: "+o.Failure.Message)
	}
	if a.cut {
		return unclear("too_large", "the look-up's answer is larger than it may be")
	}
	s.Response = &a.Response
	found, err := truth(f.lookup.Found, s)
	if err != nil {
		return unclear("bad_output", "lookup.found: "+err.Error())
	}
	absent, err := truth(f.lookup.Absent, s)
	if err != nil {
		return unclear("bad_output", "lookup.absent: "+err.Error())
	}
	switch {
	case found && !absent:
		output := f.lookup.Output
		if output == nil {
			output = f.config.Output
		}
		return host.Found, done(output, s)
	case absent && !found:
		return host.Absent, host.Outcome{}
	}
	o := host.Unknown("unclear", "the look-up was answered "+words(a.Status)+", which is neither found nor absent")
	o.Failure.Status = a.Status
	return host.Unclear, o
}

func unclear(code, message string) (host.Finding, host.Outcome) {
	return host.Unclear, host.Unknown(code, message)
}

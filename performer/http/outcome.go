package http

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"syscall"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/performer"
)

// maxDetail is the largest body that a failure carries, in bytes.
const maxDetail = 8 << 10

// outcome says what an answer means.
func (c *caller) outcome(a *answer, s performer.Scope) host.Outcome {
	row, stated := c.config.Errors[a.Status]
	if !stated && a.Status/100 == 2 {
		if a.cut {
			return happened("too_large", fmt.Sprintf("the answer is longer than %d bytes", c.config.MaxBytes))
		}
		s.Response = &a.Response
		return done(c.config.Output, s)
	}
	if !stated {
		row.Executed = c.executed(a.Status)
	}
	f := host.Failure{
		Code:       code(a.Status),
		Message:    "the server answered " + words(a.Status),
		Status:     a.Status,
		RetryAfter: a.waitFor.Milliseconds(),
	}
	if a.size <= maxDetail {
		f.Detail = a.Body
	}
	return row.Outcome(f)
}

// executed is what a status says where the tool's errors say nothing.
func (c *caller) executed(status int) performer.Executed {
	switch {
	case status/100 == 4, status == http.StatusTemporaryRedirect, status == http.StatusPermanentRedirect:
		return performer.No
	case status/100 == 3 && slices.Contains(safe, c.request.method):
		return performer.No
	}
	return performer.Maybe
}

// done is the outcome of a call that happened, with what the template makes of
// the response.
func done(output performer.Template, s performer.Scope) host.Outcome {
	if output == nil {
		return host.Done(s.Response.Body)
	}
	v, err := output.Value(s)
	if err != nil {
		return happened("bad_output", "it happened, but the output cannot be read from the answer: "+err.Error())
	}
	return host.Done(v)
}

// happened is a failure after the other side did what it should.
func happened(code, message string) host.Outcome {
	return host.Failed(host.Failure{Code: code, Message: message, Executed: true, Final: true})
}

// truth evaluates a condition.
func truth(t performer.Template, s performer.Scope) (bool, error) {
	v, err := t.Value(s)
	if err != nil {
		return false, err
	}
	b, ok := v.(bool)
	if !ok {
		return false, errors.New("it is neither true nor false")
	}
	return b, nil
}

// code names a status for guards.
func code(status int) string {
	switch status {
	case http.StatusTooManyRequests:
		return "rate_limited"
	case http.StatusServiceUnavailable:
		return "unavailable"
	}
	return "http_" + strconv.Itoa(status)
}

func words(status int) string {
	if text := http.StatusText(status); text != "" {
		return strconv.Itoa(status) + " " + text
	}
	return strconv.Itoa(status)
}

// broken is the outcome of a call without a whole answer. Before it was sent it
// was not executed; after that nobody knows. The errors of the standard
// library can hold the URL, so only their kind is told.
func broken(q *http.Request, err error, sent bool) host.Outcome {
	ctx, where := q.Context(), plainHost(q.URL)
	code, message, final := "", "", false
	var d *denied
	var r *refusedRedirect
	var name *net.DNSError
	var record tls.RecordHeaderError
	var certificate *tls.CertificateVerificationError
	var timeout net.Error
	switch {
	case errors.As(err, &d):
		code, message, final = "address_denied", d.Error()+"; the deployment's network.allow lists what is", true
	case errors.As(err, &r):
		code, message, final = "redirect_refused", r.Error(), true
	case ctx.Err() != nil && !errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		code, message = "cancelled", "the call was ended before "+where+" answered"
	case errors.As(err, &name):
		code, message = "no_such_host", fmt.Sprintf("the name of %s cannot be looked up", where)
	case ctx.Err() != nil, errors.As(err, &timeout) && timeout.Timeout():
		code, message = "timeout", where+" did not answer in time"
	case errors.Is(err, syscall.ECONNREFUSED) && !sent:
		code, message = "connection_refused", where+" refuses connections"
	case errors.Is(err, http.ErrSchemeMismatch), errors.As(err, &record), errors.As(err, &certificate):
		code, message = "tls", "no trusted connection to "+where+" can be made"
	case !sent:
		code, message = "unreachable", "no connection to "+where+" can be made"
	default:
		code, message = "connection_lost", "the connection to "+where+" was lost before the answer was there"
	}
	// An answer that only points elsewhere was none.
	if pointed := d != nil || r != nil; sent && !(pointed && slices.Contains(safe, q.Method)) {
		return host.Outcome{Kind: host.KindUnknown, Failure: &host.Failure{Code: code, Message: message, Executed: true, Final: final}}
	}
	return host.Failed(host.Failure{Code: code, Message: message, Final: final})
}

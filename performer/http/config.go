package http

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/performer"
)

// Config says what a call is. Only URL must be set.
type Config struct {
	// Method is GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS. Default: GET,
	// or POST where there is a Body.
	Method string
	// URL begins with a fixed scheme (http or https), host and port. Values of
	// its expressions are percent-encoded; in the path none may be empty.
	URL performer.Template
	// Headers by name.
	Headers map[string]performer.Template
	// Body is sent as JSON; nil: none.
	Body performer.Template
	// Output is what a call gives that went well, from the response. Default:
	// the response's body.
	Output performer.Template
	// Errors say what a status means. Default: 2xx is done, 5xx unknown, and
	// others are errors that were not executed.
	Errors map[int]performer.Failure
	// Lookup asks by key whether a call happened; nil: nobody can be asked.
	Lookup *Lookup
	// Allow lists host:port or address:port of what may be called beside
	// public addresses.
	Allow []string
	// Redirects is how many are followed. 0: five for GET, HEAD and OPTIONS,
	// none for others; negative: none.
	Redirects int
	// MaxBytes bounds the body of a request and of a response each. Default:
	// 1 MiB.
	MaxBytes int64
	// Timeout bounds a call. Default: 30 s.
	Timeout time.Duration
	// Redact takes secrets out of a text; nil: there are none.
	Redact func(string) string
	// Resolver looks names up; nil: the system's.
	Resolver *net.Resolver
}

// Lookup is a request that asks whether a call happened. It must change
// nothing on the other side.
type Lookup struct {
	// Method is GET, HEAD or POST. Default: GET.
	Method string
	// URL and Headers are as in [Config].
	URL     performer.Template
	Headers map[string]performer.Template
	// Found and Absent are conditions on the response. Where not exactly one
	// of them is true, nobody knows.
	Found, Absent performer.Template
	// Output is what a call gave that was found. Default: that of [Config].
	Output performer.Template
}

var (
	methods = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions}
	safe    = []string{http.MethodGet, http.MethodHead, http.MethodOptions}
)

const (
	defaultRedirects = 5
	maxRedirects     = 20
	defaultBytes     = 1 << 20
	defaultTimeout   = 30 * time.Second
)

// New checks a configuration and returns its performer. It is a [host.Finder],
// too, if there is a Lookup. The error begins with the field that is wrong. It
// may be used concurrently and needs no closing.
func New(c Config) (host.Performer, error) {
	c.MaxBytes = cmp.Or(max(c.MaxBytes, 0), defaultBytes)
	c.Timeout = cmp.Or(max(c.Timeout, 0), defaultTimeout)
	allow, err := readAllowed(c.Allow)
	if err != nil {
		return nil, err
	}
	for _, status := range slices.Sorted(maps.Keys(c.Errors)) {
		if status < 200 || status > 599 {
			return nil, fmt.Errorf("errors: %d is no status of an answer", status)
		}
		if err := c.Errors[status].Check(); err != nil {
			return nil, fmt.Errorf("errors: %d: %w", status, err)
		}
	}
	main, err := newRequest(c.Method, c.URL, c.Headers, c.Body, c.Redirects)
	if err != nil {
		return nil, err
	}
	caller := &caller{
		request: main,
		config:  c,
		client:  newClient(&dialer{allowed: allow, resolver: c.Resolver}),
	}
	if c.Lookup == nil {
		return caller, nil
	}
	ask, err := newRequest(c.Lookup.Method, c.Lookup.URL, c.Lookup.Headers, nil, 0)
	switch {
	case err != nil:
	case ask.method != http.MethodPost && ask.method != http.MethodGet && ask.method != http.MethodHead:
		err = fmt.Errorf("method: %s may change something; write GET, HEAD or POST", ask.method)
	case c.Lookup.Found == nil || c.Lookup.Absent == nil:
		err = errors.New("found and absent: both must be there")
	}
	if err != nil {
		return nil, fmt.Errorf("lookup.%w", err)
	}
	return &finder{caller, ask, *c.Lookup}, nil
}

// newRequest checks what both sorts of request have.
func newRequest(method string, url performer.Template, h headers, body performer.Template, redirects int) (request, error) {
	r := request{method: method, headers: h, body: body, redirects: max(redirects, 0)}
	if method == "" {
		r.method = http.MethodGet
		if body != nil {
			r.method = http.MethodPost
		}
	}
	if redirects == 0 && slices.Contains(safe, r.method) {
		r.redirects = defaultRedirects
	}
	switch {
	case !slices.Contains(methods, r.method):
		return r, fmt.Errorf("method: %.20q is none of GET, HEAD, POST, PUT, PATCH, DELETE and OPTIONS", r.method)
	case body != nil && slices.Contains(safe, r.method):
		return r, fmt.Errorf("body: a %s has none", r.method)
	case redirects > maxRedirects:
		return r, fmt.Errorf("redirects: at most %d are followed", maxRedirects)
	}
	if err := h.check(); err != nil {
		return r, fmt.Errorf("headers: %w", err)
	}
	var err error
	if r.target, err = readTarget(url); err != nil {
		return r, fmt.Errorf("url: %w", err)
	}
	return r, nil
}

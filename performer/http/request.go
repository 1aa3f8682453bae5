package http

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/performer"
)

// request is a template of a request.
type request struct {
	method    string
	target    target
	headers   headers
	body      performer.Template
	redirects int
}

// answer is what came back.
type answer struct {
	performer.Response
	size    int           // of the body
	cut     bool          // the body was longer than may be
	waitFor time.Duration // Retry-After
}

// newClient returns a client that sends every request once, over a connection
// of its own.
func newClient(d *dialer) *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			Proxy:                  nil, // the environment has no say
			DialContext:            d.dial,
			DisableKeepAlives:      true,
			DisableCompression:     true,
			MaxResponseHeaderBytes: 64 << 10,
			TLSHandshakeTimeout:    dialTimeout,
		},
		CheckRedirect: checkRedirect,
	}
}

// build evaluates the templates of a request.
func (r *request) build(ctx context.Context, s performer.Scope, limit int64) (*http.Request, error) {
	u, err := r.target.of(s)
	if err != nil {
		return nil, fmt.Errorf("url: %w", err)
	}
	var body io.Reader
	if r.body != nil {
		v, err := r.body.Value(s)
		if err != nil {
			return nil, fmt.Errorf("body: %w", err)
		}
		data, err := host.Encode(v)
		if err != nil {
			return nil, fmt.Errorf("body: %w", err)
		}
		if int64(len(data)) > limit {
			return nil, fmt.Errorf("body: it is %d bytes long, and may be %d", len(data), limit)
		}
		body = bytes.NewReader(data)
	}
	ctx = context.WithValue(ctx, redirectsKey{}, r.redirects)
	q, err := http.NewRequestWithContext(ctx, r.method, u.String(), body)
	if err != nil {
		return nil, errors.New("url: it is no URL")
	}
	q.Header.Set("Accept", "application/json, */*;q=0.5")
	q.Header.Set("User-Agent", "detent")
	if r.body != nil {
		q.Header.Set("Content-Type", "application/json")
	}
	if err := r.headers.set(q.Header, s); err != nil {
		return nil, fmt.Errorf("headers: %w", err)
	}
	return q, nil
}

// redirectsKey is the context's key for how many redirects may be followed.
type redirectsKey struct{}

// refusedRedirect is a redirect that leads where nobody should go.
type refusedRedirect struct{ why string }

func (r *refusedRedirect) Error() string { return "a redirect was not followed: " + r.why }

// checkRedirect decides on each redirect. What the chart sends for one server
// goes to no other.
func checkRedirect(next *http.Request, before []*http.Request) error {
	most, _ := next.Context().Value(redirectsKey{}).(int)
	last := before[len(before)-1]
	switch {
	case most == 0:
		return http.ErrUseLastResponse
	case len(before) > most:
		return &refusedRedirect{fmt.Sprintf("it was number %d, and %d may be", len(before), most)}
	case next.URL.Scheme != "https" && next.URL.Scheme != "http":
		return &refusedRedirect{"it leads to neither http nor https"}
	case next.URL.Scheme == "http" && last.URL.Scheme == "https":
		return &refusedRedirect{"it leads from https to http"}
	case next.URL.User != nil:
		return &refusedRedirect{"it holds a user or password"}
	case !slices.Contains([]string{"80", "443", port(before[0].URL)}, port(next.URL)):
		return &refusedRedirect{"it leads to another port"}
	}
	next.Header.Del("Referer") // may hold what a template put into the URL
	if origin(next.URL) == origin(before[0].URL) {
		return nil
	}
	if next.Body != nil && next.Body != http.NoBody {
		return &refusedRedirect{"it takes the body to another server"}
	}
	next.Header = http.Header{"Accept": next.Header["Accept"], "User-Agent": next.Header["User-Agent"]}
	return nil
}

// send makes a request and reads the answer. sent says that the other side may
// have seen it.
func send(client *http.Client, q *http.Request, limit int64) (a *answer, sent bool, err error) {
	var connected atomic.Bool
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }}
	q = q.WithContext(httptrace.WithClientTrace(q.Context(), trace))
	response, err := client.Do(q)
	if err != nil {
		if inner := (*url.Error)(nil); errors.As(err, &inner) {
			err = inner.Err // the outer one shows the URL, with secrets
		}
		return nil, connected.Load(), err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, limit+1))
	if err != nil {
		return nil, true, err
	}
	a = &answer{size: len(data), waitFor: retryAfter(response.Header)}
	a.Status = response.StatusCode
	a.Headers = make(map[string]string, len(response.Header))
	for name, values := range response.Header {
		a.Headers[strings.ToLower(name)] = performer.CleanText([]byte(strings.Join(values, ", ")))
	}
	if int64(len(data)) > limit {
		a.cut = true
		return a, true, nil
	}
	a.Body = body(data, response.Header.Get("Content-Type"))
	return a, true, nil
}

// body is JSON as data where the server says that it is, and text otherwise.
func body(data []byte, contentType string) any {
	if len(data) == 0 {
		return nil
	}
	kind, _, _ := mime.ParseMediaType(contentType)
	if kind == "application/json" || strings.HasSuffix(kind, "+json") {
		if v, err := performer.Decode(data); err == nil {
			return v
		}
	}
	return performer.CleanText(data)
}

package http_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	nethttp "net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/performer"
	"github.com/detent-run/detent/performer/http"
)

type object = map[string]any

// server starts a server that notes what it is asked; its address is allowed
// in the configuration that comes with it.
func server(t *testing.T, answer nethttp.HandlerFunc) (http.Config, func() []string) {
	t.Helper()
	var mu sync.Mutex
	var seen []string
	s := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		body, _ := io.ReadAll(r.Body) // what there is of it
		mu.Lock()
		seen = append(seen, strings.TrimSpace(r.Method+" "+r.RequestURI+" "+string(body)))
		mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	c := http.Config{URL: text(s.URL + "/"), Allow: []string{s.Listener.Addr().String()}, Redact: redact}
	return c, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(seen)
	}
}

func perform(t *testing.T, c http.Config, in any) host.Outcome {
	t.Helper()
	p, err := http.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return p.Perform(t.Context(), host.Call{Key: "k/1", Session: "s", Attempt: 2, Input: in})
}

func TestCall(t *testing.T) {
	var header nethttp.Header
	c, seen := server(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
		header = r.Header
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		fmt.Fprint(w, `{"id": 7, "rate": 3.0}`)
	})
	c.URL = c.URL.(text) + "a/${key}?q=${q}&n=${attempt}"
	c.Headers = map[string]performer.Template{"Idempotency-Key": text("${key}"), "authorization": text("Bearer ${secret}")}
	c.Body = value(func(s performer.Scope) (any, error) { return object{"sum": s.Input.(object)["sum"]}, nil })
	got := show(t, perform(t, c, object{"q": "a b&c=d/#é", "sum": 5.0}))
	if want := `{"kind":"done","output":{"id":7,"rate":3.0}}`; got != want {
		t.Errorf("the outcome is %s\nwanted %s", got, want)
	}
	if got, want := seen(), `POST /a/k%2F1?q=a%20b%26c%3Dd%2F%23%C3%A9&n=2 {"sum":5.0}`; len(got) != 1 || got[0] != want {
		t.Errorf("the server saw %q\nwanted %q", got, want)
	}
	for name, want := range map[string]string{
		"Idempotency-Key": "k/1", "Authorization": "Bearer " + canary, "Content-Type": "application/json", "User-Agent": "detent",
	} {
		if got := header.Values(name); len(got) != 1 || got[0] != want {
			t.Errorf("%s is %q", name, got)
		}
	}
}

func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		name   string
		method string
		status int
		header string // Name: value
		body   string
		errors map[int]performer.Failure
		want   string
	}{
		{"text", "GET", 200, "", "hello", nil, `{"kind":"done","output":"hello"}`},
		{"empty", "POST", 204, "", "", nil, `{"kind":"done"}`},
		{"no UTF-8", "GET", 200, "", "a\xffb\x00c", nil, `{"kind":"done","output":"a�b�c"}`},
		{"a list", "GET", 201, "Content-Type: application/problem+json", "[1, 2.0]", nil, `{"kind":"done","output":[1,2.0]}`},
		{"JSON that is none", "GET", 200, "Content-Type: application/json", `{"a":1,"a":2}`, nil, `{"kind":"done","output":"{\"a\":1,\"a\":2}"}`},
		{
			"400", "POST", 400, "Content-Type: application/json", `{"why":"sum"}`, nil,
			`{"failure":{"code":"http_400","detail":{"why":"sum"},"message":"the server answered 400 Bad Request","status":400},"kind":"error"}`,
		},
		{
			"429", "POST", 429, "Retry-After: 3", "", nil,
			`{"failure":{"code":"rate_limited","message":"the server answered 429 Too Many Requests","retryAfter":3000,"status":429},"kind":"error"}`,
		},
		{
			"500", "POST", 500, "", "", nil,
			`{"failure":{"code":"http_500","executed":true,"message":"the server answered 500 Internal Server Error","status":500},"kind":"unknown"}`,
		},
		{
			"503", "GET", 503, "Retry-After: soon", "", nil,
			`{"failure":{"code":"unavailable","executed":true,"message":"the server answered 503 Service Unavailable","status":503},"kind":"unknown"}`,
		},
		{
			"503 that is stated", "POST", 503, "Retry-After: 4000000000", "", map[int]performer.Failure{503: {Code: "closed", Executed: "no"}},
			`{"failure":{"code":"closed","message":"the server answered 503 Service Unavailable","status":503},"kind":"error"}`,
		},
		{
			"409 that happened", "POST", 409, "Retry-After: 99999999", "", map[int]performer.Failure{409: {Code: "twice", Executed: "yes"}},
			`{"failure":{"code":"twice","executed":true,"message":"the server answered 409 Conflict","retryAfter":86400000,"status":409},"kind":"error"}`,
		},
		{
			"404 of which nobody knows", "POST", 404, "", "", map[int]performer.Failure{404: {Executed: "unknown"}},
			`{"failure":{"code":"http_404","executed":true,"message":"the server answered 404 Not Found","status":404},"kind":"unknown"}`,
		},
		{
			"a 2xx that is an error", "POST", 202, "", "later", map[int]performer.Failure{202: {Code: "later", Executed: "yes"}},
			`{"failure":{"code":"later","detail":"later","executed":true,"message":"the server answered 202 Accepted","status":202},"kind":"error"}`,
		},
		{
			"a redirect of a POST", "POST", 303, "Location: /b", "", nil,
			`{"failure":{"code":"http_303","executed":true,"message":"the server answered 303 See Other","status":303},"kind":"unknown"}`,
		},
		{
			"a redirect of a POST before anything", "POST", 307, "Location: /b", "", nil,
			`{"failure":{"code":"http_307","message":"the server answered 307 Temporary Redirect","status":307},"kind":"error"}`,
		},
		{
			"a date to wait for", "GET", 429, "Retry-After: Wed, 21 Oct 2015 07:28:10 GMT", "", nil,
			`{"failure":{"code":"rate_limited","message":"the server answered 429 Too Many Requests","retryAfter":10000,"status":429},"kind":"error"}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			config, seen := server(t, func(w nethttp.ResponseWriter, _ *nethttp.Request) {
				name, v, _ := strings.Cut(c.header, ": ")
				w.Header().Set(name, v)
				w.Header().Set("Date", "Wed, 21 Oct 2015 07:28:00 GMT")
				w.WriteHeader(c.status)
				fmt.Fprint(w, c.body)
			})
			config.Method, config.Errors = c.method, c.errors
			if got := show(t, perform(t, config, nil)); got != c.want {
				t.Errorf("the outcome is %s\nwanted         %s", got, c.want)
			}
			if n := len(seen()); n != 1 {
				t.Errorf("the server was asked %d times", n)
			}
		})
	}
}

func TestOutput(t *testing.T) {
	c, _ := server(t, func(w nethttp.ResponseWriter, _ *nethttp.Request) {
		w.Header().Set("X-Total", "3")
		fmt.Fprint(w, "body")
	})
	c.Output = value(func(s performer.Scope) (any, error) {
		return []any{int64(s.Response.Status), s.Response.Headers["x-total"], s.Response.Body}, nil
	})
	if got, want := show(t, perform(t, c, nil)), `{"kind":"done","output":[200,"3","body"]}`; got != want {
		t.Errorf("the outcome is %s", got)
	}
	c.Output = value(func(performer.Scope) (any, error) { return nil, errors.New("there is no id") })
	want := `{"failure":{"code":"bad_output","executed":true,"final":true,` +
		`"message":"it happened, but the output cannot be read from the answer: there is no id"},"kind":"error"}`
	if got := show(t, perform(t, c, nil)); got != want {
		t.Errorf("the outcome is %s", got)
	}
}

// What a server gives back of a secret, and what a broken call would tell of
// it, never leaves.
func TestSecretsStayInside(t *testing.T) {
	echo, _ := server(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(map[string]int{"GET": 200, "PUT": 400, "POST": 500}[r.Method])
		fmt.Fprintf(w, `{"you": ["sent", {"%s": "%s"}]}`, r.Header.Get("X-Key"), r.RequestURI)
	})
	echo.URL = echo.URL.(text) + "?key=${secret}"
	echo.Headers = map[string]performer.Template{"X-Key": text("${secret}")}
	lost, _ := server(t, func(nethttp.ResponseWriter, *nethttp.Request) { panic(nethttp.ErrAbortHandler) })
	lost.URL = lost.URL.(text) + "?key=${secret}"
	refused := echo
	refused.Allow = nil
	for _, c := range []http.Config{echo, lost, refused} {
		for _, method := range []string{"GET", "PUT", "POST"} {
			c.Method = method
			if got := show(t, perform(t, c, nil)); strings.Contains(got, canary) {
				t.Errorf("the outcome holds the secret: %s", got)
			}
		}
	}
	echo.Redact, echo.Method = nil, "GET"
	if got := show(t, perform(t, echo, nil)); !strings.Contains(got, canary) {
		t.Errorf("the server gives nothing back, so this test proves nothing: %s", got)
	}
}

// A call whose connection was never made was not executed; of one that was
// lost after sending nobody knows.
func TestBrokenConnections(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	gone := http.Config{URL: text("http://" + closed.Addr().String() + "/"), Allow: []string{closed.Addr().String()}}
	lost, _ := server(t, func(nethttp.ResponseWriter, *nethttp.Request) { panic(nethttp.ErrAbortHandler) })
	half, _ := server(t, func(w nethttp.ResponseWriter, _ *nethttp.Request) {
		w.Header().Set("Content-Length", "100")
		fmt.Fprint(w, "half")
	})
	large, _ := server(t, func(w nethttp.ResponseWriter, _ *nethttp.Request) { fmt.Fprint(w, strings.Repeat("x", 101)) })
	large.MaxBytes = 100
	tls := lost
	tls.URL = text("https" + strings.TrimPrefix(string(lost.URL.(text)), "http"))
	for _, c := range []struct {
		name   string
		config http.Config
		want   string
	}{
		{"refused", gone, "error connection_refused false"},
		{"lost", lost, "unknown connection_lost true"},
		{"half an answer", half, "unknown connection_lost true"},
		{"a large answer", large, "error too_large true"},
		{"no TLS", tls, "error tls false"},
		{"no such host", http.Config{URL: text("http://name.invalid/"), Resolver: nobody(t)}, "error no_such_host false"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.config.Method = "POST"
			o := perform(t, c.config, nil)
			if got := fmt.Sprint(o.Kind, " ", o.Failure.Code, " ", o.Failure.Executed); got != c.want {
				t.Errorf("the outcome is %s: %s", got, o.Failure.Message)
			}
		})
	}
}

// The end of the call's context ends it, whatever the server does.
func TestContextEnds(t *testing.T) {
	for _, x := range []struct {
		cause error
		want  string
	}{
		{context.DeadlineExceeded, "timeout"},
		{context.Canceled, "cancelled"},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		c, _ := server(t, func(_ nethttp.ResponseWriter, r *nethttp.Request) {
			cancel(x.cause)
			<-r.Context().Done()
		})
		p, err := http.New(c)
		if err != nil {
			t.Fatal(err)
		}
		if o := p.Perform(ctx, host.Call{}); o.Kind != host.KindUnknown || o.Failure.Code != x.want {
			t.Errorf("the outcome is %s", show(t, o))
		}
	}
	c, _ := server(t, func(_ nethttp.ResponseWriter, r *nethttp.Request) { <-r.Context().Done() })
	c.Timeout = 1 // a nanosecond
	if o := perform(t, c, nil); o.Kind != host.KindError || o.Failure.Code != "timeout" || o.Failure.Executed {
		t.Errorf("the outcome is %s", show(t, o))
	}
}

func TestLookup(t *testing.T) {
	c, seen := server(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case "/there":
			fmt.Fprint(w, `{"id": 1}`)
		case "/absent":
			w.WriteHeader(404)
		case "/lost":
			panic(nethttp.ErrAbortHandler)
		default:
			w.WriteHeader(500)
		}
	})
	c.Method = "POST"
	base := c.URL.(text)
	for _, x := range []struct {
		key           string
		found, absent performer.Template
		want          string
	}{
		{"there", status(200), status(404), `found {"kind":"done","output":{"id":1}}`},
		{"absent", status(200), status(404), `absent {"kind":""}`},
		{
			"broken", status(200), status(404),
			`unclear {"failure":{"code":"unclear","executed":true,"message":"the look-up was answered 500 Internal Server Error, which is neither found nor absent","status":500},"kind":"unknown"}`,
		},
		{"there", status(200), status(200), `unclear {"failure":{"code":"unclear","executed":true,"message":"the look-up was answered 200 OK, which is neither found nor absent","status":200},"kind":"unknown"}`},
		{"there", value(input), status(200), `unclear {"failure":{"code":"bad_output","executed":true,"message":"lookup.found: it is neither true nor false"},"kind":"unknown"}`},
		{"..", status(200), status(404), `unclear {"failure":{"code":"bad_input","executed":true,"message":"lookup.url: a value in the path is . or .., which leads elsewhere"},"kind":"unknown"}`},
	} {
		c.Lookup = &http.Lookup{URL: base + "${key}", Found: x.found, Absent: x.absent}
		p, err := http.New(c)
		if err != nil {
			t.Fatal(err)
		}
		finding, o := p.(host.Finder).Find(t.Context(), host.Call{Key: x.key})
		if got := string(finding) + " " + show(t, o); got != x.want {
			t.Errorf("of %s it is %s\nwanted %s", x.key, got, x.want)
		}
	}
	c.Lookup = &http.Lookup{URL: base + "lost", Found: status(200), Absent: status(404)}
	p, err := http.New(c)
	if err != nil {
		t.Fatal(err)
	}
	if finding, o := p.(host.Finder).Find(t.Context(), host.Call{}); finding != host.Unclear || o.Failure.Code != "connection_lost" {
		t.Errorf("of a lost answer it is %s %s", finding, show(t, o))
	}
	for _, r := range seen() {
		if !strings.HasPrefix(r, "GET ") {
			t.Errorf("the look-up made the call: %s", r)
		}
	}
	c.Lookup = nil
	p, err = http.New(c)
	if _, can := p.(host.Finder); err != nil || can {
		t.Errorf("without a look-up there is one: %v", err)
	}
}

package http_test

import (
	"strings"
	"testing"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/performer"
	"github.com/detent-run/detent/performer/http"
)

func TestBadConfigurations(t *testing.T) {
	url := func(s text) http.Config { return http.Config{URL: s} }
	header := func(name string, v text) http.Config {
		return http.Config{URL: text("http://a/"), Headers: map[string]performer.Template{name: v}}
	}
	lookup := func(l http.Lookup) http.Config { return http.Config{URL: text("http://a/"), Lookup: &l} }
	for _, c := range []struct {
		config http.Config
		want   string
	}{
		{http.Config{}, "url: must be there"},
		{url("a.example/"), "url: must begin with http:// or https://"},
		{url("file:///etc/passwd"), "url: must begin with http:// or https://"},
		{url("${url}"), "url: must begin with http:// or https://"},
		{url("http${s}://a/"), "url: scheme, host and port must be fixed"},
		{url("http://${host}/"), "url: scheme, host and port must be fixed"},
		{url("http://a.${zone}/"), "url: scheme, host and port must be fixed"},
		{url("http://a:${port}/"), "url: scheme, host and port must be fixed"},
		{url("http://a${path}"), "url: scheme, host and port must be fixed"},
		{url("http://u:p@a/"), "url: must hold no user or password"},
		{url("http://@a/"), "url: must hold no user or password"},
		{url("http:///a"), `url: "" is no host`},
		{url("http://a:0/"), `url: "0" is no port`},
		{url("http://a:/"), `url: "" is no port`},
		{url("http://a:99999/"), `url: "99999" is no port`},
		{url("http://[::1/"), `url: "[::1" is no host`},
		{url("http://a/#x"), "url: what follows # is never sent"},
		{header("Host", "b"), "headers: Host is set from the rest of the request"},
		{header("transfer-encoding", "chunked"), "headers: transfer-encoding is set from the rest"},
		{header("X Y", "b"), `headers: "X Y" is no name of a header`},
		{header("", "b"), `headers: "" is no name of a header`},
		{header("X\r\nY", "b"), "is no name of a header"},
		{header("X-É", "b"), "is no name of a header"},
		{header("X-A", "b\r\nX-B: c"), "headers: X-A holds a line break"},
		{http.Config{URL: text("http://a/"), Headers: map[string]performer.Template{"x-a": text(""), "X-A": text("")}}, "headers: X-A stands twice"},
		{http.Config{URL: text("http://a/"), Method: "CONNECT"}, `method: "CONNECT" is none of GET`},
		{http.Config{URL: text("http://a/"), Method: "get"}, `method: "get" is none of GET`},
		{http.Config{URL: text("http://a/"), Method: "GET", Body: value(input)}, "body: a GET has none"},
		{http.Config{URL: text("http://a/"), Redirects: 21}, "redirects: at most 20"},
		{http.Config{URL: text("http://a/"), Allow: []string{"a"}}, `allow: "a" is no host:port`},
		{http.Config{URL: text("http://a/"), Allow: []string{"a:0"}}, `allow: "a:0" is no host:port`},
		{http.Config{URL: text("http://a/"), Errors: map[int]performer.Failure{99: {}}}, "errors: 99 is no status"},
		{http.Config{URL: text("http://a/"), Errors: map[int]performer.Failure{404: {Executed: "never"}}}, `errors: 404: executed is "never"; write no, yes or unknown`},
		{lookup(http.Lookup{}), "lookup.url: must be there"},
		{lookup(http.Lookup{URL: text("http://a/"), Method: "DELETE"}), "lookup.method: DELETE may change something"},
		{lookup(http.Lookup{URL: text("http://a/"), Found: status(200)}), "lookup.found and absent: both must be there"},
	} {
		if _, err := http.New(c.config); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("the error is %v\nwanted %s", err, c.want)
		}
	}
}

// What a value would make of a request that its author did not write ends the
// call before anything is sent.
func TestBadInputs(t *testing.T) {
	c, seen := server(t, nil)
	base := c.URL.(text)
	for _, x := range []struct {
		name  string
		url   text
		value string
		want  string
	}{
		{"parent", base + "a/${x}/b", "..", "url: a value in the path is . or .., which leads elsewhere"},
		{"here", base + "${x}", ".", "url: a value in the path is . or .., which leads elsewhere"},
		{"half a parent", base + "a/.${x}", ".", "url: a value in the path is . or .., which leads elsewhere"},
		{"nothing", base + "a/${x}", "", "url: a value in the path is empty"},
		{"long", base + "${x}", strings.Repeat("x", 10_000), "url: it is longer than 8192 bytes"},
		{"no value", base + "${y}", "", "url: there is no y"},
		{"another header", base, "a\r\nX-B: c", "headers: X-A: it holds a line break or another character that no header may hold"},
		{"a line feed", base, "a\nb", "headers: X-A: it holds a line break or another character that no header may hold"},
		{"NUL", base, "a\x00", "headers: X-A: it holds a line break or another character that no header may hold"},
		{"a long header", base, strings.Repeat("x", 8193), "headers: X-A: it is 8193 bytes long, and may be 8192"},
	} {
		t.Run(x.name, func(t *testing.T) {
			c.URL, c.Headers = x.url, map[string]performer.Template{"X-A": text("${x}")}
			o := perform(t, c, object{"x": x.value})
			want := host.Failure{Code: "bad_input", Message: x.want, Final: true}
			if o.Kind != host.KindError || *o.Failure != want {
				t.Errorf("the outcome is %s", show(t, o))
			}
		})
	}
	c.URL, c.Headers, c.Body, c.MaxBytes = base, nil, value(input), 10
	if o := perform(t, c, strings.Repeat("x", 9)); o.Failure == nil || o.Failure.Message != "body: it is 11 bytes long, and may be 10" {
		t.Errorf("the outcome is %s", show(t, o))
	}
	if got := seen(); len(got) > 0 {
		t.Errorf("the server saw %q", got)
	}
}

package http_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	nethttp "net/http"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/performer"
	"github.com/detent-run/detent/performer/http"
)

// resolver answers look-ups from a list per question: the n-th of a name with
// the n-th, and then with the last again. An empty one is no such name.
func resolver(t *testing.T, answers ...string) (*net.Resolver, func() int) {
	t.Helper()
	var mu sync.Mutex
	asked := map[uint16]int{}
	answer := func(kind uint16) (out []netip.Addr) {
		mu.Lock()
		defer mu.Unlock()
		n := min(asked[kind], len(answers)-1)
		asked[kind]++
		for _, s := range strings.Fields(answers[n]) {
			if a := netip.MustParseAddr(s); a.Is4() == (kind == 1) {
				out = append(out, a)
			}
		}
		return out
	}
	r := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		here, there := net.Pipe()
		go serveNames(there, answer)
		return here, nil
	}}
	return r, func() int {
		mu.Lock()
		defer mu.Unlock()
		return asked[1]
	}
}

func nobody(t *testing.T) *net.Resolver {
	r, _ := resolver(t, "")
	return r
}

// serveNames is a name server on one connection.
func serveNames(c net.Conn, answer func(kind uint16) []netip.Addr) {
	defer c.Close()
	for {
		var size [2]byte
		if _, err := io.ReadFull(c, size[:]); err != nil {
			return
		}
		q := make([]byte, binary.BigEndian.Uint16(size[:]))
		if _, err := io.ReadFull(c, q); err != nil {
			return
		}
		end := 12 // of the header
		for q[end] != 0 {
			end += int(q[end]) + 1
		}
		end += 5 // the root, type and class
		list := answer(binary.BigEndian.Uint16(q[end-4:]))
		m := append([]byte{0, 0, q[0], q[1], 0x81, 0x80, 0, 1, 0, byte(len(list)), 0, 0, 0, 0}, q[12:end]...)
		for _, a := range list {
			raw := a.AsSlice()
			m = append(m, 0xc0, 12, q[end-4], q[end-3], 0, 1, 0, 0, 0, 0, 0, byte(len(raw)))
			m = append(m, raw...)
		}
		binary.BigEndian.PutUint16(m, uint16(len(m)-2))
		if _, err := c.Write(m); err != nil {
			return
		}
	}
}

// No spelling of an address leads to what is not public.
func TestDeniedAddresses(t *testing.T) {
	for _, name := range []string{
		"127.0.0.1", "127.1.2.3", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",
		"169.254.169.254", "100.64.0.1", "100.100.100.200", "168.63.129.16", "192.0.0.192", "192.0.2.1", "192.88.99.1",
		"198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
		"[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:0:127.0.0.1]", "[::127.0.0.1]", "[0:0:0:0:0:0:0:1]",
		"[64:ff9b::7f00:1]", "[64:ff9b::10.0.0.1]", "[64:ff9b:1::1]", "[2002:7f00:1::]", "[2002:a00:1::1]", "[2001:0:1::1]", "[2001:db8::1]",
		"[fe80::1]", "[fe80::1%25lo]", "[fec0::1]", "[fc00::1]", "[fd00:ec2::254]", "[ff02::1]", "[100::1]", "[3fff::1]", "[4000::1]",
	} {
		p, err := http.StopAfterCheck(http.Config{URL: text("http://" + name + "/")}, func(address string) { t.Errorf("%s leads to %s", name, address) })
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		o := p.Perform(t.Context(), host.Call{})
		if o.Kind != host.KindError || o.Failure.Code != "address_denied" || !o.Failure.Final || o.Failure.Executed {
			t.Errorf("of %s the outcome is %s", name, show(t, o))
		}
	}
}

// Spellings that some systems take for addresses are names, and what they lead
// to is checked as of every name.
func TestOddNames(t *testing.T) {
	for _, name := range []string{
		"2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "017700000001", "127.1", "127.0.1", "127.0.0.1.", "localhost.", "LOCALHOST",
		"127.0.0.1.nip.example", "１２７.0.0.1", "127。0。0。1",
	} {
		r, _ := resolver(t, "127.0.0.1 ::1")
		p, err := http.StopAfterCheck(http.Config{URL: text("http://" + name + "/"), Resolver: r}, func(address string) {
			t.Errorf("%s leads to %s", name, address)
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if o := p.Perform(t.Context(), host.Call{}); o.Kind != host.KindError || o.Failure.Executed {
			t.Errorf("of %s the outcome is %s", name, show(t, o))
		}
	}
}

func TestPublicAddresses(t *testing.T) {
	for _, name := range []string{"8.8.8.8", "172.15.0.1", "172.32.0.1", "100.63.255.255", "[2606:4700::1111]"} {
		var seen []string
		p, err := http.StopAfterCheck(http.Config{URL: text("http://" + name + ":8443/")}, func(a string) { seen = append(seen, a) })
		if err != nil {
			t.Fatal(err)
		}
		if o := p.Perform(t.Context(), host.Call{}); o.Failure.Code != "unreachable" || !slices.Equal(seen, []string{name + ":8443"}) {
			t.Errorf("%s leads to %v: %s", name, seen, show(t, o))
		}
	}
}

// A name server that says something else the second time changes nothing: the
// address that is checked is the one that is connected to.
func TestNamesThatFlip(t *testing.T) {
	r, asked := resolver(t, "8.8.8.8", "127.0.0.1", "8.8.4.4")
	var seen []string
	p, err := http.StopAfterCheck(http.Config{URL: text("http://flip.example/"), Resolver: r}, func(a string) { seen = append(seen, a) })
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"unreachable", "address_denied", "unreachable"} {
		if o := p.Perform(t.Context(), host.Call{}); o.Failure.Code != want {
			t.Errorf("the outcome is %s, not %s", show(t, o), want)
		}
		if n := asked(); n != i+1 {
			t.Errorf("after %d calls the name was looked up %d times", i+1, n)
		}
	}
	if want := []string{"8.8.8.8:80", "8.8.4.4:80"}; !slices.Equal(seen, want) {
		t.Errorf("connections to %v, not %v", seen, want)
	}
}

// Of several addresses of one name each is checked.
func TestNamesWithTwoAddresses(t *testing.T) {
	r, _ := resolver(t, "8.8.8.8 127.0.0.1 10.0.0.1 ::1")
	p, err := http.StopAfterCheck(http.Config{URL: text("http://both.example/"), Resolver: r}, func(a string) {
		if a != "8.8.8.8:80" {
			t.Errorf("a connection to %s", a)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if o := p.Perform(t.Context(), host.Call{}); o.Kind != host.KindError {
		t.Errorf("the outcome is %s", show(t, o))
	}
}

// What is allowed is one port of one name or address.
func TestAllowed(t *testing.T) {
	c, seen := server(t, func(nethttp.ResponseWriter, *nethttp.Request) {})
	address := c.Allow[0]
	_, port, _ := net.SplitHostPort(address)
	n, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	other := fmt.Sprint(n ^ 1)
	want := 0
	for _, x := range []struct {
		host  string
		allow []string
		goes  bool
	}{
		{"127.0.0.1", []string{"127.0.0.1:" + port}, true},
		{"[::ffff:127.0.0.1]", []string{"127.0.0.1:" + port}, true},
		{"127.0.0.1", []string{"[::ffff:127.0.0.1]:" + port}, true},
		{"a.internal", []string{"127.0.0.1:" + port}, true},
		{"a.internal", []string{"A.internal:" + port}, true},
		{"A.INTERNAL.", []string{"a.internal:" + port}, true},
		{"127.0.0.1", nil, false},
		{"127.0.0.1", []string{"127.0.0.1:" + other, "127.0.0.2:" + port, "[::1]:" + port}, false},
		{"a.internal", []string{"a.internal:" + other, "internal:" + port, "b.internal:" + port}, false},
		{"127.0.0.1", []string{"a.internal:" + port}, false},
	} {
		r, _ := resolver(t, "127.0.0.1")
		o := perform(t, http.Config{URL: text("http://" + x.host + ":" + port + "/"), Allow: x.allow, Resolver: r}, nil)
		if x.goes {
			want++
		}
		if (o.Kind == host.KindDone) != x.goes || !x.goes && o.Failure.Code != "address_denied" {
			t.Errorf("%s where %q are allowed: the outcome is %s", x.host, x.allow, show(t, o))
		}
		if got := len(seen()); got != want {
			t.Fatalf("%s where %q are allowed: the server was asked %d times, not %d", x.host, x.allow, got, want)
		}
	}
}

// The environment has no say in where a call goes. It is read once, so the
// proxy is there for all tests: TestPublicAddresses would see it.
func TestMain(m *testing.M) {
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY"} {
		if err := os.Setenv(name, "http://9.9.9.9:3128"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// Each redirect is looked at again, and what was meant for one server goes to
// no other.
func TestRedirects(t *testing.T) {
	other, otherSeen := server(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
		fmt.Fprint(w, "elsewhere", r.Header["X-Key"], r.Header["Authorization"], r.Header["Referer"])
	})
	to := ""
	c, seen := server(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
		switch {
		case r.URL.Path == "/end":
			fmt.Fprint(w, "end", r.Header["X-Key"], r.Header["Referer"])
		case r.URL.Path == "/loop":
			nethttp.Redirect(w, r, "/loop", 302)
		default:
			w.Header().Set("Location", to)
			w.WriteHeader(302 + 5*len(r.URL.Query()["same"]))
		}
	})
	base := string(c.URL.(text))
	port := func(c http.Config) string { _, p, _ := net.SplitHostPort(c.Allow[0]); return p }
	c.Headers = map[string]performer.Template{"X-Key": text("${secret}"), "Authorization": text("${secret}")}
	for _, x := range []struct {
		name, method, url, to string
		redirects             int
		want                  string
	}{
		{"to itself", "GET", "", "/end", 0, `{"kind":"done","output":"end[[secret]] []"}`},
		{"not at all", "GET", "", "/end", -1, `{"failure":{"code":"http_302","message":"the server answered 302 Found","status":302},"kind":"error"}`},
		{"round and round", "GET", "", "/loop", 0, `{"failure":{"code":"redirect_refused","final":true,"message":"a redirect was not followed: it was number 6, and 5 may be"},"kind":"error"}`},
		{"once", "GET", "", "/loop", 1, `{"failure":{"code":"redirect_refused","final":true,"message":"a redirect was not followed: it was number 2, and 1 may be"},"kind":"error"}`},
		{"to a file", "GET", "", "file:///etc/passwd", 0, `{"failure":{"code":"redirect_refused","final":true,"message":"a redirect was not followed: it leads to neither http nor https"},"kind":"error"}`},
		{"with a password", "GET", "", "http://a:b@" + c.Allow[0] + "/end", 0, `{"failure":{"code":"redirect_refused","final":true,"message":"a redirect was not followed: it holds a user or password"},"kind":"error"}`},
		{"to another port", "GET", "", string(other.URL.(text)), 0, `{"failure":{"code":"redirect_refused","final":true,"message":"a redirect was not followed: it leads to another port"},"kind":"error"}`},
		{"to a private machine", "GET", "", "http://10.0.0.1:" + port(c) + "/", 0, `{"failure":{"code":"address_denied","final":true,"message":"10.0.0.1:` + port(c) + ` is not a public address and not allowed; the deployment's network.allow lists what is"},"kind":"error"}`},
		{"to metadata", "GET", "", "http://169.254.169.254/latest/meta-data", 0, `{"failure":{"code":"address_denied","final":true,"message":"169.254.169.254:80 is not a public address and not allowed; the deployment's network.allow lists what is"},"kind":"error"}`},
		{"of a POST", "POST", "", "/end", 0, `{"failure":{"code":"http_302","executed":true,"message":"the server answered 302 Found","status":302},"kind":"unknown"}`},
		{"of a POST, wanted", "POST", "", "/end", 1, `{"kind":"done","output":"end[[secret]] []"}`},
		{"of a POST to a private machine", "POST", "", "http://10.0.0.1/", 1, `{"failure":{"code":"address_denied","executed":true,"final":true,"message":"10.0.0.1:80 is not a public address and not allowed; the deployment's network.allow lists what is"},"kind":"unknown"}`},
		{"of a POST with its body", "POST", "?same=1", "http://127.0.0.2:" + port(c) + "/", 1, `{"failure":{"code":"redirect_refused","executed":true,"final":true,"message":"a redirect was not followed: it takes the body to another server"},"kind":"unknown"}`},
	} {
		t.Run(x.name, func(t *testing.T) {
			to = x.to
			c.Method, c.Redirects, c.URL, c.Body = x.method, x.redirects, text(base+x.url), nil
			if x.method == "POST" {
				c.Body = text("body")
			}
			if got := show(t, perform(t, c, nil)); got != x.want {
				t.Errorf("the outcome is %s\nwanted         %s", got, x.want)
			}
		})
	}
	if len(otherSeen()) > 0 || len(seen()) == 0 {
		t.Errorf("another server saw %q", otherSeen())
	}
}

// A redirect to another name of the same port carries no header of ours.
func TestRedirectDropsHeaders(t *testing.T) {
	r, _ := resolver(t, "127.0.0.1")
	var port string
	c, _ := server(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
		if strings.HasPrefix(r.Host, "b.") {
			fmt.Fprint(w, "at b", r.Header["X-Key"], r.Header["Cookie"], r.Header["Referer"], r.Header["User-Agent"])
			return
		}
		w.Header().Set("Set-Cookie", "a=b")
		nethttp.Redirect(w, r, "http://b.internal:"+port+"/", 302)
	})
	_, port, _ = net.SplitHostPort(c.Allow[0])
	c.Resolver, c.URL = r, text("http://a.internal:"+port+"/?key=${secret}")
	c.Headers = map[string]performer.Template{"X-Key": text("${secret}"), "Cookie": text("${secret}")}
	if got, want := show(t, perform(t, c, nil)), `{"kind":"done","output":"at b[] [] [] [detent]"}`; got != want {
		t.Errorf("the outcome is %s\nwanted         %s", got, want)
	}
}

package http

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/detent-run/detent/performer"
)

const maxURL = 8 << 10

// target is a template of a URL whose scheme, host and port are fixed.
type target struct {
	template performer.Template
	origin   string // scheme://host:port
}

func readTarget(t performer.Template) (target, error) {
	if t == nil {
		return target{}, errors.New("must be there")
	}
	head, whole := t.Literal()
	scheme, rest, _ := strings.Cut(head, "://")
	if scheme != "http" && scheme != "https" {
		return target{}, errors.New("must begin with http:// or https://")
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 && !whole {
		return target{}, errors.New("scheme, host and port must be fixed; the first ${ … } may stand after the slash behind them")
	}
	if end < 0 {
		end = len(rest)
	}
	if strings.Contains(rest, "#") {
		return target{}, errors.New("what follows # is never sent; leave it out")
	}
	u, err := url.Parse(scheme + "://" + rest[:end])
	switch {
	case err != nil || u.Hostname() == "":
		return target{}, fmt.Errorf("%.100q is no host", rest[:end])
	case u.User != nil || strings.Contains(rest[:end], "@"):
		return target{}, errors.New("must hold no user or password; send a header")
	case strings.HasSuffix(u.Host, ":") || u.Port() != "" && !goodPort(u.Port()):
		return target{}, fmt.Errorf("%.20q is no port", u.Port())
	}
	return target{t, origin(u)}, nil
}

// origin is the same for two URLs that lead to the same server.
func origin(u *url.URL) string {
	return u.Scheme + "://" + hostPort(u.Hostname(), port(u))
}

func port(u *url.URL) string {
	switch p := u.Port(); {
	case p != "":
		return p
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}

// of evaluates the template. Values are percent-encoded, so that none of them
// ends the part that it stands in.
func (t target) of(s performer.Scope) (*url.URL, error) {
	pieces, err := t.template.Pieces(s)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	for _, p := range pieces {
		switch {
		case p.Literal:
			b.WriteString(p.Text)
		case p.Text == "" && !strings.Contains(b.String(), "?"):
			return nil, errors.New("a value in the path is empty")
		default:
			b.WriteString(escape(p.Text))
		}
		if b.Len() > maxURL {
			return nil, fmt.Errorf("it is longer than %d bytes", maxURL)
		}
	}
	u, err := url.Parse(b.String())
	if err != nil {
		return nil, errors.New("it is no URL") // the error shows it, with secrets
	}
	for segment := range strings.SplitSeq(u.Path, "/") {
		if segment == "." || segment == ".." {
			return nil, errors.New("a value in the path is . or .., which leads elsewhere")
		}
	}
	if u.User != nil || origin(u) != t.origin {
		return nil, errors.New("it leads to another server")
	}
	return u, nil
}

// escape encodes all that is not certain to stand for itself everywhere.
func escape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-_.~", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// plainHost is the name in a URL, for messages.
func plainHost(u *url.URL) string { return net.JoinHostPort(u.Hostname(), port(u)) }

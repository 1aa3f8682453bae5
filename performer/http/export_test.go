package http

import (
	"errors"
	"net"
	"net/http"

	"github.com/detent-run/detent/host"
)

// ErrChecked ends a connection whose address passed the check, before it is
// made.
var ErrChecked = errors.New("the address passed the check")

// StopAfterCheck is [New], but no connection that passes the check is made:
// its address goes to seen.
func StopAfterCheck(c Config, seen func(address string)) (host.Performer, error) {
	p, err := New(c)
	if err != nil {
		return nil, err
	}
	allow, err := readAllowed(c.Allow)
	if err != nil {
		return nil, err
	}
	d := &dialer{allowed: allow, resolver: c.Resolver}
	d.checked = func(_, address string) error {
		seen(address)
		return &net.OpError{Op: "dial", Err: ErrChecked}
	}
	p.(*caller).client.Transport.(*http.Transport).DialContext = d.dial
	return p, nil
}

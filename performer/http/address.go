package http

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// denied is a connection that was not made.
type denied struct{ address string }

func (d *denied) Error() string { return d.address + " is not a public address and not allowed" }

// allowed is the operator's list of what may be called beside public
// addresses.
type allowed struct {
	names     map[string]bool // host:port in lower case
	addresses map[netip.AddrPort]bool
}

func readAllowed(list []string) (allowed, error) {
	a := allowed{map[string]bool{}, map[netip.AddrPort]bool{}}
	for _, entry := range list {
		name, port, err := net.SplitHostPort(entry)
		if err != nil || name == "" || !goodPort(port) {
			return a, fmt.Errorf("allow: %.100q is no host:port", entry)
		}
		if address, err := netip.ParseAddrPort(entry); err == nil {
			a.addresses[netip.AddrPortFrom(address.Addr().Unmap(), address.Port())] = true
			continue
		}
		a.names[hostPort(name, port)] = true
	}
	return a, nil
}

// hostPort is how names are compared.
func hostPort(name, port string) string {
	return strings.ToLower(strings.TrimSuffix(name, ".")) + ":" + port
}

func goodPort(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n > 0
}

// dialer connects to what is public or allowed.
type dialer struct {
	allowed
	resolver *net.Resolver
	checked  func(network, address string) error // for tests: after the check
}

// dial is called with the name that the URL has, and connects to one of its
// addresses. The check is on the address that the system is about to connect
// to: nothing can change between the two.
func (d *dialer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	name, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	named := d.names[hostPort(name, port)]
	n := net.Dialer{
		Timeout:  dialTimeout,
		Resolver: d.resolver,
		ControlContext: func(_ context.Context, network, address string, _ syscall.RawConn) error {
			if !named {
				if err := d.check(network, address); err != nil {
					return err
				}
			}
			if d.checked != nil {
				return d.checked(network, address)
			}
			return nil
		},
	}
	return n.DialContext(ctx, network, address)
}

const dialTimeout = 10 * time.Second

func (d *dialer) check(network, address string) error {
	if network != "tcp4" && network != "tcp6" {
		return &denied{network + " " + address}
	}
	a, err := netip.ParseAddrPort(address)
	if err != nil {
		return errors.Join(&denied{address}, err)
	}
	if d.addresses[netip.AddrPortFrom(a.Addr().Unmap(), a.Port())] || public(a.Addr()) {
		return nil
	}
	return &denied{address}
}

// public reports whether an address belongs to the open net. What is not known
// to be so is not.
func public(a netip.Addr) bool {
	if a.Zone() != "" || a.Is4In6() || !a.IsGlobalUnicast() || a.IsPrivate() {
		return false
	}
	if a.Is6() && !global6.Contains(a) {
		return false
	}
	for _, p := range special {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

// global6 is all of IPv6 that is given out. Outside it are local addresses and
// those that hold an IPv4 address: mapped, translated (64:ff9b::/96) and older
// forms.
var global6 = netip.MustParsePrefix("2000::/3")

// special are blocks inside the open net that are not of it.
var special = prefixes(
	"0.0.0.0/8",         // this network
	"100.64.0.0/10",     // carriers' private addresses; metadata of one cloud
	"168.63.129.16/32",  // metadata of another
	"169.254.0.0/16",    // link-local; metadata of most
	"192.0.0.0/24",      // protocols
	"192.0.2.0/24",      // documentation
	"192.88.99.0/24",    // relays of 6to4
	"198.18.0.0/15",     // benchmarks
	"198.51.100.0/24",   // documentation
	"203.0.113.0/24",    // documentation
	"240.0.0.0/4",       // reserved, broadcast
	"2001::/23",         // protocols, Teredo (holds an IPv4 address)
	"2001:db8::/32",     // documentation
	"2002::/16",         // 6to4 (holds an IPv4 address)
	"2620:4f:8000::/48", // AS112
	"3fff::/20",         // documentation
)

func prefixes(list ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(list))
	for i, s := range list {
		out[i] = netip.MustParsePrefix(s)
	}
	return out
}

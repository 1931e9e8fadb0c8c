package egress

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/slotway/slotway/config/settings"
)

// Limits of connecting.
const (
	dialTimeout = 5 * time.Second // over all addresses of a name
	dialLeast   = time.Second     // for one of them
	keepAlive   = 30 * time.Second
)

// resolver is the part of net.Resolver that a Guard uses.
type resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Guard permits or refuses targets. It is safe for concurrent use. A nil Guard permits what
// New(nil) does.
type Guard struct {
	blocks   []netip.Prefix
	names    []settings.AllowedHost
	declared string // host that may be loopback because the declaration says so

	resolver resolver
	dial     func(ctx context.Context, network, address string) (net.Conn, error)
	proxy    func(*http.Request) (*url.URL, error)
}

// New returns a guard with the entries of tools.allow_hosts; see settings.ParseAllowedHost.
func New(allow []string) (*Guard, error) {
	g := open()
	for _, s := range allow {
		entry, err := settings.ParseAllowedHost(s)
		if err != nil {
			return nil, fmt.Errorf("allowed host: %w", err)
		}
		if entry.Prefix.IsValid() {
			g.blocks = append(g.blocks, entry.Prefix)
		} else {
			g.names = append(g.names, entry)
		}
	}
	return g, nil
}

func open() *Guard {
	dialer := &net.Dialer{Timeout: dialTimeout, KeepAlive: keepAlive}
	return &Guard{resolver: net.DefaultResolver, dial: dialer.DialContext, proxy: http.ProxyFromEnvironment}
}

// For returns the guard for one declared target: host, without a port, may be loopback if it is
// localhost or a loopback address itself.
func (g *Guard) For(host string) *Guard {
	if g == nil {
		g = open()
	}
	c := *g
	c.declared = plainHost(host)
	return &c
}

// plainHost returns a host in the form for comparison.
func plainHost(host string) string {
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return strings.TrimSuffix(strings.ToLower(host), ".")
}

// DialContext connects to a permitted address of a "host:port". The error is a *RefusedError if
// none of the host's addresses is permitted.
func (g *Guard) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	addrs, err := g.permitted(ctx, network, plainHost(host))
	if err != nil {
		return nil, err
	}
	share := max(dialTimeout/time.Duration(len(addrs)), dialLeast)
	var first error
	for _, addr := range addrs {
		conn, err := g.connect(ctx, share, network, net.JoinHostPort(addr.String(), port))
		if err == nil {
			return conn, nil
		}
		if first == nil {
			first = err
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil, first
}

func (g *Guard) connect(ctx context.Context, limit time.Duration, network, address string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return g.dial(ctx, network, address)
}

// Check resolves host, without a port, and returns a *RefusedError unless one of its addresses is
// permitted. A name that is allowed by name need not resolve here.
func (g *Guard) Check(ctx context.Context, host string) error {
	host = plainHost(host)
	_, err := g.permitted(ctx, "tcp", host)
	var unknown *net.DNSError
	if errors.As(err, &unknown) && g.allowedName(host) {
		return nil
	}
	return err
}

// permitted returns the addresses of host to which connections are permitted, at least one.
func (g *Guard) permitted(ctx context.Context, network, host string) ([]netip.Addr, error) {
	addrs, err := g.resolve(ctx, network, host)
	if err != nil {
		return nil, err
	}
	var out []netip.Addr
	var refused *RefusedError
	for _, addr := range addrs {
		if class := Classify(addr); g.permits(host, addr, class) {
			out = append(out, addr.Unmap())
		} else if refused == nil {
			refused = &RefusedError{Class: class}
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	if refused != nil {
		return nil, refused
	}
	return nil, &net.DNSError{Err: "no addresses", Name: host, IsNotFound: true}
}

func (g *Guard) resolve(ctx context.Context, network, host string) ([]netip.Addr, error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{addr}, nil
	}
	family := "ip"
	switch network {
	case "tcp4":
		family = "ip4"
	case "tcp6":
		family = "ip6"
	}
	return g.resolver.LookupNetIP(ctx, family, host)
}

func (g *Guard) permits(host string, addr netip.Addr, class Class) bool {
	if class == Public {
		return true
	}
	for _, block := range g.blocks {
		if block.Contains(carried(addr)) || block.Contains(addr.WithZone("")) {
			return true
		}
	}
	switch class {
	case Private:
		return g.allowedName(host)
	case Loopback:
		return g.allowedName(host) || host == g.declared && literalLoopback(host) && addr.Unmap().IsLoopback()
	}
	return false
}

// literalLoopback reports a host that obviously means this machine.
func literalLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}

func (g *Guard) allowedName(host string) bool {
	for _, n := range g.names {
		if n.Below && strings.HasSuffix(host, "."+n.Name) || !n.Below && host == n.Name {
			return true
		}
	}
	return false
}

package slotway

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/access"
)

// unprotected is the error of a service that other machines could reach without a key.
const unprotected = `other machines can reach %s, and nobody would be asked for a key: everybody who connects could read, change and import everything; do one of these:
  make a key:            slotway keys new --name web --user alice --file keys.yaml
    and ask for it:      slotway --set server.auth.keys_file=keys.yaml serve
  keep to this machine:  slotway serve --addr 127.0.0.1:8080
  leave it open:         slotway --set server.auth.open=` + settings.OpenKnown + ` serve`

// MayListen returns an error if other machines could reach addr (HOST:PORT) without a key, unless
// server.auth.open allows that. It accepts host names, whose meaning shows only when a listener
// resolves them; Serve checks again then.
func MayListen(s *settings.Settings, addr string) error {
	auth := &s.Server.Auth
	if auth.Asks() || auth.Open == settings.OpenKnown || httpapi.LoopbackHost(addr) != "" {
		return nil
	}
	host, _, _ := net.SplitHostPort(addr) // settings and listeners have this form only
	if _, err := netip.ParseAddr(host); err != nil && host != "" {
		return nil
	}
	return fmt.Errorf("refused to listen: "+unprotected, addr)
}

func (r *Runtime) checkListen(addr string) error {
	if r.opts.Access != nil {
		return nil
	}
	return MayListen(r.settings, addr)
}

// openAccess sets how requests prove who they are from; nil: they need not.
func (r *Runtime) openAccess() (err error) {
	if r.access = r.opts.Access; r.access == nil {
		keys, err := access.FromSettings(r.settings.Server.Auth, &access.Options{Secret: os.Getenv, Notify: func(err error) {
			if err != nil {
				r.opts.notify("%v", err)
				return
			}
			r.opts.notify("the API keys were read again")
		}})
		if err != nil {
			return err
		}
		if keys != nil {
			r.access = keys // never a nil *Bearer in it
		}
	}
	if r.admits() {
		r.visitKey, err = build.VisitKey(dataDir(r.settings), r.settings.Server.Widget.KeyEnv)
	}
	return err
}

// admits reports whether visitors get tokens: where nobody is asked for a key, one may do less than the others.
func (r *Runtime) admits() bool { return r.settings.Server.Widget.Visitors || r.access == nil }

// guard sets authentication, rate limits and allowed origins. addr is the listener's address; nil:
// the embedding program listens.
func (r *Runtime) guard(addr net.Addr, o *httpapi.Options) {
	s, loopback := r.settings.Server, ""
	if addr != nil {
		loopback = httpapi.LoopbackHost(addr.String())
	}
	o.Rate, o.MaxStreams, o.Origins = s.Limits.Rate, s.Limits.Streams, s.CORS
	if r.admits() {
		o.Visitors = access.NewVisitors(r.visitKey, &access.VisitorsOptions{Life: s.Widget.VisitorTTL})
	}
	switch {
	case r.access != nil:
		o.Access = r.access
	case loopback != "":
		o.Loopback = loopback
		if host, _, err := net.SplitHostPort(s.Addr); err == nil {
			o.Loopback = host // as written, which may be a name
		}
		if !r.settings.Given("server.limits.rate") {
			o.Rate = 0 // all requests come from this machine's own programs, or through one proxy on it
		}
	case addr != nil:
		r.opts.notify("warning: server.auth.open: listening on %s, which other machines may reach, and nobody is asked for a key: all may do everything", addr)
	}
	if r.access == nil && slices.Contains(s.CORS, "*") {
		r.opts.notify(`warning: server.cors is "*" and nobody is asked for a key: every page that somebody opens may talk here`)
	}
}

// noKeys answers another machine if the embedding program listens and the settings neither name
// keys nor open the service to everybody.
var noKeys = &httpapi.Problem{
	Status: http.StatusForbidden, Code: "no_keys", Title: "Nobody is asked for a key here",
	Detail: "Only this machine may ask, at a loopback address. Name keys in server.auth.keys_file, or say server.auth.open: " + settings.OpenKnown + ".",
}

// fromHere reports whether this machine sent a request to a loopback address, under a loopback
// name: a web page may use a name of its own that leads here.
func fromHere(r *http.Request) bool {
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return local != nil && httpapi.LoopbackHost(local.String()) != "" && httpapi.LoopbackHost(hostPort(r.Host)) != ""
}

// hostPort returns a Host header with a port.
func hostPort(host string) string {
	if _, _, err := net.SplitHostPort(host); err == nil {
		return host
	}
	return net.JoinHostPort(strings.Trim(host, "[]"), "80")
}

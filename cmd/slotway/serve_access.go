package main

import (
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"slices"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/access"
)

// openDoor is the error of a service that anybody would reach and nobody would be asked by.
const openDoor = `other machines can reach %s, and nobody would be asked for a key: everybody who connects could read, change and import everything; do one of these:
  make a key:            slotway keys new --name web --user alice --file keys.yaml
    and ask for it:      slotway --set server.auth.keys_file=keys.yaml serve
  keep to this machine:  slotway serve --addr 127.0.0.1:8080
  leave it open:         slotway --set server.auth.open=` + config.OpenKnown + ` serve`

// asksOrStays refuses a service that is open to other machines, unless it was said that this
// is known. addr is where it listens, or is to.
func asksOrStays(s *config.Settings, addr string) error {
	auth := &s.Server.Auth
	if auth.Asks() || auth.Open == config.OpenKnown || httpapi.LoopbackHost(addr) != "" {
		return nil
	}
	return fmt.Errorf("refused to listen: "+openDoor, addr)
}

// asksOrStaysEarly is asksOrStays before anything was opened or written. A name is taken: what
// it means shows when it is listened on.
func asksOrStaysEarly(s *config.Settings) error {
	host, _, _ := net.SplitHostPort(s.Server.Addr) // settings hold no other form
	if _, err := netip.ParseAddr(host); err != nil && host != "" {
		return nil
	}
	return asksOrStays(s, s.Server.Addr)
}

// guard settles who may ask, how often and from which pages. addr is what is listened on;
// warnings for the operator go to warn.
func guard(all *config.Settings, addr net.Addr, o *httpapi.Options, warn io.Writer) error {
	s := all.Server
	if err := asksOrStays(all, addr.String()); err != nil {
		return err
	}
	tell := func(format string, args ...any) { fmt.Fprintf(warn, "slotway: "+format+"\n", args...) }
	who, err := access.FromSettings(s.Auth, &access.OpenOptions{Secret: os.Getenv, Told: func(err error) {
		if err != nil {
			tell("%v", err)
			return
		}
		tell("the API keys were read again")
	}})
	if err != nil {
		return err
	}
	o.Rate, o.MaxStreams, o.Origins = s.Limits.Rate, s.Limits.Streams, s.CORS
	loopback := httpapi.LoopbackHost(addr.String())
	switch {
	case who != nil:
		o.Access = who // never a nil *Bearer in it
	case loopback != "":
		o.Loopback = loopback
		if host, _, err := net.SplitHostPort(s.Addr); err == nil {
			o.Loopback = host // as it is written, which may be a name
		}
		if !all.Given("server.limits.rate") {
			o.Rate = 0 // they are all this machine's own programs, or behind one proxy of it
		}
	default:
		tell("warning: server.auth.open: listening on %s, which other machines may reach, and nobody is asked for a key: all may do everything", addr)
	}
	if who == nil && slices.Contains(s.CORS, "*") {
		tell(`warning: server.cors is "*" and nobody is asked for a key: every page that somebody opens may talk here`)
	}
	return nil
}

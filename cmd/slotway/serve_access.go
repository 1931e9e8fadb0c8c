package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"slices"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/access"
)

// guard settles who may ask, how often and from which pages. addr is what is listened on;
// warnings for the operator go to warn.
func guard(all *config.Settings, addr net.Addr, o *httpapi.Options, warn io.Writer) error {
	s := all.Server
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
		tell("warning: listening on %s, which other machines may reach, and nobody is asked for a key; set server.auth.keys_file (slotway keys new) or listen on 127.0.0.1", addr)
	}
	if who == nil && slices.Contains(s.CORS, "*") {
		tell(`warning: server.cors is "*" and nobody is asked for a key: every page that somebody opens may talk here`)
	}
	return nil
}

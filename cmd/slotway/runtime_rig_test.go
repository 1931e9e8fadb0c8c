package main

import (
	"context"
	"net"
	"net/http"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/archive"
	"github.com/slotway/slotway/router/httpapi"
)

// newApp opens an agent as the commands do.
func newApp(ctx context.Context, f *flags, o slotway.Options) (*slotway.Runtime, error) {
	return f.open(ctx, o)
}

// service is a runtime behind HTTP.
type service struct {
	http.Handler

	app *slotway.Runtime
	api *httpapi.API
}

// newService puts a runtime behind HTTP.
func newService(r *slotway.Runtime) *service {
	h := r.Handler()
	return &service{h, r, h.(interface{ API() *httpapi.API }).API()}
}

// newLocalService is a service that is asked on a loopback address, as one without keys must be.
func newLocalService(r *slotway.Runtime) *service {
	s, local := newService(r), &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}
	h := s.Handler
	s.Handler = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		h.ServeHTTP(w, req.WithContext(context.WithValue(req.Context(), http.LocalAddrContextKey, local)))
	})
	return s
}

// archiveOf is the archive of a runtime.
func archiveOf(r *slotway.Runtime) *archive.Tier {
	tier, err := memory.TierOf[*archive.Tier](r.Tiers())
	if err != nil {
		panic(err)
	}
	return tier
}

// onMCP is the MCP server of a service whose keys are named as their users; the header X-User
// says whose key a request has.
func onMCP(h http.Handler, keys map[string]string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("Authorization", "Bearer "+keys[r.Header.Get("X-User")])
		h.ServeHTTP(w, r)
	})
}

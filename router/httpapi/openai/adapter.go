package openai

import (
	"net/http"
	"time"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/access"
)

// Store is the part of a backend that the Adapter uses.
type Store interface {
	memory.Store
	memory.Reader
	memory.Admin
	memory.Views
}

// Options configure an Adapter.
type Options struct {
	Store Store                // where the router keeps its sessions; required
	Agent func() *config.Agent // returns the current definition; required
	Now   func() time.Time     // the clock; default time.Now

	// Digests makes digests of histories and of ids; those of the store. Required if the store
	// outlives the process.
	Digests *memory.Digests
}

const (
	// again is how long a message that finds its session by the history alone counts as sent again, where
	// a conversation that went alike has answered it.
	again = 10 * time.Minute
	// timeout bounds the work besides the turn: finding its session and adding its index entry.
	timeout = 10 * time.Second
)

// Adapter serves the OpenAI-compatible routes. It is safe for concurrent use.
type Adapter struct {
	opts    Options
	digests digests
	since   time.Time // when the adapter was made: a model's created
}

var _ httpapi.Adapter = (*Adapter)(nil)

// New returns an Adapter over the store of the API's router.
func New(opts *Options) *Adapter {
	f := &Adapter{opts: *opts, digests: digests{opts.Digests}}
	if f.opts.Now == nil {
		f.opts.Now = time.Now
	}
	f.since = f.opts.Now()
	return f
}

// server is the adapter in one API.
type server struct {
	*Adapter
	api *httpapi.API
}

// handler answers a request. If it returns an error, it has written nothing.
type handler func(w http.ResponseWriter, r *http.Request) error

// Routes implements httpapi.Adapter.
func (f *Adapter) Routes(a *httpapi.API) []httpapi.Route {
	s := &server{f, a}
	var all []httpapi.Route
	for _, r := range [...]struct {
		method, path string
		handle       handler
	}{
		{http.MethodPost, "/v1/chat/completions", s.completions},
		{http.MethodPost, "/v1/responses", s.respond},
		{http.MethodGet, "/v1/responses/{id}", s.response},
		{http.MethodDelete, "/v1/responses/{id}", s.deleteResponse},
		{http.MethodPost, "/v1/conversations", s.createConversation},
		{http.MethodGet, "/v1/conversations/{id}", s.conversation},
		{http.MethodDelete, "/v1/conversations/{id}", s.deleteConversation},
		{http.MethodGet, "/v1/models", s.models},
		{http.MethodGet, "/v1/models/{model}", s.model},
	} {
		all = append(all, httpapi.Route{Method: r.method, Path: r.path, Scope: access.Chat, Refuse: refuse, Handler: func(w http.ResponseWriter, req *http.Request) {
			if err := r.handle(w, req); err != nil {
				writeFault(w, toAPIError(err))
			}
		}})
	}
	return all
}

// owner returns the key of a request's sessions, without a session.
func (f *Adapter) owner(r *http.Request) memory.Key {
	return memory.Key{UserID: access.From(r.Context()).UserID, AgentID: f.opts.Agent().ID}
}

package openai

import (
	"context"
	"net/http"
	"time"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/access"
)

// Store is what the Adapter needs of a backend.
type Store interface {
	memory.Store
	memory.Reader
	memory.Admin
	memory.Transfer
	memory.Views
}

// Options are what a Adapter works with.
type Options struct {
	Store Store                // where the router keeps its sessions; required
	Agent func() *config.Agent // the definition that answers now; required
	Now   func() time.Time     // the clock; default time.Now

	// Again is how long a message that finds its session by the history alone counts as sent
	// again, where a conversation that went alike has answered it. Default 10m.
	Again time.Duration
	// Shared says that other processes answer over the same store.
	Shared bool
	// Locks keeps answers to one old question in line across processes; nil: within this one.
	Locks SessionLocks
	// Digests name histories and what follows from them; those of the store. Required where a
	// store outlives the process.
	Digests *memory.Digests
	// Timeout bounds what a request does besides its turn: finding its session, and noting
	// where the next message finds it. Default 10s.
	Timeout time.Duration
}

// SessionLocks let one at a time in, of all processes that share a store.
type SessionLocks interface {
	// Enter waits for the lane of a key and returns how to leave again.
	Enter(ctx context.Context, key memory.Key) (leave func(), err error)
}

// Adapter is the OpenAI-compatible part of a service. It is safe for concurrent use.
type Adapter struct {
	opts      Options
	hints     hints
	digests   digests
	questions *lanes
	since     time.Time // when the face was made: what a model's created says
}

var _ httpapi.Adapter = (*Adapter)(nil)

// New returns a face over the store that the API's router uses.
func New(opts *Options) *Adapter {
	f := &Adapter{opts: *opts, questions: newLanes(), digests: digests{opts.Digests}}
	if f.opts.Now == nil {
		f.opts.Now = time.Now
	}
	if f.opts.Timeout <= 0 {
		f.opts.Timeout = 10 * time.Second
	}
	if f.opts.Again <= 0 {
		f.opts.Again = 10 * time.Minute
	}
	f.since = f.opts.Now()
	f.hints.since = f.since
	return f
}

// server is the face of one API.
type server struct {
	*Adapter
	api *httpapi.API
}

// handler answers, or says what is wrong; it has then written nothing.
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

// owner is the key of a request's sessions, without a session.
func (f *Adapter) owner(r *http.Request) memory.Key {
	return memory.Key{UserID: access.From(r.Context()).UserID, AgentID: f.opts.Agent().ID}
}

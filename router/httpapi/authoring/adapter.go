package authoring

import (
	"context"
	"net/http"

	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/access"
)

// Options configure an Adapter. What is nil is not offered.
type Options struct {
	// AgentFile is the agent's file as replays name it; "": the embedded agent.
	AgentFile string
	// Evaluate measures the examples of an agent.
	Evaluate Evaluate
	// Label finds stored messages that may become examples.
	Label *Label
	// Context ends an evaluation that is under way; nil: only its own end and a request do.
	Context context.Context //nolint:containedctx // of the program, not of a call
}

// Adapter serves the routes of authors. It needs httpapi.Options.Memory.
type Adapter struct{ opts Options }

var _ httpapi.Author = (*Adapter)(nil)

// New returns an adapter.
func New(opts Options) *Adapter {
	if opts.Context == nil {
		opts.Context = context.Background()
	}
	return &Adapter{opts}
}

// Routes implements httpapi.Adapter. What shows or changes the agent's examples, or costs minutes of
// computing, needs the scope admin.
func (f *Adapter) Routes(a *httpapi.API) []httpapi.Route {
	if a.Memory() == nil {
		return nil
	}
	s := &server{api: a, opts: f.opts}
	const evaluation, label = "/v1/evaluation", "/v1/label"
	return []httpapi.Route{
		{Method: http.MethodGet, Path: "/v1/sessions/{id}/replay", Scope: access.Read, Handler: s.replay},
		{Method: http.MethodGet, Path: evaluation, Scope: access.Admin, Handler: httpapi.JSON(s.evaluation)},
		{Method: http.MethodPost, Path: evaluation, Scope: access.Admin, Handler: httpapi.JSON(s.startEvaluation)},
		{Method: http.MethodDelete, Path: evaluation, Scope: access.Admin, Handler: httpapi.JSON(s.cancelEvaluation)},
		{Method: http.MethodGet, Path: label, Scope: access.Admin, Handler: httpapi.JSON(s.groups)},
		{Method: http.MethodPost, Path: label, Scope: access.Admin, Handler: httpapi.JSON(s.label)},
	}
}

// Features implements httpapi.Author.
func (f *Adapter) Features() []string {
	list := []string{"replay"}
	if f.opts.Evaluate != nil {
		list = append(list, "evaluate")
	}
	if f.opts.Label != nil {
		list = append(list, "label")
	}
	return list
}

// server answers the routes over one API.
type server struct {
	api  *httpapi.API
	opts Options

	evaluating evaluating
	labelling  labelling
}

// notEnabled is the problem of a feature that this service does not offer.
func notEnabled(what string) *httpapi.Problem {
	return &httpapi.Problem{Status: http.StatusNotImplemented, Code: "not_enabled", Title: "This is not enabled", Detail: what}
}

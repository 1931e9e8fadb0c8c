package authoring

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

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
		{Method: http.MethodGet, Path: evaluation, Scope: access.Admin, Handler: answered(s.evaluation)},
		{Method: http.MethodPost, Path: evaluation, Scope: access.Admin, Handler: answered(s.startEvaluation)},
		{Method: http.MethodDelete, Path: evaluation, Scope: access.Admin, Handler: answered(s.cancelEvaluation)},
		{Method: http.MethodGet, Path: label, Scope: access.Admin, Handler: answered(s.groups)},
		{Method: http.MethodPost, Path: label, Scope: access.Admin, Handler: answered(s.label)},
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

// answered makes a handler of a function that returns a JSON document or an error.
func answered(do func(w http.ResponseWriter, r *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, err := do(w, r)
		if err != nil {
			httpapi.WriteProblem(w, httpapi.Explain(err))
			return
		}
		httpapi.WriteJSON(w, http.StatusOK, "application/json", v)
	}
}

// notEnabled is the problem of a feature that this service does not offer.
func notEnabled(what string) *httpapi.Problem {
	return &httpapi.Problem{Status: http.StatusNotImplemented, Code: "not_enabled", Title: "This is not enabled", Detail: what}
}

// noQuery refuses a request with a query: none of the routes has parameters.
func noQuery(r *http.Request) error {
	if r.URL.RawQuery != "" {
		return &httpapi.Problem{Status: http.StatusBadRequest, Code: "bad_query", Title: "The request cannot be taken", Detail: "This path has no query parameters."}
	}
	return nil
}

// decode reads a JSON body strictly.
func (s *server) decode(w http.ResponseWriter, r *http.Request, into any) error {
	body, err := s.api.ReadBody(w, r)
	if err != nil {
		return err
	}
	dec := json.NewDecoder(strings.NewReader(string(body)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return &httpapi.Problem{Status: http.StatusBadRequest, Code: "bad_json", Title: "The request cannot be taken", Detail: "The body is not JSON of the form that openapi.json describes."}
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return &httpapi.Problem{Status: http.StatusBadRequest, Code: "bad_json", Title: "The request cannot be taken", Detail: "Something follows the JSON object."}
	}
	return nil
}

package httpapi

import (
	"cmp"
	"maps"
	"net/http"
	"slices"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi/access"
	"github.com/slotway/slotway/router/telemetry"
)

// agentView is the served agent and its caller.
type agentView struct {
	ID          string         `json:"id"`
	Description string         `json:"description"`
	Language    string         `json:"language"`
	User        string         `json:"user"`
	Scopes      []access.Scope `json:"scopes"`
	Machine     machineView    `json:"machine"`
	Intents     []intentView   `json:"intents"`
	Params      []paramView    `json:"params"`
	Tools       []toolView     `json:"tools"`
	Authoring   []string       `json:"authoring,omitempty"` // what this service does for authors
	Reload      *Reload        `json:"reload,omitempty"`    // of the files that are watched; for admins
	Pages       pagesView      `json:"pages"`
}

// pagesView says from which web pages the agent can be talked to.
type pagesView struct {
	Visitors bool     `json:"visitors"` // people without a credential may talk through the widget
	Origins  []string `json:"origins"`  // whose pages may send requests besides our own; "*": all
}

type machineView struct {
	Initial     string           `json:"initial"`
	Resting     []string         `json:"resting"`
	Transitions []transitionView `json:"transitions"`
}

type transitionView struct {
	From string `json:"from"`
	On   string `json:"on"`
	To   string `json:"to"`
}

type intentView struct {
	ID          string   `json:"id"`
	Title       string   `json:"title"` // its name for users
	Description string   `json:"description"`
	Example     string   `json:"example"` // a message that begins it; "" if it has none
	Task        bool     `json:"task"`    // it may be offered
	AnswerOnly  bool     `json:"answer_only"`
	System      bool     `json:"system"`
	Params      []string `json:"params"`
}

type paramView struct {
	Name     string       `json:"name"`
	Type     string       `json:"type"`
	Label    string       `json:"label"`
	Scope    config.Scope `json:"scope"`
	Redacted bool         `json:"redacted"`
}

type toolView struct {
	Name   string        `json:"name"`
	Kind   string        `json:"kind"`
	Effect config.Effect `json:"effect"`
}

// agent describes the served agent to its caller.
func (a *API) agent(_ http.ResponseWriter, r *http.Request) (any, error) {
	if q := readQuery(r); q.err != nil {
		return nil, q.err
	}
	who, def := access.From(r.Context()), a.opts.Agent()
	v := agentView{
		ID: def.ID, Description: def.Description, Language: def.Language, User: who.UserID, Scopes: append([]access.Scope{}, who.Scopes...),
		Machine: viewMachine(), Intents: []intentView{}, Params: []paramView{}, Tools: []toolView{},
		Pages: pagesView{Visitors: a.opts.Visitors != nil, Origins: append([]string{}, a.opts.Origins...)},
	}
	tasks := def.Tasks()
	for _, list := range [][]*config.Intent{def.Intents, def.System, def.NotServed} {
		for _, in := range list {
			if in.Internal {
				continue // no message begins it
			}
			v.Intents = append(v.Intents, viewIntent(def, in, slices.Contains(tasks, in)))
		}
	}
	hidden := telemetry.NewRedactor(def)
	for _, name := range slices.Sorted(maps.Keys(def.Params)) {
		p := def.Params[name]
		pv := paramView{Name: name, Label: p.Label, Scope: cmp.Or(p.Scope, config.ScopePlan), Redacted: hidden.Hides(name)}
		if p.Type != nil {
			pv.Type = cmp.Or(p.Type.Name, p.Type.Builtin)
		}
		v.Params = append(v.Params, pv)
	}
	for _, name := range slices.Sorted(maps.Keys(def.Tools)) {
		v.Tools = append(v.Tools, toolView{name, def.Tools[name].Kind, def.Tools[name].Effect})
	}
	if a.opts.Reload != nil && who.Has(access.Admin) {
		v.Reload = a.opts.Reload()
	}
	for _, f := range a.opts.Adapters {
		if author, ok := f.(Author); ok {
			v.Authoring = append(v.Authoring, author.Features()...)
		}
	}
	return v, nil
}

func viewIntent(def *config.Agent, in *config.Intent, task bool) intentView {
	v := intentView{
		ID: in.ID, Title: in.Called(), Description: in.Description, Example: sample(in), Task: task,
		AnswerOnly: in.AnswerOnly, System: in.System, Params: []string{},
	}
	if in.ID == def.Classifier.Fallback {
		v.Example = "" // it begins with what nothing else understands
	}
	for _, p := range in.AllParams() {
		v.Params = append(v.Params, p.Name)
	}
	return v
}

// sample returns a message that begins an intent: its first example without a value, else its first
// one; "" if it has none.
func sample(in *config.Intent) string {
	first := ""
	for _, e := range in.Examples {
		if e.Asked != "" {
			continue
		}
		if len(e.Spans) == 0 {
			return e.Text
		}
		first = cmp.Or(first, e.Text)
	}
	return first
}

// viewMachine shows the state table of a turn.
func viewMachine() machineView {
	v := machineView{Initial: router.Initial, Resting: []string{}}
	for _, t := range router.Machine() {
		v.Transitions = append(v.Transitions, transitionView(t))
		if router.Rests(t.To) && !slices.Contains(v.Resting, t.To) {
			v.Resting = append(v.Resting, t.To)
		}
	}
	return v
}

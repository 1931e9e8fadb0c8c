package planner

import (
	"maps"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/phrase"
)

// say returns a step with a built-in response. Its variants are used in turn, over the whole
// session.
func say(st *Turn, id string, env map[string]any) Respond {
	return worded(st, id, st.def.SystemResponse(id), env)
}

// sayOwn returns a step with a response that a plan names: the agent's own, else the built-in one.
func sayOwn(st *Turn, id string, env map[string]any) Respond {
	return worded(st, id, st.def.Response(id), env)
}

func worded(st *Turn, id string, resp *config.Response, env map[string]any) Respond {
	return Respond{Response: id, Text: variant(st, id, resp, env), counts: resp != nil && len(resp.Variants) > 1}
}

// render words a built-in response; "" if there is none by that name.
func render(st *Turn, id string, env map[string]any) string {
	return variant(st, id, st.def.SystemResponse(id), env)
}

func variant(st *Turn, id string, resp *config.Response, env map[string]any) string {
	return variantOf(st, id, resp).Render(env)
}

// variantOf returns the next variant of a response, nil if there is none.
func variantOf(st *Turn, id string, resp *config.Response) *phrase.Text {
	if resp == nil || len(resp.Variants) == 0 {
		return nil
	}
	return resp.Variants[st.Said[id]%len(resp.Variants)]
}

// later puts a built-in response on the agenda.
func (st *Turn) later(id string, extra map[string]any) {
	st.put(say(st, id, st.saying(extra)))
}

// laterOwn puts a response that a plan names on the agenda.
func (st *Turn) laterOwn(id string, extra map[string]any) {
	st.put(sayOwn(st, id, st.saying(extra)))
}

// saying returns the names that a response may use: what is known, and extra.
func (st *Turn) saying(extra map[string]any) map[string]any {
	env := st.env(st.intent(st.def))
	maps.Copy(env, extra)
	return env
}

func (st *Turn) put(r Respond) {
	r.agenda = true
	st.Agenda = append(st.Agenda, r)
}

func join(parts ...string) string {
	kept := parts[:0:0]
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, " ")
}

// spaced replaces underscores by spaces.
func spaced(name string) string { return strings.ReplaceAll(name, "_", " ") }

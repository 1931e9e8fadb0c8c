package planner

import (
	"maps"
	"strings"

	"github.com/slotway/slotway/config"
)

// say makes a step of a response. Variants are taken in turn, counted over the session.
func say(def *config.Agent, st *State, id string, env map[string]any) Respond {
	r := Respond{Response: id, Text: render(def, st, id, env)}
	if resp := def.Responses[id]; resp != nil && len(resp.Variants) > 1 {
		r.counts = true
	}
	return r
}

// render words a response; "" when there is none by that name.
func render(def *config.Agent, st *State, id string, env map[string]any) string {
	resp := def.Responses[id]
	if resp == nil || len(resp.Variants) == 0 {
		return ""
	}
	return resp.Variants[st.Said[id]%len(resp.Variants)].Render(env)
}

// later puts a response on the agenda.
func (st *State) later(def *config.Agent, id string, extra map[string]any) {
	env := st.env(activeIntent(def, st))
	maps.Copy(env, extra)
	r := say(def, st, id, env)
	r.agenda = true
	st.Agenda = append(st.Agenda, r)
}

func activeIntent(def *config.Agent, st *State) *config.Intent {
	if st.Active == nil {
		return nil
	}
	return def.Intent(st.Active.Intent)
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

// spaced is a name with spaces.
func spaced(name string) string { return strings.ReplaceAll(name, "_", " ") }

package config

import (
	"cmp"
	"strings"
)

// Intent returns an intent, a task, an answer or a system one, by its id; nil if there is none.
func (a *Agent) Intent(id string) *Intent {
	for _, list := range [...][]*Intent{a.Intents, a.System} {
		for _, in := range list {
			if in.ID == id {
				return in
			}
		}
	}
	return nil
}

// Param returns a param as an intent has it, merged with its overrides; of an intent
// that does not have it, the shared declaration; nil if there is none either.
func (a *Agent) Param(intentID, name string) *Param {
	if in := a.Intent(intentID); in != nil {
		if p := in.Param(name); p != nil {
			return p
		}
	}
	return a.Params[name]
}

// AllParams returns every param of the intent once: the required ones, those of the
// alternatives, then the optional ones, each in declared order.
func (in *Intent) AllParams() []*Param {
	var out []*Param
	seen := map[string]bool{}
	add := func(list []*Param) {
		for _, p := range list {
			if !seen[p.Name] {
				seen[p.Name] = true
				out = append(out, p)
			}
		}
	}
	add(in.Required)
	for _, group := range in.OneOf {
		add(group)
	}
	add(in.Optional)
	return out
}

// Param returns the intent's param of that name; nil if it has none.
func (in *Intent) Param(name string) *Param {
	for _, list := range append([][]*Param{in.Required, in.Optional}, in.OneOf...) {
		for _, p := range list {
			if p.Name == name {
				return p
			}
		}
	}
	return nil
}

// Called is how the intent is called in front of users: its title, else its description,
// else its id with spaces.
func (in *Intent) Called() string {
	return cmp.Or(in.Title, in.Description, strings.ReplaceAll(in.ID, "_", " "))
}

// Writes reports whether an intent's plan may change the world.
func (a *Agent) Writes(in *Intent) bool {
	found := false
	Walk(in.Plan, func(s *Step) {
		t := a.Tools[s.Tool]
		found = found || s.Kind == StepCall && t != nil && t.Effect == EffectWrite
	})
	return found
}

// Walk calls visit for each step of a plan, those of blocks after the block itself.
func Walk(steps []*Step, visit func(*Step)) {
	for _, s := range steps {
		visit(s)
		Walk(s.Then, visit)
		Walk(s.Else, visit)
	}
}

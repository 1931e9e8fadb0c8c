package config

import (
	"cmp"
	"slices"
	"strings"
)

// Intent returns an intent by id: a task, an answer, a system intent, one that is not served or the
// element of a list; nil if there is none.
func (a *Agent) Intent(id string) *Intent {
	for _, list := range [...][]*Intent{a.Intents, a.System, a.NotServed, a.Elements} {
		for _, in := range list {
			if in.ID == id {
				return in
			}
		}
	}
	return nil
}

// Param returns a param of an intent, merged with the intent's overrides; for a param that the
// intent does not have, the shared declaration; nil if there is none.
func (a *Agent) Param(intentID, name string) *Param {
	if in := a.Intent(intentID); in != nil {
		if p := in.Param(name); p != nil {
			return p
		}
	}
	return a.Params[name]
}

// AllParams returns every param of the intent once: the required ones, those of the alternatives,
// then the optional ones, each in declared order.
func (in *Intent) AllParams() []*Param {
	n := 0
	for list := range in.paramLists {
		n += len(list)
	}
	if n == 0 {
		return nil
	}
	return in.appendParams(make([]*Param, 0, n))
}

// EachParam yields what AllParams returns, without a list of it: the dialogue rules go through the
// params of a task many times a turn.
func (in *Intent) EachParam(yield func(*Param) bool) {
	var room [usualParams]*Param
	for _, p := range in.appendParams(room[:0]) {
		if !yield(p) {
			return
		}
	}
}

// usualParams is how many params nearly every intent has at most.
const usualParams = 16

func (in *Intent) appendParams(out []*Param) []*Param {
	for list := range in.paramLists {
		for _, p := range list {
			if !slices.ContainsFunc(out, func(o *Param) bool { return o.Name == p.Name }) { // only a handful: a set costs more
				out = append(out, p)
			}
		}
	}
	return out
}

// paramLists yields the lists in which an intent declares its params.
func (in *Intent) paramLists(yield func([]*Param) bool) {
	if !yield(in.Required) {
		return
	}
	for _, group := range in.OneOf {
		if !yield(group) {
			return
		}
	}
	yield(in.Optional)
}

// Param returns the intent's param of that name; nil if it has none.
func (in *Intent) Param(name string) *Param {
	p := cmp.Or(named(in.Required, name), named(in.Optional, name))
	for i := 0; p == nil && i < len(in.OneOf); i++ {
		p = named(in.OneOf[i], name)
	}
	return p
}

// Follows reports whether a message can mean the intent after some others have just ended.
func (in *Intent) Follows(ended []string) bool {
	just := func(id string) bool { return slices.Contains(ended, id) }
	return in.After == nil || slices.ContainsFunc(in.After, just)
}

// named returns the param of that name in a list; nil if there is none.
func named(list []*Param, name string) *Param {
	for _, p := range list {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// Called returns the intent's name for users: its title, else its description, else its id with
// spaces.
func (in *Intent) Called() string {
	return cmp.Or(in.Title, in.Description, strings.ReplaceAll(in.ID, "_", " "))
}

// Writes reports whether an intent's plan, or that of a sub-task, calls a tool that writes.
func (a *Agent) Writes(in *Intent) bool {
	found, runs := false, false
	note := func(s *Step) {
		t := a.Tools[s.Tool]
		found = found || s.Kind == StepCall && t != nil && t.Effect == EffectWrite
		runs = runs || s.Kind == StepRun
	}
	Walk(in.Plan, note)
	if runs && !found {
		a.WalkAll(in, note)
	}
	return found
}

// Walk calls visit for each step of a plan: a block first, then its steps.
func Walk(steps []*Step, visit func(*Step)) {
	for _, s := range steps {
		visit(s)
		Walk(s.Then, visit)
		Walk(s.Else, visit)
	}
}

// WalkAll calls visit for each step of an intent's plan and of the plans that it runs, each plan
// once.
func (a *Agent) WalkAll(in *Intent, visit func(*Step)) {
	seen := map[string]bool{}
	var walk func(*Intent)
	walk = func(in *Intent) {
		if in == nil || seen[in.ID] {
			return
		}
		seen[in.ID] = true
		Walk(in.Plan, func(s *Step) {
			visit(s)
			if s.Kind == StepRun {
				walk(a.Intent(s.Run))
			}
		})
	}
	walk(in)
}

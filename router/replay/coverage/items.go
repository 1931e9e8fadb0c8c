package coverage

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/planner"
)

// addIntent adds an intent with its params, steps and branches.
func (r *Report) addIntent(in *config.Intent) {
	r.add(Item{
		Kind: Intents, Name: in.ID, Intent: in.ID, File: in.Pos.File, Line: in.Pos.Line,
		Reached: r.seen[planner.Passage{Intent: in.ID}],
	})
	askable := asked(in)
	for _, p := range in.AllParams() {
		i := Item{Kind: Params, Intent: in.ID, Param: p.Name, File: in.Pos.File, Line: in.Pos.Line}
		if askable[p.Name] {
			i.Name, i.Way, i.Reached = in.ID+": "+p.Name+" is asked for", wayAsked, r.seen[planner.Passage{Intent: in.ID, Param: p.Name, Asked: true}]
			r.add(i)
		}
		i.Name, i.Way, i.Reached = in.ID+": "+p.Name+" is given", wayKnown, r.seen[planner.Passage{Intent: in.ID, Param: p.Name}]
		r.add(i)
	}
	config.Walk(in.Plan, func(s *config.Step) { r.addStep(in, s) })
}

// asked returns the params that the dialogue itself asks for. Of several groups of which one
// suffices, a group of one param is asked for only if it is the first.
func asked(in *config.Intent) map[string]bool {
	out := map[string]bool{}
	for _, p := range in.Required {
		out[p.Name] = true
	}
	for i, group := range in.OneOf {
		for _, p := range group {
			out[p.Name] = out[p.Name] || i == 0 || len(group) > 1
		}
	}
	for _, p := range in.Optional {
		out[p.Name] = out[p.Name] || p.Ask
	}
	return out
}

// addStep adds a step and its branches.
func (r *Report) addStep(in *config.Intent, s *config.Step) {
	i := Item{Kind: Steps, Name: in.ID + ": " + called(s), Intent: in.ID, Step: s.ID, File: s.Pos.File, Line: s.Pos.Line}
	i.Reached = r.seen[planner.Passage{Intent: in.ID, Step: s.ID}]
	if s.Kind == config.StepAsk { // a question for a param has no step of its own
		i.Reached = r.seen[planner.Passage{Intent: in.ID, Param: s.Param, Asked: true}]
	}
	performed := i.Reached
	if s.Kind != config.StepWhen {
		r.add(i)
	}
	for _, b := range branches(s) {
		i.Kind, i.Way, i.Name = Branches, b.way, in.ID+": "+called(s)+", "+b.name
		i.Reached = r.seen[planner.Passage{Intent: in.ID, Step: s.ID, Way: b.way}] ||
			performed && s.Kind == config.StepAsk && b.way == planner.WayYes
		r.add(i)
	}
}

// digest ends the id of a step to which the file gives none.
var digest = regexp.MustCompile(`\.[0-9a-f]{8}$`)

// called names a step: by its id in the file, else by what it does.
func called(s *config.Step) string {
	plain := digest.ReplaceAllString(s.ID, "")
	if plain == s.ID {
		return s.ID
	}
	return strings.Replace(plain, ".", " ", 1)
}

// branch is a way out of a step.
type branch struct{ way, name string }

// branches returns the ways out of a step that has several.
func branches(s *config.Step) []branch {
	var out []branch
	if s.When != nil {
		out = append(out, branch{planner.WayYes, "if " + s.When.Source}, branch{planner.WayNo, "if not " + s.When.Source})
	}
	if s.Kind == config.StepConfirm {
		if s.When == nil { // else a yes looks like a condition that holds
			out = append(out, branch{planner.WayYes, "affirmed"})
		}
		out = append(out, branch{planner.WayDenied, "denied"})
	}
	for _, code := range slices.Sorted(maps.Keys(s.OnError)) {
		out = append(out, branch{code, "on error " + code})
	}
	return out
}

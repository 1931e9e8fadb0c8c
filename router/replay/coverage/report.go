package coverage

import (
	"cmp"
	"maps"
	"slices"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/planner"
)

// Kind is a kind of parts of an agent.
type Kind string

// The kinds, in the order of a report.
const (
	Intents   Kind = "intents"
	Params    Kind = "params"    // for each param of an intent: asked for, and known
	Steps     Kind = "steps"     // of the plans, without the conditions
	Branches  Kind = "branches"  // both ways of each condition and confirmation, and the ways of on_error
	Responses Kind = "responses" // of the agent's file
)

// Kinds are all kinds, in the order of a report.
var Kinds = []Kind{Intents, Params, Steps, Branches, Responses}

// Item is one part of an agent.
type Item struct {
	Kind    Kind   `json:"kind"`
	Name    string `json:"name"` // what it is, for people
	Intent  string `json:"intent,omitempty"`
	Param   string `json:"param,omitempty"`
	Step    string `json:"step,omitempty"`
	Way     string `json:"way,omitempty"` // of a branch: yes, no, denied or a key of on_error; of a param: asked or known
	File    string `json:"file"`
	Line    int    `json:"line"`
	Reached bool   `json:"reached"`
}

// The ways of a param.
const (
	wayAsked = "asked"
	wayKnown = "known"
)

// Count counts the items of a kind.
type Count struct {
	Kind    Kind `json:"kind"`
	Reached int  `json:"reached"`
	All     int  `json:"all"`
}

// Percent returns the reached share; 100 of nothing.
func (c Count) Percent() float64 {
	if c.All == 0 {
		return 100
	}
	return 100 * float64(c.Reached) / float64(c.All)
}

// Report says which parts of an agent were reached.
type Report struct {
	Agent   string  `json:"agent"` // its id
	Percent float64 `json:"percent"`
	Kinds   []Count `json:"kinds"`
	Items   []Item  `json:"items"`

	seen map[planner.Passage]bool
}

// Report compares what was collected with an agent.
func (c *Collector) Report(a *config.Agent) *Report {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := &Report{Agent: a.ID, seen: maps.Clone(c.passages)}
	for _, in := range slices.Concat(a.Intents, ownSystem(a)) {
		r.addIntent(in)
	}
	for _, in := range a.NotServed {
		r.add(Item{Kind: Intents, Name: in.ID, Intent: in.ID, File: in.Pos.File, Line: in.Pos.Line, Reached: c.heard[in.ID]})
	}
	byPlace := func(x, y *config.Response) int {
		return cmp.Or(cmp.Compare(x.Pos.Line, y.Pos.Line), cmp.Compare(x.ID, y.ID))
	}
	for _, said := range slices.SortedFunc(maps.Values(a.Responses), byPlace) {
		r.add(Item{Kind: Responses, Name: said.ID, File: said.Pos.File, Line: said.Pos.Line, Reached: c.responses[said.ID]})
	}
	for _, k := range Kinds {
		r.Kinds = append(r.Kinds, r.Count(k, ""))
	}
	r.Percent = r.Total().Percent()
	return r
}

// ownSystem returns the built-in intents that the agent's file gives a plan.
func ownSystem(a *config.Agent) []*config.Intent {
	var own []*config.Intent
	for _, in := range a.System {
		if len(in.Plan) > 0 && len(a.Intents) > 0 && in.Pos.File == a.Intents[0].Pos.File {
			own = append(own, in)
		}
	}
	return own
}

// Count counts the items of a kind; with an intent, only those of that intent.
func (r *Report) Count(kind Kind, intent string) Count {
	c := Count{Kind: kind}
	for _, i := range r.Items {
		if i.Kind == kind && (intent == "" || i.Intent == intent) {
			c.add(i)
		}
	}
	return c
}

// Intent counts all items of an intent.
func (r *Report) Intent(id string) Count {
	var c Count
	for _, i := range r.Items {
		if i.Intent == id {
			c.add(i)
		}
	}
	return c
}

// Total counts all items.
func (r *Report) Total() Count {
	var c Count
	for _, i := range r.Items {
		c.add(i)
	}
	return c
}

func (c *Count) add(i Item) {
	c.All++
	if i.Reached {
		c.Reached++
	}
}

// Missed returns the items that were not reached, in the order of the kinds and the file.
func (r *Report) Missed() []Item {
	var out []Item
	for _, k := range Kinds {
		for _, i := range r.Items {
			if i.Kind == k && !i.Reached {
				out = append(out, i)
			}
		}
	}
	return out
}

// Reached reports whether a node of an intent's flow was reached. step, param and part are the
// attributes of the node (config/flow); "" for one that it lacks.
func (r *Report) Reached(intent, step, param, part string) bool {
	saw := func(p planner.Passage) bool {
		p.Intent = intent
		return r.seen[p]
	}
	switch {
	case step != "" && part == "if":
		return saw(planner.Passage{Step: step, Way: planner.WayYes}) || saw(planner.Passage{Step: step, Way: planner.WayNo})
	case step != "" && part != "":
		return saw(planner.Passage{Step: step, Way: part})
	case step != "" && saw(planner.Passage{Step: step}):
		return true
	case param != "":
		return saw(planner.Passage{Param: param, Asked: true}) || saw(planner.Passage{Param: param})
	case step != "":
		return false
	}
	return saw(planner.Passage{})
}

func (r *Report) add(i Item) { r.Items = append(r.Items, i) }

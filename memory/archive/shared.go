package archive

import (
	"context"
	"slices"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/scopes"
)

// SharedView is what the user's other agents are told of a document, where both agents share
// what they know: its texts without what this agent hides. Another agent does not know what
// that is.
type SharedView struct {
	Title     string   `json:"title,omitempty"`
	Summary   string   `json:"summary,omitempty"`
	Topics    []string `json:"topics,omitempty"`
	Entities  []string `json:"entities,omitempty"`
	Decisions []string `json:"decisions,omitempty"`
	Questions []string `json:"questions,omitempty"`
}

// share adds to a document what other agents are told of it.
func (t *Tier) share(ctx context.Context, key memory.Key, d *Document) error {
	if !t.opts.Shared {
		return nil
	}
	hide := func(text string) string { return text }
	if t.opts.Redact != nil {
		var err error
		if hide, err = t.opts.Redact(ctx, key); err != nil {
			return err
		}
	}
	each := func(list []string) []string {
		var out []string
		for _, text := range list {
			out = append(out, hide(text))
		}
		return out
	}
	d.Shared = &SharedView{hide(d.Title), hide(d.Summary), each(d.Topics), each(d.Entities), each(d.Decisions), each(d.Questions)}
	return nil
}

// asShared is a document as another agent sees it. A piece of a text that an operator added is
// told as it is.
func (d Document) asShared() Document {
	if s := d.Shared; s != nil && s.Title != "" {
		d.Title, d.Summary, d.Topics, d.Entities, d.Decisions, d.Questions = s.Title, s.Summary, s.Topics, s.Entities, s.Decisions, s.Questions
	}
	return d
}

// foreign reports whether a scope is that of another agent than the one that asks.
func (q *Query) foreign(key scopes.Key) bool { return key.Agent != q.Key.AgentID }

// reachableScopes are the scopes that a query looks into: the user's own with the agent and the agent's
// documents, and, where knowledge is shared, the same of other agents, as far as those share it.
// No scope of another user is ever among them.
func (t *Tier) reachableScopes(ctx context.Context, q *Query) ([]scopes.Key, error) {
	own := q.scopes()
	if !t.opts.Shared {
		return own, nil
	}
	all := own
	for _, key := range own {
		infos, err := t.store.Sessions(ctx, memory.Query{UserID: key.User, All: true})
		if err != nil {
			return nil, err
		}
		var others []string
		for i := range infos {
			if agent := infos[i].Key.AgentID; infos[i].Key.UserID == key.User && agent != key.Agent {
				others = append(others, agent)
			}
		}
		slices.Sort(others)
		for _, agent := range slices.Compact(others) {
			all = append(all, scopes.Key{User: key.User, Agent: agent})
		}
	}
	return all, nil
}

// shared are the entries that another agent finds, as it finds them.
func shared(entries []*entry) []*entry {
	var out []*entry
	for _, e := range entries {
		if e.Shared != nil {
			told := *e
			told.Document = e.asShared()
			out = append(out, &told)
		}
	}
	return out
}

package httpapi

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/sessions"
)

// filterParams are the query parameters that select messages.
var filterParams = []string{"role", "tag", "min_importance", "from", "to"}

// filter reads filterParams.
func (q *query) filter() memory.Filter {
	f := memory.Filter{MinImportance: int(q.number("min_importance", 0, 0, memory.MaxImportance)), Since: q.time("from"), Until: q.time("to")}
	if role := memory.Role(q.values.Get("role")); role != "" {
		if !slices.Contains([]memory.Role{memory.User, memory.Agent, memory.Tool, memory.System}, role) {
			q.refuse("role", "must be user, agent, tool or system")
		}
		f.Roles = []memory.Role{role}
	}
	if tag := q.values.Get("tag"); tag != "" {
		tags, err := memory.CheckTags([]string{tag})
		if err != nil {
			q.refuse("tag", "is no tag")
		}
		f.Tags = tags
	}
	if !f.Until.IsZero() && f.Until.Before(f.Since) {
		q.refuse("to", "is before from")
	}
	return f
}

// momentForm describes the form of a moment.
const momentForm = "a day as in 2006-01-02 or a time as in 2006-01-02T15:04:05Z"

// momentField takes a moment.
func momentField(at *time.Time) Field {
	return Field{momentForm, func(raw []byte) error {
		var text string
		err := json.Unmarshal(raw, &text)
		if err == nil {
			*at, err = memory.ParseMoment(text)
		}
		return err
	}}
}

// time returns a moment; zero if it is missing.
func (q *query) time(name string) time.Time {
	v := q.values.Get(name)
	if v == "" {
		return time.Time{}
	}
	at, err := memory.ParseMoment(v)
	if err != nil {
		q.refuse(name, "must be "+momentForm)
	}
	return at
}

// filtered reads the messages that pass a filter. A tag that is masked for the caller matches nothing:
// a hit would confirm a guessed value.
func (a *API) filtered(f memory.Filter, masks *sessions.Masks) func(context.Context, memory.Key, memory.Page) ([]memory.Message, error) {
	if f.Any() {
		return a.opts.Memory.Store.Messages
	}
	return func(ctx context.Context, key memory.Key, page memory.Page) ([]memory.Message, error) {
		mask, err := masks.Of(ctx, key)
		if err != nil || slices.ContainsFunc(f.Tags, func(tag string) bool { return mask.Text(tag) != tag }) {
			return nil, err
		}
		return f.Of(ctx, a.opts.Memory.Store.Messages, key, page)
	}
}

// shownTags keeps the messages whose tags the caller may see.
func shownTags(found []memory.Recalled, tags []string) []memory.Recalled {
	return slices.DeleteFunc(found, func(r memory.Recalled) bool { return !r.Message.HasTags(tags) })
}

// tagsField takes the tags of a message; importanceField its importance.
func tagsField(at *[]string) Field {
	return Field{"a list of tags: 1 to 64 characters each, no comma", func(raw []byte) (err error) {
		var tags []string
		if err = ValueField("", &tags).Take(raw); err == nil {
			*at, err = memory.CheckTags(tags)
		}
		return err
	}}
}

func importanceField(at *int) Field {
	return Field{"a whole number from 0 to 3", func(raw []byte) error {
		if err := ValueField("", at).Take(raw); err != nil {
			return err
		}
		if *at < 0 || *at > memory.MaxImportance {
			return memory.ErrBadTags
		}
		return nil
	}}
}

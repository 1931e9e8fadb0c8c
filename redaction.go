package slotway

import (
	"context"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/sessions"
)

// kept remembers what the sessions looked at last have to hide.
func (r *Runtime) kept() *sessions.Kept {
	if r.shared == nil { // a command that runs no turns
		return sessions.NewKept(r.store, nil)
	}
	return r.shared.kept
}

// held are the values that redacted params are known to have had in sessions.
func (r *Runtime) redactedValues(ctx context.Context, keys ...memory.Key) (map[string]any, error) {
	return r.kept().Values(ctx, r.redactor(), keys...)
}

// mostAsked bounds the sessions of a user whose values are hidden in a question that belongs
// to no session: the newest.
const maxUserSessions = 50

// hiding makes what puts names in the place of redacted values in texts of sessions, for a
// server that compares texts. Each text is named by itself: the same text stays the same.
func (r *Runtime) redactTexts(ctx context.Context, keys ...memory.Key) (func(string) string, error) {
	var all []memory.Key
	for _, key := range keys {
		if key.SessionID != "" {
			all = append(all, key)
			continue
		}
		list, err := r.store.Sessions(ctx, memory.Query{UserID: key.UserID, AgentID: key.AgentID, Limit: maxUserSessions})
		if err != nil {
			return nil, err
		}
		for i := range list {
			all = append(all, list[i].Key)
		}
	}
	values, err := r.redactedValues(ctx, all...)
	if err != nil {
		return nil, err
	}
	redactor := r.redactor()
	return func(text string) string { return redactor.Pseudonyms(values).Hide(text) }, nil
}

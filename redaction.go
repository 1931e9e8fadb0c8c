package slotway

import (
	"context"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/sessions"
)

// kept returns the cache of redacted values by session.
func (r *Runtime) kept() *sessions.Kept {
	if r.shared == nil { // a command that runs no turns
		return sessions.NewKept(r.store, nil)
	}
	return r.shared.kept
}

// redactedValues returns the values that redacted params have had in sessions.
func (r *Runtime) redactedValues(ctx context.Context, keys ...memory.Key) (map[string]any, error) {
	return r.kept().Values(ctx, r.redactor(), keys...)
}

// maxUserSessions limits the sessions of a user, newest first, whose values are redacted in a
// question that belongs to no session.
const maxUserSessions = 50

// redactTexts returns a function that replaces the redacted values of sessions by names, for texts
// that go to a server for comparison. It treats each text by itself, so that equal texts stay
// equal.
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

package scopes

import (
	"context"

	"github.com/slotway/slotway/memory"
)

// Sessions lists all sessions of a scope, at once: a page of them would cost a store as much
// as all.
func Sessions(ctx context.Context, store memory.Lister, key Key) ([]memory.Info, error) {
	return store.Sessions(ctx, memory.Query{UserID: key.User, AgentID: key.Agent, All: true})
}

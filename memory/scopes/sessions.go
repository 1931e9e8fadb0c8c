package scopes

import (
	"context"

	"github.com/slotway/slotway/memory"
)

// Lister lists sessions, as a store does.
type Lister interface {
	Sessions(ctx context.Context, query memory.Query) ([]memory.Info, error)
}

// Sessions lists all sessions of a scope.
func Sessions(ctx context.Context, store Lister, key Key) ([]memory.Info, error) {
	const page = 1000
	var all []memory.Info
	for {
		infos, err := store.Sessions(ctx, memory.Query{UserID: key.User, AgentID: key.Agent, Limit: page, Offset: len(all)})
		if err != nil {
			return nil, err
		}
		all = append(all, infos...)
		if len(infos) < page {
			return all, nil
		}
	}
}

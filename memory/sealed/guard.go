package sealed

import (
	"context"
	"fmt"
	"strings"

	"github.com/slotway/slotway/memory"
)

// Guard is a store without keys that refuses sealed sessions: their seals would else be
// taken for what was said.
type Guard struct{ memory.Store }

// NewGuard returns a store without keys. ErrNoKey: it says of itself that it is encrypted.
func NewGuard(ctx context.Context, store memory.Store) (Guard, error) {
	flags, err := store.Steps(ctx, flagKey)
	if err != nil {
		return Guard{}, fmt.Errorf("read whether the store is encrypted: %w", err)
	}
	if len(flags) > 0 {
		return Guard{}, ErrNoKey
	}
	return Guard{store}, nil
}

// Load implements memory.Store. ErrNoKey: the session is sealed.
func (g Guard) Load(ctx context.Context, key memory.Key, opts memory.LoadOptions) (*memory.Snapshot, error) {
	snap, err := g.Store.Load(ctx, key, opts)
	if err != nil {
		return nil, err
	}
	if _, ok := snap.State.Params[sealedName]; ok {
		return nil, ErrNoKey
	}
	return snap, unsealed(snap.Recent)
}

// Messages implements memory.Store. ErrNoKey as for Load.
func (g Guard) Messages(ctx context.Context, key memory.Key, page memory.Page) ([]memory.Message, error) {
	list, err := g.Store.Messages(ctx, key, page)
	if err != nil {
		return nil, err
	}
	return list, unsealed(list)
}

func unsealed(list []memory.Message) error {
	for i := range list {
		if strings.HasPrefix(list[i].Text, mark) {
			return ErrNoKey
		}
	}
	return nil
}

package sealed

import (
	"context"
	"strings"

	"github.com/slotway/slotway/memory"
)

// Guard is a store without keys that refuses sealed sessions: their seals would else be
// taken for what was said.
type Guard struct{ memory.Store }

// Load implements memory.Store. ErrNoKey: the session is sealed.
func (g Guard) Load(ctx context.Context, key memory.Key, opts memory.LoadOptions) (*memory.Snapshot, error) {
	snap, err := g.Store.Load(ctx, key, opts)
	if err != nil {
		return nil, err
	}
	if _, ok := snap.State.Params[sealedName]; ok {
		return nil, ErrNoKey
	}
	for i := range snap.Recent {
		if strings.HasPrefix(snap.Recent[i].Text, mark) {
			return nil, ErrNoKey
		}
	}
	return snap, nil
}

package storetest

import (
	"context"
	"testing"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/transfer"
)

// Failover is a store with a follower that may lag behind, and that takes over: then the
// history of the store goes back to what the follower had, as that of a database does whose
// asynchronous standby is promoted.
type Failover struct {
	memory.Backend // the one that is asked

	follower memory.Backend
	lineage  string
}

// NewFailover makes one of two empty stores.
func NewFailover(leader, follower memory.Backend) *Failover {
	return &Failover{leader, follower, "first"}
}

// Follow has the follower catch up.
func (f *Failover) Follow(t testing.TB) {
	t.Helper()
	if _, err := transfer.Copy(t.Context(), f.Backend, f.follower, &transfer.CopyOptions{Replace: true}); err != nil {
		t.Fatal(err)
	}
}

// Promote has the follower take over. It is not to be called while somebody uses the store.
func (f *Failover) Promote() { f.Backend, f.follower, f.lineage = f.follower, f.Backend, f.lineage+"'" }

// Load implements memory.Store.
func (f *Failover) Load(ctx context.Context, key memory.Key, opts memory.LoadOptions) (*memory.Snapshot, error) {
	snap, err := f.Backend.Load(ctx, key, opts)
	if err == nil {
		snap.Lineage = f.lineage
	}
	return snap, err
}

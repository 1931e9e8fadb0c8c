package storetest

import (
	"context"
	"testing"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/transfer"
)

// Failover is a store with a follower that may lag behind and that can be promoted: then the
// history of the store goes back to what the follower had, as with a database whose asynchronous
// standby is promoted.
type Failover struct {
	memory.Backend // the one that is asked

	follower memory.Backend
	lineage  string
}

// NewFailover returns one with two empty stores.
func NewFailover(leader, follower memory.Backend) *Failover {
	return &Failover{leader, follower, "first"}
}

// Follow copies the leader to the follower.
func (f *Failover) Follow(t testing.TB) {
	t.Helper()
	if _, err := transfer.Copy(t.Context(), f.Backend, f.follower, &transfer.CopyOptions{Replace: true}); err != nil {
		t.Fatal(err)
	}
}

// Promote makes the follower the leader. The store must not be in use meanwhile.
func (f *Failover) Promote() { f.Backend, f.follower, f.lineage = f.follower, f.Backend, f.lineage+"'" }

// Load implements memory.Store.
func (f *Failover) Load(ctx context.Context, key memory.Key, opts memory.LoadOptions) (*memory.Snapshot, error) {
	snap, err := f.Backend.Load(ctx, key, opts)
	if err == nil {
		snap.Lineage = f.lineage
	}
	return snap, err
}

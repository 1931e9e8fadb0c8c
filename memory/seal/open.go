package seal

import (
	"context"
	"errors"
	"fmt"

	"github.com/slotway/slotway/memory"
)

// Rows is a store that can seal its rows.
type Rows interface {
	// Sealed is the store with these keys. It takes the place of the store that it is asked of.
	Sealed(keys *Keys) memory.Backend
}

// New returns a store with sealed rows; Open asks whether they are. It panics on a store that seals none.
func New(store memory.Backend, keys *Keys) memory.Backend { return store.(Rows).Sealed(keys) }

// A sealed store is marked by a sealed flag: a row of the journal of a session that was never begun,
// because such a session is in no listing, no export and no copy, and is never pruned. Each master
// key has a row, so that a store can be opened after its keys were changed.
var flagKey = memory.Key{UserID: "$sealed", AgentID: "$sealed", SessionID: "store"}

const flagKind = "seals"

// sampleSize is how many sessions of a store without a flag are checked.
const sampleSize = 20

// Open returns a store with its keys; nil: it has none. The first time it writes the flag.
// ErrWrongKey: the store is encrypted with other keys. ErrUnencrypted: it holds sessions that are not
// encrypted. ErrNoKey: it is encrypted, and there are no keys.
func Open(ctx context.Context, store memory.Backend, keys *Keys) (memory.Backend, error) {
	rows, can := store.(Rows)
	if can && keys != nil {
		store = rows.Sealed(keys)
	}
	flags, err := store.Steps(ctx, flagKey)
	damaged := errors.Is(err, memory.ErrCorrupt)
	switch {
	case keys == nil && (damaged || len(flags) > 0): // a damaged flag is one, too
		return nil, ErrNoKey
	case err != nil && !damaged:
		return nil, fmt.Errorf("read how the store is encrypted: %w", err)
	case keys == nil:
		return store, nil
	case !can:
		return nil, errors.New("this store cannot encrypt; take memory.encryption_key_env away")
	case len(flags) == 0 && errors.Is(err, ErrWrongKey):
		return nil, fmt.Errorf("this store is encrypted, and not with this key: %w", err)
	case len(flags) == 0: // what a damaged flag said, the sessions tell
		if err := checkSample(ctx, store); err != nil {
			return nil, err
		}
	}
	return store, keys.writeFlag(ctx, store, flags)
}

// checkSample looks whether the sessions of a store without a flag are encrypted with its keys.
func checkSample(ctx context.Context, store memory.Backend) error {
	list, err := store.Sessions(ctx, memory.Query{Limit: sampleSize})
	if err != nil {
		return fmt.Errorf("look whether the store is encrypted: %w", err)
	}
	for i := range list {
		_, err = store.Load(ctx, list[i].Key, memory.LoadOptions{Recent: 1})
		if errors.Is(err, ErrWrongKey) {
			return err
		}
		if !errors.Is(err, ErrUnencrypted) {
			return nil // what was never encrypted in it fails alone
		}
	}
	return err
}

// writeFlag writes the flag of the first key, unless it is there.
func (k *Keys) writeFlag(ctx context.Context, store memory.Backend, flags []memory.Step) error {
	id := k.list[0].id
	for i := range flags {
		if flags[i].IdempotencyKey == id {
			return nil
		}
	}
	err := store.Start(ctx, flagKey, 0, memory.Step{IdempotencyKey: id, Tool: flagKind, Status: memory.StepStarted})
	if err != nil && !errors.Is(err, memory.ErrStarted) { // another process was faster
		return fmt.Errorf("write that the store is encrypted: %w", err)
	}
	return nil
}

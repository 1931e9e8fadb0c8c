package seal

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/slotway/slotway/memory"
)

// Rows is a store that can seal its rows.
type Rows interface {
	// Sealed is the store with these keys. It takes the place of the store that it is asked of.
	Sealed(keys *Keys) memory.Backend
}

// New returns a store with sealed rows; Open asks whether they are. It panics on a store that seals none.
func New(store memory.Backend, keys *Keys) memory.Backend { return store.(Rows).Sealed(keys) }

// flags is how the names begin that mark a sealed store. Each first key of a store has one, which ends
// with its id, so that the store can be opened after its keys were changed.
const flags = "sealed/"

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
	found, err := store.Meta(ctx, flags)
	damaged := errors.Is(err, memory.ErrCorrupt) // a damaged flag is one, too
	switch {
	case err != nil && !damaged:
		return nil, fmt.Errorf("read how the store is encrypted: %w", err)
	case keys == nil && (damaged || len(found) > 0):
		return nil, ErrNoKey
	case keys == nil:
		return store, nil
	case !can:
		return nil, errors.New("this store cannot encrypt; take memory.encryption_key_env away")
	case len(found) > 0 && !keys.any(found):
		return nil, fmt.Errorf("this store is encrypted, and not with this key: %w", ErrWrongKey)
	case len(found) == 0: // what a damaged flag said, the sessions tell
		if err := checkSample(ctx, store); err != nil {
			return nil, err
		}
	}
	if err := store.AddMeta(ctx, flags+keys.list[0].id, nil); err != nil {
		return nil, fmt.Errorf("write that the store is encrypted: %w", err)
	}
	return store, nil
}

// any reports whether a flag is of one of the keys.
func (k *Keys) any(found map[string][]byte) bool {
	return slices.ContainsFunc(k.list, func(m master) bool {
		_, is := found[flags+m.id]
		return is
	})
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

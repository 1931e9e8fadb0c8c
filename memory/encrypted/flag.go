package encrypted

import (
	"context"
	"errors"
	"fmt"

	"github.com/slotway/slotway/memory"
)

// An encrypted store is marked by an encrypted flag: a row of the journal of a session that was
// never begun, because such a session is in no listing, no export and no copy, and is never pruned.
// Each master key has a row, so that a store can be opened after its keys were changed.
var flagKey = memory.Key{UserID: "$sealed", AgentID: "$sealed", SessionID: "store"}

const flagKind = "seals"

// sampleSize is how many sessions of a store without a flag are checked.
const sampleSize = 20

// Open is New for a store in use; the first time it writes the flag. ErrWrongKey: the store is
// encrypted with other keys. ErrUnencrypted: it holds sessions that are not encrypted.
func Open(ctx context.Context, store memory.Backend, keys *Keys) (*Store, error) {
	s := New(store, keys)
	flags, err := store.Steps(ctx, flagKey)
	if err != nil && !errors.Is(err, memory.ErrCorrupt) { // what a damaged flag said, the sessions tell
		return nil, fmt.Errorf("read how the store is encrypted: %w", err)
	}
	known, current, err := keys.flag(flags)
	if err == nil && !known {
		err = s.checkSample(ctx)
	}
	if err != nil || current {
		return s, err
	}
	return s, s.writeFlag(ctx)
}

// flag reads the flags: whether the keys open one, and whether the first key wrote one.
func (k *Keys) flag(flags []memory.Step) (known, current bool, err error) {
	b := k.box(flagKey)
	for i := range flags {
		id := flags[i].IdempotencyKey
		if _, failed := b.open(heldIn(flags[i].Args), additionalData(flagKind, id)); failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		known, current = true, current || id == k.list[0].id
	}
	if known || len(flags) == 0 {
		return known, current, nil
	}
	return false, false, fmt.Errorf("this store is encrypted, and not with this key: %w", err)
}

// checkSample looks whether the sessions of a store without a flag are encrypted with the keys.
func (s *Store) checkSample(ctx context.Context) error {
	list, err := s.Backend.Sessions(ctx, memory.Query{Limit: sampleSize})
	if err != nil {
		return fmt.Errorf("look whether the store is encrypted: %w", err)
	}
	for i := range list {
		_, err = s.Load(ctx, list[i].Key, memory.LoadOptions{Recent: 1})
		if errors.Is(err, ErrWrongKey) {
			return err
		}
		if !errors.Is(err, ErrUnencrypted) {
			return nil // what was never encrypted in it fails alone
		}
	}
	return err
}

func (s *Store) writeFlag(ctx context.Context) error {
	id := s.keys.list[0].id
	args, err := s.keys.box(flagKey).sealJSON(nil, additionalData(flagKind, id))
	if err != nil {
		return err
	}
	err = s.Backend.Start(ctx, flagKey, 0, memory.Step{IdempotencyKey: id, Tool: flagKind, Args: args, Status: memory.StepStarted})
	if err != nil && !errors.Is(err, memory.ErrStarted) { // another process was faster
		return fmt.Errorf("write that the store is encrypted: %w", err)
	}
	return nil
}

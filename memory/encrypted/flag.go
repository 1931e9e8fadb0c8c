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

const (
	flagKind  = "seals"
	flagNew   = "bound"       // all values are bound to their rows
	flagOlder = "bound older" // some may be in the legacy form
)

// sampleSize is how many sessions of a store without a flag are checked.
const sampleSize = 20

// Open is New for a store in use; the first time it writes the flag. ErrWrongKey: the store is
// encrypted with other keys. ErrUnencrypted: it holds sessions that are not encrypted.
func Open(ctx context.Context, store memory.Backend, keys *Keys, opts *Options) (*Store, error) {
	s := New(store, keys)
	if opts != nil {
		s.opts = *opts
	}
	if s.opts.Unencrypted { // it is only read, and not changed by that
		return s, nil
	}
	flags, err := store.Steps(ctx, flagKey)
	if err != nil && !errors.Is(err, memory.ErrCorrupt) { // what a damaged flag said, the sessions tell
		return nil, fmt.Errorf("read how the store is encrypted: %w", err)
	}
	form, current, err := keys.flag(flags)
	switch {
	case err != nil:
		return nil, err
	case form == "":
		if form, err = s.firstFlag(ctx); err != nil {
			return nil, err
		}
	}
	s.opts.legacy = form == flagOlder
	if current {
		return s, nil
	}
	return s, s.writeFlag(ctx, form)
}

// flag reads the flags that the keys open: their form, and whether the first key wrote one.
func (k *Keys) flag(flags []memory.Step) (form string, current bool, err error) {
	b := k.box(flagKey)
	for i := range flags {
		held, _ := heldIn(flags[i].Args)
		data, ok, failed := b.open(held, additionalData(flagKind, flags[i].IdempotencyKey))
		if !ok || failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		current = current || flags[i].IdempotencyKey == k.list[0].id
		if form = string(data); form == flagNew {
			break
		}
	}
	if form != "" || len(flags) == 0 {
		return form, current, nil
	}
	if err == nil {
		err = ErrTampered
	}
	return "", false, fmt.Errorf("this store is encrypted, and not with this key: %w", err)
}

// firstFlag returns the form of a store that has no flag yet: one without sessions has nothing in
// the legacy form.
func (s *Store) firstFlag(ctx context.Context) (string, error) {
	list, err := s.Backend.Sessions(ctx, memory.Query{Limit: sampleSize})
	if err != nil {
		return "", fmt.Errorf("look whether the store is encrypted: %w", err)
	}
	if len(list) == 0 {
		return flagNew, nil
	}
	s.opts.legacy = true
	var plain error
	for i := range list {
		_, err := s.Load(ctx, list[i].Key, memory.LoadOptions{Recent: 1})
		if errors.Is(err, ErrWrongKey) {
			return "", err
		}
		if !errors.Is(err, ErrUnencrypted) {
			return flagOlder, nil // what was never encrypted in it fails alone
		}
		plain = err
	}
	return "", plain
}

func (s *Store) writeFlag(ctx context.Context, form string) error {
	id := s.keys.list[0].id
	args, err := s.keys.box(flagKey).sealJSON([]byte(form), additionalData(flagKind, id))
	if err != nil {
		return err
	}
	err = s.Backend.Start(ctx, flagKey, 0, memory.Step{IdempotencyKey: id, Tool: flagKind, Args: args, Status: memory.StepStarted})
	if err != nil && !errors.Is(err, memory.ErrStarted) { // another process was faster
		return fmt.Errorf("write that the store is encrypted: %w", err)
	}
	return nil
}

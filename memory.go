package slotway

import (
	"context"
	"errors"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/recall"
)

// Memory gives maintenance programs access to what an agent remembers. It runs no turns and no
// background work.
type Memory struct{ runtime *Runtime }

// OpenMemory builds the tiers that the settings name over a store. The caller closes the memory,
// and then the store.
func OpenMemory(ctx context.Context, agent *config.Agent, store memory.Backend, opts *Options) (*Memory, error) {
	given := Options{}
	if opts != nil {
		given = *opts
	}
	given.Store = store
	r, err := newRuntime(agent, &given)
	if err != nil {
		return nil, err
	}
	if err = r.openTiers(ctx); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return &Memory{r}, nil
}

// Context returns what the next message of a session would be told of the past.
func (m *Memory) Context(ctx context.Context, key memory.Key, text string) (memory.Context, error) {
	return m.runtime.Context(ctx, key, text)
}

// Tiers returns the tiers in the order in which a turn uses them; memory.TierOf finds one by type.
func (m *Memory) Tiers() []memory.Tier { return m.runtime.tiers }

// Close releases what OpenMemory opened.
func (m *Memory) Close() error { return m.runtime.Close() }

// Reindex makes the vectors that the messages and archived documents of a user lack in the
// embedding model of the settings; user "" means all users. It calls progress with the number of
// sessions done, first for messages and then for archives, and returns how many vectors it made.
func (m *Memory) Reindex(ctx context.Context, user string, progress func(what string, done, total int)) (messages, documents int, err error) {
	recalled, err := memory.TierOf[*recall.Tier](m.Tiers())
	if err != nil {
		return 0, 0, err
	}
	messages, err = recalled.Backfill(ctx, user, func(done, total int) { progress("sessions", done, total) })
	if err != nil {
		return messages, 0, err
	}
	keys, err := memory.Keys(ctx, m.runtime.store, memory.Query{UserID: user})
	if err != nil {
		return messages, 0, err
	}
	for i, key := range keys {
		n, err := m.runtime.archive.Backfill(ctx, key)
		if documents += n; err != nil {
			return messages, documents, err
		}
		progress("archives", i+1, len(keys))
	}
	if user != "" {
		return messages, documents, nil
	}
	return messages, documents, m.reindexed(len(keys), messages+documents)
}

// reindexed records that no vector is missing.
func (m *Memory) reindexed(sessions, made int) error {
	s := m.runtime.settings
	model, digest := build.WantedVectors(s)
	if model == "" {
		return nil
	}
	b := &build.BackfillState{Digest: digest, Model: model, Done: sessions, Total: sessions, Made: made, Finished: true, At: build.Now()}
	return b.Write(dataDir(s))
}

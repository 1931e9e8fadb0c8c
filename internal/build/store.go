package build

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/slotway/slotway/config/durable"
	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/sqlite"
)

// MessagesPerTurn is the number of messages per turn for which the recent window has room: the
// user's message, a call, the reply.
const MessagesPerTurn = 3

// Stores opens the store that memory.storage names.
type Stores struct {
	Drivers     []memory.Driver         // of storages that not every program links
	Vectors     []recall.VectorDriver   // the same for memory.vector_store.backend
	Report      func(memory.Key, error) // of encrypted values that were skipped; see seal.Keys
	Unencrypted bool                    // the store is from before encryption: what is confirmed in it is asked again
	Turns       bool                    // the program runs turns; see memory.DriverOptions
	Accept      bool                    // SQLite: go on without acknowledged commits that are missing
	Warn        func(text string)       // nil: warnings are dropped
}

// Open opens the store with its encryption, if it has one. Deletions in it also delete the vectors
// in an external vector store.
func (o *Stores) Open(ctx context.Context, s *settings.Settings) (*memory.Opened, error) {
	opened, err := o.plain(ctx, s)
	if err != nil {
		return nil, err
	}
	if opened.Store, err = o.sealed(ctx, opened.Store, s); err == nil {
		return opened, nil
	}
	if opened.Locks != nil {
		err = errors.Join(err, opened.Locks.Close())
	}
	return nil, err
}

// plain opens the store without encryption.
func (o *Stores) plain(ctx context.Context, s *settings.Settings) (*memory.Opened, error) {
	m := &s.Memory
	switch m.Storage {
	case "inmem":
		return &memory.Opened{Store: inmem.New(nil)}, nil
	case "sqlite":
		if err := durable.MkdirAll(filepath.Dir(m.StoragePath), 0o700); err != nil {
			return nil, fmt.Errorf("make the data folder: %w; %s, or choose another with --data or memory.storage_path", err, durable.Remedy(err))
		}
		store, err := sqlite.Open(ctx, m.StoragePath, &sqlite.Options{Durability: sqlite.Durability(m.Durability), CacheSessions: m.MaxConversations, Turns: o.Turns, Accept: o.Accept})
		if err != nil {
			return nil, err
		}
		return &memory.Opened{Store: store, RepairHint: "Run 'slotway db check', or compare the database with a backup"}, nil
	}
	i := slices.IndexFunc(o.Drivers, func(d memory.Driver) bool { return d.Storage == m.Storage })
	if i < 0 {
		return nil, fmt.Errorf("memory.storage is %s, but this program has no driver for it: give Options.Drivers one, such as postgres.Driver()", m.Storage)
	}
	warn := o.Warn
	if warn == nil {
		warn = func(string) {}
	}
	return o.Drivers[i].Open(ctx, &memory.DriverOptions{Settings: m, Window: m.MaxTurns * MessagesPerTurn, Turns: o.Turns, Warn: warn})
}

// DataDir returns the folder of everything that outlives the process.
func DataDir(s *settings.Settings) string { return filepath.Dir(s.Memory.StoragePath) }

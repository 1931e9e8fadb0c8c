package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/memory"
)

// Driver opens the store for memory.storage: postgres.
func Driver() memory.Driver { return memory.Driver{Storage: "postgres", Open: openDriven} }

const repair = "Run 'slotway sessions export', which writes what can be read, and compare the rows with a backup of the database"

func openDriven(ctx context.Context, o *memory.DriverOptions) (*memory.Opened, error) {
	m := o.Settings
	opts := &Options{MaxConns: m.MaxConnections, ListenDSN: direct(m)}
	if o.Turns {
		opts.RequireSync, opts.Notify = m.RequireSync, func(n Notice) { o.Warn(n.Text) }
	}
	store, err := Open(ctx, m.DSN, opts)
	if errors.Is(err, ErrDurability) {
		err = fmt.Errorf("memory.require_sync is set: %w, or take the setting away", err)
	}
	if err != nil {
		return nil, err
	}
	opened := &memory.Opened{Store: store, RepairHint: repair}
	if !o.Turns {
		return opened, nil
	}
	if text := weakness(store.monitor.state.Load().durability(), store.monitor.standbys); text != "" {
		o.Warn(text)
	}
	if opened.Locks, err = openLocks(ctx, m); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	opened.Wake = store.Wake
	opened.Database = store.Health
	return opened, nil
}

// openLocks opens the session locks. It reports a connection that does not work at once: otherwise
// every turn would fail while the store looks ready.
func openLocks(ctx context.Context, m *settings.Memory) (*SessionLocks, error) {
	locks, err := NewSessionLocks(direct(m), nil)
	if err != nil {
		return nil, err
	}
	if err = locks.Check(ctx); err == nil {
		return locks, nil
	}
	path := "memory.dsn"
	if m.DirectDSN != "" {
		path = "memory.direct_dsn"
	}
	if errors.Is(err, ErrPooler) {
		err = fmt.Errorf("%w; let memory.direct_dsn lead past the pooler, and memory.dsn through it", err)
	}
	return nil, errors.Join(fmt.Errorf("%s: %w", path, err), locks.Close())
}

// direct returns the dsn of the connection past a pooler, which would mix up locks and
// notifications.
func direct(m *settings.Memory) string { return cmp.Or(m.DirectDSN, m.DSN) }

// weakness says which turns a database may lose, or "". One without a standby has nothing to wait
// for.
func weakness(d durability, standbys int) string {
	const more = "; see docs/operate/replication.md, and memory.require_sync to refuse such a database"
	switch {
	case d == durabilityNone:
		return "the database acknowledges commits before they are on its disk (synchronous_commit or fsync is off): when it crashes, turns that were answered are lost" + more
	case d == durabilityDisk && standbys > 0:
		return fmt.Sprintf("the database waits for none of its standbys (%d) before it acknowledges a commit: after a failover turns that were answered are lost", standbys) + more
	}
	return ""
}

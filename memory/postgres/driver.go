package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlstore"
)

// Driver opens the store for memory.storage: postgres.
func Driver() memory.Driver { return memory.Driver{Storage: "postgres", Open: openDriven} }

const repair = "Run 'slotway sessions export', which writes what can be read, and compare the rows with a backup of the database"

func openDriven(ctx context.Context, o *memory.DriverOptions) (*memory.Opened, error) {
	m := o.Settings
	opts := &Options{MaxConns: m.MaxConnections, RequireSync: o.Turns && m.RequireSync}
	d, err := connect(ctx, m.DSN, opts.withDefaults())
	if errors.Is(err, ErrDurability) {
		err = fmt.Errorf("memory.require_sync is set: %w, or take the setting away", err)
	}
	if err != nil {
		return nil, fmt.Errorf("open session database: %w", explain(ctx, err))
	}
	store := sqlstore.New(d, 0)
	opened := &memory.Opened{Store: store, RepairHint: repair}
	if !o.Turns {
		return opened, nil
	}
	if text := d.durability.weakness(); text != "" {
		o.Warn(text)
	}
	opened.Locks = sqlstore.NewLeases(store, 0)
	opened.Durability = d.durability.survives
	return opened, nil
}

// weakness says which turns a database may lose, or "". One without a standby has nothing to wait
// for.
func (d durability) weakness() string {
	const more = "; see docs/operate/replication.md, and memory.require_sync to refuse such a database"
	switch {
	case d.survives == survivesNothing:
		return "the database acknowledges commits before they are on its disk (synchronous_commit or fsync is off): when it crashes, turns that were answered are lost" + more
	case d.survives == survivesCrash && d.standbys > 0:
		return fmt.Sprintf("the database waits for none of its standbys (%d) before it acknowledges a commit: after a failover turns that were answered are lost", d.standbys) + more
	}
	return ""
}

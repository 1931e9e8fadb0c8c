package pgvector

import (
	"context"

	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/memory/recall"
)

// Driver opens stores in the database that memory.dsn names.
func Driver() recall.VectorDriver {
	return recall.VectorDriver{Backend: "pgvector", Open: func(ctx context.Context, m *settings.Memory) (recall.VectorStore, error) {
		return Open(ctx, m.DSN, &Options{Collection: m.VectorStore.CollectionName})
	}}
}

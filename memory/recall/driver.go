package recall

import (
	"context"

	"github.com/slotway/slotway/config/settings"
)

// VectorStore is a place outside the process that keeps vectors and documents.
type VectorStore interface {
	Vectors
	Documents
	// Ping reports why the place cannot be used now; nil: it answers.
	Ping(ctx context.Context) error
	Close()
}

// VectorDriver opens places of one kind. A program names the drivers of those that it uses, and
// so links their client libraries.
type VectorDriver struct {
	Backend string // the value of memory.vector_store.backend that means this kind
	Open    func(ctx context.Context, m *settings.Memory) (VectorStore, error)
}

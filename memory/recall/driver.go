package recall

import (
	"context"

	"github.com/slotway/slotway/config/settings"
)

// VectorStore keeps vectors and documents outside the process.
type VectorStore interface {
	Vectors
	Documents
	// Ping returns why the store cannot be used now, or nil.
	Ping(ctx context.Context) error
	Close()
}

// VectorDriver opens vector stores of one kind. A program lists the drivers that it needs, and so
// links only their client libraries.
type VectorDriver struct {
	Backend string // value of memory.vector_store.backend
	Open    func(ctx context.Context, m *settings.Memory) (VectorStore, error)
}

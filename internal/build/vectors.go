package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/recall/chromadb"
)

// chromaDriver opens ChromaDB, which needs no client library.
var chromaDriver = recall.VectorDriver{Backend: "chromadb", Open: func(_ context.Context, m *settings.Memory) (recall.VectorStore, error) {
	token := ""
	if name := m.VectorStore.TokenEnv; name != "" {
		token = os.Getenv(name)
	}
	return chromadb.Open(m.VectorStore.URL, m.VectorStore.CollectionName, token)
}}

// externalVectors reports whether a backend is an external vector store: sqlite keeps vectors in the
// store's views.
func externalVectors(backend string) bool { return backend != "sqlite" }

// OpenVectors opens the external vector store of the settings; nil if they name none.
func (o *Stores) OpenVectors(ctx context.Context, m *settings.Memory) (recall.VectorStore, error) {
	if !m.Enabled || !m.VectorStore.Enabled || !externalVectors(m.VectorStore.Backend) {
		return nil, nil
	}
	if m.EncryptionKeyEnv != "" {
		return nil, fmt.Errorf("memory.vector_store.backend is %s, but memory.encryption_key_env is set: a vector tells what the text is about, and cannot be compared encrypted; unset one of the two",
			m.VectorStore.Backend)
	}
	drivers := append(slices.Clone(o.Vectors), chromaDriver)
	i := slices.IndexFunc(drivers, func(d recall.VectorDriver) bool { return d.Backend == m.VectorStore.Backend })
	if i < 0 {
		return nil, fmt.Errorf("memory.vector_store.backend is %s, but this program has no driver for it: give Options.Vectors one, such as pgvector.Driver()", m.VectorStore.Backend)
	}
	v, err := drivers[i].Open(ctx, m)
	if err != nil {
		return nil, fmt.Errorf("memory.vector_store: %w", err)
	}
	return v, nil
}

// vectorsPart is the name of the external vector store in /readyz.
const vectorsPart = "memory.vector_store"

// addresses are the settings that hold the addresses of the backends.
var addresses = map[string]string{"chromadb": "memory.vector_store.url", "pgvector": "memory.dsn"}

// WatchVectors probes an external vector store at once, and then until it answers.
func (s *Servers) WatchVectors(ctx context.Context, backend string, v recall.VectorStore) {
	address, ok := addresses[backend]
	if !ok {
		address = vectorsPart
	}
	probe := func(ctx context.Context) error {
		err := v.Ping(ctx)
		switch {
		case err == nil:
			s.Note(vectorsPart, "", "")
		case !errors.Is(ctx.Err(), context.Canceled):
			s.Note(vectorsPart, "the vector store does not answer: texts are compared by words",
				"start it, or look at "+address+": it is asked again until it answers ("+err.Error()+")")
		}
		return err
	}
	s.Watch(vectorsPart, probe)
	within, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	_ = probe(within) // it records the outcome itself
}

// RecheckVectors has the external vector store probed soon, after a failed call.
func (s *Servers) RecheckVectors() { s.recheck(vectorsPart) }

// withVectorDeletes returns a store whose deletions also delete the vectors in an external vector
// store.
func (o *Stores) withVectorDeletes(ctx context.Context, s *settings.Settings, store memory.Backend) (memory.Backend, error) {
	v, err := o.OpenVectors(ctx, &s.Memory)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	if v == nil {
		return store, nil
	}
	return recall.CascadeDeletes(store, v), nil
}

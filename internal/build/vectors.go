package build

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"

	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/recall/chromadb"
)

// chroma is the driver of ChromaDB, which needs no client library.
var chromaDriver = recall.VectorDriver{Backend: "chromadb", Open: func(_ context.Context, m *settings.Memory) (recall.VectorStore, error) {
	opts := &chromadb.Options{Collection: m.VectorStore.CollectionName}
	if name := m.VectorStore.TokenEnv; name != "" {
		opts.Header = http.Header{"Authorization": {"Bearer " + os.Getenv(name)}}
	}
	return chromadb.Open(m.VectorStore.URL, opts)
}}

// KeepsVectors reports whether a backend keeps vectors outside: sqlite keeps them in the
// store's views.
func KeepsVectors(backend string) bool { return backend != "sqlite" }

// OpenVectors opens what keeps vectors outside; nil: nothing does.
func (o *Stores) OpenVectors(ctx context.Context, m *settings.Memory) (recall.VectorStore, error) {
	if !m.Enabled || !m.VectorStore.Enabled || !KeepsVectors(m.VectorStore.Backend) {
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

// vectorsPart is what /readyz calls the place outside.
const vectorsPart = "memory.vector_store"

// addresses are the settings that say where the backends are.
var addresses = map[string]string{"chromadb": "memory.vector_store.url", "pgvector": "memory.dsn"}

// WatchVectors asks a place outside at once whether it answers, and lets it be asked until it does.
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
	_ = probe(within) // it notes how that went
}

// DoubtVectors lets the place outside be asked soon: a call to it failed.
func (s *Servers) RecheckVectors() { s.recheck(vectorsPart) }

// following is a store whose deletions reach the vectors outside, if any are.
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

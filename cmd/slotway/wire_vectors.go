package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/recall/chromadb"
	"github.com/slotway/slotway/memory/recall/pgvector"
	"github.com/slotway/slotway/router/telemetry"
)

// vectorStore is a place outside the process that keeps vectors.
type vectorStore interface {
	recall.Vectors
	recall.Documents
	Close()
}

// vectorStores open what memory.vector_store.backend names. sqlite keeps vectors in memory
// and in the store's views.
var vectorStores = map[string]func(ctx context.Context, m *config.MemorySettings) (vectorStore, error){
	"pgvector": func(ctx context.Context, m *config.MemorySettings) (vectorStore, error) {
		return pgvector.Open(ctx, m.DSN, &pgvector.Options{Collection: m.VectorStore.CollectionName})
	},
	"chromadb": func(_ context.Context, m *config.MemorySettings) (vectorStore, error) {
		opts := &chromadb.Options{Collection: m.VectorStore.CollectionName}
		if name := m.VectorStore.TokenEnv; name != "" {
			opts.Header = http.Header{"Authorization": {"Bearer " + os.Getenv(name)}}
		}
		return chromadb.Open(m.VectorStore.URL, opts)
	},
}

// openVectors opens what keeps vectors outside; nil: nothing does.
func openVectors(ctx context.Context, m *config.MemorySettings) (vectorStore, error) {
	open := vectorStores[m.VectorStore.Backend]
	if !m.Enabled || !m.VectorStore.Enabled || open == nil {
		return nil, nil
	}
	if m.EncryptionKeyEnv != "" {
		return nil, fmt.Errorf("memory.vector_store.backend is %s, but memory.encryption_key_env is set: a vector tells what the text is about, and cannot be compared encrypted; unset one of the two",
			m.VectorStore.Backend)
	}
	v, err := open(ctx, m)
	if err != nil {
		return nil, fmt.Errorf("memory.vector_store: %w", err)
	}
	return v, nil
}

// outsideVectors is what keeps the app's vectors outside, opened once; nil: nothing does.
func (a *app) outsideVectors(ctx context.Context) (vectorStore, error) {
	if a.outside == nil {
		v, err := openVectors(ctx, &a.settings.Memory)
		if err != nil || v == nil {
			return nil, err
		}
		a.outside = v
		a.onClose(func() error { v.Close(); return nil })
	}
	return a.outside, nil
}

// following is a store whose deletions reach the vectors outside, if any are.
func following(ctx context.Context, s *config.Settings, store memory.Backend) (memory.Backend, error) {
	v, err := openVectors(ctx, &s.Memory)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	if v == nil {
		return store, nil
	}
	return recall.Follow(store, v), nil
}

// watchVectors tells telemetry of a call to the vector store that failed.
func (a *app) watchVectors(c recall.VectorCall) {
	if a.sink == nil || c.Code == "" || c.Code == "cancelled" { // a command; as at every shutdown
		return
	}
	a.sink.Record(telemetry.Event{
		Time: wallClock(), Level: telemetry.LevelWarn, Duration: c.Duration,
		Payload: telemetry.Job{Kind: "vectors." + c.Op, Attempt: 1, Outcome: c.Code},
	})
}

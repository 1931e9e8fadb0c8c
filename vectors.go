package slotway

import (
	"context"

	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/router/telemetry"
)

// vectorStore returns the external vector store, which it opens once; nil if the settings name
// none.
func (r *Runtime) vectorStore(ctx context.Context) (recall.VectorStore, error) {
	if r.vectors == nil {
		v, err := r.stores().OpenVectors(ctx, &r.settings.Memory)
		if err != nil || v == nil {
			return nil, err
		}
		r.vectors = v
		r.servers.WatchVectors(ctx, r.settings.Memory.VectorStore.Backend, v)
		r.onClose(func() error { v.Close(); return nil })
	}
	return r.vectors, nil
}

// vectorsCalled records a failed call to the vector store, and has the store probed.
func (r *Runtime) vectorsCalled(c recall.VectorCall) {
	if c.Code == "" || c.Code == "cancelled" { // cancelled at every shutdown
		return
	}
	r.servers.RecheckVectors()
	if r.sink == nil { // a command
		return
	}
	r.sink.Record(telemetry.Event{
		Time: build.Now(), Level: telemetry.LevelWarn, Duration: c.Duration,
		Payload: telemetry.Job{Kind: "vectors." + c.Op, Attempt: 1, Outcome: c.Code},
	})
}

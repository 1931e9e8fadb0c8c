package slotway

import (
	"context"

	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/router/telemetry"
)

// outsideVectors is what keeps the runtime's vectors outside, opened once; nil: nothing does.
func (a *Runtime) outsideVectors(ctx context.Context) (recall.Outside, error) {
	if a.outside == nil {
		v, err := a.stores().OpenVectors(ctx, &a.settings.Memory)
		if err != nil || v == nil {
			return nil, err
		}
		a.outside = v
		a.servers.WatchVectors(ctx, a.settings.Memory.VectorStore.Backend, v)
		a.onClose(func() error { v.Close(); return nil })
	}
	return a.outside, nil
}

// watchVectors tells telemetry of a call to the vector store that failed, and has the store asked
// whether it still answers.
func (a *Runtime) watchVectors(c recall.VectorCall) {
	if c.Code == "" || c.Code == "cancelled" { // as at every shutdown
		return
	}
	a.servers.DoubtVectors()
	if a.sink == nil { // a command
		return
	}
	a.sink.Record(telemetry.Event{
		Time: build.Now(), Level: telemetry.LevelWarn, Duration: c.Duration,
		Payload: telemetry.Job{Kind: "vectors." + c.Op, Attempt: 1, Outcome: c.Code},
	})
}

package slotway

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/archive"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/tools"
)

// backfill makes the vectors that are missing after a change of the embedding model, for all users,
// session by session. It continues where it stopped, waits for an embedding server that is down,
// and ends when no vector is missing: for later messages there are jobs.
type backfill struct {
	runtime *Runtime
	dir     string
	state   build.BackfillState
	healed  chan struct{} // a server answers again
	busy    func() bool   // a user waits for an answer
	saved   time.Time
}

// saveEvery is the interval for saving the progress, and askEvery the one for retrying a server
// that has not reported back.
const (
	saveEvery = time.Second
	askEvery  = time.Minute
)

// newBackfill returns the work to do; nil: none.
func (r *Runtime) newBackfill(ctx context.Context, busy func() bool) (*backfill, error) {
	dir := dataDir(r.settings)
	model, digest := build.WantedVectors(r.settings)
	before := build.ReadBackfill(dir)
	if before != nil && before.Digest == digest && before.Finished || before == nil && model == "" {
		return nil, nil
	}
	b := &backfill{
		runtime: r, dir: dir, healed: make(chan struct{}, 1), busy: busy,
		state: build.BackfillState{Digest: digest, Model: model, Finished: model == "", At: build.Now()},
	}
	if before != nil && before.Digest != digest && r.vectors != nil {
		// A collection holds the documents of one model: it may lack those of this one.
		if _, err := r.store.DropViews(ctx, memory.ViewQuery{Tier: archive.VectorsName}); err != nil {
			return nil, fmt.Errorf("begin to make vectors anew: %w", err)
		}
	}
	if err := b.state.Write(dir); err != nil {
		return nil, fmt.Errorf("write down that vectors are made anew: %w", err)
	}
	if model == "" {
		return nil, nil
	}
	return b, nil
}

// run works until all vectors are made, or ctx ends.
func (b *backfill) run(ctx context.Context, recalled *recall.Tier, archived *archive.Tier) {
	for {
		err := b.pass(ctx, recalled, archived)
		if ctx.Err() != nil {
			return
		}
		b.state.Finished, b.state.Waiting, b.state.WaitingFor = err == nil, err != nil, waitingFor(err)
		b.save(true)
		if err == nil {
			return
		}
		timer := time.NewTimer(askEvery)
		select {
		case <-ctx.Done():
		case <-b.healed:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// waitingFor names what did not answer; "" for nil.
func waitingFor(err error) string {
	var embedding *tools.Error
	switch {
	case err == nil:
		return ""
	case errors.Is(err, recall.ErrVectors):
		return "the vector store"
	case errors.As(err, &embedding), errors.Is(err, recall.ErrEmbedder):
		return "the embedding server"
	}
	return "the store of the conversations"
}

// pass checks every session, in random order: replicas that do so at the same time share the work.
func (b *backfill) pass(ctx context.Context, recalled *recall.Tier, archived *archive.Tier) error {
	keys, err := memory.Keys(ctx, b.runtime.store, memory.Query{})
	if err != nil {
		return err
	}
	rand.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	b.state.Done, b.state.Total, b.state.Waiting = 0, len(keys), false
	for _, key := range keys {
		begun := time.Now()
		messages, documents, err := refill(ctx, key, recalled, archived)
		if b.state.Made += messages + documents; err != nil {
			return err
		}
		b.state.Done++
		b.save(false)
		if b.busy() {
			pause(ctx, time.Since(begun))
		}
	}
	return nil
}

// refill makes the missing vectors of one session. It skips a damaged one.
func refill(ctx context.Context, key memory.Key, recalled *recall.Tier, archived *archive.Tier) (messages, documents int, err error) {
	if messages, err = recalled.BackfillSession(ctx, key); err == nil {
		documents, err = archived.Backfill(ctx, key)
	}
	if errors.Is(err, memory.ErrCorrupt) || errors.Is(err, memory.ErrNotFound) {
		err = nil
	}
	return messages, documents, err
}

func (b *backfill) save(now bool) {
	if !now && time.Since(b.saved) < saveEvery {
		return
	}
	b.saved, b.state.At = time.Now(), build.Now()
	_ = b.state.Write(b.dir) // if it is lost, all sessions are checked once more
}

// pause yields the processor to the turns in progress.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(min(d, time.Second))
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// nudge reports that a server answers again.
func (b *backfill) nudge() {
	select {
	case b.healed <- struct{}{}:
	default:
	}
}

// startBackfill makes the missing vectors in the background until the runtime closes.
func (r *Runtime) startBackfill(tiers []memory.Tier, busy func() bool) error {
	recalled, err := memory.TierOf[*recall.Tier](tiers)
	if err != nil {
		return nil // memory is off
	}
	ctx, stop := context.WithCancel(context.Background())
	b, err := r.newBackfill(ctx, busy)
	if b == nil || err != nil {
		stop()
		return err
	}
	r.servers.OnHealed(b.nudge)
	var wg sync.WaitGroup
	wg.Go(func() { b.run(ctx, recalled, r.archive) })
	r.onClose(func() error {
		stop()
		wg.Wait()
		return nil
	})
	return nil
}

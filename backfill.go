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

// backfill makes the vectors of everybody that a change of the embedding model has left
// missing, a session at a time. It goes on where it was stopped, waits for an embedding server
// that is down, and ends when nothing is missing: what is said from then on has jobs.
type backfill struct {
	runtime     *Runtime
	dir    string
	state  build.BackfillState
	healed chan struct{} // a server answers again
	busy   func() bool   // somebody waits for an answer now
	saved  time.Time
}

// saveEvery is how often the progress is written down, and askEvery how often a server is
// waited for without being told that it is back.
const (
	saveEvery = time.Second
	askEvery  = time.Minute
)

// newBackfill is what there is to do; nil: nothing.
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
		// A collection holds the documents of one model: those of this one may be gone from it.
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

// run works until everything is done, or ctx ends.
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

// awaited is what did not answer, in words; "" for nil.
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

// pass looks at every session, in an order of its own: replicas that do so at the same time
// share the work.
func (b *backfill) pass(ctx context.Context, recalled *recall.Tier, archived *archive.Tier) error {
	keys, err := sessionsOf(ctx, b.runtime.store, "")
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

// refill makes the vectors that one session lacks. One that is damaged is passed over.
func refill(ctx context.Context, key memory.Key, recalled *recall.Tier, archived *archive.Tier) (messages, documents int, err error) {
	if messages, err = recalled.BackfillSession(ctx, key); err == nil {
		documents, err = archived.Backfill(ctx, key)
	}
	if errors.Is(err, memory.ErrCorrupt) || errors.Is(err, memory.ErrNotFound) {
		err = nil
	}
	return messages, documents, err
}

// sessionsOf are the sessions of a user; of all for "".
func sessionsOf(ctx context.Context, store memory.Backend, user string) ([]memory.Key, error) {
	const page = 1000
	var keys []memory.Key
	for {
		infos, err := store.Sessions(ctx, memory.Query{UserID: user, Limit: page, Offset: len(keys)})
		if err != nil {
			return nil, err
		}
		for i := range infos {
			keys = append(keys, infos[i].Key)
		}
		if len(infos) < page {
			return keys, nil
		}
	}
}

func (b *backfill) save(now bool) {
	if !now && time.Since(b.saved) < saveEvery {
		return
	}
	b.saved, b.state.At = time.Now(), build.Now()
	_ = b.state.Write(b.dir) // lost, the work is looked at once more
}

// rest leaves the processor to whoever waits for an answer.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(min(d, time.Second))
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// nudge says that a server answers again.
func (b *backfill) nudge() {
	select {
	case b.healed <- struct{}{}:
	default:
	}
}

// refills begins to make the missing vectors of everybody; it ends with the app.
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

package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/durable"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/archive"
	"github.com/slotway/slotway/memory/recall"
)

// backfilled is how far the vectors of everybody's messages and documents have come. It is a
// file of the data folder: where it is lost, all sessions are looked at once more.
type backfilled struct {
	For      string    `json:"for"`   // digest of the model, of where its vectors are and of the store
	Model    string    `json:"model"` // "": none is needed
	Done     int       `json:"done"`  // sessions
	Total    int       `json:"total"`
	Made     int       `json:"made"` // vectors
	Finished bool      `json:"finished"`
	Waiting  bool      `json:"waiting,omitempty"` // the embedding server did not answer
	At       time.Time `json:"at"`
}

func backfillPath(dir string) string { return filepath.Join(dir, "vectors.json") }

// readBackfill reads how far they have come; nil: nobody knows.
func readBackfill(dir string) *backfilled {
	data, err := os.ReadFile(backfillPath(dir))
	var b backfilled
	if err != nil || json.Unmarshal(data, &b) != nil {
		return nil
	}
	return &b
}

func writeBackfill(dir string, b *backfilled) error {
	return durable.WriteFile(backfillPath(dir), func(w io.Writer) error { return json.NewEncoder(w).Encode(b) })
}

// wantedVectors says whose vectors are wanted, and a digest of that, of where they are and of
// the store; model is "" where none are made.
func wantedVectors(f *flags, s *config.Settings) (model, digest string) {
	m, e := &s.Memory, s.Models.Embed
	store := m.DSN
	if m.Storage == "sqlite" {
		store = f.storePath(s)
	}
	place := ""
	if vectorStores[m.VectorStore.Backend] != nil {
		place = m.VectorStore.Backend
	}
	if m.Enabled && m.Storage != "inmem" && m.VectorStore.Enabled && (e.Provider != "static" || place != "") {
		model = strings.TrimSuffix(e.Provider+"/"+e.Model, "/")
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", []string{model, e.BaseURL, place, m.VectorStore.CollectionName, m.VectorStore.URL, m.Storage, store}))
	return model, hex.EncodeToString(sum[:16])
}

// line says in words how far they are.
func (b *backfilled) line() string {
	state := "going on"
	switch {
	case b.Finished:
		state = "done"
	case b.Waiting:
		state = "waiting for the embedding server"
	case b.At.IsZero():
		state = "not begun: serve and chat do so, or memory reindex"
	}
	return fmt.Sprintf("%s: %d of %d sessions, %d vectors made, %s", b.Model, b.Done, b.Total, b.Made, state)
}

// backfill makes the vectors of everybody that a change of the embedding model has left
// missing, a session at a time. It goes on where it was stopped, waits for an embedding server
// that is down, and ends when nothing is missing: what is said from then on has jobs.
type backfill struct {
	app    *app
	dir    string
	state  backfilled
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
func (a *app) newBackfill(ctx context.Context, f *flags, busy func() bool) (*backfill, error) {
	dir := f.dataDir(a.settings)
	model, digest := wantedVectors(f, a.settings)
	before := readBackfill(dir)
	if before != nil && before.For == digest && before.Finished || before == nil && model == "" {
		return nil, nil
	}
	b := &backfill{
		app: a, dir: dir, healed: make(chan struct{}, 1), busy: busy,
		state: backfilled{For: digest, Model: model, Finished: model == "", At: wallClock()},
	}
	if before != nil && before.For != digest && a.outside != nil {
		// A collection holds the documents of one model: those of this one may be gone from it.
		if _, err := a.store.DropViews(ctx, memory.ViewQuery{Tier: archive.VectorsName}); err != nil {
			return nil, fmt.Errorf("begin to make vectors anew: %w", err)
		}
	}
	if err := writeBackfill(dir, &b.state); err != nil {
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
		b.state.Finished, b.state.Waiting = err == nil, err != nil
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

// pass looks at every session, in an order of its own: replicas that do so at the same time
// share the work.
func (b *backfill) pass(ctx context.Context, recalled *recall.Tier, archived *archive.Tier) error {
	keys, err := b.app.sessionsOf(ctx, "")
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
			rest(ctx, time.Since(begun))
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
func (a *app) sessionsOf(ctx context.Context, user string) ([]memory.Key, error) {
	const page = 1000
	var keys []memory.Key
	for {
		infos, err := a.store.Sessions(ctx, memory.Query{UserID: user, Limit: page, Offset: len(keys)})
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
	b.saved, b.state.At = time.Now(), wallClock()
	_ = writeBackfill(b.dir, &b.state) // lost, the work is looked at once more
}

// rest leaves the processor to whoever waits for an answer.
func rest(ctx context.Context, d time.Duration) {
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
func (a *app) refills(f *flags, tiers []memory.Tier, busy func() bool) error {
	recalled, err := tierOf[*recall.Tier](tiers)
	if err != nil {
		return nil // memory is off
	}
	ctx, stop := context.WithCancel(context.Background())
	b, err := a.newBackfill(ctx, f, busy)
	if b == nil || err != nil {
		stop()
		return err
	}
	a.servers.onHealed(b.nudge)
	var wg sync.WaitGroup
	wg.Go(func() { b.run(ctx, recalled, a.archive) })
	a.onClose(func() error {
		stop()
		wg.Wait()
		return nil
	})
	return nil
}

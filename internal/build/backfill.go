package build

import (
	"cmp"
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

	"github.com/slotway/slotway/config/durable"
	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/archive"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/tools"
)

// BackfillState is the progress of making everybody's missing vectors. It is a file of the data
// folder; if the file is lost, all sessions are checked once more.
type BackfillState struct {
	Digest     string    `json:"for"`   // digest of the model, the place of the vectors and the store
	Model      string    `json:"model"` // "": none is needed
	Done       int       `json:"done"`  // sessions
	Total      int       `json:"total"`
	Made       int       `json:"made"` // vectors
	Finished   bool      `json:"finished"`
	Waiting    bool      `json:"waiting,omitempty"` // a server that it needs did not answer
	WaitingFor string    `json:"awaited,omitempty"` // the name of that server
	At         time.Time `json:"at"`
}

func backfillPath(dir string) string { return filepath.Join(dir, "vectors.json") }

// ReadBackfill reads the progress; nil: unknown.
func ReadBackfill(dir string) *BackfillState {
	data, err := os.ReadFile(backfillPath(dir))
	var b BackfillState
	if err != nil || json.Unmarshal(data, &b) != nil {
		return nil
	}
	return &b
}

// Write saves the progress in the data folder.
func (b *BackfillState) Write(dir string) error {
	return durable.WriteFile(backfillPath(dir), func(w io.Writer) error { return json.NewEncoder(w).Encode(b) })
}

// WantedVectors returns the embedding model of the settings, and a digest of the model, the place
// of the vectors and the store; model is "" if no vectors are made.
func WantedVectors(s *settings.Settings) (model, digest string) {
	m, e := &s.Memory, s.Models.Embed
	store := m.DSN
	if m.Storage == "sqlite" {
		store = m.StoragePath
	}
	place := ""
	if externalVectors(m.VectorStore.Backend) {
		place = m.VectorStore.Backend
	}
	if m.Enabled && m.Storage != "inmem" && m.VectorStore.Enabled && (e.Provider != "static" || place != "") {
		model = strings.TrimSuffix(e.Provider+"/"+e.Model, "/")
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", []string{model, e.BaseURL, place, m.VectorStore.CollectionName, m.VectorStore.URL, m.Storage, store}))
	return model, hex.EncodeToString(sum[:16])
}

// String describes the progress in words.
func (b *BackfillState) String() string {
	state := "going on"
	switch {
	case b.Finished && b.Total == 0:
		return b.Model + ": jobs make them as messages come; there were none before"
	case b.Finished:
		state = "done"
	case b.Waiting:
		state = "waiting for " + cmp.Or(b.WaitingFor, "the embedding server")
	case b.At.IsZero():
		state = "not begun: serve and chat do so, or memory reindex"
	}
	return fmt.Sprintf("%s: %d of %d sessions checked for missing vectors, %d made, %s", b.Model, b.Done, b.Total, b.Made, state)
}

// backfill makes the vectors that are missing after a change of the embedding model, for all users,
// session by session. It continues where it stopped, waits for an embedding server that is down,
// and ends when no vector is missing: for later messages there are jobs.
type backfill struct {
	store  memory.Backend
	dir    string
	state  BackfillState
	healed chan struct{} // a server answers again
	busy   func() bool   // a user waits for an answer
	saved  time.Time
}

// saveEvery is the interval for saving the progress, and askEvery the one for retrying a server
// that has not reported back.
const (
	saveEvery = time.Second
	askEvery  = time.Minute
)

// newBackfill returns the work to do; nil: none.
func (p *Past) newBackfill(ctx context.Context, busy func() bool) (*backfill, error) {
	dir := DataDir(p.Settings)
	model, digest := WantedVectors(p.Settings)
	before := ReadBackfill(dir)
	if before != nil && before.Digest == digest && before.Finished || before == nil && model == "" {
		return nil, nil
	}
	b := &backfill{
		store: p.Store, dir: dir, healed: make(chan struct{}, 1), busy: busy,
		state: BackfillState{Digest: digest, Model: model, Finished: model == "", At: Now()},
	}
	if before != nil && before.Digest != digest && p.vectors != nil {
		// A collection holds the documents of one model: it may lack those of this one.
		if _, err := p.Store.DropViews(ctx, memory.ViewQuery{Tier: archive.VectorsName}); err != nil {
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
	keys, err := memory.Keys(ctx, b.store, memory.Query{})
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
	b.saved, b.state.At = time.Now(), Now()
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

// StartBackfill makes the missing vectors in the background until the runtime closes.
func (p *Past) StartBackfill(tiers []memory.Tier, busy func() bool) error {
	recalled, err := memory.TierOf[*recall.Tier](tiers)
	if err != nil {
		return nil // memory is off
	}
	ctx, stop := context.WithCancel(context.Background())
	b, err := p.newBackfill(ctx, busy)
	if b == nil || err != nil {
		stop()
		return err
	}
	p.Models.Servers.OnHealed(b.nudge)
	var wg sync.WaitGroup
	wg.Go(func() { b.run(ctx, recalled, p.archive) })
	p.OnClose(func() error {
		stop()
		wg.Wait()
		return nil
	})
	return nil
}

// Reindex makes the vectors that the messages and archived documents of a user lack in the
// embedding model of the settings; user "" means all users. It calls progress with the number of
// sessions done, first for messages and then for archives, and returns how many vectors it made.
func (p *Past) Reindex(ctx context.Context, tiers []memory.Tier, user string, progress func(what string, done, total int)) (messages, documents int, err error) {
	recalled, err := memory.TierOf[*recall.Tier](tiers)
	if err != nil {
		return 0, 0, err
	}
	messages, err = recalled.Backfill(ctx, user, func(done, total int) { progress("sessions", done, total) })
	if err != nil {
		return messages, 0, err
	}
	keys, err := memory.Keys(ctx, p.Store, memory.Query{UserID: user})
	if err != nil {
		return messages, 0, err
	}
	for i, key := range keys {
		n, err := p.archive.Backfill(ctx, key)
		if documents += n; err != nil {
			return messages, documents, err
		}
		progress("archives", i+1, len(keys))
	}
	if user != "" {
		return messages, documents, nil
	}
	return messages, documents, p.reindexed(len(keys), messages+documents)
}

// reindexed records that no vector is missing.
func (p *Past) reindexed(sessions, made int) error {
	model, digest := WantedVectors(p.Settings)
	if model == "" {
		return nil
	}
	b := &BackfillState{Digest: digest, Model: model, Done: sessions, Total: sessions, Made: made, Finished: true, At: Now()}
	return b.Write(DataDir(p.Settings))
}

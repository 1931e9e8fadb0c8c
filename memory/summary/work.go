package summary

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/window"
)

// errUnusable reports that the stored summary must be made again.
var errUnusable = errors.New("the stored summary cannot be continued")

// maxAgain limits how often one run starts over.
const maxAgain = 10

// maxTurn is the most messages of a block: longer turns are cut.
const maxTurn = 1000

// Work implements memory.Worker. It makes the due blocks and adds them to the rollup, one write
// each, so that finished blocks stay wherever it stops.
func (t *Tier) Work(ctx context.Context, job memory.Job) error {
	if err := ignore(t.coverRested(ctx, job.Key), memory.ErrNotFound); err != nil {
		return err
	}
	if t.opts.CompressionOnly {
		return t.Compress(ctx, job.Key)
	}
	for reached, again := int64(-1), 0; ; {
		upTo, err := t.step(ctx, job.Key)
		if errors.Is(err, memory.ErrNotFound) {
			return nil // deleted meanwhile
		}
		if err != nil {
			return err
		}
		if upTo == 0 {
			break
		}
		if upTo <= reached { // another worker is at it too, or turns are being undone
			if again++; again > maxAgain {
				return errUnusable
			}
		}
		reached = upTo
	}
	if t.opts.Compress {
		return t.Compress(ctx, job.Key)
	}
	return nil
}

// coverRested covers what a pause, or a compression, took out of the window.
func (t *Tier) coverRested(ctx context.Context, key memory.Key) error {
	if !t.opts.KeepsRested {
		return nil
	}
	snap, err := t.store.Load(ctx, key, memory.LoadOptions{})
	if err == nil && snap.State.Version > 0 && snap.Floor > 1 {
		_, err = t.coverTo(ctx, snap, snap.Floor)
	}
	return err
}

// coverTo covers what is before stay, and reports whether all of it is.
func (t *Tier) coverTo(ctx context.Context, snap *memory.Snapshot, stay int64) (bool, error) {
	w := &work{Tier: t, key: snap.Key, snap: snap}
	if err := w.resume(ctx); err != nil {
		return false, err
	}
	return w.cover(ctx, stay)
}

// work is one run on a session.
type work struct {
	*Tier
	key    memory.Key
	snap   *memory.Snapshot
	rollup *rollup
	lex    *lexicon
}

// step makes one block and returns up to where the session is covered; 0: none is due.
func (t *Tier) step(ctx context.Context, key memory.Key) (upTo int64, err error) {
	w, err := t.begin(ctx, key)
	if w == nil || err != nil {
		return 0, err
	}
	list, err := w.due(ctx)
	if err != nil || len(list) == 0 {
		return 0, err
	}
	b, err := w.build(ctx, list)
	if err != nil {
		return 0, err
	}
	return w.put(ctx, b)
}

// begin reads how far a session is covered; nil: it only has its newest messages, or is too short
// to be summarised.
func (t *Tier) begin(ctx context.Context, key memory.Key) (*work, error) {
	snap, enough, err := t.newest(ctx, key, t.opts.Recent)
	if err != nil || snap.State.Version == 0 || !enough {
		return nil, err
	}
	w := &work{Tier: t, key: key, snap: snap}
	if err := w.resume(ctx); err != nil {
		return nil, err
	}
	if w.rollup.Blocks > 0 {
		return w, nil
	}
	if small, err := w.small(ctx); err != nil || small {
		return nil, err
	}
	return w, nil
}

// Update covers all but the newest Recent messages: full blocks as Work does, and a shorter block
// for the rest. It leaves a session alone that is too short to be summarised.
func (t *Tier) Update(ctx context.Context, key memory.Key) error {
	if err := t.Work(ctx, memory.Job{Key: key, Kind: Kind}); err != nil || t.opts.CompressionOnly {
		return err
	}
	w, err := t.begin(ctx, key)
	if err = ignore(err, memory.ErrNotFound); err != nil || w == nil {
		return err
	}
	_, err = w.cover(ctx, w.snap.Recent[0].Seq)
	return err
}

// resume continues from the rollup, or starts over.
func (w *work) resume(ctx context.Context) error {
	h, err := w.Tier.loadRollup(ctx, w.key, w.snap.Epoch)
	if err == nil && h != nil {
		h, err = w.usable(ctx, h)
	}
	if errors.Is(err, errUnusable) {
		// A rollup is not replaced by one that covers less, so it is dropped first.
		h, err = nil, w.Drop(ctx, w.key)
	}
	if err != nil {
		return err
	}
	if h != nil {
		w.rollup = h
		return nil
	}
	base, err := memory.EpochStart(ctx, w.store, w.snap)
	w.rollup, w.lex = &rollup{Version: version, Base: base, UpTo: base - 1}, newLexicon()
	return err
}

// usable reads what belongs to a rollup; errUnusable: it is incomplete, or contains undone
// messages.
func (w *work) usable(ctx context.Context, h *rollup) (*rollup, error) {
	gone, err := w.retracted(ctx, w.key, h)
	if err != nil {
		return nil, err
	}
	w.lex = &lexicon{}
	found, err := w.read(ctx, w.key, wordsID, w.snap.Epoch, w.lex)
	if err != nil {
		return nil, err
	}
	if gone || !found || w.lex.Version != version || w.lex.Stems == nil {
		return nil, errUnusable
	}
	return h, nil
}

// Drop deletes what the tier made of a session. The next job makes it again.
func (t *Tier) Drop(ctx context.Context, key memory.Key) error {
	_, err := t.store.DropViews(ctx, memory.ViewsOf(key, Name, ""))
	if err != nil {
		return fmt.Errorf("drop the summary: %w", err)
	}
	return nil
}

// due reads the messages of the next block; none if it is not full yet. A block ends with a turn,
// and before the newest messages.
func (w *work) due(ctx context.Context) ([]memory.Message, error) {
	first := w.snap.Recent[0] // the first message of the newest ones
	size := w.blockSize(w.rollup.Blocks + 1)
	var list []memory.Message
	for after := w.rollup.UpTo; after+1 < first.Seq; {
		page, err := w.store.Messages(ctx, w.key, memory.Page{After: after, Limit: 2 * size, Inactive: true})
		if err != nil {
			return nil, fmt.Errorf("read messages: %w", err)
		}
		if len(page) == 0 {
			return nil, nil
		}
		for i := range page {
			if page[i].Seq < first.Seq && !page[i].Retracted {
				list = append(list, page[i])
			}
		}
		after = page[len(page)-1].Seq
		next := int64(-1) // the turn after the list, if known
		if after+1 >= first.Seq {
			next = first.Turn
		}
		if n := w.full(list, size, next); n > 0 {
			return list[:n], nil
		}
		if len(list) >= maxTurn {
			return list[:maxTurn], nil
		}
	}
	return nil, nil
}

// small reports whether the session needs no summary yet.
func (w *work) small(ctx context.Context) (bool, error) {
	tokens := 0
	for i := range w.snap.Recent {
		tokens += window.Tokens(&w.snap.Recent[i])
	}
	if tokens > w.opts.ThresholdTokens {
		return false, nil
	}
	if w.snap.NextSeq-w.rollup.Base <= int64(w.opts.Trigger) {
		return true, nil
	}
	large, err := w.weighs(ctx, w.key, memory.Page{After: w.rollup.Base - 1, Inactive: true}, w.opts.Trigger, func(m *memory.Message) int {
		if spoken(m) && !m.Retracted {
			return 1
		}
		return 0
	})
	return !large, err
}

// full returns the number of messages of the first whole turns that fill a block; 0: too few.
func (w *work) full(list []memory.Message, size int, next int64) int {
	tokens := 0
	for i := range list {
		tokens += window.Tokens(&list[i])
		following := next
		if i+1 < len(list) {
			following = list[i+1].Turn
		}
		ends := following >= 0 && following != list[i].Turn
		if ends && (i+1 >= size || tokens >= w.blockTokens()) {
			return i + 1
		}
	}
	return 0
}

// put writes the block and the rollup with it, and returns up to where the session is covered:
// another worker may have been faster.
func (w *work) put(ctx context.Context, b *block) (int64, error) {
	w.rollup.add(b, w.Tier)
	var views []memory.View
	for _, part := range [...]struct {
		id   string
		data any
	}{{fmt.Sprintf(blockForm, b.Number), b}, {wordsID, w.lex}, {rollupID, w.rollup}} {
		data, err := json.Marshal(part.data)
		if err != nil {
			return 0, fmt.Errorf("encode the summary: %w", err)
		}
		views = append(views, memory.View{
			Key: w.key, Tier: Name, ID: part.id, Epoch: w.snap.Epoch, UpTo: b.UpTo, At: b.at(), Data: data,
		})
	}
	// A block is never overwritten: a slower worker leaves what is there.
	now, err := w.Tier.loadRollup(ctx, w.key, w.snap.Epoch)
	if err != nil {
		return 0, err
	}
	if now != nil && now.UpTo >= b.UpTo {
		return now.UpTo, nil
	}
	n, err := w.store.PutViews(ctx, views)
	if err != nil {
		return 0, fmt.Errorf("write the summary: %w", err)
	}
	if n == 0 {
		return 0, nil // the session was cleared or deleted meanwhile
	}
	return b.UpTo, nil
}

package recall

import (
	"context"
	"math"
	"strings"

	"github.com/slotway/slotway/memory"
)

// remoteEmbedder returns the preferred embedder if its vectors are stored, else nil: vectors of an
// embedded model are made again.
func (t *Tier) remoteEmbedder() Embedder {
	if len(t.opts.Embedders) == 0 {
		return nil
	}
	if _, local := t.opts.Embedders[0].(localEmbedder); local {
		return nil
	}
	return t.opts.Embedders[0]
}

// Kind implements memory.Worker.
func (*Tier) Kind() string { return Kind }

// Wants implements memory.Worker.
func (t *Tier) Wants(p memory.Progress) bool {
	switch {
	case t.opts.Vectors != nil:
		if len(t.jobEmbedders()) == 0 {
			return false
		}
		if p.Floor > 1 && p.Floor >= p.Before { // it was cleared
			return true
		}
	case t.remoteEmbedder() == nil:
		return false
	}
	for i := range p.Messages {
		if Indexed(&p.Messages[i]) {
			return true
		}
	}
	return false
}

// Work implements memory.Worker. It embeds the messages of the job's session up to its target that
// have no vector of the preferred embedder yet.
func (t *Tier) Work(ctx context.Context, job memory.Job) error {
	if t.opts.Vectors != nil {
		_, err := t.syncSession(ctx, job.Key, job.Target, false)
		return err
	}
	e := t.remoteEmbedder()
	if e == nil {
		return nil
	}
	_, err := t.embed(ctx, e, job.Key, job.Target, false)
	return err
}

// Backfill embeds every message of the user ("" for all) that has no vector of the preferred
// embedder, and drops the vectors of models that are no longer among the options. Meanwhile the old
// ones are used. It calls progress, if not nil, after every session. It returns the number of
// embedded messages; on an error those so far stay.
func (t *Tier) Backfill(ctx context.Context, userID string, progress func(done, total int)) (int, error) {
	var owners []Owner
	if t.opts.Vectors != nil && userID == "" {
		err := t.guard.timed(ctx, "owners", 0, func(ctx context.Context) (err error) {
			owners, err = t.opts.Vectors.Owners(ctx)
			return err
		})
		if err != nil {
			return 0, err
		}
	}
	keys, err := memory.Keys(ctx, t.store, memory.Query{UserID: userID})
	if err != nil {
		return 0, err
	}
	total := 0
	for i, key := range keys {
		n, err := t.BackfillSession(ctx, key)
		total += n
		if err != nil {
			return total, err
		}
		if progress != nil {
			progress(i+1, len(keys))
		}
	}
	if len(owners) == 0 {
		return total, nil
	}
	living, err := memory.Keys(ctx, t.store, memory.Query{})
	if err != nil {
		return total, err
	}
	return total, t.sweep(ctx, owners, living)
}

// BackfillSession is Backfill of one session.
func (t *Tier) BackfillSession(ctx context.Context, key memory.Key) (n int, err error) {
	if t.opts.Vectors != nil {
		if n, err = t.syncSession(ctx, key, math.MaxInt64, true); err != nil {
			return n, err
		}
		return n, t.dropOldExternal(ctx, key)
	}
	if e := t.remoteEmbedder(); e != nil {
		if n, err = t.embed(ctx, e, key, math.MaxInt64, true); err != nil {
			return n, err
		}
	}
	return n, t.dropOld(ctx, key)
}

// dropOld deletes a session's vectors of models that are no longer used.
func (t *Tier) dropOld(ctx context.Context, key memory.Key) error {
	q := memory.ViewsOf(key, Name, "vec/")
	views, err := t.store.Views(ctx, q)
	if err != nil {
		return err
	}
	old := map[string]bool{}
	for i := range views {
		if at := strings.LastIndexByte(views[i].ID, '/'); at >= 0 {
			old[views[i].ID[:at+1]] = true
		}
	}
	for _, e := range t.opts.Embedders {
		delete(old, segmentPrefix(e.Model()))
	}
	for prefix := range old {
		q.Prefix = prefix
		if _, err := t.store.DropViews(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// embed makes the missing vectors of a session, segment by segment from the oldest. Unless all are
// to be checked, it assumes that the segments before a complete one are complete.
func (t *Tier) embed(ctx context.Context, e Embedder, key memory.Key, target int64, all bool) (int, error) {
	snap, err := memory.LoadReadable(ctx, t.store, key, memory.LoadOptions{Fresh: true})
	if err != nil || snap.State.Version == 0 {
		return 0, err
	}
	base, err := memory.EpochStart(ctx, t.store, snap)
	if err != nil {
		return 0, err
	}
	if err := ensureDimension(ctx, e); err != nil {
		return 0, err
	}
	target = min(target, snap.NextSeq-1)
	first, last := segmentOf(base), segmentOf(target)
	whole := func(n int64, view *memory.View) bool {
		return view != nil && view.Epoch == snap.Epoch && view.UpTo >= min((n+1)*segmentMessages, target)
	}
	n := first
	if !all {
		for n = last; n > first; n-- {
			view, _, err := t.segment(ctx, e, key, n)
			if err != nil {
				return 0, err
			}
			if whole(n, view) {
				break
			}
		}
	}
	total := 0
	for ; n <= last; n++ {
		view, known, err := t.segment(ctx, e, key, n)
		if err != nil {
			return total, err
		}
		if whole(n, view) {
			continue
		}
		made, err := t.embedSegment(ctx, e, snap, base, n, target, known)
		total += made
		if err != nil {
			return total, err
		}
	}
	return total, nil
}

// segment reads one segment; nil if there is none that can be used.
func (t *Tier) segment(ctx context.Context, e Embedder, key memory.Key, n int64) (*memory.View, []vectorRow, error) {
	view, err := memory.FindView(ctx, t.store, key, Name, segmentName(e.Model(), n))
	if view == nil || err != nil {
		return nil, nil, err
	}
	rows, err := decodeSegment(n, e.Dimension(), view.Data)
	if err != nil {
		return nil, nil, nil // made again
	}
	return view, rows, nil
}

// embedSegment writes one segment from the known rows and new ones.
func (t *Tier) embedSegment(ctx context.Context, e Embedder, snap *memory.Snapshot, base, n, target int64, known []vectorRow) (int, error) {
	key := snap.Key
	upTo := min((n+1)*segmentMessages, target)
	messages, err := t.store.Messages(ctx, key, memory.Page{After: n * segmentMessages, Limit: int(upTo - n*segmentMessages), Inactive: true, Salvage: true})
	if err != nil {
		return 0, err
	}
	have := map[int64]vectorRow{}
	for _, r := range known {
		have[r.seq] = r
	}
	var rows, missing []vectorRow
	var texts []string
	for i := range messages {
		m := &messages[i]
		if m.Seq < base || m.Seq > upTo || m.Retracted || !Indexed(m) {
			continue
		}
		check := uint32(checkOf(m.Text))
		if r, ok := have[m.Seq]; ok && r.check == check {
			rows = append(rows, r)
			continue
		}
		missing = append(missing, vectorRow{seq: m.Seq, check: check})
		texts = append(texts, m.Text)
	}
	if err := t.fill(ctx, e, key, missing, texts); err != nil {
		return 0, err
	}
	rows = append(rows, missing...)
	_, err = t.store.PutViews(ctx, []memory.View{{
		Key: key, Tier: Name, ID: segmentName(e.Model(), n), Epoch: snap.Epoch, UpTo: upTo,
		At: t.opts.Now(), Data: encodeSegment(e.Dimension(), rows),
	}})
	if err != nil {
		return 0, err
	}
	t.storeRows(key, 0, rows)
	return len(missing), nil
}

// fill embeds texts of a session into rows.
func (t *Tier) fill(ctx context.Context, e Embedder, key memory.Key, rows []vectorRow, texts []string) error {
	texts, err := t.opts.Redact.Texts(ctx, texts, key)
	if err != nil {
		return err
	}
	vectors, err := embedTexts(ctx, e, texts)
	if err != nil {
		return err
	}
	for i, v := range vectors {
		rows[i].row = make([]int8, len(v))
		rows[i].scale = quantize(rows[i].row, v)
	}
	return nil
}

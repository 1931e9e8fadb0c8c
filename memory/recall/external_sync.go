package recall

import (
	"context"
	"slices"

	"github.com/slotway/slotway/memory"
)

// jobEmbedders returns the embedders, by number, whose vectors the job makes: the embedded ones and
// the preferred one.
func (t *Tier) jobEmbedders() []int {
	var out []int
	for i, e := range t.opts.Embedders {
		if _, local := e.(localEmbedder); local {
			out = append(out, i)
		}
	}
	if t.remoteEmbedder() != nil {
		out = append(out, 0) // last, because it may fail
	}
	return out
}

// syncSession brings the vectors of a session up to date with the store.
func (t *Tier) syncSession(ctx context.Context, key memory.Key, target int64, all bool) (int, error) {
	total := 0
	for _, model := range t.jobEmbedders() {
		n, err := t.syncModel(ctx, model, key, target, all)
		total += n
		if err != nil {
			return total, err
		}
	}
	return total, nil
}

// syncPage is the number of messages that are read, embedded and written at a time.
const syncPage = 256

// syncModel writes the missing vectors of a session by one model, from the oldest. Unless all are
// to be checked, it begins where the recorded progress ends.
func (t *Tier) syncModel(ctx context.Context, model int, key memory.Key, target int64, all bool) (int, error) {
	e := t.opts.Embedders[model]
	snap, err := memory.LoadReadable(ctx, t.store, key, memory.LoadOptions{Fresh: true})
	if err != nil {
		return 0, err
	}
	if snap.State.Version == 0 {
		return 0, t.Forget(ctx, key)
	}
	base, err := memory.EpochStart(ctx, t.store, snap)
	if err != nil {
		return 0, err
	}
	if err := ensureDimension(ctx, e); err != nil {
		return 0, err
	}
	x := syncer{
		Tier: t, model: model, e: e, base: base,
		set: VectorSet{Owner: OwnerOf(key), Model: e.Model(), Dim: e.Dimension(), Fence: Fence{snap.CreatedAt.UnixMicro(), snap.Epoch}},
		key: key,
	}
	done, known, err := x.progress(ctx)
	if err != nil {
		return 0, err
	}
	if !known { // new here, or cleared since: existing rows are of an earlier life
		if err := t.drop(ctx, VectorDrop{Owner: x.set.Owner, Model: x.set.Model, Before: &x.set.Fence}); err != nil {
			return 0, err
		}
	}
	if all {
		done = 0
		if err := x.loadStored(ctx, snap.NextSeq); err != nil {
			return 0, err
		}
	}
	total := 0
	target = min(target, snap.NextSeq-1)
	for after := max(base-1, done); after < target; {
		until := min(after+syncPage, target)
		n, over, err := x.page(ctx, after, until)
		total += n
		if over || err != nil {
			return total, err
		}
		after = until
	}
	return total, nil
}

// syncer is the work on one session by one model.
type syncer struct {
	*Tier
	model  int
	e      Embedder
	key    memory.Key
	base   int64
	set    VectorSet
	stored map[int64]uint32 // if all are to be checked: the checksums in the vector store
}

// progress returns how far the job has come. known is false if that was in an earlier life of the
// session.
func (x *syncer) progress(ctx context.Context) (done int64, known bool, err error) {
	view, err := memory.FindView(ctx, x.store, x.key, Name, progressName(x.opts.Vectors.Name(), x.set.Model))
	if view == nil || err != nil {
		return 0, false, err
	}
	done = progressOf(view, x.set.Fence)
	return done, done > 0, nil
}

// loadStored reads the existing rows and drops those of another life and those of messages that
// cannot be found any more.
func (x *syncer) loadStored(ctx context.Context, next int64) error {
	var rows []StoredRow
	err := x.guard.timed(ctx, "held", callLimit, func(ctx context.Context) (err error) {
		rows, err = x.opts.Vectors.Stored(ctx, x.set)
		return err
	})
	if err != nil {
		return err
	}
	x.stored = map[int64]uint32{}
	var stale []int64
	for _, r := range rows {
		if r.Seq < x.base || r.Seq >= next || r.Fence != x.set.Fence {
			stale = append(stale, r.Seq)
		} else {
			x.stored[r.Seq] = r.Check
		}
	}
	return x.dropSeqs(ctx, stale)
}

func (x *syncer) dropSeqs(ctx context.Context, seqs []int64) error {
	for part := range slices.Chunk(seqs, syncPage) {
		if err := x.drop(ctx, VectorDrop{Owner: x.set.Owner, Model: x.set.Model, Seqs: part}); err != nil {
			return err
		}
	}
	return nil
}

// page writes the missing rows of messages after one and up to another, and records the progress.
// over reports that the session has ended.
func (x *syncer) page(ctx context.Context, after, until int64) (made int, over bool, err error) {
	messages, err := x.store.Messages(ctx, x.key, memory.Page{After: after, Limit: int(until - after), Inactive: true, Salvage: true})
	if err != nil {
		return 0, false, err
	}
	var rows []VectorRow
	var texts []string
	var stale []int64
	for i := range messages {
		m := &messages[i]
		if m.Seq > until {
			break
		}
		check, there := x.stored[m.Seq]
		wanted := m.Seq >= x.base && !m.Retracted && Indexed(m)
		switch own := uint32(checkOf(m.Text)); {
		case there && !wanted:
			stale = append(stale, m.Seq)
		case wanted && (!there || check != own):
			rows = append(rows, VectorRow{
				Seq: m.Seq, Check: own, At: m.Timestamp.UnixMicro(), Agent: m.Role == memory.Agent, Importance: min(max(m.Importance, 0), 3),
			})
			texts = append(texts, m.Text)
		}
	}
	if err := x.dropSeqs(ctx, stale); err != nil {
		return 0, false, err
	}
	if err := x.vectors(ctx, rows, texts); err != nil {
		return 0, false, err
	}
	if err := x.put(ctx, rows); err != nil {
		return 0, false, err
	}
	over, err = x.saveProgress(ctx, until)
	return len(rows), over, err
}

// vectors fills in rows: from the store's views, else by the embedder.
func (x *syncer) vectors(ctx context.Context, rows []VectorRow, texts []string) error {
	if len(rows) == 0 {
		return nil
	}
	known := map[int64]vectorRow{}
	if x.model == 0 && x.remoteEmbedder() != nil {
		list, err := x.readSegments(ctx, x.e, x.key, segmentOf(rows[0].Seq), segmentOf(rows[len(rows)-1].Seq))
		if err != nil {
			return err
		}
		for _, r := range list {
			known[r.seq] = r
		}
	}
	var missing []int
	var lacking []string
	for i := range rows {
		if r, ok := known[rows[i].Seq]; ok && r.check == rows[i].Check && r.scale > 0 {
			rows[i].Vector = make([]float32, len(r.row))
			for j, a := range r.row {
				rows[i].Vector[j] = float32(a) * r.scale
			}
			unit(rows[i].Vector)
			continue
		}
		missing, lacking = append(missing, i), append(lacking, texts[i])
	}
	lacking, err := x.opts.Redact.Texts(ctx, lacking, x.key)
	if err != nil {
		return err
	}
	vectors, err := embedTexts(ctx, x.e, lacking)
	if err != nil {
		return err
	}
	for i, v := range vectors {
		rows[missing[i]].Vector = v
	}
	return nil
}

// put writes rows. It leaves out vectors of zeros, which are near to nothing.
func (x *syncer) put(ctx context.Context, rows []VectorRow) error {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r VectorRow) bool { return isZero(r.Vector) })
	if len(rows) == 0 {
		return nil
	}
	return x.guard.timed(ctx, "put", callLimit, func(ctx context.Context) error { return x.opts.Vectors.Put(ctx, x.set, rows) })
}

// saveProgress records how far the vectors go in this life of the session. If that life has ended
// meanwhile, it drops what was written.
func (x *syncer) saveProgress(ctx context.Context, done int64) (over bool, err error) {
	for range 2 { // the second pass finds out why the first wrote nothing
		if over, err := x.sessionEnded(ctx); over || err != nil {
			return over, err
		}
		n, err := x.store.PutViews(ctx, []memory.View{{
			Key: x.key, Tier: Name, ID: progressName(x.opts.Vectors.Name(), x.set.Model), Epoch: x.set.Fence.Epoch, UpTo: done,
			At: x.opts.Now(), Data: progressData(x.set.Fence.Born),
		}})
		if err != nil {
			return false, err
		}
		if n == 1 {
			x.noteProgress(x.key, x.model, x.set.Fence, done)
			return false, nil
		}
	}
	return false, nil // another worker is ahead
}

// sessionEnded reports whether the session was deleted, cleared or replaced since the work began.
// It then drops the vectors of the earlier life.
func (x *syncer) sessionEnded(ctx context.Context) (bool, error) {
	snap, err := memory.LoadReadable(ctx, x.store, x.key, memory.LoadOptions{Fresh: true})
	if err != nil {
		return false, err
	}
	if snap.State.Version == 0 {
		return true, x.Forget(ctx, x.key)
	}
	now := Fence{snap.CreatedAt.UnixMicro(), snap.Epoch}
	if now == x.set.Fence {
		return false, nil
	}
	return true, x.drop(ctx, VectorDrop{Owner: x.set.Owner, Before: &now})
}

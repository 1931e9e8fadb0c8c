package recall

import (
	"context"
	"slices"

	"github.com/slotway/slotway/memory"
)

// syncSession brings the vectors of a session up to date with its messages up to a target. It
// returns the number of new ones.
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

// syncModel makes the missing vectors of a session by one model, from the oldest. Unless all are to
// be checked, it begins where the last run ended.
func (t *Tier) syncModel(ctx context.Context, model int, key memory.Key, target int64, all bool) (int, error) {
	e := t.opts.Embedders[model]
	snap, err := t.store.Load(ctx, key, memory.LoadOptions{Fresh: true})
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
		Tier: t, model: model, e: e, base: base, key: key, target: min(target, snap.NextSeq-1),
		set: VectorSet{Owner: OwnerOf(key), Model: e.Model(), Dim: e.Dimension(), Fence: FenceOf(snap)},
	}
	// A view holds one segment. A call to a vector store is worth more rows.
	begin, page, size := x.beginViews, x.viewPage, int64(segmentMessages)
	if t.opts.Vectors != nil {
		begin, page, size = x.beginExternal, x.externalPage, 4*segmentMessages
	}
	after, err := begin(ctx, all)
	if err != nil {
		return 0, err
	}
	total := 0
	for after = max(after, base-1); after < x.target; {
		until := min((after/size+1)*size, x.target)
		made, over, err := page(ctx, after, until)
		total += made
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
	base   int64 // first message of the epoch
	target int64
	set    VectorSet
	stored map[int64]uint32 // if all are to be checked: the checksums in the vector store
}

// missing returns the messages after one and up to another that are to have a vector, without the
// vector, and those whose vector in the vector store is stale.
func (x *syncer) missing(ctx context.Context, after, until int64) (rows []VectorRow, texts []string, stale []int64, err error) {
	messages, err := x.store.Messages(ctx, x.key, memory.Page{After: after, Limit: int(until - after), Inactive: true})
	if err != nil {
		return nil, nil, nil, err
	}
	for i := range messages {
		m := &messages[i]
		if m.Seq > until {
			break
		}
		check, there := x.stored[m.Seq]
		own := uint32(checkOf(m.Text))
		wanted := m.Seq >= x.base && !m.Retracted && Indexed(m)
		switch {
		case there && !wanted:
			stale = append(stale, m.Seq)
		case wanted && (!there || check != own):
			rows = append(rows, VectorRow{
				Seq: m.Seq, Check: own, At: m.Timestamp.UnixMicro(), Agent: m.Role == memory.Agent, Importance: min(max(m.Importance, 0), 3),
			})
			texts = append(texts, m.Text)
		}
	}
	return rows, texts, stale, nil
}

// embed fills in the vectors of rows: known ones, else by the embedder. It returns the rows in the
// form of views, and how many the embedder made.
func (x *syncer) embed(ctx context.Context, rows []VectorRow, texts []string, known []vectorRow) (packed []vectorRow, made int, err error) {
	bySeq := map[int64]vectorRow{}
	for _, r := range known {
		bySeq[r.seq] = r
	}
	packed = make([]vectorRow, len(rows))
	var lacking []int
	var asked []string
	for i := range rows {
		r, ok := bySeq[rows[i].Seq]
		if !ok || r.check != rows[i].Check {
			lacking, asked = append(lacking, i), append(asked, texts[i])
			continue
		}
		packed[i], rows[i].Vector = r, make([]float32, len(r.row))
		for j, a := range r.row {
			rows[i].Vector[j] = float32(a) * r.scale
		}
		unit(rows[i].Vector)
	}
	if asked, err = x.opts.Redact.Texts(ctx, asked, x.key); err != nil {
		return nil, 0, err
	}
	vectors, err := embedTexts(ctx, x.e, asked)
	if err != nil {
		return nil, 0, err
	}
	for i, v := range vectors {
		row := &rows[lacking[i]]
		row.Vector = v
		quantized, scale := Quantize(v)
		packed[lacking[i]] = vectorRow{row.Seq, row.Check, scale, quantized}
	}
	return packed, len(lacking), nil
}

// beginViews returns the end of the newest complete segment: those before it are complete, too.
func (x *syncer) beginViews(ctx context.Context, all bool) (after int64, err error) {
	if all {
		return 0, nil
	}
	for n := segmentOf(x.target); n > segmentOf(x.base); n-- {
		until := min((n+1)*segmentMessages, x.target)
		view, _, err := x.segment(ctx, x.e, x.key, n)
		if err != nil {
			return 0, err
		}
		if x.complete(view, until) {
			return until, nil
		}
	}
	return 0, nil
}

// complete reports whether a view holds the vectors of its segment up to a message.
func (x *syncer) complete(view *memory.View, until int64) bool {
	return view != nil && view.Epoch == x.set.Fence.Epoch && view.UpTo >= until
}

// viewPage writes the view of one segment.
func (x *syncer) viewPage(ctx context.Context, _, until int64) (made int, over bool, err error) {
	n := segmentOf(until)
	view, known, err := x.segment(ctx, x.e, x.key, n)
	if err != nil || x.complete(view, until) {
		return 0, false, err
	}
	rows, texts, _, err := x.missing(ctx, n*segmentMessages, until)
	if err != nil {
		return 0, false, err
	}
	packed, made, err := x.embed(ctx, rows, texts, known)
	if err != nil {
		return 0, false, err
	}
	_, err = x.store.PutViews(ctx, []memory.View{{
		Key: x.key, Tier: Name, ID: segmentName(x.set.Model, n), Epoch: x.set.Fence.Epoch, UpTo: until,
		At: x.opts.Now(), Data: encodeSegment(x.e.Dimension(), packed),
	}})
	if err != nil {
		return 0, false, err
	}
	x.storeRows(x.key, x.model, packed)
	return made, false, nil
}

// beginExternal returns the recorded progress. If all are to be checked it reads the existing rows,
// and drops those of another life and those of messages that cannot be found any more.
func (x *syncer) beginExternal(ctx context.Context, all bool) (after int64, err error) {
	view, err := memory.FindView(ctx, x.store, x.key, Name, progressName(x.opts.Vectors.Name(), x.set.Model))
	if err != nil {
		return 0, err
	}
	if view != nil {
		after = progressOf(view, x.set.Fence)
	}
	if after == 0 { // new here, or cleared since: existing rows are of an earlier life
		if err := x.drop(ctx, VectorDrop{Owner: x.set.Owner, Model: x.set.Model, Before: &x.set.Fence}); err != nil {
			return 0, err
		}
	}
	if !all {
		return after, nil
	}
	var rows []StoredRow
	err = x.guard.timed(ctx, "held", callLimit, func(ctx context.Context) (err error) {
		rows, err = x.opts.Vectors.Stored(ctx, x.set)
		return err
	})
	if err != nil {
		return 0, err
	}
	x.stored = map[int64]uint32{}
	var stale []int64
	for _, r := range rows {
		found := r.Seq >= x.base && r.Seq <= x.target && r.Fence == x.set.Fence
		if found {
			x.stored[r.Seq] = r.Check
		} else {
			stale = append(stale, r.Seq)
		}
	}
	return 0, x.dropSeqs(ctx, stale)
}

// dropSeqs drops messages from the vector store.
func (x *syncer) dropSeqs(ctx context.Context, seqs []int64) error {
	const batch = 256
	for part := range slices.Chunk(seqs, batch) {
		if err := x.drop(ctx, VectorDrop{Owner: x.set.Owner, Model: x.set.Model, Seqs: part}); err != nil {
			return err
		}
	}
	return nil
}

// externalPage writes the missing rows of messages after one and up to another to the vector store,
// and records the progress. over reports that the session has ended. Vectors that the store's views
// have, from before a vector store was configured, are not made again. Vectors of zeros, which are
// near to nothing, are left out.
func (x *syncer) externalPage(ctx context.Context, after, until int64) (made int, over bool, err error) {
	rows, texts, stale, err := x.missing(ctx, after, until)
	if err != nil {
		return 0, false, err
	}
	if err := x.dropSeqs(ctx, stale); err != nil {
		return 0, false, err
	}
	var known []vectorRow
	if len(rows) > 0 && x.model == 0 && x.remoteEmbedder() != nil {
		known, err = x.readSegments(ctx, x.e, x.key, segmentOf(after+1), segmentOf(until))
	}
	if err == nil {
		_, _, err = x.embed(ctx, rows, texts, known)
	}
	if err != nil {
		return 0, false, err
	}
	made = len(rows)
	rows = slices.DeleteFunc(rows, func(r VectorRow) bool { return IsZero(r.Vector) })
	if len(rows) > 0 {
		err = x.guard.timed(ctx, "put", callLimit, func(ctx context.Context) error { return x.opts.Vectors.Put(ctx, x.set, rows) })
	}
	if err != nil {
		return 0, false, err
	}
	over, err = x.saveProgress(ctx, until)
	return made, over, err
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
	snap, err := x.store.Load(ctx, x.key, memory.LoadOptions{Fresh: true})
	if err != nil {
		return false, err
	}
	if snap.State.Version == 0 {
		return true, x.Forget(ctx, x.key)
	}
	now := FenceOf(snap)
	if now == x.set.Fence {
		return false, nil
	}
	return true, x.drop(ctx, VectorDrop{Owner: x.set.Owner, Before: &now})
}

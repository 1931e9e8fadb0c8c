package recall

import (
	"context"
	"strconv"
	"strings"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/scopes"
)

// storeRows adds rows of a session to its index, if that is in memory.
func (t *Tier) storeRows(key memory.Key, model int, rows []vectorRow) {
	sc, ok := t.scopes.Loaded(scopes.Of(key))
	if !ok {
		return
	}
	sc.mu.Lock()
	defer sc.mu.Unlock()
	if sn, ok := sc.x.ids[key.SessionID]; ok {
		sc.x.storeRows(sn, model, rows)
	}
}

// storeRows adds the rows whose messages are indexed and unchanged.
func (x *index) storeRows(sn uint32, model int, rows []vectorRow) {
	bySeq := make(map[int64]*vectorRow, len(rows))
	for i := range rows {
		bySeq[rows[i].seq] = &rows[i]
	}
	for n := x.sessions[sn].last; n >= 0 && len(bySeq) > 0; n = x.docs[n].prev {
		r := bySeq[x.docs[n].seq]
		if r == nil {
			continue
		}
		delete(bySeq, r.seq)
		if r.check == uint32(x.docs[n].check) && !x.meaning[model].has(uint32(n)) {
			x.meaning[model].set(int(n), r.row, r.scale)
		}
	}
}

// fewSegments is the most segments that are read one by one; else all of a session are.
const fewSegments = 4

// readRows reads the missing vectors of a session's docs from the store into the index: those of
// the newest docs, or of all.
func (t *Tier) readRows(ctx context.Context, x *index, sn uint32, key memory.Key, all bool) error {
	for model, e := range t.opts.Embedders {
		if x.local[model] != nil {
			continue
		}
		first, last := x.missing(sn, model, all)
		if last == 0 {
			continue
		}
		rows, err := t.readSegments(ctx, e, key, segmentOf(first), segmentOf(last))
		if err != nil {
			return err
		}
		x.storeRows(sn, model, rows)
	}
	return nil
}

// missing returns the range of messages without a row of a model: since the newest with one, or of
// all. last is 0 if none lacks one.
func (x *index) missing(sn uint32, model int, all bool) (first, last int64) {
	for n := x.sessions[sn].last; n >= 0; n = x.docs[n].prev {
		if x.meaning[model].has(uint32(n)) {
			if !all {
				break
			}
			continue
		}
		first = x.docs[n].seq
		last = max(last, first)
	}
	return first, last
}

// readSegments reads the rows of at least the segments first to last. It skips what cannot be read:
// a backfill makes it again.
func (t *Tier) readSegments(ctx context.Context, e Embedder, key memory.Key, first, last int64) ([]vectorRow, error) {
	var all []vectorRow
	if last-first < fewSegments {
		for n := first; n <= last; n++ {
			_, rows, err := t.segment(ctx, e, key, n)
			if err != nil {
				return nil, err
			}
			all = append(all, rows...)
		}
		return all, nil
	}
	prefix := segmentPrefix(e.Model())
	views, err := t.store.Views(ctx, memory.ViewsOf(key, Name, prefix))
	if err != nil {
		return nil, err
	}
	for i := range views {
		n, err := strconv.ParseInt(strings.TrimPrefix(views[i].ID, prefix), 10, 64)
		if err != nil {
			continue
		}
		if rows, err := decodeSegment(n, e.Dimension(), views[i].Data); err == nil {
			all = append(all, rows...)
		}
	}
	return all, nil
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

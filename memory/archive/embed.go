package archive

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/internal/history"
	"github.com/slotway/slotway/memory/recall"
)

// embedBatch is the number of documents that are embedded and stored at a time.
const embedBatch = 64

// embeddable is a document to be embedded.
type embeddable struct {
	Document

	typ   Type
	piece string // text of a chunk of an added document
}

// text returns what the vector is made of.
func (m *embeddable) text() string {
	if m.typ == Documents {
		return m.piece
	}
	return strings.Join(slices.Concat(m.Topics, []string{m.Summary}, m.Decisions, m.Questions), " ")
}

// embedSession makes the missing vectors of a session's documents and drops those of documents that
// no longer exist. It returns the number of new vectors.
func (t *Tier) embedSession(ctx context.Context, key memory.Key) (int, error) {
	if t.remote == nil {
		return 0, nil
	}
	snap, err := t.store.Load(ctx, key, memory.LoadOptions{Fresh: true})
	if err != nil {
		return 0, err
	}
	if snap.State.Version == 0 {
		return 0, t.dropExternal(ctx, recall.VectorDrop{Owner: recall.OwnerOf(key)})
	}
	list, err := t.embeddables(ctx, snap)
	if err != nil {
		return 0, err
	}
	known, err := t.vectors(ctx, key)
	if err != nil {
		return 0, err
	}
	fence := recall.FenceOf(snap)
	var missing []embeddable
	for i := range list {
		v := known[list[i].From]
		if v == nil || v.Check != checkOf(list[i].text()) || (recall.Fence{Born: v.Born, Epoch: v.epoch}) != fence {
			missing = append(missing, list[i])
		}
		delete(known, list[i].From)
	}
	if err := t.dropVectors(ctx, key, known); err != nil {
		return 0, err
	}
	made := 0
	for part := range slices.Chunk(missing, embedBatch) {
		if err := t.storeVectors(ctx, snap, fence, part); err != nil {
			return made, fmt.Errorf("embed %d documents: %w", len(part), err)
		}
		made += len(part)
	}
	if made > 0 {
		t.invalidate(key)
	}
	return made, nil
}

// embeddables returns the documents of a session, or the chunks of an added text.
func (t *Tier) embeddables(ctx context.Context, snap *memory.Snapshot) ([]embeddable, error) {
	var out []embeddable
	if snap.Key.UserID != Owner {
		views, err := t.store.Views(ctx, memory.ViewsOf(snap.Key, Name, ""))
		if err != nil {
			return nil, err
		}
		docs, _ := validDocuments(views, snap.Epoch)
		for i := range docs {
			out = append(out, embeddable{Document: docs[i], typ: Conversations})
		}
		return out, nil
	}
	for m, err := range history.Messages(ctx, t.store, snap.Key, memory.Page{After: snap.Floor - 1}) {
		if err != nil {
			return out, ignoreDeleted(err)
		}
		out = append(out, embeddable{
			Document: Document{From: m.Seq, To: m.Seq, Messages: 1, Begun: m.Timestamp, Ended: m.Timestamp, Digest: Digest{Title: snap.Key.SessionID}},
			typ:      Documents, piece: strings.TrimSpace(m.Metadata[metaHeading] + "\n" + m.Text),
		})
	}
	return out, nil
}

// storeVectors embeds documents of a session and stores their vectors.
func (t *Tier) storeVectors(ctx context.Context, snap *memory.Snapshot, fence recall.Fence, part []embeddable) error {
	key := snap.Key
	texts := make([]string, len(part), 2*len(part))
	for i := range part {
		texts[i] = part[i].text()
	}
	vectors, err := t.remote.EmbedTexts(ctx, key, texts)
	if err != nil {
		return err
	}
	var views []memory.View
	for i := range part {
		d := &part[i]
		row, scale := recall.Quantize(vectors[i])
		v := vectorOf{Born: fence.Born, Check: checkOf(texts[i]), Scale: scale, Row: make([]byte, len(row))}
		for k, a := range row {
			v.Row[k] = byte(a)
		}
		data, err := json.Marshal(v)
		if err != nil {
			return err
		}
		views = append(views, memory.View{
			Key: key, Tier: VectorsName, ID: t.vectorID(d.From), Epoch: snap.Epoch, UpTo: d.To, At: t.opts.Now(), Data: data,
		})
	}
	if t.opts.External != nil {
		if err := t.putExternal(ctx, key, fence, part, vectors); err != nil {
			return err
		}
	}
	_, err = t.store.PutViews(ctx, views) // nothing is written if the session was cleared or deleted
	return err
}

// dropVectors drops the vectors of documents that no longer exist.
func (t *Tier) dropVectors(ctx context.Context, key memory.Key, gone map[int64]*vectorOf) error {
	if len(gone) == 0 {
		return nil
	}
	var seqs []int64
	for from := range gone {
		seqs = append(seqs, from)
	}
	slices.Sort(seqs)
	d := recall.VectorDrop{Owner: recall.OwnerOf(key), Documents: true, Model: t.opts.Preferred.Model(), Seqs: seqs}
	if err := t.dropExternal(ctx, d); err != nil {
		return err
	}
	for _, from := range seqs {
		q := memory.ViewsOf(key, VectorsName, t.vectorID(from))
		if _, err := t.store.DropViews(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// Backfill makes the missing vectors of a session's documents with the preferred embedder, and
// drops those of other embedders. It returns the number of new vectors.
func (t *Tier) Backfill(ctx context.Context, key memory.Key) (int, error) {
	made, err := t.embedSession(ctx, key)
	if err != nil {
		return made, err
	}
	q := memory.ViewsOf(key, VectorsName, "")
	views, err := t.store.Views(ctx, q)
	if err != nil {
		return made, err
	}
	for i := range views {
		if t.remote != nil && strings.HasPrefix(views[i].ID, t.vectorPrefix()) {
			continue
		}
		q.Prefix = views[i].ID
		if _, err := t.store.DropViews(ctx, q); err != nil {
			return made, err
		}
	}
	return made, nil
}

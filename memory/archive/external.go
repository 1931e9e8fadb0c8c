package archive

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/recall"
)

// externalWriteTimeout is the time limit of one call to the external store.
const externalWriteTimeout = 30 * time.Second

// putExternal writes documents with their vectors to the external store. If the session was deleted
// or cleared meanwhile, it drops them again.
func (t *Tier) putExternal(ctx context.Context, key memory.Key, fence recall.Fence, part []embeddable, vectors [][]float32) error {
	hide, _, err := t.opts.Pseudonyms.Of(ctx, key)
	if err != nil {
		return err
	}
	var rows []recall.VectorRow
	for i := range part {
		if recall.IsZero(vectors[i]) {
			continue // a zero vector is near to nothing
		}
		d := &part[i]
		row := d.row(key, hide)
		row.Vector, row.Check = vectors[i], checkOf(d.text())
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return nil
	}
	set := recall.VectorSet{Owner: recall.OwnerOf(key), Documents: true, Model: t.opts.Preferred.Model(), Dim: len(rows[0].Vector), Fence: fence}
	err = t.guard.Call(ctx, "put", externalWriteTimeout, func(ctx context.Context) error { return t.opts.External.Put(ctx, set, rows) })
	if err != nil {
		return err
	}
	snap, err := t.store.Load(ctx, key, memory.LoadOptions{Fresh: true})
	if err != nil {
		return err
	}
	now := recall.FenceOf(snap)
	switch {
	case snap.State.Version == 0:
		return t.dropExternal(ctx, recall.VectorDrop{Owner: set.Owner})
	case now != fence:
		return t.dropExternal(ctx, recall.VectorDrop{Owner: set.Owner, Documents: true, Model: set.Model, Before: &now})
	}
	return nil
}

func (t *Tier) dropExternal(ctx context.Context, d recall.VectorDrop) error {
	if t.opts.External == nil {
		return nil
	}
	return t.guard.Call(ctx, "drop", externalWriteTimeout, func(ctx context.Context) error { return t.opts.External.Drop(ctx, d) })
}

// withoutNUL replaces a character that PostgreSQL's texts cannot hold.
var withoutNUL = strings.NewReplacer("\x00", " ")

// row returns a document as the external store keeps it, with hidden values. A value has the same
// name in the text and in the metadata.
func (m *embeddable) row(key memory.Key, hide func(string) string) recall.VectorRow {
	clean := func(text string) string { return hide(withoutNUL.Replace(text)) }
	document := &recall.Document{
		Namespace: "documents:" + key.AgentID, Type: "document", Text: clean(m.piece),
		Metadata: map[string]any{
			"session_id": key.SessionID, "agent_id": key.AgentID, "message_count": m.Messages,
			"date_range": map[string]string{"start": m.Begun.UTC().Format(time.RFC3339), "end": m.Ended.UTC().Format(time.RFC3339)},
		},
	}
	if m.typ == Conversations {
		d := m.Document
		d.Digest = d.reworded(clean)
		document.Namespace, document.Type, document.Text = "conversations:"+key.UserID, "conversation", d.markdown()
		for i, name := range [...]string{"conversation_topics", "entities_mentioned", "decisions_made", "open_questions"} {
			document.Metadata[name] = *d.lists()[i]
		}
	}
	return recall.VectorRow{Seq: m.From, At: m.Ended.UnixMicro(), Document: document}
}

// markdown returns a document under headings, for people who read the external store.
func (d *Document) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n## Date Range\n\n%s to %s\n\n## Summary\n\n%s\n", d.Title, d.Begun.Format(time.DateOnly), d.Ended.Format(time.DateOnly), d.Summary)
	for _, part := range []struct {
		name string
		list []string
	}{{"Decisions", d.Decisions}, {"Open Questions", d.Questions}} {
		if len(part.list) > 0 {
			fmt.Fprintf(&b, "\n## %s\n\n- %s\n", part.name, strings.Join(part.list, "\n- "))
		}
	}
	return b.String()
}

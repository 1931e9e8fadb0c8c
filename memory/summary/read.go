package summary

import (
	"context"
	"fmt"

	"github.com/slotway/slotway/memory"
)

// Summary is the stored summary of a session, for people to read.
type Summary struct {
	SummarizedUpTo int64         `json:"summarized_up_to"`
	Blocks         int           `json:"blocks"`
	Narrative      string        `json:"narrative"`
	Facts          []memory.Fact `json:"facts"` // including ended ones, as far as they are kept
}

// Read returns the summary of a session, or a zero one. Facts are marked as sensitive, not masked.
func (t *Tier) Read(ctx context.Context, key memory.Key) (Summary, error) {
	snap, err := t.store.Load(ctx, key, memory.LoadOptions{})
	if err != nil {
		return Summary{}, fmt.Errorf("load the session: %w", err)
	}
	h, err := t.current(ctx, memory.Request{Key: key, Epoch: snap.Epoch, Floor: snap.Floor, NextSeq: snap.NextSeq})
	if err != nil || h.Blocks == 0 {
		return Summary{}, err
	}
	later, err := t.store.Messages(ctx, key, memory.Page{After: h.UpTo, Limit: maxGap})
	if err = ignore(err, memory.ErrNotFound); err != nil {
		return Summary{}, fmt.Errorf("read unsummarised messages: %w", err)
	}
	t.outdate(h, later)
	return Summary{h.UpTo, h.Blocks, h.Narrative, h.Facts}, nil
}

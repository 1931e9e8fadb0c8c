package summary

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/slotway/slotway/memory"
)

// version is the version of the views. Views of another version are made again.
const version = 1

// Ids of the views.
const (
	rollupID  = "head"    // what the blocks add up to
	wordsID   = "lexicon" // for scoring the next block
	blockForm = "block/%06d"
)

const (
	// poolShare is the size of the pool as a multiple of the narrative's budget: an older sentence
	// without a place today may get one when the newest have aged.
	poolShare = 2
	// maxKept is the most important messages given word for word, and keptTokens the most tokens of
	// each: nobody remembers a page word by word.
	maxKept    = 12
	keptTokens = 200
)

// rollup adds up a session's blocks. Adding a block costs the same however many there were before.
type rollup struct {
	Version   int              `json:"version"`
	Base      int64            `json:"base"`  // the first message of the session's epoch
	UpTo      int64            `json:"up_to"` // last covered message
	Turn      int64            `json:"turn"`  // last covered turn
	Blocks    int              `json:"blocks"`
	Pool      []Piece          `json:"pool,omitempty"`
	Narrative string           `json:"narrative,omitempty"` // of the pool, ready for use where it fits
	Kept      []memory.Message `json:"kept,omitempty"`      // important ones, with their importance
	Asked     string           `json:"asked,omitempty"`     // yes-or-no question of the last message
	ledger
}

// block summarises one range of messages. It is made once. Its facts are in the rollup.
type block struct {
	Version int              `json:"version"`
	Number  int              `json:"number"` // from 1
	From    int64            `json:"from"`
	UpTo    int64            `json:"up_to"`
	Turn    int64            `json:"turn"` // its last turn
	Count   int              `json:"messages"`
	Model   bool             `json:"model,omitempty"` // a model wrote Pieces
	Pieces  []Piece          `json:"pieces,omitempty"`
	Kept    []memory.Message `json:"kept,omitempty"`
}

// loadRollup reads the rollup of a session's epoch; nil if there is none, errUnusable if it has
// another version.
func (t *Tier) loadRollup(ctx context.Context, key memory.Key, epoch int64) (*rollup, error) {
	var h rollup
	found, err := t.read(ctx, key, rollupID, epoch, &h)
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, nil
	case h.Version != version:
		return nil, errUnusable
	}
	return &h, nil
}

// read decodes a view of an epoch and reports whether there is one.
func (t *Tier) read(ctx context.Context, key memory.Key, id string, epoch int64, to any) (bool, error) {
	view, err := memory.FindView(ctx, t.store, key, Name, id)
	switch {
	case err != nil:
		return false, fmt.Errorf("read the summary: %w", err)
	case view == nil || view.Epoch != epoch:
		return false, nil
	case json.Unmarshal(view.Data, to) != nil:
		return false, errUnusable
	}
	return true, nil
}

// retracted reports whether the last covered message was undone since, so that not all of the
// rollup happened. Turns are undone from the end, so that message is the first covered one to go.
func (t *Tier) retracted(ctx context.Context, key memory.Key, h *rollup) (bool, error) {
	list, err := t.store.Messages(ctx, key, memory.Page{After: h.UpTo - 1, Limit: 1, Inactive: true})
	if err != nil {
		return false, fmt.Errorf("read the last summarised message: %w", err)
	}
	return len(list) == 0 || list[0].Seq != h.UpTo || list[0].Retracted && !list[0].Damaged(), nil
}

// add adds a block to the rollup.
func (h *rollup) add(b *block, t *Tier) {
	h.UpTo, h.Turn, h.Blocks = b.UpTo, b.Turn, b.Number
	h.Pool = Select(append(h.Pool, b.Pieces...), poolShare*t.opts.MaxNarrativeTokens, b.UpTo, t.cost)
	h.Narrative = t.tell(h.Pool, t.opts.MaxNarrativeTokens, b.UpTo)
	h.Kept = mostImportant(append(h.Kept, b.Kept...), maxKept)
}

// mostImportant drops the least important messages, the oldest first.
func mostImportant(list []memory.Message, n int) []memory.Message {
	for len(list) > n {
		worst := 0
		for i := range list {
			if list[i].Importance < list[worst].Importance {
				worst = i
			}
		}
		list = slices.Delete(list, worst, worst+1)
	}
	return list
}

// keptOf returns the important ones among messages, without what a context does not need of them.
func keptOf(list []memory.Message, count func(string) int) (out []memory.Message) {
	for i := range list {
		m := &list[i]
		if level := Importance(m); level >= 2 && spoken(m) && count(m.Text) <= keptTokens {
			out = append(out, memory.Message{
				Seq: m.Seq, Turn: m.Turn, Role: m.Role, Text: m.Text, Timestamp: m.Timestamp, Tokens: m.Tokens, Importance: level,
			})
		}
	}
	return mostImportant(out, maxKept)
}

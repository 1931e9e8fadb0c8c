package summary

import (
	"context"
	"slices"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/internal/history"
)

// build makes a block of messages and adds the facts in it to the rollup.
func (w *work) build(ctx context.Context, list []memory.Message) (*block, error) {
	last := &list[len(list)-1]
	b := &block{
		Version: version, Number: w.rollup.Blocks + 1, From: w.rollup.UpTo + 1, UpTo: last.Seq, Turn: last.Turn,
		Count: len(list), Kept: keptOf(list, w.opts.Count),
	}
	turns, err := history.Turns(ctx, w.store, w.key, list[0].Turn, last.Turn)
	if err != nil {
		return nil, err
	}
	w.rollup.learn(list, turns, w.opts.Sensitive)
	b.Pieces = Select(pieces(list, w.lex), w.opts.MaxNarrativeTokens, b.UpTo, w.cost)
	if err := w.askModel(ctx, b, list); err != nil {
		return nil, err
	}
	w.rollup.hide()
	return b, nil
}

// at returns the time of the block: that of its newest piece.
func (b *block) at() (at time.Time) {
	for i := range b.Pieces {
		if b.Pieces[i].At.After(at) {
			at = b.Pieces[i].At
		}
	}
	return at
}

// learn adds the facts in messages and their turns to the rollup, turn by turn. Params of a turn
// that is not in turns are left out.
func (h *rollup) learn(list []memory.Message, turns map[int64]*memory.Turn, sensitive func(string) bool) {
	for i := range list {
		m := &list[i]
		if i == 0 || list[i-1].Turn != m.Turn {
			if t := turns[m.Turn]; t != nil && t.Snapshot != nil {
				h.params(t.Snapshot.State.Params, t.At, m.Seq, sensitive)
			}
		}
		for _, f := range slices.Concat(answerFact(h.Asked, m), ruleFacts(m, sensitive), resultFacts(m, sensitive)) {
			h.ledger.add(f)
		}
		h.Asked = nextAsked(h.Asked, m)
	}
}

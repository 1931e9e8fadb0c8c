package summary

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/window"
)

// Shares of a request's budget that package prompt leaves for certain: what is given
// within them is not cut.
const (
	verbatimShare  = 0.25
	narrativeShare = 0.15
)

// maxGap bounds how many uncovered messages one request looks at. Where the background has
// fallen behind by more, what is between is in neither, and SummarizedUpTo says so.
const maxGap = 1000

// Contribute implements memory.Tier: facts, narrative, and everything verbatim that they do
// not cover. It stands after the window and lengthens it; it adds nothing where the window
// reaches back to the first message.
func (t *Tier) Contribute(ctx context.Context, req memory.Request, c *memory.Context) error {
	if t.opts.Strategy == Simple {
		return nil
	}
	h, err := t.current(ctx, req)
	if err != nil {
		return err
	}
	if t.opts.Only && h.Blocks == 0 {
		return nil
	}
	covered := max(h.UpTo, req.Floor-1)
	begin := req.NextSeq
	if len(c.Recent) > 0 {
		begin = c.Recent[0].Seq
	}
	gap, complete, err := t.gap(ctx, req, covered, begin)
	if err != nil {
		return err
	}
	rest := t.verbatim(c, gap, h, req)
	if len(c.Recent) > 0 {
		begin = c.Recent[0].Seq
	}
	if h.Blocks == 0 && len(rest) == 0 {
		return nil
	}
	if len(rest) > 0 && complete {
		covered = rest[len(rest)-1].Seq
	}
	if req.Budget <= 0 {
		// What is given verbatim is not told again. Within a budget it may yet be cut.
		covered = min(covered, begin-1)
	}
	facts, err := t.facts(ctx, req.Key, h, slices.Concat(rest, c.Recent))
	if err != nil {
		return err
	}
	c.Facts = append(c.Facts, facts...)
	c.Narrative = join(c.Narrative, t.narrative(h, rest, req, begin))
	c.SummarizedUpTo = max(c.SummarizedUpTo, covered)
	if t.opts.Strategy == Hybrid {
		t.keep(c, append(slices.Clone(h.Kept), keptOf(rest, t.opts.Count)...), begin)
	}
	return nil
}

// verbatim makes the window what is given word for word, and returns what of the rest nothing
// tells yet. Of a session that is summarised these are the newest Recent messages, exactly; of one
// that is not, or is alone by compression, the window and what there is room for before it.
func (t *Tier) verbatim(c *memory.Context, gap []memory.Message, h *head, req memory.Request) (rest []memory.Message) {
	if t.opts.Only || h.Blocks == 0 && req.NextSeq-req.Floor <= int64(t.opts.Trigger) {
		fitting := t.fits(gap, c.Recent, req.Budget)
		c.Recent = slices.Concat(fitting, c.Recent)
		return gap[:len(gap)-len(fitting)]
	}
	all := slices.Concat(gap, c.Recent)
	cut := max(0, len(all)-t.opts.Recent)
	c.Recent = all[cut:]
	return slices.DeleteFunc(slices.Clone(all[:cut]), func(m memory.Message) bool { return m.Seq <= h.UpTo })
}

// narrative tells what the head has and the rest of the gap, inline.
func (t *Tier) narrative(h *head, rest []memory.Message, req memory.Request, begin int64) string {
	room := t.room(req.Budget)
	if len(rest) == 0 && h.UpTo < begin && room == t.opts.MaxNarrativeTokens {
		return h.Narrative
	}
	pool := h.Pool
	if len(rest) > 0 {
		pool = slices.Concat(pool, pieces(rest, newLexicon()))
	}
	if req.Budget <= 0 {
		pool = before(pool, begin)
	}
	return t.tell(pool, room, req.NextSeq-1)
}

// current is the head for a request; an empty one where there is none that holds.
func (t *Tier) current(ctx context.Context, req memory.Request) (*head, error) {
	h, err := t.head(ctx, req.Key, req.Epoch)
	if err = ignore(err, errUnusable); err != nil || h == nil {
		return &head{}, err
	}
	if h.UpTo >= req.NextSeq {
		return &head{}, nil
	}
	for i := range req.Recent {
		if req.Recent[i].Seq == h.UpTo {
			return h, nil // it is active
		}
	}
	gone, err := t.retracted(ctx, req.Key, h)
	if err != nil || gone {
		return &head{}, err
	}
	return h, nil
}

// gap reads the active messages after the covered ones and before begin: all, or the
// newest of them.
func (t *Tier) gap(ctx context.Context, req memory.Request, covered, begin int64) (list []memory.Message, complete bool, err error) {
	from := max(covered+1, req.Floor)
	if from >= begin {
		return nil, true, nil
	}
	list, complete = req.Recent, true
	if len(list) == 0 || list[0].Seq > from {
		list, err = t.store.Messages(ctx, req.Key, memory.Page{After: from - 1, Limit: maxGap, Last: true, Salvage: true})
		if err = ignore(err, memory.ErrNotFound); err != nil {
			return nil, false, fmt.Errorf("read what is not summarised: %w", err)
		}
		complete = len(list) < maxGap
	}
	list = slices.DeleteFunc(slices.Clone(list), func(m memory.Message) bool { return m.Seq < from || m.Seq >= begin || m.Damaged() })
	return list, complete, nil
}

// fits is the newest part of the gap, in whole turns, that is given verbatim.
func (t *Tier) fits(gap, recent []memory.Message, budget int) []memory.Message {
	room := t.opts.GapTokens
	if budget > 0 {
		room = int(verbatimShare * float64(budget))
		for i := range recent {
			room -= window.Tokens(&recent[i])
		}
	}
	if room <= 0 {
		return nil
	}
	return window.Fit(gap, window.Limits{MaxTokens: room})
}

// room is the narrative's budget.
func (t *Tier) room(budget int) int {
	if budget <= 0 {
		return t.opts.MaxNarrativeTokens
	}
	return min(t.opts.MaxNarrativeTokens, int(narrativeShare*float64(budget)))
}

// before are the pieces of messages before begin.
func before(list []Piece, begin int64) []Piece {
	return slices.DeleteFunc(slices.Clone(list), func(p Piece) bool { return p.Seq >= begin })
}

func join(first, then string) string {
	if first == "" || then == "" {
		return first + then
	}
	return first + "\n" + then
}

// facts are those of the head that still hold: a param may have changed since, and the messages
// that are not covered may say so.
func (t *Tier) facts(ctx context.Context, key memory.Key, h *head, later []memory.Message) ([]memory.Fact, error) {
	if len(h.Facts) == 0 {
		return nil, nil
	}
	snap, err := memory.LoadReadable(ctx, t.store, key, memory.LoadOptions{})
	if err != nil {
		return nil, fmt.Errorf("load the session: %w", err)
	}
	if snap.Turns > h.Turn {
		h.params(snap.State.Params, snap.UpdatedAt, snap.NextSeq-1, t.opts.Sensitive)
		h.hide()
	}
	t.outdate(h, later)
	return h.current(), nil
}

// outdate ends the facts of a head that messages after the covered ones contradict. What those
// say besides is given verbatim.
func (t *Tier) outdate(h *head, later []memory.Message) {
	for i := range later {
		m := &later[i]
		if m.Seq <= h.UpTo {
			continue
		}
		found := ending(m, t.opts.Sensitive)
		if m.Role == memory.Tool {
			found = resultFacts(m, t.opts.Sensitive)
		}
		for _, f := range found {
			h.ledger.outdate(f)
		}
	}
}

// keep adds important messages from before the window, each once, in their order.
func (t *Tier) keep(c *memory.Context, list []kept, begin int64) {
	for _, k := range mostImportant(list, maxKept) {
		there := slices.ContainsFunc(c.Kept, func(m memory.Message) bool { return m.Seq == k.Message.Seq })
		if k.Message.Seq < begin && !there {
			c.Kept = append(slices.Clip(c.Kept), k.Message)
		}
	}
	slices.SortStableFunc(c.Kept, func(a, b memory.Message) int { return cmp.Compare(a.Seq, b.Seq) })
}

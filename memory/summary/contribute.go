package summary

import (
	"context"
	"fmt"
	"slices"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/window"
)

// Shares of a request's budget, without the pinned instructions and the current message.
const (
	factShare     = 0.5  // as in package prompt
	recalledShare = 0.25 // as there; important messages may take as much
	perMessage    = 3    // tokens of a message's frame, as in package window
)

// maxGap is the most uncovered messages that one request reads. If the background is further
// behind, the messages between are missing, and SummarizedUpTo shows it.
const maxGap = 1000

// Contribute implements memory.Tier. It comes after the window, which it never extends, and tells
// what happened before it as facts and a narrative, also of messages that no block covers yet. It
// adds nothing if the window reaches back to the first message.
func (t *Tier) Contribute(ctx context.Context, req memory.Request, c *memory.Context) error {
	h, err := t.current(ctx, req)
	if err != nil {
		return err
	}
	covered, err := t.covered(ctx, req, h)
	if err != nil || t.opts.CompressionOnly && covered == req.Floor-1 && h.Blocks == 0 {
		return err
	}
	begin := req.NextSeq
	if len(c.Recent) > 0 {
		begin = c.Recent[0].Seq
	}
	gap, complete, err := t.gap(ctx, req, covered, begin)
	if err != nil {
		return err
	}
	p := t.divide(c, gap, h, req)
	c.Recent = p.verbatim
	if h.Blocks == 0 && len(p.rest) == 0 && len(p.told) == 0 {
		return nil
	}
	if len(p.rest) > 0 && complete {
		covered = p.rest[len(p.rest)-1].Seq
	}
	if req.Budget <= 0 && len(c.Recent) > 0 {
		// Messages given word for word are not in the narrative as well. Within a budget they may
		// yet be cut.
		covered = min(covered, c.Recent[0].Seq-1)
	}
	facts, err := t.facts(ctx, req.Key, h, p.told, p.newest)
	if err != nil {
		return err
	}
	c.Facts = append(c.Facts, facts...)
	c.Narrative, c.SummarizedUpTo = t.narrative(h, p.rest, req, p.safe), covered
	if t.opts.Strategy == Hybrid { // important messages from before the window
		kept := mostImportant(slices.Concat(h.Kept, keptOf(p.rest, t.opts.Count)), maxKept)
		c.Kept = slices.DeleteFunc(kept, func(m memory.Message) bool { return m.Seq >= p.safe })
	}
	return nil
}

// covered returns the last message that needs not be told any more: the last one of a block, or
// the last before the session's memory begins. That is where the window begins, or before a pause
// that ended the window.
func (t *Tier) covered(ctx context.Context, req memory.Request, h *rollup) (int64, error) {
	if h.UpTo >= req.Floor-1 || !t.opts.KeepsRested {
		return max(h.UpTo, req.Floor-1), nil
	}
	if h.Blocks > 0 {
		return h.UpTo, nil
	}
	snap, err := t.store.Load(ctx, req.Key, memory.LoadOptions{})
	if err != nil || snap.Epoch != req.Epoch {
		return req.Floor - 1, err
	}
	base, err := memory.EpochStart(ctx, t.store, snap)
	return base - 1, err
}

// parts says how the uncovered and the newest messages are given.
type parts struct {
	verbatim []memory.Message // word for word, as far as the budget goes
	safe     int64            // the first message that certainly fits into the budget
	rest     []memory.Message // uncovered messages before verbatim: the narrative tells them
	told     []memory.Message // uncovered messages whose facts are added now
	newest   []memory.Message // messages that only end facts
}

// divide decides which messages of the window are given word for word. In a summarised session
// these are the newest Recent messages and those that no block covers, else all.
func (t *Tier) divide(c *memory.Context, gap []memory.Message, h *rollup, req memory.Request) parts {
	at := 0
	_, long := newestSpoken(slices.Concat(gap, c.Recent), t.opts.Trigger+1)
	summarised := !t.opts.CompressionOnly && (h.Blocks > 0 || long)
	if summarised {
		at, _ = newestSpoken(c.Recent, t.opts.Recent)
	}
	covered := func(m memory.Message) bool { return m.Seq <= h.UpTo }
	from := slices.IndexFunc(c.Recent[:at], func(m memory.Message) bool { return !covered(m) })
	if from < 0 {
		from = at
	}
	p := parts{verbatim: c.Recent[from:], newest: c.Recent[at:], safe: req.NextSeq}
	fitting := p.verbatim
	if req.Budget > 0 {
		fitting = window.Fit(p.verbatim, window.Limits{MaxTokens: max(t.spare(req, c.System, h), 1)})
	}
	p.rest = slices.DeleteFunc(slices.Concat(gap, p.verbatim[:len(p.verbatim)-len(fitting)]), covered)
	p.told = p.rest
	if summarised {
		p.told = slices.Concat(gap, c.Recent[from:at])
	}
	if len(fitting) > 0 {
		p.safe = fitting[0].Seq
	}
	return p
}

// narrative returns the rollup's narrative together with the rest of the gap.
func (t *Tier) narrative(h *rollup, rest []memory.Message, req memory.Request, begin int64) string {
	room := t.room(req.Budget)
	if len(rest) == 0 && h.UpTo < begin && room == t.opts.MaxNarrativeTokens {
		return h.Narrative
	}
	pool := h.Pool
	if len(rest) > 0 {
		pool = slices.Concat(pool, pieces(rest, newLexicon()))
	}
	if req.Budget <= 0 {
		pool = slices.DeleteFunc(slices.Clone(pool), func(p Piece) bool { return p.Seq >= begin })
	}
	return t.tell(pool, room, req.NextSeq-1)
}

// current returns the rollup for a request, or an empty one if none is valid.
func (t *Tier) current(ctx context.Context, req memory.Request) (*rollup, error) {
	h, err := t.loadRollup(ctx, req.Key, req.Epoch)
	if err = ignore(err, errUnusable); err != nil || h == nil {
		return &rollup{}, err
	}
	if h.UpTo >= req.NextSeq {
		return &rollup{}, nil
	}
	for i := range req.Recent {
		if req.Recent[i].Seq == h.UpTo {
			return h, nil // the message is active
		}
	}
	gone, err := t.retracted(ctx, req.Key, h)
	if err != nil || gone {
		return &rollup{}, err
	}
	return h, nil
}

// gap reads the messages between the covered ones and begin: all, or the newest maxGap.
func (t *Tier) gap(ctx context.Context, req memory.Request, covered, begin int64) (list []memory.Message, complete bool, err error) {
	from := covered + 1
	if from >= begin {
		return nil, true, nil
	}
	list, complete = req.Recent, true
	if len(list) == 0 || list[0].Seq > from {
		list, err = t.store.Messages(ctx, req.Key, memory.Page{After: covered, Limit: maxGap, Last: true, Inactive: from < req.Floor})
		if err = ignore(err, memory.ErrNotFound); err != nil {
			return nil, false, fmt.Errorf("read unsummarised messages: %w", err)
		}
		complete = len(list) < maxGap
	}
	list = slices.DeleteFunc(slices.Clone(list), func(m memory.Message) bool {
		return m.Seq < from || m.Seq >= begin || m.Retracted || m.Damaged()
	})
	return list, complete, nil
}

// spare returns the tokens that package prompt certainly leaves for messages word for word.
func (t *Tier) spare(req memory.Request, system []memory.Message, h *rollup) int {
	left := req.Budget - perMessage - t.opts.Count(req.Text)
	for i := range system {
		left -= perMessage + t.opts.Count(system[i].Text)
	}
	facts := 0
	for _, f := range h.current() {
		facts += perMessage + t.opts.Count(f.Key) + t.opts.Count(f.Value)
	}
	others := recalledShare
	if t.opts.Strategy == Hybrid {
		others *= 2
	}
	return left - min(facts, int(factShare*float64(left))) - t.room(req.Budget) - int(others*float64(left))
}

// room returns the budget of the narrative.
func (t *Tier) room(budget int) int {
	if budget <= 0 {
		return t.opts.MaxNarrativeTokens
	}
	return min(t.opts.MaxNarrativeTokens, budget/2)
}

// facts returns the facts of the rollup that still hold, and those of told, which no block covers.
// A param may have changed since, and the newest messages may end facts.
func (t *Tier) facts(ctx context.Context, key memory.Key, h *rollup, told, newest []memory.Message) ([]memory.Fact, error) {
	snap, err := t.store.Load(ctx, key, memory.LoadOptions{})
	if err != nil {
		return nil, fmt.Errorf("load the session: %w", err)
	}
	h.learn(told, nil, t.opts.Sensitive)
	if snap.Turns > h.Turn {
		h.params(snap.State.Params, snap.UpdatedAt, snap.NextSeq-1, t.opts.Sensitive)
	}
	t.outdate(h, newest)
	h.hide()
	return h.current(), nil
}

// outdate ends facts of the rollup that uncovered messages contradict. It adds none: those messages
// are given word for word.
func (t *Tier) outdate(h *rollup, later []memory.Message) {
	for i := range later {
		m := &later[i]
		if m.Seq <= h.UpTo {
			continue
		}
		for _, f := range append(endingFacts(m, t.opts.Sensitive), resultFacts(m, t.opts.Sensitive)...) {
			h.ledger.outdate(f)
		}
	}
}

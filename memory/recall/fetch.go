package recall

import (
	"context"
	"errors"
	"slices"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/window"
)

// fetch reads the found messages from the store, with neighbours, within the query's token limit.
func (t *Tier) fetch(ctx context.Context, q *Query, found []located) ([]memory.Recalled, error) {
	var out []memory.Recalled
	told := map[position]bool{}
	for _, p := range q.exclude {
		told[p] = true
	}
	left := q.MaxTokens
	for _, l := range found {
		if len(out) == q.K {
			break
		}
		if told[l.position] {
			continue
		}
		r, err := t.readOne(ctx, q, &l, told)
		if errors.Is(err, memory.ErrNotFound) {
			continue
		}
		if errors.Is(err, memory.ErrCorrupt) {
			t.opts.OnCorrupt(memory.Key{UserID: q.Key.UserID, AgentID: q.Key.AgentID, SessionID: l.session}, err)
			continue
		}
		if err != nil {
			return nil, err
		}
		if q.MaxTokens > 0 {
			if r.fit(left); r.tokens() > left {
				continue
			}
			left -= r.tokens()
		}
		r.mark(told)
		out = append(out, r.Recalled)
	}
	return out, nil
}

// recalled is a result under construction.
type recalled struct{ memory.Recalled }

// readOne reads a message and its neighbours. ErrNotFound: it does not exist any more, or has
// changed.
func (t *Tier) readOne(ctx context.Context, q *Query, l *located, told map[position]bool) (recalled, error) {
	key := memory.Key{UserID: q.Key.UserID, AgentID: q.Key.AgentID, SessionID: l.session}
	from := max(l.seq-int64(q.Neighbours), 1)
	page := memory.Page{After: from - 1, Limit: int(l.seq-from) + 1 + q.Neighbours}
	messages, err := t.page(ctx, key, l, page)
	if err != nil {
		return recalled{}, err
	}
	r := recalled{memory.Recalled{Key: key, Score: float64(l.score), Similarity: float64(l.similar), Why: l.why}}
	ok := false
	for i := range messages {
		m := &messages[i]
		spoken := Indexed(m) && q.passes(m) && !told[position{l.session, m.Seq}] && (l.session != q.currentSession || m.Seq >= q.from && m.Seq < q.before)
		switch {
		case m.Seq == l.seq:
			r.Message = *m
			ok = checkOf(m.Text) == l.check && m.HasTags(q.Tags)
		case m.Seq < l.seq && spoken:
			r.Before = append(r.Before, *m)
		case m.Seq > l.seq && m.Seq <= l.seq+int64(q.Neighbours) && spoken:
			r.After = append(r.After, *m)
		}
	}
	if !ok {
		return recalled{}, memory.ErrNotFound
	}
	return r, nil
}

// tokens returns the size of the message with its neighbours.
func (r *recalled) tokens() int {
	n := window.Tokens(&r.Message)
	for _, list := range [][]memory.Message{r.Before, r.After} {
		for i := range list {
			n += window.Tokens(&list[i])
		}
	}
	return n
}

// fit drops neighbours for which there is no room.
func (r *recalled) fit(left int) {
	for r.tokens() > left && len(r.After) > 0 {
		r.After = r.After[:len(r.After)-1]
	}
	for r.tokens() > left && len(r.Before) > 0 {
		r.Before = r.Before[1:]
	}
}

// mark records which messages are shown, so that none is shown twice.
func (r *recalled) mark(told map[position]bool) {
	for _, list := range [][]memory.Message{r.Before, {r.Message}, r.After} {
		for i := range list {
			told[position{r.Key.SessionID, list[i].Seq}] = true
		}
	}
}

// page reads the messages around a found one. Messages that left the window are read only if the
// session has not been cleared since.
func (t *Tier) page(ctx context.Context, key memory.Key, l *located, page memory.Page) ([]memory.Message, error) {
	messages, err := t.store.Messages(ctx, key, page)
	if err != nil {
		return nil, err
	}
	messages = slices.DeleteFunc(messages, func(m memory.Message) bool { return m.Damaged() })
	if len(messages) > 0 && messages[0].Seq <= l.seq && messages[0].Seq == max(page.After+1, l.floor) {
		return messages, nil
	}
	snap, err := t.store.Load(ctx, key, memory.LoadOptions{})
	if err != nil {
		return nil, err
	}
	if snap.State.Version == 0 || snap.Epoch != l.epoch {
		return messages, nil
	}
	page.Inactive = true
	if messages, err = t.store.Messages(ctx, key, page); err != nil {
		return nil, err
	}
	kept := messages[:0]
	for i := range messages {
		if !messages[i].Retracted && messages[i].Seq >= l.floor {
			kept = append(kept, messages[i])
		}
	}
	return kept, nil
}

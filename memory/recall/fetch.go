package recall

import (
	"context"
	"errors"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/window"
)

// fetch reads what was found from the store, with neighbours, within the query's tokens.
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
			t.reportCorrupt(memory.Key{UserID: q.Key.UserID, AgentID: q.Key.AgentID, SessionID: l.session}, err)
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

// recalled is one result while it is made.
type recalled struct{ memory.Recalled }

// readOne reads a message and its neighbours. ErrNotFound: it is not there any more, or is
// not the one that was found.
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
			ok = checkOf(m.Text) == l.check && hasMetadata(m, q.Metadata) && m.HasTags(q.Tags)
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

func hasMetadata(m *memory.Message, metadata map[string]string) bool {
	for name, value := range metadata {
		if got, ok := m.Metadata[name]; !ok || got != value {
			return false
		}
	}
	return true
}

// tokens is what the message and its neighbours take.
func (r *recalled) tokens() int {
	n := window.Tokens(&r.Message)
	for _, list := range [][]memory.Message{r.Before, r.After} {
		for i := range list {
			n += window.Tokens(&list[i])
		}
	}
	return n
}

// fit leaves neighbours out that there is no room for.
func (r *recalled) fit(left int) {
	for r.tokens() > left && len(r.After) > 0 {
		r.After = r.After[:len(r.After)-1]
	}
	for r.tokens() > left && len(r.Before) > 0 {
		r.Before = r.Before[1:]
	}
}

// mark notes what is told, so that nothing is told twice.
func (r *recalled) mark(told map[position]bool) {
	for _, list := range [][]memory.Message{r.Before, {r.Message}, r.After} {
		for i := range list {
			told[position{r.Key.SessionID, list[i].Seq}] = true
		}
	}
}

package httpapi

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/slotway/slotway/memory"
)

const (
	// maxPage bounds a page, in bytes as stored; a single item may be longer. A limit on the number
	// alone would let the writer of a session decide how long a page is.
	maxPage = 1 << 20
	// readBatch is the number of items that are read before their size is checked.
	readBatch = 64
)

// pager reads the items of a session in pages.
type pager[T any] struct {
	read   func(context.Context, memory.Key, memory.Page) ([]T, error)
	number func(*T) int64
	size   func(*T) int // in bytes
}

// paging says where the next page begins, or that this one was cut at its beginning.
type paging struct {
	Next *int64 `json:"next_after"`
	Cut  bool   `json:"cut,omitempty"`
}

// paged reads a page of a session's items.
func paged[T any](a *API, r *http.Request, q *query, page memory.Page, p pager[T]) (l *sessionRead, list []T, at paging, err error) {
	if l, err = a.readSession(r, q); err != nil {
		return nil, nil, at, err
	}
	if page.Last {
		list, at.Cut, err = p.last(r.Context(), l.key, page)
		return l, list, at, err
	}
	list, more, err := p.first(r.Context(), l.key, page)
	if err == nil && more {
		last := p.number(&list[len(list)-1])
		at.Next = &last
	}
	return l, list, at, err
}

// first returns items from the page's beginning on, within its limits.
func (p *pager[T]) first(ctx context.Context, key memory.Key, page memory.Page) (list []T, more bool, err error) {
	size, weight := page.Limit, 0
	for {
		page.Limit = min(readBatch, size+1-len(list)) // one more tells whether there are more
		got, err := p.read(ctx, key, page)
		if err != nil {
			return nil, false, err
		}
		for i := range got {
			weight += p.size(&got[i])
			if len(list) == size || (len(list) > 0 && weight > maxPage) {
				return list, true, nil
			}
			list = append(list, got[i])
		}
		if len(got) < page.Limit {
			return list, false, nil
		}
		page.After = p.number(&got[len(got)-1])
	}
}

// last returns the newest items within the limits. Only the store knows where they begin, so they are
// read from the end: the second time twice as many, and so on.
func (p *pager[T]) last(ctx context.Context, key memory.Key, page memory.Page) (list []T, cut bool, err error) {
	size := page.Limit
	for page.Limit = min(size, readBatch); ; page.Limit = min(size, 2*page.Limit) {
		got, err := p.read(ctx, key, page)
		if err != nil {
			return nil, false, err
		}
		from, cut := p.newest(got)
		if cut || page.Limit == size || len(got) < page.Limit {
			return got[from:], cut, nil
		}
	}
}

// newest returns the index from which the items fit into a page, and whether some before it do not.
func (p *pager[T]) newest(list []T) (from int, cut bool) {
	weight := 0
	for from = len(list); from > 0; from-- {
		if weight += p.size(&list[from-1]); weight > maxPage && from < len(list) {
			return from, true
		}
	}
	return 0, false
}

func messageSize(m *memory.Message) int {
	n := len(m.Text)
	for i := range m.ToolCalls {
		n += len(m.ToolCalls[i].Args)
	}
	for name, text := range m.Metadata {
		n += len(name) + len(text)
	}
	return n
}

func turnSize(t *memory.Turn) int {
	n := len(t.Response)
	if t.Snapshot != nil {
		s := &t.Snapshot.State
		n += len(s.LastResult) + len(s.PlanExecution)
		if params, err := json.Marshal(s.Params); err == nil {
			n += len(params)
		}
	}
	return n
}

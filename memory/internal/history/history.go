// Package history walks over the messages and turns of a session, a page at a time.
package history

import (
	"context"
	"fmt"
	"iter"

	"github.com/slotway/slotway/memory"
)

// pageSize is the number of messages or turns that are read at a time.
const pageSize = 500

// Reader is the part of a store that is read.
type Reader interface {
	Messages(ctx context.Context, key memory.Key, page memory.Page) ([]memory.Message, error)
	Turns(ctx context.Context, key memory.Key, page memory.Page) ([]memory.Turn, error)
}

// Messages yields the messages from page.After on, oldest first.
func Messages(ctx context.Context, store Reader, key memory.Key, page memory.Page) iter.Seq2[*memory.Message, error] {
	return func(yield func(*memory.Message, error) bool) {
		for page.Limit = pageSize; ; {
			list, err := store.Messages(ctx, key, page)
			if err != nil {
				yield(nil, fmt.Errorf("read messages: %w", err))
				return
			}
			for i := range list {
				page.After = list[i].Seq
				if !yield(&list[i], nil) {
					return
				}
			}
			if len(list) < pageSize {
				return
			}
		}
	}
}

// Turns returns the turns of a range that were not undone, by number.
func Turns(ctx context.Context, store Reader, key memory.Key, first, last int64) (map[int64]*memory.Turn, error) {
	turns := map[int64]*memory.Turn{}
	for after := first - 1; after < last; {
		page, err := store.Turns(ctx, key, memory.Page{After: after, Limit: int(min(last-after, pageSize)), Inactive: true})
		if err != nil {
			return nil, fmt.Errorf("read turns: %w", err)
		}
		if len(page) == 0 {
			break
		}
		for i := range page {
			if after = page[i].Number; !page[i].Undone && after <= last {
				turns[after] = &page[i]
			}
		}
	}
	return turns, nil
}

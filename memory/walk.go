package memory

import "context"

// Lister lists sessions, as a store does.
type Lister interface {
	Sessions(ctx context.Context, query Query) ([]Info, error)
}

// walkPage is how many sessions a page of a walk has.
const walkPage = 1000

// Walk visits the sessions that a query selects in the order in which the store keeps them. Each that is there
// from beginning to end is visited once, whoever uses it meanwhile: a listing by last use, read page by
// page, leaves such ones out. Query.Limit is the size of a page.
func Walk(ctx context.Context, store Lister, q Query, visit func(*Info) error) error {
	if q.Limit <= 0 {
		q.Limit = walkPage
	}
	for q.Walk = true; ; {
		list, err := store.Sessions(ctx, q)
		if err != nil || len(list) == 0 {
			return err
		}
		for i := range list {
			if err := visit(&list[i]); err != nil {
				return err
			}
		}
		q.After = list[len(list)-1].Place
	}
}

// Keys walks over the sessions that a query selects and returns their keys.
func Keys(ctx context.Context, store Lister, q Query) (keys []Key, err error) {
	err = Walk(ctx, store, q, func(i *Info) error {
		keys = append(keys, i.Key)
		return nil
	})
	return keys, err
}

// EachTurn visits the turns that a page selects and all after them, in order. page.Limit is how many are
// read together.
func EachTurn(ctx context.Context, store Reader, key Key, page Page, visit func(*Turn) error) error {
	return each(ctx, store.Turns, key, page, func(t *Turn) int64 { return t.Number }, visit)
}

// EachMessage is EachTurn for messages.
func EachMessage(ctx context.Context, store Reader, key Key, page Page, visit func(*Message) error) error {
	return each(ctx, store.Messages, key, page, func(m *Message) int64 { return m.Seq }, visit)
}

func each[T any](ctx context.Context, read func(context.Context, Key, Page) ([]T, error), key Key, page Page, number func(*T) int64, visit func(*T) error) error {
	for {
		list, err := read(ctx, key, page)
		if err != nil || len(list) == 0 {
			return err
		}
		for i := range list {
			if err := visit(&list[i]); err != nil {
				return err
			}
		}
		page.After = number(&list[len(list)-1])
	}
}

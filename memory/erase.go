package memory

import (
	"context"
	"fmt"
)

// Erase deletes every session of a person from a store, with all that tiers made of them,
// and returns how many those were.
func Erase(ctx context.Context, store Admin, userID string) (int, error) {
	if userID == "" {
		return 0, fmt.Errorf("%w: user id is empty", ErrBadKey)
	}
	n := 0
	for {
		list, err := store.Sessions(ctx, Query{UserID: userID, Limit: 1000})
		if err != nil || len(list) == 0 {
			return n, err
		}
		for _, info := range list {
			if err := store.Delete(ctx, info.Key); err != nil {
				return n, err
			}
			n++
		}
	}
}

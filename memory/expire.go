package memory

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"time"
)

// Expire makes the active messages inactive that are older than ttl; 0 is no limit. They stay stored.
// Where the window does not reach back to them, a binary search finds them, but for damaged rows,
// which loading has reported.
func (s *Session) Expire(ctx context.Context, now time.Time, ttl time.Duration) error {
	if ttl <= 0 {
		return nil
	}
	err := s.expireBefore(ctx, now.Add(-ttl))
	if errors.Is(err, ErrCorrupt) || errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

func (s *Session) expireBefore(ctx context.Context, before time.Time) error {
	past := func(m *Message) bool { return m.Timestamp.Before(before) }
	gone := 0
	for gone < len(s.active) && past(&s.active[gone]) {
		gone++
	}
	if gone > 0 {
		s.Prune(len(s.active) - gone)
		return nil
	}
	first := max(s.snap.Floor, s.floor)
	if s.cleared || len(s.active) == 0 || s.active[0].Seq <= first {
		return nil
	}
	var failed error
	lives := func(seq int64) bool {
		list, err := s.store.Messages(ctx, s.Key(), Page{After: seq - 1, Limit: 1})
		if err != nil {
			failed = fmt.Errorf("look for expired messages: %w", err)
		}
		return failed != nil || len(list) == 0 || !past(&list[0])
	}
	if lives(first) {
		return failed
	}
	n := sort.Search(int(s.active[0].Seq-first), func(i int) bool { return lives(first + int64(i)) })
	if failed != nil {
		return failed
	}
	s.floor, s.gone, s.dirty = first+int64(n), 0, true
	return nil
}

package inmem

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/slotway/slotway/memory"
)

// viewName is a view's place within its session.
type viewName struct{ tier, id string }

// PutViews implements memory.Views.
func (s *Store) PutViews(ctx context.Context, views []memory.View) (int, error) {
	for i := range views {
		if err := views[i].Validate(); err != nil {
			return 0, err
		}
	}
	if err := s.lock(ctx); err != nil {
		return 0, err
	}
	defer s.mu.Unlock()
	n := 0
	for _, v := range views {
		e := s.sessions[v.Key]
		if e == nil || e.counters.Version == 0 || e.counters.Epoch != v.Epoch {
			continue
		}
		name := viewName{v.Tier, v.ID}
		if old, ok := e.views[name]; ok && !v.Replaces(&old) {
			continue
		}
		v = v.Clone()
		v.At = memory.Moment(v.At)
		e.views[name] = v
		n++
	}
	return n, nil
}

// Views implements memory.Views.
func (s *Store) Views(ctx context.Context, q memory.ViewQuery) ([]memory.View, error) {
	if err := q.Validate(); err != nil {
		return nil, err
	}
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	var list []memory.View
	for _, e := range s.sessions {
		for _, v := range e.views {
			if q.Matches(&v) {
				list = append(list, v.Clone())
			}
		}
	}
	slices.SortFunc(list, byName)
	if q.Newest == 0 {
		return list, nil
	}
	slices.SortStableFunc(list, func(a, b memory.View) int { return b.At.Compare(a.At) })
	return list[:min(len(list), q.Newest)], nil
}

func byName(a, b memory.View) int {
	return cmp.Or(strings.Compare(a.Key.UserID, b.Key.UserID), strings.Compare(a.Key.AgentID, b.Key.AgentID),
		strings.Compare(a.Key.SessionID, b.Key.SessionID), strings.Compare(a.Tier, b.Tier), strings.Compare(a.ID, b.ID))
}

// DropViews implements memory.Views.
func (s *Store) DropViews(ctx context.Context, q memory.ViewQuery) (int, error) {
	if err := q.Validate(); err != nil {
		return 0, err
	}
	if err := s.lock(ctx); err != nil {
		return 0, err
	}
	defer s.mu.Unlock()
	n := 0
	for _, e := range s.sessions {
		for name, v := range e.views {
			if q.Matches(&v) {
				delete(e.views, name)
				n++
			}
		}
	}
	return n, nil
}

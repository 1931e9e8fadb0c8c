package inmem

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/slotway/slotway/memory"
)

// Messages implements memory.Reader.
func (s *Store) Messages(ctx context.Context, key memory.Key, page memory.Page) ([]memory.Message, error) {
	if err := s.begin(ctx, key); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	e := s.sessions[key]
	if e == nil || e.counters.Version == 0 {
		return nil, memory.ErrNotFound
	}
	from := max(page.After+1, 1)
	if !page.Inactive {
		from = max(from, e.counters.Floor)
	}
	if from >= e.counters.NextSeq {
		return nil, nil
	}
	list := e.messages[from-1:]
	if page.Last {
		return memory.CloneMessages(newest(list, page.Size(), page.Inactive)), nil
	}
	var out []memory.Message
	for _, m := range list {
		if len(out) == page.Size() {
			break
		}
		if page.Inactive || !m.Retracted {
			out = append(out, m.Clone())
		}
	}
	return out, nil
}

// newest is the n newest messages of list, retracted ones only if they are wanted.
func newest(list []memory.Message, n int, inactive bool) []memory.Message {
	if inactive {
		return list[max(0, len(list)-n):]
	}
	var out []memory.Message
	for i := len(list) - 1; i >= 0 && len(out) < n; i-- {
		if !list[i].Retracted {
			out = append(out, list[i])
		}
	}
	slices.Reverse(out)
	return out
}

func retracted(list []memory.Message) int64 {
	var n int64
	for i := range list {
		if list[i].Retracted {
			n++
		}
	}
	return n
}

func (e *session) undo(u *memory.Undo) {
	for i := u.From - 1; i < u.Until-1; i++ {
		e.messages[i].Retracted = true
	}
	for i := range e.turns {
		if e.turns[i].Number == u.Turn {
			e.turns[i].Undone = true
		}
	}
}

// Turns implements memory.Reader.
func (s *Store) Turns(ctx context.Context, key memory.Key, page memory.Page) ([]memory.Turn, error) {
	if err := s.begin(ctx, key); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	e := s.sessions[key]
	if e == nil || e.counters.Version == 0 {
		return nil, memory.ErrNotFound
	}
	var out []memory.Turn
	for _, t := range e.turns {
		if t.Number > page.After && (page.Inactive || !t.Undone) {
			out = append(out, t.Clone())
		}
	}
	if page.Last {
		return out[max(0, len(out)-page.Size()):], nil
	}
	return out[:min(len(out), page.Size())], nil
}

// Steps implements memory.Reader.
func (s *Store) Steps(ctx context.Context, key memory.Key) ([]memory.Step, error) {
	if err := s.begin(ctx, key); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	var out []memory.Step
	if e := s.sessions[key]; e != nil {
		for _, step := range e.steps {
			out = append(out, step.Clone())
		}
	}
	return out, nil
}

// Describe implements memory.Admin.
func (s *Store) Describe(ctx context.Context, key memory.Key, about memory.About) error {
	if err := key.Validate(); err != nil {
		return err
	}
	if err := about.WellFormed(); err != nil {
		return err
	}
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	e := s.sessions[key]
	if e == nil || e.counters.Version == 0 {
		return memory.ErrNotFound
	}
	e.about = about.Clone()
	return nil
}

// Sessions implements memory.Reader.
func (s *Store) Sessions(ctx context.Context, q memory.Query) ([]memory.Info, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	var all []memory.Info
	for key, e := range s.sessions {
		if e.counters.Version == 0 {
			continue
		}
		info := memory.Info{
			Key: key, Turns: e.counters.Turns, History: e.counters.History(), Waiting: e.state.WaitingForParam,
			Version: e.counters.Version, CreatedAt: e.created, UpdatedAt: e.updated, About: e.about.Clone(),
		}
		if q.Matches(&info) {
			all = append(all, info)
		}
	}
	slices.SortFunc(all, func(a, b memory.Info) int {
		return cmp.Or(b.UpdatedAt.Compare(a.UpdatedAt), strings.Compare(a.Key.UserID, b.Key.UserID),
			strings.Compare(a.Key.AgentID, b.Key.AgentID), strings.Compare(a.Key.SessionID, b.Key.SessionID))
	})
	from := min(max(q.Offset, 0), len(all))
	return all[from:min(from+q.Size(), len(all))], nil
}

package scopes

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/slotway/slotway/memory"
)

// retry is how often a session that could not be read is tried again: its rows may be repaired
// without a new version.
const retry = 5 * time.Second

// DamagedSessions remembers which sessions of a scope cannot be read, so that a search goes on
// without them. The zero value has none. It is safe for concurrent use.
type DamagedSessions struct {
	mu sync.Mutex // guards at
	at map[string]failure
}

type failure struct {
	version int64
	when    time.Time
}

// Readable lists the sessions of a scope without those that could not be read a moment ago. It lists all at
// once: a page of them would cost a store as much as all.
func (s *DamagedSessions) Readable(ctx context.Context, store memory.Lister, key Key, now time.Time) ([]memory.Info, error) {
	infos, err := store.Sessions(ctx, memory.Query{UserID: key.User, AgentID: key.Agent, All: true})
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil || len(s.at) == 0 {
		return infos, err
	}
	var out []memory.Info
	for i := range infos {
		f, ok := s.at[infos[i].Key.SessionID]
		if !ok || f.version != infos[i].Version || now.Sub(f.when) >= retry {
			out = append(out, infos[i])
		}
	}
	return out, nil
}

// Read records how reading a session ended. A damaged session is reported and left out, so that
// the others are found. It returns any other error.
func (s *DamagedSessions) Read(in *memory.Info, now time.Time, err error, report func(memory.Key, error)) (leave bool, _ error) {
	if err != nil && !errors.Is(err, memory.ErrCorrupt) {
		return false, err
	}
	if err != nil {
		defer report(in.Key, err) // unlocked
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if delete(s.at, in.Key.SessionID); err == nil {
		return false, nil
	}
	if s.at == nil {
		s.at = map[string]failure{}
	}
	s.at[in.Key.SessionID] = failure{in.Version, now}
	return true, nil
}

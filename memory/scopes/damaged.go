package scopes

import (
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

// Readable returns a listing without the sessions that could not be read a moment ago.
func (s *DamagedSessions) Readable(infos []memory.Info, now time.Time) []memory.Info {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.at) == 0 {
		return infos
	}
	var out []memory.Info
	for i := range infos {
		f, ok := s.at[infos[i].Key.SessionID]
		if !ok || f.version != infos[i].Version || now.Sub(f.when) >= retry {
			out = append(out, infos[i])
		}
	}
	return out
}

// Read records how reading a session ended. A damaged session is reported and left out, so that
// the others are found; report may be nil. It returns any other error.
func (s *DamagedSessions) Read(in *memory.Info, now time.Time, err error, report func(memory.Key, error)) (leave bool, _ error) {
	if err != nil && !errors.Is(err, memory.ErrCorrupt) {
		return false, err
	}
	leave = err != nil
	s.note(in, now, leave)
	if leave && report != nil {
		report(in.Key, err)
	}
	return leave, nil
}

func (s *DamagedSessions) note(in *memory.Info, now time.Time, damaged bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !damaged:
		delete(s.at, in.Key.SessionID)
		return
	case s.at == nil:
		s.at = map[string]failure{}
	}
	s.at[in.Key.SessionID] = failure{in.Version, now}
}

package scopes

import (
	"sync"
	"time"

	"github.com/slotway/slotway/memory"
)

// retry is how often a session that could not be read is tried again: its rows may be mended
// without a change of its version.
const retry = 5 * time.Second

// Spoilt remembers which sessions of a scope cannot be read, so that a search goes on without
// them. The zero value knows of none. It is safe for concurrent use.
type Spoilt struct {
	mu sync.Mutex // guards at
	at map[string]failure
}

type failure struct {
	version int64
	when    time.Time
}

// Readable is a listing without the sessions that could not be read a moment ago.
func (s *Spoilt) Readable(infos []memory.Info, now time.Time) []memory.Info {
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

// Failed notes that a session could not be read.
func (s *Spoilt) Failed(in *memory.Info, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.at == nil {
		s.at = map[string]failure{}
	}
	s.at[in.Key.SessionID] = failure{in.Version, now}
}

// Fine notes that a session could be read.
func (s *Spoilt) Fine(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.at, id)
}

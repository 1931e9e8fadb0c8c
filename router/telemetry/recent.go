package telemetry

import (
	"cmp"
	"slices"
	"sync"

	"github.com/slotway/slotway/memory/lru"
)

// Recent is a Sink that keeps the newest turns of the latest sessions for the live view, and passes new
// events to followers. A caller names the user whose sessions it may see; an event without a user is
// shown to nobody. A message that was answered before ([Received].Replayed) and a background job are
// not turns: only followers see them.
//
// RecentOptions bound its memory: beyond them the turns of the session that was silent the longest are
// dropped first.
type Recent struct {
	opts RecentOptions

	mu        sync.Mutex                        // guards what follows
	sessions  *lru.Cache[owner, *recentSession] // weighed by their events; silent sessions go first
	followers map[string][]*Follower
	following int
}

// RecentOptions bound a Recent; every zero value has a default.
type RecentOptions struct {
	Sessions int // kept; default 256
	Turns    int // kept of a session, the newest; default 64
	Events   int // kept of a turn, the first ones and the last; default 64
	Total    int // events kept of all sessions together; default 32768, some 8 MB (BenchmarkRecentSize)

	Followers int // at the same time; default 256
	PerUser   int // followers of one user; default 16
	Buffer    int // events that wait for a slow follower, before the oldest are lost; default 256
}

// owner is the user of a session. Session ids alone are no key: two users may choose the same.
type owner struct{ user, session string }

type recentSession struct {
	turns  []recentTurn // oldest first
	events int64        // in all turns
}

type recentTurn struct {
	number      int64
	interaction string
	events      []Event
}

// NewRecent returns an empty Recent.
func NewRecent(opts *RecentOptions) *Recent {
	var o RecentOptions
	if opts != nil {
		o = *opts
	}
	o.Sessions, o.Turns = cmp.Or(max(0, o.Sessions), 256), cmp.Or(max(0, o.Turns), 64)
	o.Events, o.Total = cmp.Or(max(0, o.Events), 64), cmp.Or(max(0, o.Total), 32768)
	o.Followers, o.PerUser = cmp.Or(max(0, o.Followers), 256), cmp.Or(max(0, o.PerUser), 16)
	o.Buffer = cmp.Or(max(0, o.Buffer), 256)
	return &Recent{
		opts: o, followers: map[string][]*Follower{},
		sessions: lru.New[owner, *recentSession](lru.Limits{Entries: o.Sessions, Weight: int64(o.Total), Minimum: 1}),
	}
}

// Record keeps the event and passes it to followers.
func (r *Recent) Record(e Event) {
	if e.UserID == "" || e.SessionID == "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range r.followers[e.UserID] {
		f.take(e)
	}
	if p, ok := e.Payload.(Received); ok && p.Replayed || e.InteractionID == "" {
		return
	}
	o := owner{e.UserID, e.SessionID}
	s, ok := r.sessions.Get(o)
	if !ok {
		s = &recentSession{}
		r.sessions.Put(o, s, 0)
	}
	s.keep(e, &r.opts)
	r.sessions.SetWeight(o, s.events)
}

// keep adds the event to its turn, and the turn to the session.
func (s *recentSession) keep(e Event, limits *RecentOptions) {
	last := len(s.turns) - 1
	if last < 0 || s.turns[last].interaction != e.InteractionID {
		if len(s.turns) == limits.Turns {
			s.events -= int64(len(s.turns[0].events))
			s.turns = slices.Delete(s.turns, 0, 1)
		}
		s.turns = append(s.turns, recentTurn{number: e.Turn, interaction: e.InteractionID})
		last = len(s.turns) - 1
	}
	t := &s.turns[last]
	if t.number == 0 {
		t.number = e.Turn
	}
	if len(t.events) == limits.Events {
		t.events[len(t.events)-1] = e // how it ends matters more than what came before
		return
	}
	t.events = append(t.events, e)
	s.events++
}

// Trace returns the events that are kept of a turn of the user's session, in order; turn 0 is the
// newest. Of a turn that was tried again it returns the last try. The caller owns the slice; it is nil
// if nothing is kept, and for a session of another user.
func (r *Recent) Trace(userID, sessionID string, turn int64) []Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, ok := r.sessions.Peek(owner{userID, sessionID})
	if !ok {
		return nil
	}
	for _, t := range slices.Backward(s.turns) {
		if turn == 0 || t.number == turn {
			return slices.Clone(t.events)
		}
	}
	return nil
}

// Turns returns the numbers of the kept turns of the user's session, ascending.
func (r *Recent) Turns(userID, sessionID string) []int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, ok := r.sessions.Peek(owner{userID, sessionID})
	if !ok {
		return nil
	}
	var numbers []int64
	for _, t := range s.turns {
		if t.number > 0 {
			numbers = append(numbers, t.number)
		}
	}
	slices.Sort(numbers)
	return slices.Compact(numbers)
}

// Forget drops what is kept of the user's session; sessionID "" means all of that user's. It is called
// when a session is erased.
func (r *Recent) Forget(userID, sessionID string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if sessionID != "" {
		r.sessions.Remove(owner{userID, sessionID})
		return
	}
	for _, o := range r.sessions.Keys() {
		if o.user == userID {
			r.sessions.Remove(o)
		}
	}
}

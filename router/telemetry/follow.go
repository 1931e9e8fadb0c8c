package telemetry

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// ErrTooMany: the limit of followers is reached. It passes when one stops.
var ErrTooMany = errors.New("too many follow already")

// ErrStopped: the follower was stopped.
var ErrStopped = errors.New("follower is stopped")

// Follower receives the events of one user, or of one of the user's sessions, from its creation on. It
// uses no goroutine and never blocks a turn: events that are not read in time are lost, the oldest
// first, and counted. One goroutine reads; any may stop it.
type Follower struct {
	of      *Recent
	user    string
	session string        // "" all of the user's
	wake    chan struct{} // has room for one: something changed

	mu      sync.Mutex // guards what follows; taken after Recent.mu
	waiting []Event    // a ring once it is full
	first   int        // index of the oldest in a full ring
	lost    int
	stopped bool
}

// Follow begins to follow a session of the user; sessionID "" means all of them. The caller stops the
// follower. It fails with ErrTooMany if there are too many.
func (r *Recent) Follow(userID, sessionID string) (*Follower, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.following >= r.opts.Followers || len(r.followers[userID]) >= r.opts.PerUser {
		return nil, ErrTooMany
	}
	f := &Follower{of: r, user: userID, session: sessionID, wake: make(chan struct{}, 1)}
	r.followers[userID] = append(r.followers[userID], f)
	r.following++
	return f, nil
}

// Following returns the number of followers.
func (r *Recent) Following() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.following
}

// take queues an event for Next, if it is for this follower.
func (f *Follower) take(e Event) {
	if f.session != "" && f.session != e.SessionID {
		return
	}
	f.mu.Lock()
	if len(f.waiting) < f.of.opts.Buffer {
		f.waiting = append(f.waiting, e)
	} else {
		f.waiting[f.first] = e
		f.first = (f.first + 1) % len(f.waiting)
		f.lost++
	}
	f.mu.Unlock()
	f.signal()
}

func (f *Follower) signal() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// Next waits for events and returns all that have arrived, oldest first, and the number lost before
// them. It fails with the context's error, or with ErrStopped once the follower is stopped and all
// events are read. The caller owns the slice.
func (f *Follower) Next(ctx context.Context) (events []Event, lost int, err error) {
	for {
		events, lost, stopped := f.drain()
		switch {
		case len(events) > 0:
			return events, lost, nil
		case stopped:
			return nil, 0, ErrStopped
		}
		select {
		case <-f.wake:
		case <-ctx.Done():
			return nil, 0, ctx.Err()
		}
	}
}

// drain returns the queued events.
func (f *Follower) drain() (events []Event, lost int, stopped bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.first == 0 {
		events = f.waiting
	} else {
		events = slices.Concat(f.waiting[f.first:], f.waiting[:f.first])
	}
	lost = f.lost
	f.waiting, f.first, f.lost = nil, 0, 0
	return events, lost, f.stopped
}

// Stop ends the follower and wakes a goroutine in Next. It may be called twice.
func (f *Follower) Stop() {
	r := f.of
	r.mu.Lock()
	rest := slices.DeleteFunc(r.followers[f.user], func(other *Follower) bool { return other == f })
	if r.followers[f.user] = rest; len(rest) == 0 {
		delete(r.followers, f.user)
	}
	f.mu.Lock()
	if !f.stopped {
		f.stopped = true
		r.following--
	}
	f.mu.Unlock()
	r.mu.Unlock()
	f.signal()
}

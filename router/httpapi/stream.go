package httpapi

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"
)

var errStreams = errors.New("too many streams are open")

// maxStreams is how many long-lived answers there may be at once.
const maxStreams = 1024

// Stream makes the answer a long-lived one. What it is for ends with the context, which is
// the request's but ends with Drain too. Whoever got no error calls leave when done. Errors
// are for Explain, and nothing has been written yet.
func (a *API) Stream(w http.ResponseWriter, r *http.Request) (ctx context.Context, leave func(), err error) {
	ctx, leave, err = a.streams.enter(r.Context())
	if err != nil {
		return nil, nil, err
	}
	// The server's time limit for reading the request would else end the request's context
	// in the middle: nothing more is to be read. Not every writer has deadlines.
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	return ctx, leave, nil
}

// streams are the long-lived answers under way.
type streams struct {
	max int

	mu     sync.Mutex // guards what follows
	closed bool
	next   int
	ends   map[int]context.CancelFunc
}

func newStreams(max int) *streams { return &streams{max: max, ends: map[int]context.CancelFunc{}} }

// enter takes a place. Whoever entered leaves.
func (s *streams) enter(ctx context.Context) (context.Context, func(), error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return nil, nil, errDraining
	case len(s.ends) >= s.max:
		return nil, nil, errStreams
	}
	ctx, end := context.WithCancel(ctx)
	id := s.next
	s.next++
	s.ends[id] = end
	return ctx, func() { s.leave(id) }, nil
}

func (s *streams) leave(id int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if end := s.ends[id]; end != nil {
		end()
		delete(s.ends, id)
	}
}

// close ends all streams and lets none begin.
func (s *streams) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for _, end := range s.ends {
		end()
	}
}

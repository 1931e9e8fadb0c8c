package httpapi

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"
)

var errStreams = errors.New("too many streams are open")

// Stream makes the answer long-lived: at most Options.MaxStreams at once, with a deadline for each
// write instead of one for all. The context ends with the request or with Drain. Without an error the
// caller calls leave when done. Errors are for Explain, and nothing has been written yet.
func (a *API) Stream(w http.ResponseWriter, r *http.Request) (ctx context.Context, leave func(), err error) {
	ctx, leave, err = a.streams.enter(r.Context())
	if err != nil {
		a.limited(err)
		return nil, nil, err
	}
	// Some writers have no deadlines. net/http lifts the read deadline itself once the body is read.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Time{})
	for w != nil {
		if out, ok := w.(*responseWriter); ok {
			out.stream = true
			break
		}
		inner, ok := w.(interface{ Unwrap() http.ResponseWriter })
		if !ok {
			break
		}
		w = inner.Unwrap()
	}
	return ctx, leave, nil
}

// streams are the open long-lived answers.
type streams struct {
	max int

	mu     sync.Mutex // guards what follows
	closed bool
	next   int
	ends   map[int]context.CancelFunc
}

func newStreams(max int) *streams { return &streams{max: max, ends: map[int]context.CancelFunc{}} }

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

// leave may be called again.
func (s *streams) leave(id int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if end := s.ends[id]; end != nil {
		end()
		delete(s.ends, id)
	}
}

// close ends all streams and refuses new ones.
func (s *streams) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for _, end := range s.ends {
		end()
	}
}

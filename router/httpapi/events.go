package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/telemetry"
)

const (
	heartbeat  = 15 * time.Second // between two comments, so that nobody takes a silent stream for a dead one
	maxStreams = 1024             // at once
)

// streams counts the open streams of the service and ends them.
type streams struct {
	max  int
	done chan struct{} // closed when no more are let in and those that are open shall end

	mu     sync.Mutex // guards n and closed
	n      int
	closed bool
}

func newStreams(max int) *streams { return &streams{max: max, done: make(chan struct{})} }

// open takes a place and returns the context of the stream: it ends with the request's and
// with the service. Whoever opened a stream leaves it.
func (s *streams) open(ctx context.Context) (_ context.Context, leave func(), _ error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return nil, nil, errDraining
	case s.n >= s.max:
		return nil, nil, errFull
	}
	s.n++
	ctx, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	all.Go(func() {
		select {
		case <-s.done:
			cancel()
		case <-ctx.Done():
		}
	})
	return ctx, func() {
		cancel()
		all.Wait()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.n--
	}, nil
}

// close ends all streams. It may be called again.
func (s *streams) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		close(s.done)
	}
	s.closed = true
}

// events streams what happens in the caller's sessions from now on. No line holds a value,
// so there is nothing to mask.
func (a *API) events(w http.ResponseWriter, r *http.Request) {
	q := readQuery(r, "session_id")
	session := q.text("session_id", memory.MaxKeyPart)
	if q.reveal(r); q.err != nil {
		WriteProblem(w, Explain(q.err))
		return
	}
	if a.opts.Memory.Trail == nil {
		WriteProblem(w, disabled("the live view"))
		return
	}
	ctx, leave, err := a.streams.open(r.Context())
	if err != nil {
		WriteProblem(w, Explain(err))
		return
	}
	defer leave()
	from, err := a.opts.Memory.Trail.Follow(a.owner(r).UserID, session)
	if err != nil {
		WriteProblem(w, Explain(err))
		return
	}
	defer from.Close()
	out := newSender(w)
	if out.send(": open\n\n") != nil {
		return
	}
	for follow(ctx, from, out) == nil {
	}
}

// follow sends the next event, or a heartbeat when there is none for a while. An error ends
// the stream.
func follow(ctx context.Context, from Follower, out *sender) error {
	wait, cancel := context.WithTimeout(ctx, heartbeat)
	defer cancel()
	e, lost, err := from.Next(wait)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return out.send(": alive\n\n")
	}
	if err != nil {
		return err
	}
	text := ""
	if lost > 0 {
		text = event("lost", fmt.Sprintf(`{"lost":%d}`, lost))
	}
	return out.send(text + told(e))
}

// told is an event of a turn as the stream has it.
func told(e telemetry.Event) string {
	text := event("telemetry", string(line(e)))
	if len(e.Path) == 0 {
		return text
	}
	return text + event("path", string(encode(struct {
		SessionID string   `json:"session_id"`
		Turn      int64    `json:"turn"`
		Path      []string `json:"path"`
	}{e.SessionID, e.Turn, e.Path})))
}

// sender writes a stream of server-sent events. Its reader has writeTimeout for each piece:
// one who never reads is dropped.
type sender struct {
	w       http.ResponseWriter
	control *http.ResponseController
	begun   bool
}

func newSender(w http.ResponseWriter) *sender {
	return &sender{w: w, control: http.NewResponseController(w)}
}

// send writes whole events or comments, the header before the first.
func (s *sender) send(text string) error {
	_ = s.control.SetWriteDeadline(time.Now().Add(writeTimeout))
	if !s.begun {
		// The server's time limit for reading the request would else end the request's
		// context in the middle: nothing more is to be read.
		_ = s.control.SetReadDeadline(time.Time{})
		s.w.Header().Set("Content-Type", "text/event-stream")
		s.w.Header().Set("X-Accel-Buffering", "no") // for proxies that would keep events back
		s.w.WriteHeader(http.StatusOK)
		s.begun = true
	}
	if _, err := s.w.Write([]byte(text)); err != nil {
		return err
	}
	return s.control.Flush()
}

package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/slotway/slotway/router"
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

// firstComment is how long a turn may take before a streaming client gets a comment.
const firstComment = time.Second

// draftStream sends drafts of a turn as they come, and comments while there are none, which keep
// proxies and clients from closing the stream.
//
// The turn never waits for the client: drafts that arrive too fast are joined in one event.
type draftStream struct {
	done <-chan struct{} // closed when the request ends, as with its credentials
	out  *eventWriter
	stop chan struct{}
	wake chan struct{} // holds a token when there is something to send
	once sync.Once
	all  sync.WaitGroup

	mu   sync.Mutex // guards what follows
	text strings.Builder
	void bool // is to be sent before text
	sent bool // a draft was sent since the last void
	gone bool // nobody reads any more
}

// startDrafts starts a draftStream. The caller ends it.
func startDrafts(ctx context.Context, w http.ResponseWriter) *draftStream {
	a := &draftStream{done: ctx.Done(), out: newEventWriter(w), stop: make(chan struct{}), wake: make(chan struct{}, 1)}
	a.all.Go(a.run)
	return a
}

func (a *draftStream) run() {
	next := time.NewTimer(firstComment)
	defer next.Stop()
	for {
		text := ": working\n\n"
		select {
		case <-a.stop:
			return
		case <-a.done: // the client is gone, or its credentials are revoked
			a.abandon()
			return
		case <-next.C:
		case <-a.wake:
			text = a.drafts()
		}
		if text != "" && a.out.send(text) != nil {
			a.abandon()
			return // the turn goes on
		}
		next.Reset(heartbeat)
	}
}

// abandon drops all drafts.
func (a *draftStream) abandon() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.gone = true
	a.text.Reset()
}

// draft takes a draft of the turn.
func (a *draftStream) draft(d router.Draft) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.gone {
		return
	}
	if d.Void {
		a.text.Reset()
		a.void = a.sent
	}
	a.text.WriteString(d.Text)
	select {
	case a.wake <- struct{}{}:
	default: // what is to be sent first will have it
	}
}

// drafts returns the events of the drafts since the last call.
func (a *draftStream) drafts() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	events := ""
	if a.void {
		events = event("void", "void")
		a.void, a.sent = false, false
	}
	if a.text.Len() > 0 {
		events += event("draft", a.text.String())
		a.sent = true
	}
	a.text.Reset()
	return events
}

// end waits until nothing is being sent and returns the writer for the rest. It may be called again.
func (a *draftStream) end() *eventWriter {
	a.once.Do(func() { close(a.stop) })
	a.all.Wait()
	return a.out
}

package httpapi

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/slotway/slotway/router"
)

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

package httpapi

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/slotway/slotway/router"
)

// patience is how long a turn may take before a streaming client is shown that somebody is
// at work.
const patience = time.Second

// alive sends drafts of a turn as they come, and comments while it takes its time without any. A
// comment tells nothing, but proxies and clients that see one do not give up.
//
// The turn never waits for the client: drafts that it is too slow for come together in one event.
type alive struct {
	over <-chan struct{} // closed when the request ends, as with its credentials
	out  *sender
	stop chan struct{}
	more chan struct{} // holds a token when there is something to send
	once sync.Once
	all  sync.WaitGroup

	mu   sync.Mutex // guards what follows
	text strings.Builder
	void bool // is to be sent before text
	told bool // a draft was sent since the last void
	gone bool // nobody reads any more
}

// keepAlive begins to wait. Whoever began ends it.
func keepAlive(ctx context.Context, w http.ResponseWriter) *alive {
	a := &alive{over: ctx.Done(), out: newSender(w), stop: make(chan struct{}), more: make(chan struct{}, 1)}
	a.all.Go(a.run)
	return a
}

func (a *alive) run() {
	next := time.NewTimer(patience)
	defer next.Stop()
	for {
		text := ": working\n\n"
		select {
		case <-a.stop:
			return
		case <-a.over: // nothing is drafted for whoever is gone, or may not ask any more
			a.leave()
			return
		case <-next.C:
		case <-a.more:
			text = a.drafts()
		}
		if text != "" && a.out.send(text) != nil {
			a.leave()
			return // the turn goes on
		}
		next.Reset(heartbeat)
	}
}

// leave ends the drafts.
func (a *alive) leave() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.gone = true
	a.text.Reset()
}

// draft takes what the turn drafts.
func (a *alive) draft(d router.Draft) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.gone {
		return
	}
	if d.Void {
		a.text.Reset()
		a.void = a.told
	}
	a.text.WriteString(d.Text)
	select {
	case a.more <- struct{}{}:
	default: // what is to be sent first will have it
	}
}

// drafts are the events of what was drafted since the last ones.
func (a *alive) drafts() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	events := ""
	if a.void {
		events = event("void", "void")
		a.void, a.told = false, false
	}
	if a.text.Len() > 0 {
		events += event("draft", a.text.String())
		a.told = true
	}
	a.text.Reset()
	return events
}

// end waits until nothing is being sent and returns what to go on sending with. It may be
// called again.
func (a *alive) end() *sender {
	a.once.Do(func() { close(a.stop) })
	a.all.Wait()
	return a.out
}

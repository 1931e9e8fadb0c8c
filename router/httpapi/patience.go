package httpapi

import (
	"net/http"
	"sync"
	"time"
)

// patience is how long a turn may take before a streaming client is shown that somebody is
// at work.
const patience = time.Second

// alive sends comments while a turn runs that takes its time. A turn is durable before
// anything of it is told; a comment tells nothing, but proxies and clients that see one do
// not give up.
type alive struct {
	out  *sender
	stop chan struct{}
	once sync.Once
	all  sync.WaitGroup
}

// keepAlive begins to wait. Whoever began ends it.
func keepAlive(w http.ResponseWriter) *alive {
	a := &alive{out: newSender(w), stop: make(chan struct{})}
	a.all.Go(a.comment)
	return a
}

func (a *alive) comment() {
	next := time.NewTimer(patience)
	defer next.Stop()
	for {
		select {
		case <-a.stop:
			return
		case <-next.C:
		}
		if a.out.send(": working\n\n") != nil {
			return // the client is gone; the turn goes on
		}
		next.Reset(heartbeat)
	}
}

// end waits until nothing is being sent and returns what to go on sending with. It may be
// called again.
func (a *alive) end() *sender {
	a.once.Do(func() { close(a.stop) })
	a.all.Wait()
	return a.out
}

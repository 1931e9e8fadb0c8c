package slotway

import (
	"context"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
)

// stalled is a store that lists nothing once it is silent, as a database that is unreachable.
type stalled struct {
	memory.Backend
	silent  atomic.Bool
	waiting chan struct{}
}

func (s *stalled) Sessions(ctx context.Context, q memory.Query) ([]memory.Info, error) {
	if s.silent.Load() {
		s.waiting <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return s.Backend.Sessions(ctx, q)
}

// Reads that wait, for the store or for one another, do not hold up a stop: each is told to come again.
func TestStopEndsReadsThatWait(t *testing.T) {
	const reads = 24
	store := &stalled{Backend: inmem.New(nil), waiting: make(chan struct{}, 2*reads)}
	r, err := quiet(t, "", &Options{Store: store})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Handle(t.Context(), Interaction{Text: "hello", Context: Context{SessionID: "s", UserID: "local"}}); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- r.Serve(ctx, listener) }()
	store.silent.Store(true)
	var all sync.WaitGroup
	for range reads {
		all.Go(func() {
			res, err := http.Get("http://" + listener.Addr().String() + "/v1/sessions/s/context?text=help")
			if err != nil {
				t.Error(err)
				return
			}
			if res.Body.Close(); res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") == "" {
				t.Errorf("status %d, Retry-After %q", res.StatusCode, res.Header.Get("Retry-After"))
			}
		})
	}
	for range reads {
		<-store.waiting
	}
	stop()
	begin := time.Now()
	if err := <-ended; err != nil || time.Since(begin) > drainTime/2 {
		t.Errorf("it ended after %s: %v", time.Since(begin), err)
	}
	all.Wait()
}

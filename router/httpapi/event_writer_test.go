package httpapi

import (
	"errors"
	"net/http"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/router/telemetry"
)

// stuck is a connection whose client never reads: a write blocks until its deadline.
type stuck struct {
	header   http.Header
	deadline time.Time
	writes   int // that find room
}

func (s *stuck) Header() http.Header { return s.header }
func (s *stuck) WriteHeader(int)     {}
func (s *stuck) FlushError() error   { return nil }

func (s *stuck) SetWriteDeadline(at time.Time) error {
	s.deadline = at
	return nil
}

func (s *stuck) SetReadDeadline(time.Time) error { return errors.ErrUnsupported }

func (s *stuck) Write(p []byte) (int, error) {
	if s.writes > 0 {
		s.writes--
		return len(p), nil
	}
	time.Sleep(time.Until(s.deadline)) // on the bubble's clock
	return 0, os.ErrDeadlineExceeded
}

// A reader who never reads is dropped, one write's time after the buffers are full.
func TestReaderWhoNeverReadsIsDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newFixture(t)
		conn := &stuck{header: http.Header{}, writes: 3}
		ended := make(chan time.Duration, 1)
		begun := time.Now()
		go func() {
			r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "/v1/events", nil)
			r.Header.Set("X-Test-User", "ann")
			w.api.ServeHTTP(conn, r)
			ended <- time.Since(begun)
		}()
		synctest.Wait()
		for range 40 { // beyond the time for the whole of any other answer
			time.Sleep(time.Second)
			if len(ended) == 0 && time.Since(begun) > 31*time.Second {
				w.recent.Record(telemetry.Event{UserID: "ann", SessionID: "s", Payload: telemetry.Job{Kind: "x", Attempt: 1, Outcome: "done"}})
			}
		}
		time.Sleep(20 * time.Second)
		synctest.Wait()
		// Open, two heartbeats, and the first event that finds no room.
		want := []time.Duration{32*time.Second + writeTimeout}
		if diff := cmp.Diff(want, []time.Duration{<-ended}); diff != "" {
			t.Errorf("the stream ended after (-want +got)\n%s", diff)
		}
		if streams, _ := w.api.underWay(); streams != 0 {
			t.Errorf("%d streams hold a place", streams)
		}
	})
}

package router_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/internal/test/routertest"
	"github.com/slotway/slotway/internal/test/telemetrytest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/router/telemetry/prom"
)

// closedLock lets nobody in: it fails after three seconds, or when it is opened.
type closedLock struct {
	err    error
	opened chan struct{}
}

func (l closedLock) Enter(ctx context.Context, _ memory.Key) (func(), error) {
	select {
	case <-time.After(3 * time.Second):
		return nil, l.err
	case <-l.opened:
		return func() {}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// linesOf is a sink that keeps lines.
type linesOf struct{ lines []string }

func (l *linesOf) Record(e telemetry.Event) {
	l.lines = append(l.lines, string(telemetry.AppendLine(nil, e)))
}

// rejecting is a router that lets one message of a session wait for another.
func rejecting(t *testing.T, locker router.SessionLocker, sinks ...telemetry.Sink) *router.Router {
	t.Helper()
	return routertest.New(t, fmt.Sprintf(agentYAML, true), understood, nil, &router.Options{Locker: locker, MaxQueue: 1, Sink: telemetrytest.Checked(t, sinks...)}).Router
}

const rejectedLine = `{"level":"error","time":"2000-01-01T00:00:0%[1]d.000000Z","stage":"error","session_id":"s","turn":0,` +
	`"interaction_id":"%[2]s","duration_us":%[5]d,"payload":{"code":"%[3]s","stage":"idle","message":"%[4]s"}}`

// A message that does not get into the line leaves one line, that of its error, and counts
// as an error; nothing of what was said is in it.
func TestARejectedMessageIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const secret = "my card is 4111111111111111"
		log, metrics := &linesOf{}, prom.New(nil)
		r := rejecting(t, closedLock{err: fmt.Errorf("enter the lock for %s: %w", secret, memory.ErrUnavailable)}, log, metrics)
		_, _, err := r.Trace(t.Context(), said("i1", secret))
		if !errors.Is(err, memory.ErrUnavailable) {
			t.Errorf("Trace: %v, want %v", err, memory.ErrUnavailable)
		}
		want := fmt.Sprintf(rejectedLine, 3, "i1", "store_unavailable", "session is busy: enter the lock for [redacted]: store is unavailable", 3_000_000)
		if diff := cmp.Diff([]string{want}, log.lines); diff != "" {
			t.Errorf("telemetry (-want +got):\n%s", diff)
		}
		res := httptest.NewRecorder()
		metrics.Handler().ServeHTTP(res, httptest.NewRequest("GET", "/metrics", nil))
		for _, sample := range []string{`slotway_errors_total{code="store_unavailable"} 1`, `slotway_turns_total{outcome="error"} 1`} {
			if !strings.Contains(res.Body.String(), sample+"\n") {
				t.Errorf("no %s in the metrics", sample)
			}
		}
	})
}

// One who gives up in the line, and one for whom the line is too long, leave theirs as well.
func TestAMessageRejectedByTheSharedLock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, opened := &linesOf{}, make(chan struct{})
		r := rejecting(t, closedLock{opened: opened}, log)
		ended := make(chan error)
		ctx, cancel := context.WithCancel(t.Context())
		for i, ctx := range []context.Context{t.Context(), ctx, t.Context()} {
			go func() {
				_, err := r.Handle(ctx, said(fmt.Sprintf("i%d", i), "find me a pen"))
				ended <- err
			}()
			synctest.Wait()
		}
		if err := <-ended; !errors.Is(err, router.ErrBusy) {
			t.Errorf("one too many: %v, want %v", err, router.ErrBusy)
		}
		time.Sleep(time.Second)
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("the one that gave up: %v, want %v", err, context.Canceled)
		}
		want := []string{
			fmt.Sprintf(rejectedLine, 0, "i2", "busy", "session is busy: too many messages of this session are waiting", 0),
			fmt.Sprintf(rejectedLine, 1, "i1", "canceled", "session is busy: context canceled", 1_000_000),
		}
		if diff := cmp.Diff(want, log.lines); diff != "" {
			t.Errorf("telemetry (-want +got):\n%s", diff)
		}
		close(opened)
		<-ended
	})
}

package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/slotway/slotway/router/telemetry"
)

// heartbeat is the time between two comments, which keep clients from closing a silent stream.
const heartbeat = 15 * time.Second

// events streams the events of the caller's sessions from now on. They hold no values, so there is
// nothing to mask.
func (a *API) events(w http.ResponseWriter, r *http.Request) {
	q := readQuery(r, "session_id")
	session := q.id("session_id")
	if q.reveal(r); q.err != nil {
		WriteProblem(w, Explain(q.err))
		return
	}
	if a.opts.Memory.Recent == nil {
		WriteProblem(w, Disabled("the live view"))
		return
	}
	ctx, leave, err := a.Stream(w, r)
	if err != nil {
		WriteProblem(w, Explain(err))
		return
	}
	defer leave()
	from, err := a.opts.Memory.Recent.Follow(a.owner(r).UserID, session)
	if err != nil {
		WriteProblem(w, Explain(err))
		return
	}
	defer from.Stop()
	out := newEventWriter(w)
	if out.send(": open\n\n") != nil || r.Method == http.MethodHead {
		return
	}
	for follow(ctx, from, out) == nil {
	}
}

// follow sends the next events, or a heartbeat if there are none for a while. An error ends the
// stream.
func follow(ctx context.Context, from *telemetry.Follower, out *eventWriter) error {
	wait, cancel := context.WithTimeout(ctx, heartbeat)
	defer cancel()
	events, lost, err := from.Next(wait)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return out.send(": alive\n\n")
	}
	if err != nil {
		return err
	}
	if lost > 0 {
		err = out.send(event("lost", fmt.Sprintf(`{"lost":%d}`, lost)))
	}
	for i := range events {
		if err == nil {
			err = out.send(eventText(events[i]))
		}
	}
	return err
}

// eventText formats an event for the stream.
func eventText(e telemetry.Event) string {
	text := event("telemetry", string(telemetry.AppendLine(nil, e)))
	if len(e.Path) == 0 {
		return text
	}
	return text + event("path", string(mustJSON(struct {
		SessionID string   `json:"session_id"`
		Turn      int64    `json:"turn"`
		Path      []string `json:"path"`
	}{e.SessionID, e.Turn, e.Path})))
}

// eventWriter writes a stream of server-sent events. A client that does not read a piece within
// writeTimeout is disconnected.
type eventWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
	started bool
}

func newEventWriter(w http.ResponseWriter) *eventWriter {
	return &eventWriter{w: w, control: http.NewResponseController(w)}
}

// send writes whole events or comments, and the header before the first.
func (s *eventWriter) send(text string) error {
	_ = s.control.SetWriteDeadline(time.Now().Add(writeTimeout))
	if !s.started {
		s.w.Header().Set("Content-Type", "text/event-stream")
		s.w.Header().Set("X-Accel-Buffering", "no") // for proxies that would keep events back
		s.w.WriteHeader(http.StatusOK)
		s.started = true
	}
	if _, err := s.w.Write([]byte(text)); err != nil {
		return err
	}
	return s.control.Flush()
}

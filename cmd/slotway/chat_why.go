package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/telemetry"
)

// readings are the interpretations of a message.
type readings struct {
	Chosen    []telemetry.Reading
	RunnersUp []telemetry.Reading `json:"runners_up"`
}

var errNoReason = errors.New("why it was taken like that is not known any more; it is for the newest turns")

// why implements chatBackend for the last turn.
func (h *localBackend) why(_ context.Context, session string, turn int64) (readings, error) {
	if h.last.session != session || h.last.turn != turn {
		return readings{}, errNoReason
	}
	chosen, others := h.last.trace.Readings()
	return readings{chosen, others}, nil
}

// why implements chatBackend: it reads the trace of the turn, which a server keeps for a while.
func (r *remoteBackend) why(ctx context.Context, session string, turn int64) (readings, error) {
	var trace struct {
		Events []struct {
			Stage   string
			Payload json.RawMessage
		}
	}
	err := r.call(ctx, apiRequest{method: http.MethodGet, path: sessionPath(session, "/trace"), query: url.Values{"turn": {strconv.FormatInt(turn, 10)}}, retry: true}, &trace)
	var refused *statusError
	if errors.As(err, &refused) && refused.code == "trace_gone" {
		return readings{}, errNoReason
	}
	if err != nil {
		return readings{}, err
	}
	for _, e := range trace.Events {
		var why readings
		if e.Stage == string(telemetry.StageClassify) && json.Unmarshal(e.Payload, &why) == nil {
			return why, nil
		}
	}
	return readings{}, errNoReason
}

// why shows how the last message was understood, the runners-up, and what was left over.
func (c *console) why(ctx context.Context, _ string) error {
	if c.last == nil || c.last.SessionID != c.session {
		return errors.New("say something first")
	}
	why, err := c.backend.why(ctx, c.session, c.last.Turn)
	if errors.Is(err, memory.ErrNotFound) {
		err = errNoReason
	}
	if err != nil {
		return err
	}
	c.print("  taken for: " + orNone(c.last.Intent))
	if len(why.Chosen) == 0 {
		c.print("  because of: no rule says that it was")
	}
	for _, part := range []struct {
		name string
		list []telemetry.Reading
	}{{"because of", why.Chosen}, {"rather than", why.RunnersUp}} {
		for k := range part.list {
			c.print("  " + part.name + ": " + inFull(&part.list[k]))
		}
	}
	for _, u := range c.last.Unheard {
		told := "not told"
		if u.Told {
			told = "told"
		}
		c.print(fmt.Sprintf("  left over, %s: %q", told, u.Text))
	}
	return nil
}

// inFull formats a reading with its evidence. Characters count from 1.
func inFull(r *telemetry.Reading) string {
	text := fmt.Sprintf("%s; evidence %.2f, share %.0f %%", r, r.Evidence, 100*r.Share)
	var spans []string
	for _, s := range r.Spans {
		spans = append(spans, fmt.Sprintf("%d-%d", s.Start+1, s.End))
	}
	if len(spans) > 0 {
		text += ", characters " + strings.Join(spans, ", ")
	}
	return text
}

package httpapi

import (
	"encoding/json"
	"net/http"

	"github.com/slotway/slotway/router/telemetry"
)

// traceView is the telemetry of one turn.
type traceView struct {
	Turn   int64             `json:"turn"`
	Path   []string          `json:"path"`   // states that the turn went through
	Events []json.RawMessage `json:"events"` // telemetry lines
}

var traceNotKept = &Problem{Status: http.StatusNotFound, Code: "trace_gone", Title: "The trace is gone", Detail: "Only the newest turns are kept, in memory."}

// trace returns the telemetry of a turn. It holds no values, so there is nothing to mask.
func (a *API) trace(_ http.ResponseWriter, r *http.Request) (any, error) {
	q := readQuery(r, "turn")
	turn := q.number("turn", 0, 1, 1<<53)
	if q.reveal(r); q.err != nil {
		return nil, q.err
	}
	key, err := a.key(r)
	if err != nil {
		return nil, err
	}
	if _, err := a.session(r.Context(), key); err != nil {
		return nil, err
	}
	if a.opts.Memory.Recent == nil {
		return nil, Disabled("the live view")
	}
	events := a.opts.Memory.Recent.Trace(key.UserID, key.SessionID, turn)
	if len(events) == 0 {
		return nil, traceNotKept
	}
	out := traceView{Path: []string{}}
	for _, e := range events {
		out.Turn = max(out.Turn, e.Turn)
		if len(e.Path) > 0 {
			out.Path = e.Path
		}
		out.Events = append(out.Events, telemetry.AppendLine(nil, e))
	}
	return out, nil
}

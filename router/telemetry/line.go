package telemetry

import (
	"cmp"
	"sync"

	"github.com/rs/zerolog"
)

// timeForm is RFC 3339 in UTC with all six digits of microseconds, so that lines sort by time.
const timeForm = "2006-01-02T15:04:05.000000Z"

// AppendLine appends the event's JSON line to dst, without a newline, and returns the extended slice. It
// allocates only if dst has no room.
//
// The level and the time are plain fields: zerolog's own obey its package variables, which could change
// the schema of a line from elsewhere.
func AppendLine(dst []byte, e Event) []byte {
	a := appenders.Get().(*appender)
	defer appenders.Put(a)
	a.line = dst
	at := append(a.room[:0], '"')
	at = append(e.Time.UTC().AppendFormat(at, timeForm), '"')
	line := a.logger.Log().Str("level", e.Level.String()).RawJSON("time", at)
	line.Str("stage", string(cmp.Or(e.Stage, StageOf(e.Payload)))).Str("session_id", e.SessionID).Int64("turn", e.Turn)
	line.Str("interaction_id", e.InteractionID)
	line.Int64("duration_us", max(0, e.Duration.Microseconds()))
	payload := line.CreateDict()
	if e.Payload != nil {
		e.Payload.MarshalZerologObject(payload)
	}
	line.Dict("payload", payload).Send()
	dst, a.line = a.line, nil
	return dst
}

// appender is a logger that writes to the end of a slice.
type appender struct {
	logger zerolog.Logger
	room   [2 * len(timeForm)]byte // for a quoted time, and for what package time appends before it cuts
	line   []byte
}

// appenders are reused: a logger with its writer costs an allocation each.
var appenders = sync.Pool{New: func() any {
	a := new(appender)
	a.logger = zerolog.New(a)
	return a
}}

// Write takes one line from the logger.
func (a *appender) Write(line []byte) (int, error) {
	a.line = append(a.line, line[:len(line)-1]...)
	return len(line), nil
}

package telemetry

import (
	"cmp"
	"sync"

	"github.com/rs/zerolog"
)

// timeForm is RFC 3339 in UTC with all six digits of microseconds, so that lines sort by time.
const timeForm = "2006-01-02T15:04:05.000000Z"

// timeBuffer has room for a quoted time, and for what package time appends before it cuts.
type timeBuffer [2 * len(timeForm)]byte

// render writes the event's line to the logger's writer, in one Write.
//
// The level and the time are plain fields: zerolog's own obey its package variables, which could change
// the schema of a line from elsewhere.
func render(logger *zerolog.Logger, room *timeBuffer, e Event) {
	at := append(room[:0], '"')
	at = append(e.Time.UTC().AppendFormat(at, timeForm), '"')

	line := logger.Log().Str("level", e.Level.String()).RawJSON("time", at)
	line.Str("stage", string(cmp.Or(e.Stage, StageOf(e.Payload)))).Str("session_id", e.SessionID).Int64("turn", e.Turn)
	line.Str("interaction_id", e.InteractionID)
	line.Int64("duration_us", max(0, e.Duration.Microseconds()))
	payload := line.CreateDict()
	if e.Payload != nil {
		e.Payload.MarshalZerologObject(payload)
	}
	line.Dict("payload", payload).Send()
}

// AppendLine appends the event's JSON line to dst, as [Log] writes it but without the newline, and
// returns the extended slice. It allocates only if dst has no room.
func AppendLine(dst []byte, e Event) []byte {
	a := appenders.Get().(*appender)
	a.line = dst
	render(&a.logger, &a.room, e)
	dst, a.line = a.line, nil
	appenders.Put(a)
	return dst
}

// appender is a logger that writes to the end of a slice.
type appender struct {
	logger zerolog.Logger
	room   timeBuffer
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

package telemetry

import (
	"io"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rs/zerolog"
)

// Sink takes events. It is safe for concurrent use, and it never fails a turn: what goes
// wrong in a sink stays there.
type Sink interface {
	Record(Event)
}

// Discard drops every event.
var Discard Sink = discard{}

type discard struct{}

func (discard) Record(Event) {}

// Multi gives every event to each of sinks in turn; nil ones are left out. None is Discard.
func Multi(sinks ...Sink) Sink {
	all := slices.DeleteFunc(slices.Clone(sinks), func(s Sink) bool { return s == nil })
	switch len(all) {
	case 0:
		return Discard
	case 1:
		return all[0]
	}
	return multi(all)
}

type multi []Sink

func (m multi) Record(e Event) {
	for _, s := range m {
		s.Record(e)
	}
}

// Log is a Sink that writes one JSON line per event, in one Write per line. [Schema]
// describes the lines.
type Log struct {
	logger zerolog.Logger
	lines  *lines
	level  Level
	clocks sync.Pool // of *clock
}

// clock is room for one quoted time, and for what package time appends before it cuts.
type clock [2 * len(timeForm)]byte

// NewLog writes the events of at least the given level to w. Writes never overlap, so w
// needs no lock of its own.
func NewLog(w io.Writer, level Level) *Log {
	out := &lines{w: w}
	return &Log{logger: zerolog.New(out), lines: out, level: level}
}

// timeForm is RFC 3339 in UTC with microseconds, all of them, so that lines sort by time.
const timeForm = "2006-01-02T15:04:05.000000Z"

// Record writes the event's line.
//
// The level and the time are written as plain fields: zerolog's own would obey its package
// variables, and the schema of a line is not to be changed from afar.
func (l *Log) Record(e Event) {
	if e.Level < l.level {
		return
	}
	room, _ := l.clocks.Get().(*clock)
	if room == nil {
		room = new(clock)
	}
	defer l.clocks.Put(room)
	at := append(room[:0], '"')
	at = append(e.Time.UTC().AppendFormat(at, timeForm), '"')

	if e.Stage == "" && e.Payload != nil {
		e.Stage = e.Payload.stage()
	}
	line := l.logger.Log().Str("level", e.Level.String()).RawJSON("time", at)
	line.Str("stage", string(e.Stage)).Str("session_id", e.SessionID).Int64("turn", e.Turn)
	line.Str("interaction_id", e.InteractionID)
	line.Int64("duration_us", max(0, e.Duration.Microseconds()))
	payload := line.CreateDict()
	if e.Payload != nil {
		e.Payload.MarshalZerologObject(payload)
	}
	line.Dict("payload", payload).Send()
}

// Lost counts the lines that could not be written.
func (l *Log) Lost() uint64 { return l.lines.lost.Load() }

// lines keeps the lines of many goroutines apart. It hides errors from zerolog, which would
// print them to standard error, and counts them instead.
type lines struct {
	mu   sync.Mutex // serialises writes to w
	w    io.Writer
	lost atomic.Uint64
}

func (l *lines) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n, err := l.w.Write(line); err != nil || n < len(line) {
		l.lost.Add(1)
	}
	return len(line), nil
}

// Recorder is a Sink that keeps what it is given, for tests. The zero value is ready.
type Recorder struct {
	mu     sync.Mutex // guards events
	events []Event
}

// Record keeps the event.
func (r *Recorder) Record(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
}

// Events are the events so far, in the order in which they came. The slice is the caller's.
func (r *Recorder) Events() []Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.events)
}

// Reset forgets what was kept.
func (r *Recorder) Reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = nil
}

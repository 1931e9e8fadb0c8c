package telemetry

import (
	"io"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rs/zerolog"

	"github.com/slotway/slotway/config/printable"
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

// NewLog writes the events of at least the given level to w, in characters that a terminal
// only shows. Writes never overlap, so w needs no lock of its own.
func NewLog(w io.Writer, level Level) *Log {
	out := &lines{w: printable.NewWriter(w)}
	return &Log{logger: zerolog.New(out), lines: out, level: level}
}

// Record writes the event's line.
func (l *Log) Record(e Event) {
	if e.Level < l.level {
		return
	}
	room, _ := l.clocks.Get().(*timeBuffer)
	if room == nil {
		room = new(timeBuffer)
	}
	defer l.clocks.Put(room)
	render(&l.logger, room, e)
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

package telemetry

import (
	"io"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/slotway/slotway/config/printable"
)

// Sink records events. It is safe for concurrent use, and its errors never fail a turn.
type Sink interface {
	Record(Event)
}

// Discard drops every event.
var Discard Sink = discard{}

type discard struct{}

func (discard) Record(Event) {}

// Multi passes every event to each of sinks in turn; it skips nil ones. None is Discard.
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

// Log is a Sink that writes one JSON line per event, in one Write per line, as [Schema] describes.
type Log struct {
	level Level
	lost  atomic.Uint64

	mu   sync.Mutex // guards what follows
	w    io.Writer
	line []byte // is reused
}

// NewLog writes the events of at least the given level to w, in printable characters. Writes never
// overlap, so w needs no lock.
func NewLog(w io.Writer, level Level) *Log {
	return &Log{w: printable.NewWriter(w), level: level}
}

// Record writes the event's line.
func (l *Log) Record(e Event) {
	if e.Level < l.level {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.line = append(AppendLine(l.line[:0], e), '\n')
	if n, err := l.w.Write(l.line); err != nil || n < len(l.line) {
		l.lost.Add(1)
	}
}

// Lost returns the number of lines that could not be written.
func (l *Log) Lost() uint64 { return l.lost.Load() }

// Recorder is a Sink that keeps events for tests. The zero value is ready.
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

// Events returns the events so far, in order. The caller owns the slice.
func (r *Recorder) Events() []Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.events)
}

// Reset drops the kept events.
func (r *Recorder) Reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = nil
}

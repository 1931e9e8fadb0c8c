package transfer

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/slotway/slotway/memory"
)

// exportVersion is the version of the export form that this package writes and reads.
const exportVersion = 1

// maxExportLine bounds one line of an import, in bytes.
const maxExportLine = 64 << 20

// ExportHeader begins the export of a session. The form of an export is JSON lines:
//
//	{"slotway_session":1,"key":{...},"head":{...},"created_at":"...","updated_at":"..."}
//	{"state":{...}}
//	{"message":{...}}   one a line, by seq, from 1, inactive ones included
//	{"turn":{...}}      one a line, by number
//	{"step":{...}}      one a line, in the order they were started
//	{"end":{"messages":2,"turns":1,"steps":0}}
//
// The last line tells a complete export from a truncated one. It says "damaged":1 where one part could
// not be read: a placeholder stands for a message ([memory.DamagedMessage]), an empty one for a turn, any
// other part is left out.
// Several sessions may follow one another.
type Header struct {
	Key       memory.Key
	Counters  memory.Counters
	CreatedAt time.Time
	UpdatedAt time.Time
	About     memory.About
}

// Archive is one whole session of an export. It is for sessions that are known to be short; others
// are read and written line by line.
type Archive struct {
	Header
	State    memory.State
	Messages []memory.Message
	Turns    []memory.Turn
	Steps    []memory.Step
}

type exportEnd struct {
	Messages int `json:"messages"`
	Turns    int `json:"turns"`
	Steps    int `json:"steps"`
	Damaged  int `json:"damaged,omitempty"` // parts that could not be read; messages among them are marks
}

// exportLine is any line; the field that is set says which.
type exportLine struct {
	Form      int              `json:"slotway_session,omitempty"` // with the five below it: the header
	Key       *memory.Key      `json:"key,omitempty"`
	Counters  *memory.Counters `json:"head,omitempty"`
	CreatedAt time.Time        `json:"created_at,omitzero"`
	UpdatedAt time.Time        `json:"updated_at,omitzero"`
	About     *memory.About    `json:"about,omitempty"`

	Masked json.RawMessage `json:"slotway_session_masked,omitempty"` // in the place of Form; never written here

	State   *memory.State   `json:"state,omitempty"`
	Message *memory.Message `json:"message,omitempty"`
	Turn    *memory.Turn    `json:"turn,omitempty"`
	Step    *memory.Step    `json:"step,omitempty"`
	End     *exportEnd      `json:"end,omitempty"`
}

// Writer writes exports line by line: header, state, the other lines, end.
type Writer struct {
	buf *bufio.Writer
	enc *json.Encoder
	n   exportEnd
}

// NewWriter returns a writer of exports. Its output is complete after End.
func NewWriter(w io.Writer) *Writer {
	buf := bufio.NewWriterSize(w, 32<<10)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	return &Writer{buf: buf, enc: enc}
}

func (w *Writer) line(l *exportLine) error {
	if err := w.enc.Encode(l); err != nil {
		return fmt.Errorf("export session: %w", err)
	}
	return nil
}

// Header begins a session.
func (w *Writer) Header(h *Header) error {
	w.n = exportEnd{}
	l := &exportLine{Form: exportVersion, Key: &h.Key, Counters: &h.Counters, CreatedAt: h.CreatedAt, UpdatedAt: h.UpdatedAt}
	if !h.About.Empty() {
		l.About = &h.About
	}
	return w.line(l)
}

// State writes the session's state.
func (w *Writer) State(s *memory.State) error { return w.line(&exportLine{State: s}) }

// Message writes a message.
func (w *Writer) Message(m *memory.Message) error {
	w.n.Messages++
	return w.line(&exportLine{Message: m})
}

// Turn writes a turn.
func (w *Writer) Turn(t *memory.Turn) error {
	w.n.Turns++
	return w.line(&exportLine{Turn: t})
}

// Step writes a row of the journal.
func (w *Writer) Step(s *memory.Step) error {
	w.n.Steps++
	return w.line(&exportLine{Step: s})
}

// End ends the session.
func (w *Writer) End() error {
	if err := w.line(&exportLine{End: &w.n}); err != nil {
		return err
	}
	if err := w.buf.Flush(); err != nil {
		return fmt.Errorf("export session: %w", err)
	}
	return nil
}

// AddMissing counts parts of the current session that could not be read.
func (w *Writer) AddMissing(n int) { w.n.Damaged += n }

// Parts returns functions that write what they are given. A filter replaces some of them.
func (w *Writer) Parts() *Parts {
	return &Parts{Header: w.Header, State: w.State, Message: w.Message, Turn: w.Turn, Step: w.Step, Missing: w.AddMissing, End: w.End}
}

// Write writes the archive as JSON lines.
func (a *Archive) Write(w io.Writer) error {
	out := NewWriter(w)
	err := out.Header(&a.Header)
	if err == nil {
		err = out.State(&a.State)
	}
	for i := range a.Messages {
		if err == nil {
			err = out.Message(&a.Messages[i])
		}
	}
	for i := range a.Turns {
		if err == nil {
			err = out.Turn(&a.Turns[i])
		}
	}
	for i := range a.Steps {
		if err == nil {
			err = out.Step(&a.Steps[i])
		}
	}
	if err != nil {
		return err
	}
	return out.End()
}

package memory

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// ExportVersion is the version of the export form that this package writes and reads.
const ExportVersion = 1

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
// The last line tells a whole export from one that was cut short. It says "damaged":1 where one
// part could not be read: the message is a mark then ([DamagedMessage]), any other part is left out.
// Several sessions may follow one another.
type ExportHeader struct {
	Key       Key
	Counters  Counters
	CreatedAt time.Time
	UpdatedAt time.Time
	About     About
}

// Archive is one whole session, as exports carry it. It is for sessions that are known to be
// short; others are read and written line by line.
type Archive struct {
	ExportHeader
	State    State
	Messages []Message
	Turns    []Turn
	Steps    []Step
}

type exportEnd struct {
	Messages int `json:"messages"`
	Turns    int `json:"turns"`
	Steps    int `json:"steps"`
	Damaged  int `json:"damaged,omitempty"` // parts that could not be read; messages among them are marks
}

// exportLine is any line; which field is set says what it is.
type exportLine struct {
	Form      int       `json:"slotway_session,omitempty"` // with the five below it: the header
	Key       *Key      `json:"key,omitempty"`
	Counters  *Counters `json:"head,omitempty"`
	CreatedAt time.Time `json:"created_at,omitzero"`
	UpdatedAt time.Time `json:"updated_at,omitzero"`
	About     *About    `json:"about,omitempty"`

	Masked json.RawMessage `json:"slotway_session_masked,omitempty"` // in the place of Form; never written here

	State   *State     `json:"state,omitempty"`
	Message *Message   `json:"message,omitempty"`
	Turn    *Turn      `json:"turn,omitempty"`
	Step    *Step      `json:"step,omitempty"`
	End     *exportEnd `json:"end,omitempty"`
}

// ExportWriter writes exports line by line: header, state, whatever else there is, end.
type ExportWriter struct {
	buf *bufio.Writer
	enc *json.Encoder
	n   exportEnd
}

// NewExportWriter returns a writer of exports. What it has written is complete after End.
func NewExportWriter(w io.Writer) *ExportWriter {
	buf := bufio.NewWriterSize(w, 32<<10)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	return &ExportWriter{buf: buf, enc: enc}
}

func (w *ExportWriter) line(l *exportLine) error {
	if err := w.enc.Encode(l); err != nil {
		return fmt.Errorf("export session: %w", err)
	}
	return nil
}

// Header begins a session.
func (w *ExportWriter) Header(h *ExportHeader) error {
	w.n = exportEnd{}
	l := &exportLine{Form: ExportVersion, Key: &h.Key, Counters: &h.Counters, CreatedAt: h.CreatedAt, UpdatedAt: h.UpdatedAt}
	if !h.About.Empty() {
		l.About = &h.About
	}
	return w.line(l)
}

// State writes the session's state.
func (w *ExportWriter) State(s *State) error { return w.line(&exportLine{State: s}) }

// Message writes a message.
func (w *ExportWriter) Message(m *Message) error {
	w.n.Messages++
	return w.line(&exportLine{Message: m})
}

// Turn writes a turn.
func (w *ExportWriter) Turn(t *Turn) error {
	w.n.Turns++
	return w.line(&exportLine{Turn: t})
}

// Step writes a row of the journal.
func (w *ExportWriter) Step(s *Step) error {
	w.n.Steps++
	return w.line(&exportLine{Step: s})
}

// End ends the session.
func (w *ExportWriter) End() error {
	if err := w.line(&exportLine{End: &w.n}); err != nil {
		return err
	}
	if err := w.buf.Flush(); err != nil {
		return fmt.Errorf("export session: %w", err)
	}
	return nil
}

// MissingParts notes that so many parts of the session under way could not be read.
func (w *ExportWriter) AddMissing(n int) { w.n.Damaged += n }

// Parts writes what is read elsewhere, as it is. Whoever changes something on the way puts its
// own functions in their place.
func (w *ExportWriter) Parts() *Parts {
	return &Parts{Header: w.Header, State: w.State, Message: w.Message, Turn: w.Turn, Step: w.Step, Missing: w.AddMissing, End: w.End}
}

// Write writes the archive as JSON lines.
func (a *Archive) Write(w io.Writer) error {
	out := NewExportWriter(w)
	err := out.Header(&a.ExportHeader)
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

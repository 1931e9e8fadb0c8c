package memory

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// ExportVersion is the version of the export form that this package writes and reads.
const ExportVersion = 1

// maxExportLine bounds one line of an import, in bytes.
const maxExportLine = 64 << 20

// Archive is one whole session, as exports carry it. The form is JSON lines:
//
//	{"slotway_session":1,"key":{...},"head":{...},"created_at":"...","updated_at":"..."}
//	{"state":{...}}
//	{"message":{...}}   one a line, by seq, from 1, inactive ones included
//	{"turn":{...}}      one a line, by number
//	{"step":{...}}      one a line, in the order they were started
//	{"end":{"messages":2,"turns":1,"steps":0}}
//
// The last line tells a whole export from one that was cut short. Several sessions may
// follow one another.
type Archive struct {
	Key       Key
	Head      Head
	CreatedAt time.Time
	UpdatedAt time.Time
	State     State
	About     About
	Messages  []Message
	Turns     []Turn
	Steps     []Step
}

type exportEnd struct {
	Messages int `json:"messages"`
	Turns    int `json:"turns"`
	Steps    int `json:"steps"`
}

// exportLine is any line; which field is set says what it is.
type exportLine struct {
	Form      int       `json:"slotway_session,omitempty"` // with the four below it: the header
	Key       *Key      `json:"key,omitempty"`
	Head      *Head     `json:"head,omitempty"`
	CreatedAt time.Time `json:"created_at,omitzero"`
	UpdatedAt time.Time `json:"updated_at,omitzero"`
	About     *About    `json:"about,omitempty"`

	State   *State     `json:"state,omitempty"`
	Message *Message   `json:"message,omitempty"`
	Turn    *Turn      `json:"turn,omitempty"`
	Step    *Step      `json:"step,omitempty"`
	End     *exportEnd `json:"end,omitempty"`
}

// Write writes the archive as JSON lines.
func (a *Archive) Write(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for line := range a.lines {
		if err := enc.Encode(line); err != nil {
			return fmt.Errorf("export session: %w", err)
		}
	}
	return nil
}

// lines yields the lines of the archive in their order.
func (a *Archive) lines(yield func(*exportLine) bool) {
	header := &exportLine{Form: ExportVersion, Key: &a.Key, Head: &a.Head, CreatedAt: a.CreatedAt, UpdatedAt: a.UpdatedAt}
	if a.About.Title != "" || len(a.About.Tags) > 0 {
		header.About = &a.About
	}
	if !yield(header) || !yield(&exportLine{State: &a.State}) {
		return
	}
	for i := range a.Messages {
		if !yield(&exportLine{Message: &a.Messages[i]}) {
			return
		}
	}
	for i := range a.Turns {
		if !yield(&exportLine{Turn: &a.Turns[i]}) {
			return
		}
	}
	for i := range a.Steps {
		if !yield(&exportLine{Step: &a.Steps[i]}) {
			return
		}
	}
	yield(&exportLine{End: &exportEnd{len(a.Messages), len(a.Turns), len(a.Steps)}})
}

// ReadArchives reads sessions written by Write, one after the other, and hands each to
// take once it is whole and consistent. It stops at take's first error. ErrBadExport: a
// line that cannot be read, or an export that is cut short or contradicts itself; the
// text gives the line's number, never its content.
func ReadArchives(r io.Reader, take func(*Archive) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 64<<10), maxExportLine)
	var open *Archive
	number := 0
	for lines.Scan() {
		number++
		if len(lines.Bytes()) == 0 {
			continue
		}
		var line exportLine
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return fmt.Errorf("%w: line %d is not JSON of the right form", ErrBadExport, number)
		}
		done, err := line.addTo(&open)
		if err != nil {
			return fmt.Errorf("%w: line %d: %w", ErrBadExport, number, err)
		}
		if !done {
			continue
		}
		if err := take(open); err != nil {
			return err
		}
		open = nil
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("%w: line %d is longer than %d bytes", ErrBadExport, number+1, maxExportLine)
	} else if err != nil {
		return fmt.Errorf("read session export: %w", err)
	}
	if open != nil {
		return fmt.Errorf("%w: cut short after line %d", ErrBadExport, number)
	}
	return nil
}

// addTo adds the line to the archive being read and reports whether that was its last.
func (l *exportLine) addTo(open **Archive) (bool, error) {
	a := *open
	if l.Form != 0 {
		if a != nil {
			return false, errors.New("a session begins before the one above has ended")
		}
		if l.Form != ExportVersion {
			return false, fmt.Errorf("form %d is not known here, only %d", l.Form, ExportVersion)
		}
		if l.Key == nil || l.Head == nil {
			return false, errors.New("header without key or head")
		}
		*open = &Archive{Key: *l.Key, Head: *l.Head, CreatedAt: Moment(l.CreatedAt), UpdatedAt: Moment(l.UpdatedAt)}
		if l.About != nil {
			(*open).About = l.About.Clone()
		}
		return false, nil
	}
	if a == nil {
		return false, errors.New("no session header above it")
	}
	switch {
	case l.State != nil && a.State.Params == nil:
		a.State = l.State.Clone() // its Params are not nil
	case l.State != nil:
		return false, errors.New("a second state")
	case l.Message != nil:
		l.Message.Timestamp = Moment(l.Message.Timestamp)
		a.Messages = append(a.Messages, *l.Message)
	case l.Turn != nil:
		l.Turn.At = Moment(l.Turn.At)
		if string(l.Turn.Response) == "null" {
			l.Turn.Response = nil
		}
		a.Turns = append(a.Turns, *l.Turn)
	case l.Step != nil:
		l.Step.StartedAt, l.Step.EndedAt = Moment(l.Step.StartedAt), Moment(l.Step.EndedAt)
		a.Steps = append(a.Steps, *l.Step)
	case l.End != nil:
		if *l.End != (exportEnd{len(a.Messages), len(a.Turns), len(a.Steps)}) {
			return false, errors.New("lines are missing")
		}
		return true, a.validate()
	default:
		return false, errors.New("neither state, message, turn, step nor end")
	}
	return false, nil
}

// validate holds an archive to what a store can have written, for the sake of imports
// that were edited by hand.
func (a *Archive) validate() error {
	if err := a.Key.Validate(); err != nil {
		return err
	}
	if a.State.Params == nil {
		return errors.New("no state")
	}
	h := a.Head
	if h.Version < 1 || h.Turns < 0 || h.Epoch < 0 || h.Floor < 1 || h.Floor > h.NextSeq ||
		h.NextSeq != int64(len(a.Messages))+1 || h.Turns > h.Version || h.Gone != a.gone() {
		return errors.New("counters do not fit the messages")
	}
	for i := range a.Messages {
		if err := a.Messages[i].validate(); err != nil {
			return err
		}
		if a.Messages[i].Seq != int64(i)+1 {
			return fmt.Errorf("message %d stands at place %d", a.Messages[i].Seq, i+1)
		}
	}
	return a.validateJournal()
}

// gone counts the retracted messages that would else be active.
func (a *Archive) gone() int64 {
	var n int64
	for i := range a.Messages {
		if a.Messages[i].Retracted && a.Messages[i].Seq >= a.Head.Floor {
			n++
		}
	}
	return n
}

func (a *Archive) validateJournal() error {
	requests := map[string]bool{}
	last := int64(0)
	for i := range a.Turns {
		t := &a.Turns[i]
		if t.Number <= last || t.Number > a.Head.Turns || (t.RequestID != "" && requests[t.RequestID]) {
			return errors.New("turns are out of order or doubled")
		}
		last, requests[t.RequestID] = t.Number, true
	}
	keys := map[string]bool{}
	for i := range a.Steps {
		if err := a.Steps[i].Validate(); err != nil {
			return err
		}
		if keys[a.Steps[i].IdempotencyKey] {
			return errors.New("a journal row is doubled")
		}
		keys[a.Steps[i].IdempotencyKey] = true
	}
	return nil
}

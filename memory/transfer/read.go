package transfer

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/slotway/slotway/memory"
)

// Parts receives the lines of an export, each function one kind, in their order. nil skips a kind.
// The argument belongs to the function. Only the end proves that an export is complete.
type Parts struct {
	Header  func(*Header) error
	State   func(*memory.State) error
	Message func(*memory.Message) error
	Turn    func(*memory.Turn) error
	Step    func(*memory.Step) error
	Missing func(n int) // before End: so many parts could not be read when the export was made
	End     func() error
}

// Read reads exported sessions, one after the other, line by line. It stops at the first error of
// a function. ErrBadExport: a line that cannot be read, or an export that is truncated or
// contradicts itself; the text gives the line's number, never its content.
func Read(r io.Reader, p *Parts) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 64<<10), maxExportLine)
	in := &reading{parts: p}
	number := 0
	for lines.Scan() {
		number++
		if len(lines.Bytes()) == 0 {
			continue
		}
		var line exportLine
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return fmt.Errorf("%w: line %d is not JSON of the right form", memory.ErrBadExport, number)
		}
		deliver, err := in.line(&line)
		if err != nil {
			return fmt.Errorf("%w: line %d: %w", memory.ErrBadExport, number, err)
		}
		if deliver == nil {
			continue
		}
		if err := deliver(); err != nil {
			return err
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("%w: line %d is longer than %d bytes", memory.ErrBadExport, number+1, maxExportLine)
	} else if err != nil {
		return fmt.Errorf("read session export: %w", err)
	}
	if in.open {
		return fmt.Errorf("%w: cut short after line %d", memory.ErrBadExport, number)
	}
	return nil
}

// reading is the state of reading one session. It checks what a store can have written, because
// imports may have been edited by hand.
type reading struct {
	parts *Parts

	open         bool
	stated       bool
	counters     memory.Counters
	n            exportEnd
	gone         int64 // retracted messages that would else be active
	placeholders int64 // of them, placeholders of damaged ones
	last         int64 // number of the newest turn

	requests, keys map[string]bool // ids that were read
}

// line checks a line and returns the call that delivers it; nil: none.
func (in *reading) line(l *exportLine) (deliver func() error, err error) {
	switch {
	case l.Form != 0:
		return in.begin(l)
	case len(l.Masked) > 0:
		return nil, errors.New("it is masked, so that it cannot be read back; export the session with --reveal, over HTTP with reveal=true")
	}
	if !in.open {
		return nil, errors.New("no session header above it")
	}
	if l.State == nil && !in.stated && l.End == nil {
		return nil, errors.New("no state above it")
	}
	switch {
	case l.State != nil && in.stated:
		return nil, errors.New("a second state")
	case l.State != nil:
		in.stated = true
		state := l.State.Clone() // its Params are not nil
		return handler(in.parts.State, &state), nil
	case l.Message != nil:
		return handler(in.parts.Message, l.Message), in.message(l.Message)
	case l.Turn != nil:
		return handler(in.parts.Turn, l.Turn), in.turn(l.Turn)
	case l.Step != nil:
		return handler(in.parts.Step, l.Step), in.step(l.Step)
	case l.End != nil:
		if n := l.End.Damaged; n > 0 && in.parts.Missing != nil {
			in.parts.Missing(n)
		}
		return in.parts.End, in.end(l.End)
	}
	return nil, errors.New("neither state, message, turn, step nor end")
}

func handler[T any](f func(*T) error, v *T) func() error {
	if f == nil {
		return nil
	}
	return func() error { return f(v) }
}

func (in *reading) begin(l *exportLine) (func() error, error) {
	switch {
	case in.open:
		return nil, errors.New("a session begins before the one above has ended")
	case l.Form != exportVersion:
		return nil, fmt.Errorf("form %d is not known here, only %d", l.Form, exportVersion)
	case l.Key == nil || l.Counters == nil:
		return nil, errors.New("header without key or head")
	}
	h := &Header{Key: *l.Key, Counters: *l.Counters, CreatedAt: memory.Moment(l.CreatedAt), UpdatedAt: memory.Moment(l.UpdatedAt)}
	if l.About != nil {
		h.About = l.About.Clone()
	}
	if err := h.About.WellFormed(); err != nil {
		return nil, err
	}
	*in = reading{parts: in.parts, open: true, counters: h.Counters, requests: map[string]bool{}, keys: map[string]bool{}}
	return handler(in.parts.Header, h), h.Key.Validate()
}

func (in *reading) message(m *memory.Message) error {
	m.Timestamp = memory.Moment(m.Timestamp)
	if err := m.Validate(); err != nil {
		return err
	}
	in.n.Messages++
	if m.Seq != int64(in.n.Messages) {
		return fmt.Errorf("message %d is at position %d", m.Seq, in.n.Messages)
	}
	if m.Retracted && m.Seq >= in.counters.Floor {
		in.gone++
		if m.Damaged() {
			in.placeholders++
		}
	}
	return nil
}

func (in *reading) turn(t *memory.Turn) error {
	t.At = memory.Moment(t.At)
	if string(t.Response) == "null" {
		t.Response = nil
	}
	in.n.Turns++
	if t.Number <= in.last || t.Number > in.counters.Turns || t.RequestID != "" && in.requests[t.RequestID] {
		return errors.New("turns are out of order or doubled")
	}
	in.last, in.requests[t.RequestID] = t.Number, true
	return nil
}

func (in *reading) step(s *memory.Step) error {
	s.StartedAt, s.EndedAt = memory.Moment(s.StartedAt), memory.Moment(s.EndedAt)
	if err := s.Validate(); err != nil {
		return err
	}
	in.n.Steps++
	if in.keys[s.IdempotencyKey] {
		return errors.New("a journal row is doubled")
	}
	in.keys[s.IdempotencyKey] = true
	return nil
}

func (in *reading) end(e *exportEnd) error {
	h := in.counters
	in.n.Damaged = e.Damaged
	switch {
	case *e != in.n:
		return errors.New("lines are missing")
	case !in.stated:
		return errors.New("no state")
	case h.Version < 1 || h.Turns < 0 || h.Epoch < 0 || h.Floor < 1 || h.Floor > h.NextSeq ||
		h.NextSeq != int64(in.n.Messages)+1 || h.Turns > h.Version ||
		h.Gone != in.gone && h.Gone != in.gone-in.placeholders: // the writer of the header may not have known of the damage
		return errors.New("counters do not fit the messages")
	}
	in.open = false
	return nil
}

// ReadArchives is Read for sessions that are held as a whole. It stops at the first error of take.
func ReadArchives(r io.Reader, take func(*Archive) error) error {
	var a *Archive
	return Read(r, &Parts{
		Header:  func(h *Header) error { a = &Archive{Header: *h}; return nil },
		State:   func(s *memory.State) error { a.State = *s; return nil },
		Message: func(m *memory.Message) error { a.Messages = append(a.Messages, *m); return nil },
		Turn:    func(t *memory.Turn) error { a.Turns = append(a.Turns, *t); return nil },
		Step:    func(s *memory.Step) error { a.Steps = append(a.Steps, *s); return nil },
		End:     func() error { return take(a) },
	})
}

// Pipe runs filter on an export while do reads the result, without holding it.
func Pipe(r io.Reader, filter func(r io.Reader, w io.Writer) error, do func(io.Reader) error) error {
	from, to := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := filter(r, to)
		to.CloseWithError(err)
		ended <- err
	}()
	err := do(from)
	from.CloseWithError(errDone)
	failed := <-ended
	if failed != nil && !errors.Is(failed, errDone) && (err == nil || errors.Is(err, failed)) {
		return failed // what do made of it says no more
	}
	return err
}

// ErrLeaveOut says of a line that it is to be left out: a function given to Change returns it.
var ErrLeaveOut = errors.New("left out")

// Change copies exports. Each function of change is given the lines of its kind before they are
// written, and may change them; nil leaves a kind as it is.
func Change(r io.Reader, w io.Writer, change *Parts) error {
	parts := NewWriter(w).Parts()
	parts.Header = before(parts.Header, change.Header)
	parts.State = before(parts.State, change.State)
	parts.Message = before(parts.Message, change.Message)
	parts.Turn = before(parts.Turn, change.Turn)
	parts.Step = before(parts.Step, change.Step)
	return Read(r, parts)
}

func before[T any](write, change func(*T) error) func(*T) error {
	if change == nil {
		return write
	}
	return func(v *T) error {
		err := change(v)
		if errors.Is(err, ErrLeaveOut) {
			return nil
		}
		if err != nil {
			return err
		}
		return write(v)
	}
}

// ImportChanged imports what Change makes of exports, as memory.Transfer does.
func ImportChanged(ctx context.Context, to memory.Transfer, r io.Reader, change *Parts) (added int, err error) {
	err = Pipe(r, func(r io.Reader, w io.Writer) error { return Change(r, w, change) }, func(r io.Reader) (err error) {
		added, err = to.Import(ctx, r)
		return err
	})
	return added, err
}

var errDone = errors.New("the reader has finished")

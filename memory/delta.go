package memory

import (
	"fmt"
	"unicode/utf8"
)

// Counters decide whether a Delta fits a session. Those of a session that does not exist are zero,
// with NextSeq and Floor 1.
type Counters struct {
	Version int64 `json:"version"`        // commits so far
	Epoch   int64 `json:"epoch"`          // how often the session was cleared
	NextSeq int64 `json:"next_seq"`       // sequence number of the next message
	Floor   int64 `json:"floor_seq"`      // messages with a smaller Seq are inactive
	Turns   int64 `json:"turns"`          // turns committed so far
	Gone    int64 `json:"gone,omitempty"` // retracted messages from Floor on
}

// NewCounters returns the counters of a session that does not exist.
func NewCounters() Counters { return Counters{NextSeq: 1, Floor: 1} }

// History is how many messages are active. Sequence numbers are dense, so it needs no count.
func (h Counters) History() int64 { return h.NextSeq - h.Floor - h.Gone }

// Window is the first message to read so that the n newest active ones are among those read, even
// if some were retracted.
func (h Counters) Window(n int64) int64 { return max(h.Floor, h.NextSeq-n-h.Gone) }

// After returns the counters after the delta. ErrConflict: the delta was computed from another
// version. ErrBadDelta: it does not continue these counters. When Floor rises over retracted
// messages, Gone still counts them: the store counts again.
func (h Counters) After(d *Delta) (Counters, error) {
	if d.Base != h.Version {
		return h, ErrConflict
	}
	if len(d.Messages) > 0 && d.Messages[0].Seq != h.NextSeq {
		return h, fmt.Errorf("%w: first message has seq %d, next is %d", ErrBadDelta, d.Messages[0].Seq, h.NextSeq)
	}
	if d.Turn != nil && d.Turn.Number != h.Turns+1 {
		return h, fmt.Errorf("%w: turn %d after %d turns", ErrBadDelta, d.Turn.Number, h.Turns)
	}
	h.Version++
	if d.Clear {
		h.Epoch++
		h.Floor, h.Gone = h.NextSeq, 0
	}
	if u := d.Undo; u != nil {
		if d.Clear || u.Turn < 1 || u.Turn > h.Turns || u.From < 1 || u.From > u.Until || u.Until > h.NextSeq {
			return h, fmt.Errorf("%w: turn %d cannot be undone", ErrBadDelta, u.Turn)
		}
		h.Gone += max(0, u.Until-max(u.From, h.Floor))
	}
	h.NextSeq += int64(len(d.Messages))
	if d.Floor > h.NextSeq {
		return h, fmt.Errorf("%w: floor %d is beyond the next message %d", ErrBadDelta, d.Floor, h.NextSeq)
	}
	h.Floor = max(h.Floor, d.Floor)
	if d.Turn != nil {
		h.Turns++
	}
	return h, nil
}

// Validate reports a delta that no session can take, whatever its state: a bad key, gaps
// between messages, text that is not UTF-8, a journal row without a key. Stores call it
// before they queue a commit. Whether params can be written is found by encoding them.
func (d *Delta) Validate() error {
	if err := d.Key.Validate(); err != nil {
		return err
	}
	if d.Base < 0 || d.Floor < 0 {
		return fmt.Errorf("%w: negative base or floor", ErrBadDelta)
	}
	for i := range d.Messages {
		if err := d.Messages[i].Validate(); err != nil {
			return err
		}
		if i > 0 && d.Messages[i].Seq != d.Messages[i-1].Seq+1 {
			return fmt.Errorf("%w: gap before message %d", ErrBadDelta, d.Messages[i].Seq)
		}
	}
	for i := range d.Steps {
		if err := d.Steps[i].Validate(); err != nil {
			return err
		}
	}
	return d.validateJobs()
}

// Validate checks the fields of one message; the error names the first one that is wrong.
func (m *Message) Validate() error {
	switch m.Role {
	case User, Agent, Tool, System:
	default:
		return fmt.Errorf("%w: message %d has no known role", ErrBadDelta, m.Seq)
	}
	if m.Seq < 1 {
		return fmt.Errorf("%w: message with seq %d", ErrBadDelta, m.Seq)
	}
	if !utf8.ValidString(m.Text) {
		return fmt.Errorf("%w: text of message %d is not UTF-8", ErrBadDelta, m.Seq)
	}
	return nil
}

// Validate reports a journal row that cannot be kept.
func (s *Step) Validate() error {
	if s.IdempotencyKey == "" {
		return fmt.Errorf("%w: journal row without an idempotency key", ErrBadDelta)
	}
	switch s.Status {
	case StepStarted, StepDone, StepFailed, StepUnknown:
		return nil
	}
	return fmt.Errorf("%w: journal row without a known status", ErrBadDelta)
}

// WithOutcome returns the row with the outcome of another that has the same key. The description
// of the call itself (turn, plan, step, tool, arguments, start) stays as it was written before the
// call.
func (s Step) WithOutcome(outcome Step) Step {
	s.Status = outcome.Status
	s.Attempts = max(s.Attempts, outcome.Attempts)
	s.Result = outcome.Result
	s.ErrorCode = outcome.ErrorCode
	s.EndedAt = outcome.EndedAt
	return s
}

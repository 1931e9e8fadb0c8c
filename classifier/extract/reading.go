package extract

import (
	"sync"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/rows"
	"github.com/slotway/slotway/classifier/extract/internal/when"
	"github.com/slotway/slotway/classifier/message"
)

// reading is a message under recognition, with the state of the parts that read it.
type reading struct {
	when.Reader
	byRows rows.Parser
}

// blankReading returns a reading with a message of its own, in one allocation.
func blankReading() *reading {
	r := &struct {
		reading
		message message.Message
	}{}
	r.Message = &r.message
	return &r.reading
}

// readings are those of messages that no extractor reads.
var readings = sync.Pool{New: func() any { return blankReading() }}

func newReading(text string, c calendar.Clock, asked string, in *rows.Language) *reading {
	s := blankReading()
	s.reset(text, c, asked, in)
	return s
}

// reset makes s the reading of another message; what it allocated is used again.
func (s *reading) reset(text string, c calendar.Clock, asked string, in *rows.Language) {
	s.resetTo(text, message.Tokenize(text, s.Tokens[:0]), c, asked, in)
}

// resetTo is reset for a message whose tokens are known.
func (s *reading) resetTo(text string, tokens []message.Token, c calendar.Clock, asked string, in *rows.Language) {
	s.Message.ResetTo(text, tokens, asked, in.Language)
	s.byRows.Reset(in)
	s.Reader = when.Reader{Message: s.Message, Clock: c, Other: &s.byRows}
}

// ranged is a second reading of the message, which looks for ranges and recurrences as well. It keeps
// what it reads apart from the first one.
func (s *reading) ranged() *reading {
	wide := &reading{s.Reader, s.byRows.Fresh()}
	wide.Ranges, wide.Other = true, &wide.byRows
	return wide
}

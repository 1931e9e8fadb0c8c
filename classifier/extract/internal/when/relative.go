package when

import (
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/message"
)

// MostUnits is the greatest count of units, so that no date overflows.
const MostUnits = 10000

// Figured reports whether figures or an ordinal stand among the tokens [from, to).
func (s *Reader) Figured(from, to int) bool {
	for i := from; i < to; i++ {
		if _, n := numbers.Ordinal(s.Message, i); n > 0 || s.Tokens[i].Class == message.Digits {
			return true
		}
	}
	return false
}

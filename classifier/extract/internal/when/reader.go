// Package when joins days, times, parts of the day and stretches to moments and ranges, and holds
// what of them counts. A [Reader] asks a [Language], which reads rows, for days, times and stretches.
package when

import (
	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/message"
)

// Reader reads the expressions of time of a message.
type Reader struct {
	*message.Message
	Clock   calendar.Clock
	Ranges  bool     // ranges and recurrences are looked for, not only days and times
	Peopled bool     // some param counts people
	Other   Language // reads days and times by rows

	atRangeEnd bool // an end of a range is being read
}

// Language reads days, times and lengths of time by the rows of a language.
type Language interface {
	Day(r *Reader, i int) *find.Find
	Time(r *Reader, i int) *find.Find
	Length(r *Reader, i int) (calendar.Length, int)
	Stretch(r *Reader, name string, i int) *find.Find
	Begin(r *Reader)
}

// AtEnd reads as at an end of a range, or as before; it returns how it was.
func (s *Reader) AtEnd(now bool) (was bool) {
	was, s.atRangeEnd = s.atRangeEnd, now
	return was
}

// AtRangeEnd reports whether an end of a range is being read, which needs no more words around it.
func (s *Reader) AtRangeEnd() bool { return s.atRangeEnd }

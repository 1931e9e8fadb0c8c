// Package when joins days, times, parts of the day and stretches to moments and ranges, and holds
// what of them counts. A [Reader] asks a [Language], which reads rows, for days, lengths of time and
// stretches; the times of day of English are read here.
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

	joins      int  // the last token that may join the ends of a range; 0: none does
	opens      bool // a word that may open an end of what stands before it is there
	atRangeEnd bool // an end of a range is being read
	vague      bool // what was read last counts "a few"
	beside     bool // the day is being read that another one is beside
}

// Language reads days, times and lengths of time by the rows of a language.
type Language interface {
	Day(r *Reader, i int) *find.Find
	Time(r *Reader, i int) *find.Find
	Length(r *Reader, i int) (calendar.Length, int)
	Stretch(r *Reader, name string, i int) *find.Find
	Begin(r *Reader)
}

// AtRangeEnd reports whether an end of a range is being read, which needs no more words around it.
func (s *Reader) AtRangeEnd() bool { return s.atRangeEnd }

// Survey notes which words the message holds, so that costly rules are tried only where they may
// match.
func (s *Reader) Survey() {
	for i := range s.Tokens {
		w := s.Low(i)
		if joiner(s, i, true) > 0 {
			s.joins = i
		}
		s.opens = s.opens || w == "or" || w == "and" || w == "onwards" || w == "onward" || s.IsTerm(i, "opens")
	}
}

// count counts the tokens of a term of a class at token i.
func (s *Reader) count(i int, class string) int {
	_, n := s.TermAt(i, class)
	return n
}

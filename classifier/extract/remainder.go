package extract

import (
	"strings"

	"github.com/slotway/slotway/classifier/extract/internal/codes"
	"github.com/slotway/slotway/classifier/message"
)

// remainder is a stretch of a message between words that carry no value: [from, to) in tokens.
type remainder struct{ from, to int }

const (
	mostRemainders = 8
	longRemainder  = 8 // tokens; a longer one is no bare value
)

const pauses = ",;.!?…:()\"“”"

// remainders cuts a message at its carriers and pauses.
func (s *reading) remainders() []remainder {
	var out []remainder
	start := 0
	cut := func(end int) {
		if start < end && len(out) < mostRemainders {
			out = append(out, remainder{start, end})
		}
	}
	for i := 0; i < len(s.Tokens); {
		n := s.LongestOf(i, "carrier")
		switch {
		case n > 0 && !s.Exact[i]:
		case s.pauses(i):
			n = 1
		default:
			i++
			continue
		}
		cut(i)
		i += n
		start = i
	}
	cut(len(s.Tokens))
	return out
}

// pauses reports whether token i ends a stretch of words: the comma of "1,5" does not.
func (s *reading) pauses(i int) bool {
	t := &s.Tokens[i]
	switch {
	case t.Class != message.Symbol || s.Taken[i]:
		return false
	case t.Text == "." && s.PointedAt(i-3).Closed:
		return false // 14.12.
	case strings.Contains(pauses, t.Text):
		return !s.Glued(i+1) || s.Tokens[i+1].Class == message.Symbol
	}
	return strings.Contains(codes.Dashes, t.Text) && !s.Glued(i) && !s.Glued(i+1)
}

// parts divides a remainder at the words that join two values.
func (s *reading) parts(r remainder) []remainder {
	var out []remainder
	start := r.from
	for i := r.from; i <= r.to; i++ {
		if i < r.to && (!s.In(i, "parter") || s.Exact[i]) {
			continue
		}
		if start < i {
			out = append(out, remainder{start, i})
		}
		start = i + 1
	}
	if len(out) == 1 && out[0] == r {
		return nil
	}
	return out
}

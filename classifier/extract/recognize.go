package extract

import (
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/phone"
	"github.com/slotway/slotway/classifier/extract/internal/rows"
	"github.com/slotway/slotway/classifier/extract/internal/web"
	"github.com/slotway/slotway/classifier/message"
)

// Entity is a value of a built-in type. Offsets count code points, end exclusive.
type Entity struct {
	Kind       string // one of config.BuiltinTypes
	Start, End int
	Text       string
	Value      any // JSON-normal, as a param of that type holds it; nil where nothing settles it
	Confidence float64

	Normal string // the figure alone: "48200000", "20%", "0.333333333333333"; "" where there is none
	Unit   string // of money: "Hong Kong dollar", or "Dollar" where the text does not say which
	Code   string // of money: ISO 4217, where the text says which

	// Resolution lists every value that an expression of time may have, the one before now
	// first: a date 2006-01-02, a time 15:04:05, a datetime 2006-01-02 15:04:05, of a range
	// START/END with ".." for an open end, of a duration its seconds, "not resolved" where
	// no calendar says. Value is one of them in its own form: the next, unless the words say
	// past. Nil for other kinds.
	Resolution []string
}

// Recognize finds the built-in types in text, by start. Spans do not overlap. Relative
// dates count from now. It is what an [Extractor] finds when nothing is asked.
func Recognize(text string, now time.Time, opts *Options) []Entity {
	o := opts.at("", "")
	s := readings.Get().(*reading)
	defer readings.Put(s)
	s.reset(text, o.clock(now), "", rows.Of(o.Language))
	s.Currency = o.Currency
	s.Ranges = true
	spans := s.addresses(&phone.Dialer{Region: o.Region}, nil, nil)
	var out []Entity
	at := message.PlacesOf(text)
	for _, sp := range spans {
		out = append(out, spanEntity(&sp, text, &at))
	}
	for _, f := range s.all() {
		out = append(out, s.entity(&f, &at))
	}
	slices.SortStableFunc(out, func(a, b Entity) int { return a.Start - b.Start })
	return out
}

// addresses finds e-mail addresses, URLs and phone numbers beside the spans already
// taken, and takes their tokens.
func (s *reading) addresses(phones *phone.Dialer, taken, into []find.Span) []find.Span {
	first := len(into)
	into = web.Emails(s.Text, into)
	into = web.URLs(s.Message, append(slices.Clip(taken), into[first:]...), into)
	into = phones.Phones(s.Message, append(slices.Clip(taken), into[first:]...), into)
	for _, sp := range into[first:] {
		s.Take(sp.Start, sp.End)
	}
	return into
}

// endOf is where a find ends: "this week's" ends before the apostrophe.
func (s *reading) endOf(f *find.Find) int {
	last := s.Tokens[f.To-1]
	if find.RangeKinds[f.Kind] || f.Kind == "date" {
		if base, ok := strings.CutSuffix(last.Text, "'s"); ok {
			return last.Start + len(base)
		}
		if base, ok := strings.CutSuffix(last.Text, "’s"); ok {
			return last.Start + len(base)
		}
	}
	return last.End
}

// all walks the message once. At each token the longest find wins, and the walk goes on
// behind it.
func (s *reading) all() []find.Find {
	var out []find.Find
	s.byRows.Begin(&s.Reader)
	defer s.byRows.End()
	for i := 0; i < len(s.Tokens); {
		if s.Taken[i] {
			i++
			continue
		}
		best, to := s.byRows.At(&s.Reader, i)
		switch {
		case best == nil:
			i++
			continue
		case best.Kind == "":
			i = to // a phrase that holds none
			continue
		case best.Date != nil && (best.Kind == "duration" || best.Kind == "date" || best.Kind == "daterange" && !s.Ranges):
			out = append(out, *best.Date, *best.Time)
		default:
			out = append(out, *best)
		}
		for k := best.From; k < best.To; k++ {
			s.Exact[k] = true
		}
		i = to
	}
	return out
}

// mayStart reports whether a value may start at token i.
func (s *reading) mayStart(i int) bool {
	return s.Tokens[i].Class != message.Letters || len(s.Terms[i]) > 0 || s.byRows.MayBegin(&s.Reader, i)
}

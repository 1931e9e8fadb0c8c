package extract

import (
	"slices"
	"sort"
	"strings"
	"time"
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
	o := opts.at("")
	s := newScan(text, clock{now, o.DayFirst}, "").speak(tongueOf(o.Language))
	s.currency = o.Currency
	s.ranges = true
	spans := s.addresses(&dialer{region: o.Region}, nil, nil)
	var out []Entity
	at := newPositions(text)
	for _, sp := range spans {
		out = append(out, sp.entity(text, at))
	}
	for _, f := range s.all() {
		out = append(out, f.entity(s, at))
	}
	slices.SortStableFunc(out, func(a, b Entity) int { return a.Start - b.Start })
	return out
}

// instant is a day and a time, as against a time.Time, which here is a day.
type instant time.Time

func newScan(text string, c clock, asked string) *scan {
	s := &scan{}
	s.reset(text, c, asked)
	return s
}

// reset makes s a scan of another message; what it allocated is used again.
func (s *scan) reset(text string, c clock, asked string) {
	tokens, taken, exact := tokenize(text, s.tokens[:0]), s.taken[:0], s.exact[:0]
	for range tokens {
		taken, exact = append(taken, false), append(exact, false)
	}
	*s = scan{text: text, clock: c, asked: asked, tokens: tokens, taken: taken, exact: exact, bytes: bytesOf(text), speech: s.speech}
}

// addresses finds e-mail addresses, URLs and phone numbers beside the spans already
// taken, and takes their tokens.
func (s *scan) addresses(phones *dialer, taken, into []span) []span {
	first := len(into)
	into = emails(s.text, into)
	into = s.urls(append(slices.Clip(taken), into[first:]...), into)
	into = phones.phones(s, append(slices.Clip(taken), into[first:]...), into)
	for _, sp := range into[first:] {
		s.take(sp.start, sp.end)
	}
	return into
}

// endOf is where a find ends: "this week's" ends before the apostrophe.
func (s *scan) endOf(f *found) int {
	last := s.tokens[f.to-1]
	if rangeKinds[f.kind] || f.kind == "date" {
		if base, ok := strings.CutSuffix(last.text, "'s"); ok {
			return last.start + len(base)
		}
		if base, ok := strings.CutSuffix(last.text, "’s"); ok {
			return last.start + len(base)
		}
	}
	return last.end
}

// take marks the tokens that touch the bytes [start, end).
func (s *scan) take(start, end int) {
	for i := s.behind(start); i < len(s.tokens) && s.tokens[i].start < end; i++ {
		s.taken[i] = true
	}
}

// behind returns the first token that ends behind a byte.
func (s *scan) behind(offset int) int {
	return sort.Search(len(s.tokens), func(i int) bool { return s.tokens[i].end > offset })
}

// all walks the message once. At each token the longest find wins, and the walk goes on
// behind it.
func (s *scan) all() []found {
	if s.tongue != nil {
		return s.allSpoken()
	}
	var out []found
	if s.ranges {
		s.survey()
	}
	for i := 0; i < len(s.tokens); {
		if s.taken[i] || !s.mayStart(i) {
			i++
			continue
		}
		best := s.at(i)
		if best == nil || s.anyTaken(best.from, best.to) {
			i++
			continue
		}
		out = append(out, *best)
		for k := best.from; k < best.to; k++ {
			s.exact[k] = true
		}
		i = best.to
	}
	return out
}

// survey notes what the message holds at all, so that costly rules need not be tried.
func (s *scan) survey() {
	for i := range s.tokens {
		w := s.low(i)
		if s.joiner(i, true) > 0 {
			s.joins = i
		}
		s.opens = s.opens || w == "or" || w == "and" || w == "onwards" || w == "onward" || bounds[w] != nil && !bareBounds[w]
	}
}

// anyTaken reports whether one of the tokens [from, to) belongs to something else.
func (s *scan) anyTaken(from, to int) bool { return slices.Contains(s.taken[from:to], true) }

// at returns the longest find at token i; of equal ones the first in the list.
func (s *scan) at(i int) *found {
	var best *found
	for _, rule := range [...]func(*scan, int) *found{
		(*scan).ofTime, (*scan).duration, (*scan).money, (*scan).percentage, (*scan).plainOrdinal, (*scan).plainNumber,
	} {
		if f := rule(s, i); f != nil && (best == nil || f.to > best.to) {
			best = f
		}
	}
	return best
}

// starters are the words at which a find may start; figures and signs do so too.
var starters = starterWords()

func starterWords() set {
	s := words("can cdn s sg nt r n j tt mx mex kr rs rp rm ksh rmb a an the in at minus negative half on quarter noon midday midnight noonish point penultimate antepenultimate today tonight tomorrow tmrw tmr tomorow tommorow tommorrow yesterday now day couple few several within this next last coming following previous past upcoming eur usd gbp us u c hk nz au ca")
	for _, table := range []map[string]float64{units, tens, scales, ordinalWords} {
		for w := range table {
			s[w] = true
		}
	}
	for w := range units {
		s[w+"ish"] = true
	}
	for w := range ofTimeStarters {
		s[w] = true
	}
	for w := range bounds {
		s[w] = true
	}
	for w := range relativeHeads {
		s[w] = true
	}
	for w := range adverbs {
		s[w] = true
	}
	for w := range dayParts {
		s[w] = true
	}
	for w := range edges {
		s[w] = true
	}
	for w := range months {
		s[w] = true
	}
	for w := range weekdays {
		s[w], s[w+"s"] = true, true
	}
	for w := range lowerCodes {
		s[w] = true
	}
	for first := range holidayNames {
		s[first] = true
	}
	return s
}

// ofTimeStarters are words at which only a range, a recurrence or a vague day starts.
var ofTimeStarters = words(`from between during current same prior q h cy fy sy fiscal school financial academic calendar
	eod eoy eom eow ytd mtd wtd qtd year month week quarter every each all once twice bi semi business working office
	spring summer autumn fall winter entire full nineties eighties seventies sixties more less another half whole circa approximately around
	otd right just asap recently previously currently present rest remainder sun sat`)

func (s *scan) mayStart(i int) bool {
	t := &s.tokens[i]
	return t.class == digits || starters[t.low] || t.class == symbol || t.class == letters && strings.IndexByte(t.low, '\'') > 0 && starters[bare(t.low)] ||
		len(t.text) == 3 && isUpper(t.text) ||
		s.ranges && t.low == "that" || s.bytes.meets(dollarSet) && dollarCountries[t.low]
}

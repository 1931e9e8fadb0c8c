package rows

import (
	"math"
	"slices"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/currency"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/message"
)

// match holds the parts that a row has read.
type match struct {
	from, to int // tokens; from is behind what only leads to it
	lead     int // where that begins
	parts    []meaning
	args     []string
}

// meaning is a part of a match with its value.
type meaning struct {
	name     string
	from, to int
	num      float64
	unit     *currency.Unit
	word     string // the value of a term
	half     string // the part of the day that was said
	vague    bool   // a count that is none: a few
	day      calendar.Days
	clock    calendar.TimeOfDay
	length   calendar.Length
	find     *find.Find
}

// part returns the part of a name; nil for none.
func (m *match) part(names ...string) *meaning {
	for k := range m.parts {
		if slices.Contains(names, m.parts[k].name) {
			return &m.parts[k]
		}
	}
	return nil
}

// all returns the parts of a name.
func (m *match) all(name string) []*meaning {
	var out []*meaning
	for k := range m.parts {
		if m.parts[k].name == name {
			out = append(out, &m.parts[k])
		}
	}
	return out
}

// read returns the longest reading of a grammar at token i.
func (s reader) read(name string, i int) (best meaning, n int) {
	if g := s.language.grammar[name]; g != nil {
		if m, n := s.readGrammar(g, i); n > 0 {
			return *m, n
		}
	}
	return best, 0
}

// readGrammar returns what is kept of the longest reading, which is not to be changed; nil for none.
func (s reader) readGrammar(g *grammar, i int) (*meaning, int) {
	if s.deep > mostDepth || !s.mayBegin(i).has(g.id) {
		return nil, 0
	}
	key := s.key(g.id, i)
	if known, at, n := s.memo.at(key); known {
		return at, n
	}
	s.deep++
	was := s.AtEnd(s.AtRangeEnd() || g.name == "end" || g.name == "at_end")
	best, n := s.readRowsOf(g, i)
	s.AtEnd(was)
	s.deep--
	best.name = g.name
	return s.memo.put(key, best, n), n
}

// readRowsOf tries the rows that may begin with the word at token i.
func (s reader) readRowsOf(g *grammar, i int) (best meaning, n int) {
	try := func(rows []int) {
		for _, k := range rows {
			r := &g.rows[k]
			w := walk{row: r, base: len(s.stack), from: i, lead: i}
			s.follow(&w, r.items, i, func(m *match) {
				if m.to-i <= n || !s.standsIn(g, m) {
					return
				}
				if v, ok := r.builder.build(s, m); ok {
					v.from, v.to = m.from, m.to
					best, n = v, m.to-i
				}
			})
		}
	}
	try(g.byWord[s.Low(i)])
	if len(g.byCount) > 0 && s.mayCount(i) {
		try(g.byCount)
	}
	try(g.byAny)
	return best, n
}

// standsIn reports whether a day or a time is no part of a longer word.
func (s reader) standsIn(g *grammar, m *match) bool {
	switch {
	case !s.language.Coded:
		return true
	case g.name == "at":
		return s.standsAsTime(m.lead, m.to)
	case g.name == "period":
		return s.stretchStands(m.lead, m.to)
	}
	return g.name != "day" || s.DateStands(m.from, m.to-m.from)
}

// mayBegin returns the grammars that may begin at token i: most words begin none.
func (s reader) mayBegin(i int) grammars {
	if s.Low(i) == "" {
		return grammars{}
	}
	kept := i < len(s.Parser.may)
	if kept && s.Parser.may[i].known {
		return s.Parser.may[i].grammars
	}
	set := s.language.begins[s.Low(i)].and(s.language.always)
	if s.mayCount(i) {
		set = set.and(s.language.counts)
	}
	if kept {
		s.Parser.may[i] = begun{true, set}
	}
	return set
}

// mayCount reports whether a number or a sign may begin at token i; most words rule it out.
func (s reader) mayCount(i int) bool {
	switch w := s.Low(i); {
	case s.Tokens[i].Class != message.Letters || s.language.Compound || s.Only == "money":
		return true
	case currency.MayLead(w) || s.Bytes.Meets(dollarSign):
		return true
	case s.language.Coded:
		return numbers.MayCount(s.Message, i) || s.language.Holds(w, "pair", "few", "half", "month", "ordinal_word")
	}
	return len(s.Terms[i]) > 0
}

// key is the place of a result in the memo. At an end of a range more is read.
func (s reader) key(id, i int) int {
	return (2*id+message.Btoi(s.AtRangeEnd()))*len(s.Tokens) + i
}

// memo keeps the results of grammars at the tokens of a message.
type memo struct {
	index []int32 // by grammar and token: 0 not read, -1 nothing there, else the place in kept, from 1
	kept  []memoed
}

type memoed struct {
	meaning
	n int
}

func (m *memo) reset(size int) {
	m.index, m.kept = append(m.index[:0], make([]int32, size)...), m.kept[:0]
}

func (m *memo) at(k int) (known bool, what *meaning, n int) {
	if k >= len(m.index) || m.index[k] == 0 {
		return false, nil, 0
	}
	if p := m.index[k]; p > 0 {
		return true, &m.kept[p-1].meaning, m.kept[p-1].n
	}
	return true, nil, 0
}

// put keeps a reading of n tokens and returns it; nil for none.
func (m *memo) put(k int, v meaning, n int) *meaning {
	keeps := k < len(m.index) && len(m.kept) < math.MaxInt32
	switch {
	case n == 0 && keeps:
		m.index[k] = -1
		return nil
	case n == 0:
		return nil
	case !keeps:
		alone := new(meaning)
		*alone = v
		return alone
	}
	m.kept = append(m.kept, memoed{v, n})
	m.index[k] = int32(len(m.kept))
	return &m.kept[len(m.kept)-1].meaning
}

// mostDepth bounds how deep grammars read each other.
const mostDepth = 8

// walk is a way through a row. What its items mean lies on the scan's stack from base on.
type walk struct {
	row  *row
	base int
	from int // where the span begins
	lead int // and what leads to it
}

// follow reads the items of a row from token i on and calls done for each way to do so.
func (s reader) follow(w *walk, items []item, i int, done func(*match)) {
	if len(items) == 0 {
		done(&match{from: w.from, lead: w.lead, to: i, parts: s.stack[w.base:], args: w.row.args})
		return
	}
	it := &items[0]
	switch it.mark {
	case '^':
		saved := w.from
		w.from = i
		s.follow(w, items[1:], i, done)
		w.from = saved
		return
	case '$', '~', '&', '%':
		if s.holds(it, i) != it.denied {
			s.follow(w, items[1:], i, done)
		}
		return
	}
	if !it.glued || s.Glued(i) {
		if v, n := s.item(it, i); n > 0 {
			s.stack = append(s.stack, *v)
			top := &s.stack[len(s.stack)-1]
			top.name, top.from, top.to = it.name, max(v.from, i), i+n
			s.follow(w, items[1:], i+n, done)
			s.stack = s.stack[:len(s.stack)-1]
		}
	}
	if it.optional {
		s.follow(w, items[1:], i, done)
	}
}

// holds reports whether what a mark wants is so at token i.
func (s reader) holds(it *item, i int) bool {
	switch {
	case it.mark == '$':
		return s.PhraseEnds(i)
	case it.mark == '%':
		return conditions[it.name](s)
	case it.mark == '&' && it.place != nil:
		return it.place(s, i)
	case it.mark == '&':
		_, n := s.item(it, i)
		return n > 0
	case it.class:
		return s.EndsTerm(i, it.name) > 0
	}
	return i > 0 && slices.Contains(it.words, s.Low(i-1))
}

// conditions are what a row may want of the question and of the reading.
var conditions = map[string]func(s reader) bool{
	"ranges":  func(s reader) bool { return s.Ranges },
	"lengths": func(s reader) bool { return s.Asked == "duration" },
	"dates":   func(s reader) bool { return s.DatesAsked() },
	"times":   func(s reader) bool { return s.Timely() },
	"counts":  func(s reader) bool { return numbers.Numeric[s.Asked] },
	"spans":   func(s reader) bool { return s.Asked == "daterange" },
	"ends":    func(s reader) bool { return s.AtRangeEnd() },
}

// places are what a row may want of the token behind it, by what stands there and before.
var places = map[string]func(s reader, i int) bool{
	"clause_end": func(s reader, i int) bool { return s.Ends(i) },
	"hour_end":   func(s reader, i int) bool { return s.HourEnds(i) },
	"bare_hour":  func(s reader, i int) bool { return s.CuedHourEnds(i) },
	"glued":      func(s reader, i int) bool { return s.Glued(i) && !s.CloseAfter(i) },
}

// item reads an item at token i; what it returns is not to be changed, and holds until the next is read.
func (s reader) item(it *item, i int) (*meaning, int) {
	switch {
	case s.Low(i) == "":
		return nil, 0
	case it.grammar != nil && !it.class && it.reader == nil:
		return s.readGrammar(it.grammar, i)
	case it.name == "":
		s.term = meaning{word: s.Tokens[i].Low}
		return &s.term, message.Btoi(slices.Contains(it.words, s.Tokens[i].Low))
	case it.class:
		t, n := s.TermAt(i, it.name)
		s.term = meaning{num: t.Num, word: t.Value}
		return &s.term, n
	}
	key := s.key(it.id, i)
	if known, at, n := s.memo.at(key); known {
		return at, n
	}
	v, n := it.reader(s, i)
	return s.memo.put(key, v, n), n
}

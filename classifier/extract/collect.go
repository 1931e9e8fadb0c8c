package extract

import (
	"cmp"
	"slices"
	"sort"

	"github.com/slotway/slotway/classifier/message"
)

// collector gathers candidates and sets their offsets.
type collector struct {
	text   string
	at     message.Places
	values []message.Value
	base   int             // what the caller's slice held before
	bares  int             // how many bare values were read
	wrong  []message.Value // recognised, and no value
	found  []Found         // of the built-in types, whatever params there are
	seen   map[place]bool
}

// place is a place at which a param has a candidate.
type place struct {
	param      string
	start, end int
}

// manyValues is the number of candidates from which their places are kept in a map.
const manyValues = 32

// bytes adds a candidate for the bytes [start, end) of the text, unless the param has that value
// there already.
func (c *collector) bytes(param string, value any, start, end int, source string, confidence float64) {
	v := message.Value{
		Param: param, Value: value, Text: c.text[start:end], Start: c.at.Point(start), End: c.at.Point(end),
		Source: source, Confidence: confidence,
	}
	if c.holds(place{param, v.Start, v.End}) {
		return // what came first is the surer source
	}
	c.values = append(c.values, v)
}

// find notes where a built-in type was recognised, in bytes.
func (c *collector) find(kind string, start, end int) {
	c.found = append(c.found, Found{kind, c.at.Point(start), c.at.Point(end)})
}

// holds reports whether there is a candidate at a place, and notes the place when there
// are many of them.
func (c *collector) holds(p place) bool {
	values := c.values[c.base:]
	if len(values) < manyValues {
		return slices.ContainsFunc(values, func(v message.Value) bool {
			return v.Start == p.start && v.End == p.end && v.Param == p.param
		})
	}
	if c.seen == nil {
		c.seen = make(map[place]bool, 4*manyValues)
		for _, v := range values {
			c.seen[place{v.Param, v.Start, v.End}] = true
		}
	}
	before := c.seen[p]
	c.seen[p] = true
	return before
}

func (c *collector) tokens(s *reading, param string, value any, from, to int, source string, confidence float64) {
	c.bytes(param, value, s.Tokens[from].Start, s.Tokens[to-1].End, source, confidence)
}

// either adds a reading of tokens beside others of the same param.
func (c *collector) either(s *reading, param string, value any, from, to int, source string, confidence float64) {
	start, end := s.Tokens[from].Start, s.Tokens[to-1].End
	c.values = append(c.values, message.Value{
		Param: param, Value: value, Text: c.text[start:end], Start: c.at.Point(start), End: c.at.Point(end), Source: source, Confidence: confidence,
	})
}

// has reports whether the param has a candidate that is surer than free text.
func (c *collector) has(param string) bool {
	return slices.ContainsFunc(c.values[c.base:], func(v message.Value) bool { return v.Param == param })
}

// meets reports whether a candidate that is surer than free text stands within the bytes [start, end).
func (c *collector) meets(start, end int) bool {
	from, to := c.at.Point(start), c.at.Point(end)
	return slices.ContainsFunc(c.values[c.base:], func(v message.Value) bool {
		return v.Start < to && from < v.End && v.Source != "text"
	})
}

func (c *collector) sort() {
	slices.SortStableFunc(c.values[c.base:], func(a, b message.Value) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End), cmp.Compare(a.Param, b.Param))
	})
}

// span gives the tokens [from, to) of a value.
func (c *collector) span(s *reading, v message.Value) (from, to int) {
	from = sort.Search(len(s.Tokens), func(i int) bool { return c.at.Point(s.Tokens[i].Start) >= v.Start })
	to = from
	for to < len(s.Tokens) && c.at.Point(s.Tokens[to].Start) < v.End {
		to++
	}
	return from, to
}

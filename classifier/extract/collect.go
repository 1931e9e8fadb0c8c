package extract

import (
	"cmp"
	"slices"

	"github.com/slotway/slotway/classifier"
)

// collector gathers candidates and gives them their offsets.
type collector struct {
	text   string
	at     positions
	values []classifier.Value
	base   int // what the caller's slice held before
}

// bytes adds a candidate for the bytes [start, end) of the text, unless the param has
// that value there already.
func (c *collector) bytes(param string, value any, start, end int, source string, confidence float64) {
	v := classifier.Value{
		Param: param, Value: value, Text: c.text[start:end], Start: c.at.rune(start), End: c.at.rune(end),
		Source: source, Confidence: confidence,
	}
	for i := c.base; i < len(c.values); i++ {
		w := &c.values[i]
		if w.Start == v.Start && w.End == v.End && w.Param == param {
			return // what came first is the surer source
		}
	}
	c.values = append(c.values, v)
}

func (c *collector) tokens(s *scan, param string, value any, from, to int, source string, confidence float64) {
	c.bytes(param, value, s.tokens[from].start, s.tokens[to-1].end, source, confidence)
}

// has reports whether the param has a candidate that is surer than free text.
func (c *collector) has(param string) bool {
	return slices.ContainsFunc(c.values[c.base:], func(v classifier.Value) bool { return v.Param == param })
}

func (c *collector) sort() {
	slices.SortStableFunc(c.values[c.base:], func(a, b classifier.Value) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End), cmp.Compare(a.Param, b.Param))
	})
}

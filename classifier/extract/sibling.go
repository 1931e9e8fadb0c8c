package extract

import (
	"slices"
	"sort"
	"strings"

	"github.com/slotway/slotway/classifier/extract/internal/lexicon"
	"github.com/slotway/slotway/classifier/extract/internal/talk"
	"github.com/slotway/slotway/classifier/message"
)

// siblingKinds lists the built-in types that often have several values, for several params, in one
// message. Numbers and whole numbers compete for the same figures.
var siblingKinds = map[string]string{
	"date": "date", "time": "time", "datetime": "datetime", "number": "number", "integer": "number", "money": "money",
	"duration": "duration", "percentage": "percentage",
	"daterange": "daterange", "timerange": "timerange", "datetimerange": "datetimerange", "recurrence": "recurrence",
}

const (
	wordsBefore = 5 // "check in will be on": how far a cue stands before its value
	wordsAfter  = 2 // "3 large bags": the same behind a number
)

// countStops stand between a name and a number that is not its own: "a room for 2".
var countStops = message.Words("for with in")

var (
	// Names of params that are the head or the end of a range, and the words that
	// announce one.
	headNames = message.Words("start starts begin from pickup depart departure departing outbound checkin in arrival since earliest first")
	endNames  = message.Words("end ends finish to until till return returning inbound dropoff checkout out due latest last final")
	headWords = message.Words("from starting since beginning between")
	endWords  = message.Words("to until till til through thru")
	// changeWords put one value in the place of another.
	changeWords = message.Words("change changed changing switch switching move moved moving reschedule update set shift postpone push")
)

// tellApart leaves a value that fits several params of one type to the param whose name stands
// beside it: in "check in on the 6th, check out on the 12th" each gets its own. Without such a word
// nothing changes.
func (x *Extractor) tellApart(s *reading, c *collector) {
	values := c.values[c.base:]
	var drop []int
	for i := 0; i < len(values); {
		j := i + 1
		for j < len(values) && values[j].Start == values[i].Start && values[j].End == values[i].End {
			j++
		}
		if j == i+1 {
			i = j
			continue
		}
		if group := x.siblings(values[i:j]); len(group) > 1 {
			if drops := x.ofOneTask(s, c, values[i:j], group); len(drops) > 0 {
				for k := i; k < j; k++ {
					if slices.Contains(drops, values[k].Param) {
						drop = append(drop, k)
					}
				}
			} else if own := s.cued(c, values[i], group); own != "" {
				for k := i; k < j; k++ {
					if values[k].Param != own && slices.Contains(group, values[k].Param) {
						drop = append(drop, k)
					}
				}
			}
		}
		i = j
	}
	if len(drop) == 0 {
		return
	}
	kept := values[:0]
	for k, v := range values {
		if len(drop) > 0 && drop[0] == k {
			drop = drop[1:]
			continue
		}
		kept = append(kept, v)
	}
	clear(values[len(kept):])
	c.values = c.values[:c.base+len(kept)]
}

// siblings returns the params of one kind that compete for a span.
func (x *Extractor) siblings(values []message.Value) []string {
	var group []string
	kind := ""
	for _, v := range values {
		for _, r := range x.params[v.Param] {
			k := siblingKinds[r.Builtin]
			if v.Source != "builtin" || k == "" || kind != "" && k != kind {
				continue
			}
			kind = k
			if !slices.Contains(group, v.Param) {
				group = append(group, v.Param)
			}
		}
	}
	return group
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

// cued returns the param that the words around a value name, or "".
func (s *reading) cued(c *collector, v message.Value, group []string) string {
	from, to := c.span(s, v)
	if from == to {
		return ""
	}
	names := ownWords(group)
	_, isText := v.Value.(string)
	if !isText {
		for i := to; i < to+wordsAfter && s.WordAt(i) && !s.Is(i, talk.NounStops); i++ {
			if own := s.named(i, names, group); own != "" {
				return own
			}
		}
	}
	for i := from - 1; i >= from-wordsBefore && s.WordAt(i) && !s.Is(i, talk.CueStops); i-- {
		if !isText && (s.Is(i, countStops) || i > 0 && s.Exact[i-1]) {
			break // "2 rooms for 5": the rooms are counted already
		}
		if own := s.named(i, names, group); own != "" {
			return own
		}
	}
	return s.inRange(from, to, names, group)
}

// ownWords returns, for each param of a group, the words of its name that no other param has.
func ownWords(group []string) [][]string {
	out := make([][]string, len(group))
	for i, name := range group {
		for w := range strings.SplitSeq(strings.ToLower(name), "_") {
			shared := false
			for k, other := range group {
				shared = shared || k != i && slices.Contains(strings.Split(strings.ToLower(other), "_"), w)
			}
			if w == strings.ToLower(name) && bareNames[w] {
				continue // a param called "at" is not named by every "at"
			}
			if !shared && w != "" && w != "of" && w != "the" && siblingKinds[w] == "" {
				out[i] = append(out[i], w)
			}
		}
	}
	return out
}

// bareNames name no param where they are its whole name.
var bareNames = message.Words("at on in for by with")

// named returns the only param that the word at token i names.
func (s *reading) named(i int, names [][]string, group []string) string {
	own := ""
	for k, list := range names {
		for _, w := range list {
			if !lexicon.Inflected(s.Message, i, w) {
				continue
			}
			if own != "" && own != group[k] {
				return ""
			}
			own = group[k]
		}
	}
	return own
}

// inRange separates the two ends of "from the 3rd until the 5th" where the names of the two params
// tell which is which.
func (s *reading) inRange(from, to int, names [][]string, group []string) string {
	head, end := rangeParams(names, group)
	if head == "" || end == "" {
		return ""
	}
	for i := from - 1; i >= from-wordsBefore && s.WordAt(i); i-- {
		if s.Is(i, changeWords) {
			return "" // "change friday to saturday" is one of the two
		}
	}
	if s.Is(from-1, endWords) || s.endsBetween(from) || s.SymbolAt(from-1, rangeDashes) && from > 1 && s.Exact[from-2] {
		return end
	}
	if s.Is(from-1, headWords) || (s.Is(to, endWords) || s.SymbolAt(to, rangeDashes)) && to+1 < len(s.Exact) && s.Exact[to+1] {
		return head
	}
	return ""
}

// rangeParams are, of two params, the one that holds the head of a range and the one that
// holds its end, by their names.
func rangeParams(names [][]string, group []string) (head, end string) {
	if len(group) != 2 {
		return "", ""
	}
	for k, list := range names {
		isHead := slices.ContainsFunc(list, func(w string) bool { return headNames[w] })
		isEnd := slices.ContainsFunc(list, func(w string) bool { return endNames[w] })
		switch {
		case isHead && !isEnd && head == "":
			head = group[k]
		case isEnd && !isHead && end == "":
			end = group[k]
		}
	}
	return head, end
}

// endsBetween reports whether the "and" of "between the 2nd and the 3rd" stands before token i.
func (s *reading) endsBetween(i int) bool {
	if s.Low(i-1) != "and" || i < 2 || !s.Exact[i-2] {
		return false
	}
	k := i - 2
	for k > 0 && s.Exact[k] {
		k--
	}
	return s.Low(k) == "between"
}

// rangeDashes join the two ends of a range.
const rangeDashes = "-–—~"

// ofOneTask returns the params that lose a day to the other param of their task, by the place of
// the day in a range. A day of another task takes no part.
func (x *Extractor) ofOneTask(s *reading, c *collector, values []message.Value, group []string) (losers []string) {
	if len(group) < 3 {
		return nil
	}
	from, to := c.span(s, values[0])
	for later, earlier := range x.later {
		if from == to || !slices.Contains(group, later) || !slices.Contains(group, earlier) {
			continue
		}
		pair := []string{earlier, later}
		switch s.inRange(from, to, ownWords(pair), pair) {
		case earlier:
			losers = append(losers, later)
		case later:
			losers = append(losers, earlier)
		}
	}
	return losers
}

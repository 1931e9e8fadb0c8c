package extract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/extract/internal/choices"
	"github.com/slotway/slotway/classifier/extract/internal/enum"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/lexicon"
	"github.com/slotway/slotway/classifier/extract/internal/talk"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// A word in the place of an enumeration's value that is none of them is reported
// apart, so that it can be named: the pineapple of "salami and pineapple". Only two places are
// sure enough: beside a value that it is coordinated with, and as the whole of a short answer.

const (
	mostUnlisted  = 3 // words of one, in an answer
	mostListed    = 2 // the same in a list
	shortUnlisted = 3 // letters
)

// unlisted reports words in the place of an enumeration's value that are none of its values.
func (x *Extractor) unlisted(s *reading, asked *classifier.Asked, c *collector) {
	if !x.english || len(s.Tokens) == 0 || asked != nil && x.Open(asked.Param) {
		return
	}
	for _, r := range x.types {
		if !r.listed() {
			continue
		}
		for _, sp := range x.unlistedIn(s, r, asked, c) {
			for _, p := range r.params {
				if !x.keeps[p] && !x.describes(p) && !c.toldAt(s, p, sp) {
					c.refuse(s, p, &find.Find{From: sp[0], To: sp[1]}, message.WrongUnknown)
					c.wrong[len(c.wrong)-1].Source = "enum"
				}
			}
		}
	}
}

// describes reports whether a param's values describe a state. Such values are not in stock, and
// people use other words for them.
func (x *Extractor) describes(param string) bool {
	return slices.ContainsFunc(x.about[param].words, func(w string) bool { return message.English().Has("description", w) })
}

// listed reports whether a type has only declared values.
func (r *recogniser) listed() bool {
	return r.enum != nil && r.enum.Yes == "" && len(r.Patterns) == 0 && r.Bare == nil
}

// toldAt reports whether a stretch of tokens was reported as wrong for a param already.
func (c *collector) toldAt(s *reading, param string, sp [2]int) bool {
	start := c.at.Point(s.Tokens[sp[0]].Start)
	return slices.ContainsFunc(c.wrong, func(v message.Value) bool { return v.Param == param && v.Start <= start && start < v.End })
}

// unlistedIn lists the stretches of tokens that stand in the place of a value of a type.
func (x *Extractor) unlistedIn(s *reading, r *recogniser, asked *classifier.Asked, c *collector) [][2]int {
	isAsked := asked != nil && slices.Contains(r.params, asked.Param)
	if isAsked && !c.has(asked.Param) {
		if sp := x.unlistedAnswer(s, r, c); sp[1] > 0 {
			return [][2]int{sp}
		}
		return nil
	}
	var items [][2]int
	joined := isAsked
	for _, v := range c.values[c.base:] {
		if v.Source != "enum" || v.Param != r.params[0] {
			continue
		}
		from, to := c.span(s, v)
		if from == to || choices.Denied(s.Message, from) {
			continue
		}
		_, and := s.coordinator(to)
		joined = joined || and || s.In(from-1, "coordinator")
		items = append(items, [2]int{from, to})
	}
	var out [][2]int
	for _, it := range items {
		for _, sp := range append(x.listedAfter(s, r, it[1], joined, c), x.listedBefore(s, r, it[0], c)...) {
			if !slices.Contains(out, sp) {
				out = append(out, sp)
			}
		}
	}
	return out
}

// unlistedAnswer reads a message of only a few words as an answer that is no value.
func (x *Extractor) unlistedAnswer(s *reading, r *recogniser, c *collector) (sp [2]int) {
	from, to := talk.Core(s.Message, "opening", "")
	for from < to && s.In(from, "list_article") {
		from++
	}
	for to > from && s.IsTerm(to-1, "place_filler") {
		to-- // "the huge one"
	}
	if from >= to || to-from > mostUnlisted {
		return sp
	}
	for i := from; i < to; i++ {
		if !x.content(s, i, c) && !(i > from && s.WordAt(i) && x.own[message.Singular(s.Low(i))]) {
			return sp
		}
	}
	if x.nearValue(s, r, from, to) || s.Tokens[min(to, len(s.Tokens)-1)].Text == "?" {
		return sp
	}
	return [2]int{from, to}
}

// listedAfter reads what is coordinated with a value behind it: "salami, ham and pineapple".
// Commas alone make a list only in an answer.
func (x *Extractor) listedAfter(s *reading, r *recogniser, i int, joined bool, c *collector) (out [][2]int) {
	for len(out) < mostListed+1 {
		n, and := s.coordinator(i)
		if n == 0 {
			break
		}
		from := i + n
		for s.In(from, "list_article") {
			from++
		}
		to := from
		for to < from+mostListed && x.content(s, to, c) || to > from && to < from+mostListed+1 && s.WordAt(to) && x.own[message.Singular(s.Low(to))] {
			to++
		}
		if to == from || !s.endsItem(to) || x.nearValue(s, r, from, to) {
			break
		}
		_, next := s.coordinator(to)
		joined = joined || and || next
		out = append(out, [2]int{from, to})
		i = to
	}
	if !joined {
		return nil
	}
	return out
}

// listedBefore reads the one thing that is coordinated with a value before it: "pineapple and
// salami".
func (x *Extractor) listedBefore(s *reading, r *recogniser, i int, c *collector) [][2]int {
	for s.In(i-1, "list_article") {
		i--
	}
	if !s.In(i-1, "coordinator") {
		return nil
	}
	to := i - 1
	if s.SymbolAt(to-1, ",") {
		to--
	}
	from := to
	for from > to-mostListed && x.content(s, from-1, c) {
		from--
	}
	if from == to || !s.beginsItem(from) || x.nearValue(s, r, from, to) {
		return nil
	}
	return [][2]int{{from, to}}
}

// coordinator counts the tokens at i that join two items of a list, and reports whether they are
// more than a comma.
func (s *reading) coordinator(i int) (n int, and bool) {
	if s.SymbolAt(i, ",") && !(s.Glued(i+1) && s.Digits(i+1, 1, 99) != "") {
		n = 1
	}
	if s.In(i+n, "coordinator") || s.SymbolAt(i+n, "&+") {
		return n + 1, true
	}
	return n, false
}

// endsItem reports whether an item of a list ends before token i: what goes on is a sentence.
func (s *reading) endsItem(i int) bool {
	return i >= len(s.Tokens) || s.In(i, "item_end") || s.SymbolAt(i, ",.!?;:)&+…")
}

// beginsItem reports whether an item of a list may begin at token i.
func (s *reading) beginsItem(i int) bool {
	return i == 0 || s.In(i-1, "item_lead") || s.In(i-1, "list_article") || s.SymbolAt(i-1, ",.:;!?(-&+") || s.Digits(i-1, 1, 2) != ""
}

// content reports whether token i may be a word of a value: no common word, no name, and nothing
// that was recognised.
func (x *Extractor) content(s *reading, i int, c *collector) bool {
	if !s.WordAt(i) || s.Exact[i] || i > 0 && s.Capital(i) && !s.Shouts() {
		return false
	}
	w := s.Low(i)
	switch {
	case utf8.RuneCountInString(w) < shortUnlisted, lexicon.IsPlain(w), lexicon.IsPlain(message.Singular(w)), s.Language.Has("remark", w), x.own[message.Singular(w)]:
		return false
	case strings.HasSuffix(w, "ly"), strings.HasSuffix(w, "ing"), strings.ContainsAny(w, "'’"), strings.ContainsFunc(w, func(r rune) bool { return r > unicode.MaxLatin1 }):
		return false
	}
	return !slices.ContainsFunc(c.values[c.base:], func(v message.Value) bool {
		return v.Source != "text" && v.Start < c.at.Point(s.Tokens[i].End) && c.at.Point(s.Tokens[i].Start) < v.End
	})
}

// nearValue reports whether the tokens [from, to) are a misspelt value, or share a word with a
// value.
func (x *Extractor) nearValue(s *reading, r *recogniser, from, to int) bool {
	text := s.Text[s.Tokens[from].Start:s.Tokens[to-1].End]
	if _, near := r.enum.Nearest(message.New(text, "", nil)); near {
		return true
	}
	for i := from; i < to; i++ {
		w := message.Singular(s.Low(i))
		if slices.ContainsFunc(r.enum.All, func(l enum.Lexeme) bool {
			return slices.ContainsFunc(l.Words(), func(own string) bool { return message.Singular(own) == w })
		}) {
			return true
		}
	}
	return false
}

// agentWords returns the words of the names of an agent's params, types and tasks. They name the
// subject and are no values.
func agentWords(agent *config.Agent) message.Set {
	out := message.Set{}
	add := func(texts ...string) {
		for _, text := range texts {
			for _, w := range message.WordsOf(text) {
				out[message.Singular(w)] = true
			}
		}
	}
	for _, p := range params(agent) {
		if p == nil || p.Type == nil {
			continue
		}
		add(p.Name, p.Label, p.Type.Name)
	}
	for _, in := range agent.Intents {
		add(in.ID, in.Title)
	}
	return out
}

package extract

import (
	"cmp"
	"slices"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/lexicon"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/extract/internal/people"
	"github.com/slotway/slotway/classifier/extract/internal/talk"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/shapes"
)

// How sure a number is the value of a param of numbers that nobody asked for. A number with
// nothing beside it that says what it counts may count anything.
const (
	loneNumber = 0.6 // the message is nothing else
	someNumber = 0.3
)

const (
	wordsBefore = 5 // "check in will be on": how far a cue stands before its value
	wordsAfter  = 2 // "3 large bags": the same behind a number
)

// about holds the words by which the agent describes a param, which announce its values.
type about struct {
	words  []string // of its label and its name, but for those that any param may have
	people bool     // it counts people
	plain  bool     // no word says what it counts
	ages   bool     // it counts people of one age
	old    bool     // it holds how old somebody is
	past   bool     // it holds what has happened
	code   bool     // it is a text in the shape of a code
}

// isNoun reports whether a word of a label or a name, which are English in agents of any language, is
// of a class.
func isNoun(word, class string) bool {
	return slices.ContainsFunc(message.LanguageOf("en").Words[word], func(t message.Term) bool { return t.Class == class && len(t.Words) == 1 })
}

// describe collects the words of a param's label and name.
func describe(p *config.Param) about {
	a := about{plain: true}
	for _, w := range message.WordsOf(p.Label + " " + p.Name) {
		if isNoun(w, "label_stop") || len(w) < 2 || slices.Contains(a.words, w) {
			continue
		}
		a.words = append(a.words, w)
		a.people = a.people || isNoun(w, "people_word")
		a.ages = a.ages || isNoun(w, "age_word")
		a.plain = a.plain && isNoun(w, "plain_count")
		a.past = a.past || isNoun(w, "past_label")
	}
	a.code = cmp.Or(p.Shape, config.GuessShape(p)) == shapes.Code
	a.old = asksAge(p)
	return a
}

// numbers gives a number to the params of a type, with a confidence by the words around it.
func (x *Extractor) numbers(s *reading, r *recogniser, asked *classifier.Asked, v any, f *find.Find, c *collector) {
	place := s.inAddress(f) || s.namesThing(f)
	owners := x.owners(s, f)
	for _, p := range r.params {
		isAsked := asked != nil && asked.Param == p
		confidence := f.Confidence
		switch {
		case len(owners) > 0 && !slices.Contains(owners, p), x.about[p].people && s.someOf(f):
			continue
		case !isAsked && s.ofClock(f) && !s.unitIs(x.about[p], f):
			continue
		case s.announces(x.about[p], f):
		case place && !(isAsked && s.Low(f.From-1) == "number"):
			continue
		case isAsked:
		case s.alone(f):
			confidence = loneNumber
		default:
			confidence = someNumber
		}
		c.bytes(p, v, s.Tokens[f.From].Start, s.Tokens[f.To-1].End, "builtin", confidence)
	}
}

// ofClock reports whether the word before a number makes it an hour that was not read as one: "friday half
// three", "not before 3".
func (s *reading) ofClock(f *find.Find) bool {
	return s.IsTerm(f.From-1, "half_word") || s.EndsTerm(f.From, "bound_time") > 0
}

// unitsOf gives the number of a length of time to the params that count its unit: "3 nights"
// for a param nights.
func (x *Extractor) unitsOf(s *reading, r *recogniser, f *find.Find, c *collector) {
	v, at, ok := s.numberIn(f, r.Builtin)
	if !ok || at.From != f.From || at.To != f.To-1 || len(r.Patterns) > 0 {
		return
	}
	for _, p := range r.params {
		if lexicon.OneOf(s.Message, at.To, x.about[p].words) {
			c.bytes(p, v, s.Tokens[at.From].Start, s.Tokens[at.To-1].End, "builtin", f.Confidence)
		}
	}
}

// someOf reports whether a number counts only some of the party: "two of my kids".
func (s *reading) someOf(f *find.Find) bool {
	return s.Low(f.To) == "of" && s.IsTerm(f.To+1, "some_of") && !s.IsTerm(f.From-1, "company_lead")
}

// alone reports whether a message is only a find and courtesy.
func (s *reading) alone(f *find.Find) bool {
	from, to := talk.Core(s.Message, "opening", "")
	return from == f.From && to == f.To
}

// announces reports whether a word of a param stands beside a number: what it counts behind
// it, "2 large pizzas", or its label before it, "quantity is now 2". People are counted
// without a word: "a table for two".
func (s *reading) announces(a about, f *find.Find) bool {
	if s.unitIs(a, f) || s.labelled(a, f, false) {
		return true
	}
	if !a.people {
		return false
	}
	ends := s.PhraseEnds(f.To) || s.Ends(f.To) || s.In(f.To, "noun_stop")
	return s.EndsTerm(f.From, "group_of") > 0 || s.EndsTerm(f.From, "people_lead") > 0 && (ends || s.Date(f.To) != nil || s.ClockTime(f.To) != nil)
}

// unitIs reports whether what a number counts is a word of a param: "2 large pizzas".
func (s *reading) unitIs(a about, f *find.Find) bool {
	for i := f.To; i < f.To+wordsAfter && s.WordAt(i) && !s.In(i, "noun_stop"); i++ {
		if lexicon.OneOf(s.Message, i, a.words) || a.people && s.IsTerm(i, "people_word") {
			return true
		}
	}
	return false
}

// labelled reports whether a word of a param stands before a number: "quantity is now 2". Closely says
// that nothing parts the two: the 5 of "2 rooms for 5" counts no rooms, for they are counted already.
func (s *reading) labelled(a about, f *find.Find, closely bool) bool {
	for i := f.From - 1; i >= f.From-wordsBefore && (s.WordAt(i) || s.SymbolAt(i, ":=#")) && !s.In(i, "cue_stop"); i-- {
		if closely && (s.IsTerm(i, "count_stop") || i > 0 && s.Exact[i-1]) {
			return false
		}
		if lexicon.OneOf(s.Message, i, a.words) {
			return true
		}
	}
	return false
}

// owners returns the params of numbers of which a word stands beside a find. They alone take it: "two
// bathrooms" is no number of beds.
func (x *Extractor) owners(s *reading, f *find.Find) (out []string) {
	for _, r := range x.types {
		if !numbers.Counts[r.Builtin] {
			continue
		}
		for _, p := range r.params {
			if a := x.about[p]; s.unitIs(a, f) || s.labelled(a, f, true) {
				out = append(out, p)
			}
		}
	}
	return out
}

// countsElse reports whether a number counts the unit of another param, or people.
func (x *Extractor) countsElse(s *reading, f *find.Find) bool {
	if !s.WordAt(f.To) {
		return false
	}
	if s.IsTerm(f.To, "people_word") || people.IsKin(&s.Reader, f.To) {
		return true
	}
	for _, r := range x.types {
		if numbers.Counts[r.Builtin] && slices.ContainsFunc(r.params, func(p string) bool { return lexicon.OneOf(s.Message, f.To, x.about[p].words) }) {
			return true
		}
	}
	return false
}

// inAddress reports whether a number is that of a house or a postal code: a street's name
// follows, or a town stands before five digits.
func (s *reading) inAddress(f *find.Find) bool {
	if f.Kind != "number" || f.To != f.From+1 || s.Tokens[f.From].Class != message.Digits {
		return false
	}
	return s.IsTerm(f.To, "house_part") || s.behindTown(f.From) || s.beforeStreet(f.To)
}

// behindTown reports whether five digits follow a name: "Austin 73301".
func (s *reading) behindTown(i int) bool {
	return i > 1 && len(s.Low(i)) == 5 && talk.ProperName(s.Message, i-1)
}

// beforeStreet reports whether the words at token i name a street: "Main St", "old mill
// road", and before a town "Elm, Austin".
func (s *reading) beforeStreet(i int) bool {
	for k := i; k < i+4 && s.WordAt(k) && !s.In(k, "filler") && !s.In(k, "noun_stop"); k++ {
		switch {
		case k > i && (s.IsTerm(k, "way_end") || s.IsTerm(k, "way_name") && talk.ProperName(s.Message, k)):
			return true
		case talk.ProperName(s.Message, k) && s.SymbolAt(k+1, ",") && talk.ProperName(s.Message, k+2):
			return true
		}
	}
	return false
}

// countChosen raises the confidence of a number beside a value that may be chosen: "2 large".
func (c *collector) countChosen() {
	values := c.values[c.base:]
	for i := range values {
		v := &values[i]
		if v.Confidence != someNumber || v.Source != "builtin" {
			continue
		}
		if slices.ContainsFunc(values, func(w message.Value) bool {
			return (w.Source == "enum" || w.Source == "option") && w.Start > v.End && w.Start <= v.End+1
		}) {
			v.Confidence = loneNumber
		}
	}
}

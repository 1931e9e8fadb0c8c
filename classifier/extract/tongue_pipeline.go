package extract

import (
	"cmp"
	"slices"
	"strings"
	"time"

	money "golang.org/x/text/currency"
	"golang.org/x/text/language"
)

// What the steps behind the recognisers know of another language.

// sameEverywhere are the built-in types whose values are written alike in all languages.
var sameEverywhere = words("email url phone boolean")

// offered are what the options of a yes or no question say when they are chosen.
var offered = map[string]string{"yes": "yes", "no": "no"}

// readBooks makes books of the phrases around an answer.
func (t *tongueWords) readBooks() {
	t.books = map[string]*book{}
	for _, class := range [...]string{"yes", "no", "neither", "opening", "closing"} {
		var phrases []string
		for _, e := range t.classes[class] {
			phrases = append(phrases, strings.Join(e.words, " "))
		}
		if said, ok := offered[class]; ok { // whatever the language
			phrases = append(slices.Clone(phrases), said)
		}
		t.books[class] = newBook(phrases)
	}
}

// spokenBelow100 reads one number of a code that is told in words.
func (s *scan) spokenBelow100(i int) (float64, int) {
	v, n := s.wordNumber(i)
	if n == 0 || v >= 100 || v != float64(int(v)) {
		return 0, 0
	}
	return v, n
}

// cycleOf tells how a day repeats that was named by these words alone.
func (x *Extractor) cycleOf(text string, now time.Time) cycle {
	if x.tongue == nil {
		return cycleOf(text)
	}
	s := newScan(text, clock{now, x.options.DayFirst}, "").speak(x.tongue)
	for i := range s.tokens {
		if f := s.spokenDate(i); f != nil {
			return f.cycle
		}
	}
	return once
}

// namesThingSpoken reports whether the words beside a number make it the name of a thing or
// the number of a house.
func (s *scan) namesThingSpoken(f *found) bool {
	i := f.from
	if s.symbolAt(i-1, ".:") {
		i--
	}
	if s.symbolAt(f.from-1, "#") || s.endsTerm(i, "number_noun") > 0 {
		return true
	}
	if s.tokens[f.from].class == digits && (s.isTerm(f.to, "way_noun") || s.endsTerm(f.from-1, "way_noun") > 0 || s.endsTerm(f.from-2, "way_noun") > 0) {
		return true // 12 rue de la paix, calle mayor 12
	}
	if w := s.low(f.from - 1); w != "" && s.tokens[f.from].class == digits {
		for _, e := range s.tongue.classes["street_ending"] {
			if strings.HasSuffix(w, e.words[0]) {
				return true
			}
		}
	}
	return false
}

// startsCode reports whether a code may start with a word: a digit that is said.
func (t *tongueWords) startsCode(w string) bool {
	for _, e := range t.words[w] {
		if e.class == "unit" || e.class == "ten" || e.class == "repeat" {
			return true
		}
	}
	_, whole := t.compounded(w)
	return t.compound && whole
}

// at fills in where the people live by their language: who speaks German calls and pays as in
// Germany, unless the tag names another region.
func (o *Options) at(tag string) Options {
	var v Options
	if o != nil {
		v = *o
	}
	tag = cmp.Or(tag, v.Language)
	t := tongueOf(tag)
	if t == nil || len(t.classes["home"]) == 0 {
		return v.withDefaults()
	}
	if _, region, cut := strings.Cut(tag, "-"); cut && len(region) == 2 {
		v.Region = cmp.Or(v.Region, strings.ToUpper(region))
	}
	v.Region = cmp.Or(v.Region, strings.ToUpper(t.classes["home"][0].words[0]))
	if region, err := language.ParseRegion(v.Region); err == nil && v.Currency == "" {
		if unit, known := money.FromRegion(region); known {
			v.Currency = unit.String()
		}
	}
	return v.withDefaults()
}

// markOf is the mark of an address that a word says; "" for none.
func (s *scan) markOf(w string) string {
	if s.tongue == nil || w == "" {
		return spokenMarks[w]
	}
	for _, e := range s.tongue.words[w] {
		if e.class == "address_mark" {
			return e.value
		}
	}
	if len(w) == 1 {
		return spokenMarks[w]
	}
	return ""
}

// leadsAddress reports whether token i may stand before a dictated address.
func (s *scan) leadsAddress(i int) bool {
	if s.tongue == nil {
		return addressLeads[s.low(i)]
	}
	return s.isTerm(i, "address_lead")
}

package extract

import (
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier"
)

// Read gives the value of a param that text spells, which something else found: the
// nearest of an enumeration, a number in words, a day counted from now. What may be any
// text is taken as it is. ok is false when text is no value of the param, or holds two.
func (x *Extractor) Read(param, text string, now time.Time) (value any, ok bool) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, false
	}
	for _, r := range x.params[param] {
		switch {
		case r.enum != nil:
			return r.enum.nearest(newScan(text, clock{}, ""))
		case r.Open():
			return text, true
		}
	}
	for _, v := range x.Extract(classifier.Input{Text: text, Now: now, Asked: &classifier.Asked{Param: param}}, nil) {
		if v.Param != param {
			continue
		}
		if ok && !reflect.DeepEqual(value, v.Value) {
			return nil, false
		}
		value, ok = v.Value, true
	}
	return value, ok
}

// Open reports whether a param's values may be any text: free text, people and places
// that no pattern describes.
func (x *Extractor) Open(param string) bool {
	return slices.ContainsFunc(x.params[param], (*recogniser).Open)
}

// Open reports whether the values of the type may be any text.
func (r *recogniser) Open() bool {
	switch r.Builtin {
	case "text", "person", "location":
		return len(r.Patterns) == 0
	}
	return false
}

// nearest returns the value of an enumeration that text spells best: in full, with typos,
// or else the one that shares most of its letters with it, if it is clearly closer than
// others.
func (e *enumeration) nearest(s *scan) (any, bool) {
	spelled := ""
	for i := 0; i < len(s.tokens); i++ {
		v, n, _ := e.at(s, i, true)
		if n > 0 && spelled != "" && v != spelled {
			return nil, false
		}
		if n > 0 {
			spelled = v
			i += n - 1
		}
	}
	if spelled != "" {
		return spelled, true
	}
	text := fold(s.text)
	best, second, value := 1.0, 1.0, ""
	for _, l := range e.all {
		spelling := strings.Join(l.words, " ")
		most := max(utf8.RuneCountInString(spelling), utf8.RuneCountInString(text))
		if most > 64 {
			continue
		}
		d := float64(distance(text, spelling, 64)) / float64(most)
		switch {
		case d < best && l.value == value:
			best = d
		case d < best:
			best, second, value = d, best, l.value
		case l.value != value:
			second = min(second, d)
		}
	}
	if best > farthest || second-best < clearer {
		return nil, false
	}
	return value, true
}

// A word that differs in more than farthest of its letters is another word; one that is
// hardly closer to one value than to the next is neither.
const (
	farthest = 0.34
	clearer  = 0.15
)

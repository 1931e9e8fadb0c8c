package extract

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Numbers in words are summed from left to right: each word fits into what the one before
// leaves open. Behind "quatre-vingt" up to nineteen may follow, behind "zwanzig" up to nine.

// sum adds up a number from its words.
type sum struct {
	total, part float64 // what scales have closed, and what is being counted
	room        float64 // the next word must be smaller
	roomOfScale float64
	last        string // class of the word read last
}

func newSum() sum { return sum{room: math.Inf(1), roomOfScale: math.Inf(1)} }

// add takes a word of a class; false where it does not fit.
func (u *sum) add(class string, v float64) bool {
	switch class {
	case "unit", "ten", "hundreds":
		if v >= u.room || v == 0 && u.last != "" {
			return false
		}
		u.part += v
		u.room = roomBehind(class, v)
	case "scale":
		if !u.times(v) {
			return false
		}
	}
	u.last = class
	return true
}

// times multiplies what was counted by a scale.
func (u *sum) times(v float64) bool {
	switch {
	case v == 100: // the hundreds are counted on: 300,000
		if u.part >= 100 || u.last == "unit" && u.part == 0 || u.last == "scale" && u.part == 0 && u.total > 0 && u.room < 1000 {
			return false
		}
		u.part = math.Max(u.part, 1) * 100
		u.room = 100
		return true
	case u.last != "" && u.total+u.part == 0, v == u.roomOfScale, v > u.roomOfScale && u.total >= v:
		return false
	case v > u.roomOfScale: // dos mil trescientos millones
		u.total, u.part = (u.total+u.part)*v, 0
	default:
		u.total, u.part = u.total+math.Max(u.part, 1)*v, 0
	}
	u.room, u.roomOfScale = v, v
	return true
}

// roomBehind is what the next word must stay below.
func roomBehind(class string, v float64) float64 {
	switch {
	case class == "hundreds":
		return 100
	case class == "ten" && (v == 60 || v == 80):
		return 20 // soixante-dix, quatre-vingt-dix; other languages have no word that fits
	case class == "ten":
		return 10
	}
	return 0
}

func (u *sum) value() float64 { return u.total + u.part }

var numberClasses = [...]string{"unit", "ten", "hundreds", "scale"}

// wordNumber reads a number in words at token i. An article counts one only where a scale
// follows it.
func (s *scan) wordNumber(i int) (v float64, n int) {
	if s.low(i) == "" || s.tokens[i].class != letters {
		return 0, 0
	}
	u := newSum()
	if t, k := s.termAt(i, "article"); k > 0 && s.isTerm(i+k, "scale") {
		u.add("unit", t.num)
		n = k
	}
	for {
		skip := s.numberLink(i+n, u.last)
		k := s.addNumber(&u, i+n+skip)
		if k == 0 && skip == 0 && u.last != "" && s.isTerm(i+n, "scale") {
			return 0, 0 // two thousand three thousand: what does not add up is no number
		}
		if k == 0 {
			break
		}
		n += skip + k
	}
	return u.value(), n
}

// addNumber adds the number word at token i to a sum, and returns its length.
func (s *scan) addNumber(u *sum, i int) int {
	best, class := term{}, ""
	n := 0
	for _, c := range numberClasses {
		if t, k := s.termAt(i, c); k > n {
			best, class, n = t, c, k
		}
	}
	if n > 0 {
		return n * btoi(u.add(class, best.num))
	}
	if s.tongue.compound && s.low(i) != "" && s.tokens[i].class == letters && !s.isTerm(i, "article") {
		if v, ok := s.tongue.compounded(s.low(i)); ok {
			return btoi(u.addWhole(v))
		}
	}
	return 0
}

// addWhole adds a number that is one word: "dreihunderttausend" behind "zwei millionen".
func (u *sum) addWhole(v float64) bool {
	if v >= u.room {
		return false
	}
	u.part += v
	u.room, u.last = 0, "unit"
	if v >= 20 && v < 100 && math.Mod(v, 10) == 0 {
		u.last = "ten"
	}
	return true
}

// numberLink counts what may stand between two words of a number: a hyphen, "y" and "et"
// behind a ten, "und" behind a scale.
func (s *scan) numberLink(i int, last string) int {
	if last == "" {
		return 0
	}
	if s.symbolAt(i, "-‐‑") && s.glued(i) && s.glued(i+1) {
		return 1
	}
	if t, n := s.termAt(i, "link"); n > 0 && t.value == last {
		return n
	}
	return 0
}

// morph is a part of a number that is one word.
type morph struct {
	text  string
	value float64
}

// readMorphs collects what numbers of one word are made of.
func (t *tongueWords) readMorphs() error {
	for _, class := range [...]string{"unit", "ten", "compound"} {
		for _, e := range t.classes[class] {
			if len(e.words) == 1 {
				t.morphs = append(t.morphs, morph{e.words[0], e.num})
			}
		}
	}
	slices.SortStableFunc(t.morphs, func(a, b morph) int { return cmp.Compare(len(b.text), len(a.text)) })
	for _, class := range [...]string{"unit", "ten"} {
		if t.classes[class] == nil {
			return fmt.Errorf("values.txt: the list %q is missing", class)
		}
	}
	return nil
}

// compounded reads a number that is one word: "dreihundertvierundzwanzig", also with a half
// behind it, "zweieinhalb".
func (t *tongueWords) compounded(w string) (v float64, ok bool) {
	for _, half := range t.classes["half_ending"] {
		if base, cut := strings.CutSuffix(w, half.words[0]); cut && base != "" {
			if v, ok = t.below(base, 1e6); ok {
				return v + half.num, true
			}
		}
	}
	return t.below(w, 1e9)
}

// below reads a number of one word that is smaller than limit.
func (t *tongueWords) below(w string, limit float64) (v float64, ok bool) {
	for _, scale := range t.classes["compound_scale"] {
		head, tail, cut := strings.Cut(w, scale.words[0])
		if !cut || scale.num >= limit {
			continue
		}
		many, rest := 1.0, 0.0
		if head != "" {
			if many, ok = t.below(head, scale.num); !ok {
				return 0, false
			}
		}
		if tail = t.withoutLink(tail); tail != "" {
			if rest, ok = t.below(tail, scale.num); !ok {
				return 0, false
			}
		}
		return many*scale.num + rest, true
	}
	return t.belowHundred(w)
}

func (t *tongueWords) withoutLink(w string) string {
	for _, l := range t.classes["compound_link"] {
		if rest, cut := strings.CutPrefix(w, l.words[0]); cut {
			return rest
		}
	}
	return w
}

// belowHundred reads "drei", "dreizehn" and "dreiundzwanzig".
func (t *tongueWords) belowHundred(w string) (float64, bool) {
	for _, m := range t.morphs {
		rest, cut := strings.CutPrefix(w, m.text)
		switch {
		case !cut:
		case rest == "":
			return m.value, true
		case m.value >= 1 && m.value <= 9:
			if ten := t.withoutLink(rest); ten != rest {
				if v, ok := t.ten(ten); ok {
					return v + m.value, true
				}
			}
		}
	}
	return 0, false
}

func (t *tongueWords) ten(w string) (float64, bool) {
	for _, e := range t.words[w] {
		if e.class == "ten" && len(e.words) == 1 {
			return e.num, true
		}
	}
	return 0, false
}

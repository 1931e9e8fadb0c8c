package numbers

import (
	"math"

	"github.com/slotway/slotway/classifier/message"
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

// roomBehind returns the bound below which the next word must stay.
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

// WordNumber reads a number in words at token i. An article counts one only where a scale
// follows it.
func WordNumber(s *message.Message, i int) (v float64, n int) {
	if s.Low(i) == "" || s.Tokens[i].Class != message.Letters {
		return 0, 0
	}
	u := newSum()
	if t, k := s.TermAt(i, "article"); k > 0 && s.IsTerm(i+k, "scale") {
		u.add("unit", t.Num)
		n = k
	}
	for {
		skip := numberLink(s, i+n, u.last)
		k := addNumber(s, &u, i+n+skip)
		if k == 0 && skip == 0 && u.last != "" && s.IsTerm(i+n, "scale") {
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
func addNumber(s *message.Message, u *sum, i int) int {
	best, class := message.Term{}, ""
	n := 0
	for _, c := range numberClasses {
		if t, k := s.TermAt(i, c); k > n {
			best, class, n = t, c, k
		}
	}
	if n > 0 {
		return n * message.Btoi(u.add(class, best.Num))
	}
	if s.Language.Compound && s.Low(i) != "" && s.Tokens[i].Class == message.Letters && !s.IsTerm(i, "article") {
		if v, ok := s.Language.Compounded(s.Low(i)); ok {
			return message.Btoi(u.addWhole(v))
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
func numberLink(s *message.Message, i int, last string) int {
	if last == "" {
		return 0
	}
	if s.SymbolAt(i, "-‐‑") && s.Glued(i) && s.Glued(i+1) {
		return 1
	}
	if t, n := s.TermAt(i, "link"); n > 0 && t.Value == last {
		return n
	}
	return 0
}

// spokenBelow100 reads one number of a code in words.
func spokenBelow100(s *message.Message, i int) (float64, int) {
	v, n := WordNumber(s, i)
	if n == 0 || v >= 100 || v != float64(int(v)) {
		return 0, 0
	}
	return v, n
}

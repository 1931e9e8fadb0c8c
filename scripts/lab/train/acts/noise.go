package main

import (
	"math/rand/v2"
	"strings"
	"unicode"

	"github.com/slotway/slotway/classifier/message"
)

// Probability of each change of a sample.
const (
	asked     = 0.5  // a question gets its mark
	exclaimed = 0.08 // another clause gets !
	doubted   = 0.02 // another clause gets ?
	opened    = 0.12 // a word of hesitation or joining goes before it
	closed    = 0.1  // a word of courtesy goes after it
	misspelt  = 0.12
	shouted   = 0.03
	written   = 0.35 // begins with a capital letter
	strange   = 0.2  // an unknown word replaces a rare one
	rare      = 2    // most lines of a rare word
	entitled  = 0.03 // becomes a title, which has no act
)

var (
	consonants  = strings.Split("b,c,d,f,g,h,j,k,l,m,n,p,r,s,t,v,w,z,br,ch,cl,dr,fl,gr,pl,pr,sh,sl,sp,st,th,tr", ",")
	vowels      = strings.Split("a,e,i,o,u,ai,ea,ee,io,oo,ou", ",")
	strangeTail = strings.Split("er,ing,ion,ment,y,le,ed,al,et,ous,ic,ex,on,s,t,n,,,,,,", ",")
)

// joinable lists the acts of clauses that may follow a joining word.
var joinable = []message.Act{message.ActQuestion, message.ActRequest, message.ActState, message.ActCorrect}

// dress makes a sample look like something people type.
func (l *lang) dress(rng *rand.Rand, s *sample, words lexicon) {
	chance := func(p float64) bool { return rng.Float64() < p }
	if words := strings.Fields(s.text); len(words) > 1 && len(words) < 6 && chance(entitled) {
		entitle(rng, s, words)
		return
	}
	empty := s.acts == message.Acts{}
	s.text = l.estrange(rng, s.text, words, empty)
	if !empty {
		l.surround(rng, s)
	}
	if chance(misspelt) {
		s.text = misspell(rng, s.text)
	}
	punctuate(rng, s)
	switch {
	case chance(shouted):
		s.text = strings.ToUpper(s.text)
	case chance(written) && s.text != "":
		r := []rune(s.text)
		r[0] = unicode.ToUpper(r[0])
		s.text = string(r)
	case empty && chance(0.3):
		s.text = strings.ToLower(s.text)
	}
}

// surround puts words of hesitation, joining or courtesy around a clause.
func (l *lang) surround(rng *rand.Rand, s *sample) {
	chance := func(p float64) bool { return rng.Float64() < p }
	if chance(opened) {
		s.text = pick(rng, l.openings) + " " + s.text
	} else if chance(opened) && does(s, joinable) {
		s.text = pick(rng, l.joinings) + " " + s.text
	}
	if chance(closed) {
		s.text += " " + pick(rng, l.closings)
	} else if chance(closed/2) && s.acts[message.ActThanks] == 0 && s.acts[message.ActGreet] == 0 {
		s.text += " " + pick(rng, l.courtesies)
		s.acts[message.ActThanks] = 0.7
	}
}

// punctuate ends a sample with a mark, unless its phrase has one.
func punctuate(rng *rand.Rand, s *sample) {
	chance := func(p float64) bool { return rng.Float64() < p }
	switch {
	case s.mark != 0:
	case s.acts[message.ActQuestion] >= 0.5:
		if chance(asked) {
			s.mark = '?'
		}
	case chance(exclaimed):
		s.mark = '!'
	case chance(doubted):
		s.mark = '?'
	}
}

func does(s *sample, some []message.Act) bool {
	for _, a := range some {
		if s.acts[a] >= 0.5 {
			return true
		}
	}
	return false
}

func pick(rng *rand.Rand, list []string) string { return list[rng.IntN(len(list))] }

// estrange replaces rare words by unknown ones.
func (l *lang) estrange(rng *rand.Rand, text string, words lexicon, empty bool) string {
	fields := strings.Fields(text)
	for i, w := range fields {
		n := words[l.fold(strings.ToLower(strings.ReplaceAll(w, "'", "")))]
		if n >= known && n <= rare && len(w) > 3 && rng.Float64() < strange || empty && n == 0 && rng.Float64() < strange && isWord(w) {
			word := invent(rng)
			if unicode.IsUpper([]rune(w)[0]) {
				word = strings.ToUpper(word[:1]) + word[1:]
			}
			fields[i] = word
		}
	}
	return strings.Join(fields, " ")
}

func isWord(w string) bool {
	for _, r := range w {
		if !unicode.IsLetter(r) {
			return false
		}
	}
	return true
}

// invent makes up a word.
func invent(rng *rand.Rand) string {
	var word strings.Builder
	for range 1 + rng.IntN(2) {
		word.WriteString(pick(rng, consonants) + pick(rng, vowels))
	}
	return word.String() + pick(rng, consonants[:18]) + pick(rng, strangeTail)
}

// misspell changes one letter of one longer word.
func misspell(rng *rand.Rand, text string) string {
	fields := strings.Fields(text)
	if len(fields) == 0 {
		return text
	}
	i := rng.IntN(len(fields))
	w := []rune(fields[i])
	if len(w) < 4 || !isWord(fields[i]) {
		return text
	}
	at := 1 + rng.IntN(len(w)-2)
	switch rng.IntN(4) {
	case 0:
		w[at], w[at+1] = w[at+1], w[at]
	case 1:
		w = append(w[:at], w[at+1:]...)
	case 2:
		w = append(w[:at+1], w[at:]...)
	case 3:
		w[at] = rune('a' + rng.IntN(26))
	}
	fields[i] = string(w)
	return strings.Join(fields, " ")
}

// entitle turns a phrase into the title of a book or the name of a shop: "Thank You for Smoking".
func entitle(rng *rand.Rand, s *sample, words []string) {
	for i, w := range words {
		words[i] = capital(w)
	}
	at := rng.IntN(len(words) + 1)
	words = append(words[:at], append([]string{capital(invent(rng))}, words[at:]...)...)
	s.text, s.acts, s.maybe = strings.Join(words, " "), message.Acts{}, [message.NumActs]bool{}
}

func capital(w string) string {
	r := []rune(w)
	r[0] = unicode.ToUpper(r[0])
	return string(r)
}

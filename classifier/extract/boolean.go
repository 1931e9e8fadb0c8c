package extract

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/lexicon"
	"github.com/slotway/slotway/classifier/extract/internal/talk"
	"github.com/slotway/slotway/classifier/message"
)

// A yes-or-no question is answered by a yes or a no, or by what is said of its subject: "I have no
// allergies", "non-smoking please". A negation anywhere in the clause makes a statement a no, and
// what contradicts itself or stays open ("yes, none", "no problem with it") is no answer. The words
// are classes of the language: yes, no, neither, negation, negation_idiom, negative_prefix,
// negative_ending, hollow, echo, unsure.

// flag is an answer to a yes-or-no question. Offsets are tokens; none is from == to.
type flag struct {
	yes      bool
	from, to int
}

// yesNo reads the answer to a yes-or-no question.
func (x *Extractor) yesNo(s *reading, asked *classifier.Asked, positive, negative any, c *collector) {
	f := x.flagIn(s, asked.Param)
	switch {
	case f.from == f.to:
	case f.yes:
		c.tokens(s, asked.Param, positive, f.from, f.to, "builtin", 0.92)
	default:
		c.tokens(s, asked.Param, negative, f.from, f.to, "builtin", 0.92)
	}
}

func (x *Extractor) flagIn(s *reading, param string) flag {
	i := s.behindHesitation()
	subject := s.subjectIn(x.about[param].words, i)
	yes, n := s.yesOrNo(i)
	switch {
	case n > 0 && !s.opensOther(i, n):
		f := flag{yes, i, i + n}
		if s.contradicts(f, subject) || !yes && x.speaksOfOther(s, param, i+n) {
			return flag{}
		}
		return f
	case s.SymbolAt(len(s.Tokens)-1, "?"):
		return flag{}
	case subject.to > 0:
		return s.saidOf(subject, i)
	}
	if f := s.hollow(i); f.to > 0 {
		return f
	}
	if x.speaksOfOther(s, param, i) {
		return flag{} // "I am insured, yes", asked about allergies
	}
	return s.lastWord(i)
}

// lastWord reads a short answer that ends in its yes or no: "a dog, yeah", "God no".
func (s *reading) lastWord(i int) flag {
	_, to := talk.Core(s.Message, "opening", "")
	if to-i > mostSaid || s.IsTerm(i, "be_word") { // is that a yes
		return flag{}
	}
	for k := i; k < to; k++ {
		yes, n := s.yesOrNo(k)
		switch {
		case n > 0 && k+n == to && (s.IsTerm(k, "yes_anywhere") || s.IsTerm(k, "no_anywhere")):
			return flag{yes, k, to}
		case n > 0, s.IsTerm(k, "negation"), s.IsTerm(k, "unsure"):
			return flag{} // it says both, or neither
		}
	}
	return flag{}
}

// behindHesitation is the first token behind an "um" or a "well".
func (s *reading) behindHesitation() int {
	i := 0
	for _, n := s.TermAt(i, "hesitation"); n > 0; _, n = s.TermAt(i, "hesitation") {
		i += n
		for s.SymbolAt(i, ",.…") {
			i++
		}
	}
	return i
}

// yesOrNo reads a yes or a no at token i, the longest phrase of either; n is 0 for neither.
func (s *reading) yesOrNo(i int) (value bool, n int) {
	y, m := s.LongestOf(i, "yes"), s.LongestOf(i, "no")
	switch {
	case y > m:
		return true, s.withTone(i, y)
	case m > y:
		return false, s.withTone(i, m)
	}
	return false, 0
}

// withTone extends an emoji by its skin tone and its variation selector.
func (s *reading) withTone(i, n int) int {
	for s.Glued(i + n) {
		r, _ := utf8.DecodeRuneInString(s.Tokens[i+n].Text)
		if (r < 0x1f3fb || r > 0x1f3ff) && r != 0xfe0f {
			break
		}
		n++
	}
	return n
}

// opensOther reports whether a yes or no of n tokens at i is only the beginning of something else:
// "not sure", "right now".
func (s *reading) opensOther(i, n int) bool {
	goesOn := i+n < len(s.Tokens) && s.Tokens[i+n].Class != message.Symbol
	return s.LongestOf(i, "neither") >= n || goesOn && n == 1 && s.IsTerm(i, "loose_yes")
}

// contradicts reports whether the rest of a message says the opposite of its yes or no: "yes, none".
func (s *reading) contradicts(f flag, subject subject) bool {
	behind := subject.from >= f.to
	if subject.open && subject.clause <= f.from {
		return true // "I'm not without"
	}
	if f.yes {
		rest := s.hollow(f.to)
		return behind && subject.denied || rest.to > 0 && !rest.yes
	}
	return behind && !subject.denied && !subject.open && s.IsTerm(subject.clause, "echo")
}

// speaksOfOther reports whether a no belongs to the subject of another yes-or-no param: "no smoking
// room", asked about allergies.
func (x *Extractor) speaksOfOther(s *reading, param string, i int) bool {
	if i >= len(s.Tokens) || s.Tokens[i].Class == message.Symbol {
		return false
	}
	names := func(words []string) bool {
		found := s.subjectIn(words, i)
		return found.to > 0 && found.clause == s.clauseAt(i)
	}
	return !names(x.about[param].words) && slices.ContainsFunc(x.byKind["boolean"], func(r *recogniser) bool {
		return slices.ContainsFunc(r.params, func(other string) bool { return other != param && names(x.about[other].words) })
	})
}

// subject is where a message names what a yes-or-no param is about. Offsets are tokens.
type subject struct {
	from, to int // its words with their negation; 0, 0 for none
	clause   int // where its clause begins
	denied   bool
	open     bool // said to be perhaps so, or asked
}

// subjectIn finds words of a label at or behind token i, and whether their clause denies them.
func (s *reading) subjectIn(words []string, i int) subject {
	if slices.ContainsFunc(words, func(w string) bool { return s.Language.Holds(w, "negation", "privation", "negative_prefix") }) {
		return subject{} // "non-smoking room": what denies it?
	}
	for ; i < len(s.Tokens); i++ {
		n, denied := s.labelAt(i, words)
		if n == 0 {
			continue
		}
		found := subject{from: i, to: i + n, clause: s.clauseAt(i), denied: denied}
		s.judge(&found)
		return found
	}
	return subject{}
}

// judge looks for what denies a subject in its clause, and behind it: "allergies: none".
func (s *reading) judge(found *subject) {
	denials, lacks := 0, message.Btoi(found.denied) // "not", "without": both together say nothing sure
	for k := range found.clause {
		found.open = found.open || s.IsTerm(k, "negation_idiom") // "no problem, a smoking room"
	}
	for k := found.clause; k < len(s.Tokens) && (k < found.to || !s.endsClause(k)); {
		_, idiom := s.TermAt(k, "negation_idiom")
		_, unsure := s.TermAt(k, "unsure")
		_, no := s.TermAt(k, "negation")
		_, lack := s.TermAt(k, "privation")
		switch n := max(idiom, unsure, no, lack, 1); {
		case idiom > 0 || unsure > 0:
			found.open = true
			k += n
		case no > 0 || lack > 0:
			denials += message.Btoi(no >= lack)
			lacks += message.Btoi(lack > no)
			found.from, found.to = min(found.from, k), max(found.to, k+n)
			k += n
		default:
			k++
		}
	}
	found.denied = denials+lacks > 0
	found.open = found.open || lacks > 0 && denials+lacks > 1
	found.to = min(found.to, len(s.Tokens))
	for k := found.to; k < len(s.Tokens); k++ {
		if yes, n := s.yesOrNo(k); n > 0 && s.closes(k+n) {
			found.open = found.open || yes && found.denied
			found.denied, found.to = !yes, k+n
			return
		}
		if s.Tokens[k].Class != message.Symbol && !s.IsTerm(k, "hollow") {
			return
		}
	}
}

// closes reports whether nothing but courtesy stands behind token i.
func (s *reading) closes(i int) bool {
	_, to := talk.Core(s.Message, "opening", "")
	return i >= to
}

// labelAt counts the tokens at i that are a form of one of some words. denied: their form denies it,
// as in "non-smoking", "unfurnished", "allergy-free".
func (s *reading) labelAt(i int, words []string) (n int, denied bool) {
	names := func(i int) bool {
		return s.WordAt(i) && (lexicon.OneOf(s.Message, i, words) || slices.ContainsFunc(words, func(w string) bool { return lexicon.Kin(w, s.Low(i)) }))
	}
	if _, prefix := s.TermAt(i, "negative_prefix"); prefix > 0 && !s.IsTerm(i, "negation") {
		next := i + prefix
		if s.SymbolAt(next, "-‐‑") {
			next++
		}
		if names(next) {
			return next + 1 - i, true
		}
	}
	if !names(i) {
		return message.Btoi(s.deniedForm(i, words)), true
	}
	next := i + 1
	for names(next) {
		next++
	}
	whole := next - i
	if s.SymbolAt(next, "-‐‑") && s.Glued(next) {
		next++
	}
	if _, ending := s.TermAt(next, "negative_ending"); ending > 0 {
		return next + ending - i, true
	}
	return whole, s.deniedForm(i, words)
}

// deniedForm reports whether token i is one word of a label and a syllable that denies it.
func (s *reading) deniedForm(i int, words []string) bool {
	w := s.Low(i)
	label := func(base string) bool {
		return utf8.RuneCountInString(base) >= 4 && slices.ContainsFunc(words, func(l string) bool {
			return base == l || lexicon.Kin(l, base) || strings.HasPrefix(l, base)
		})
	}
	for _, t := range s.Language.Classes["negative_prefix"] {
		if base, cut := strings.CutPrefix(w, t.Words[0]); cut && len(t.Words) == 1 && label(base) {
			return true
		}
	}
	for _, t := range s.Language.Classes["negative_ending"] {
		if base, cut := strings.CutSuffix(w, t.Words[0]); cut && label(base) {
			return true
		}
	}
	return false
}

// clauseAt is where the clause of token i begins.
func (s *reading) clauseAt(i int) int {
	for i > 0 && !s.endsClause(i-1) {
		i--
	}
	return i
}

// endsClause reports whether token i stands between two clauses.
func (s *reading) endsClause(i int) bool {
	return s.SymbolAt(i, ",.;!?:…()\n") || s.IsTerm(i, "but")
}

// mostSaid is the number of words of a statement that is a wish by itself: "a smoking room please".
const mostSaid = 6

// saidOf reads a statement about the subject of a question.
func (s *reading) saidOf(subject subject, i int) flag {
	short := len(s.Tokens)-i <= mostSaid || s.IsTerm(i, "echo")
	if subject.open || !subject.denied && !short {
		return flag{}
	}
	return flag{!subject.denied, subject.from, subject.to}
}

// hollow reads an answer that names nothing: "I have none", "I never did", "I do".
func (s *reading) hollow(i int) flag {
	_, to := talk.Core(s.Message, "opening", "")
	first, last, echo := -1, -1, 0
	for k := i; k < to; {
		_, n := s.TermAt(k, "negation")
		_, idiom := s.TermAt(k, "negation_idiom")
		_, lack := s.TermAt(k, "privation")
		n = max(n, lack)
		_, echoed := s.TermAt(k, "echo")
		_, filler := s.TermAt(k, "hollow")
		switch {
		case idiom > 0, s.IsTerm(k, "unsure"):
			return flag{}
		case n > 0:
			if first < 0 {
				first = k
			}
			last = k + n
			k += n
		case echoed > 0 && k == i:
			echo = echoed
			k += echoed
		case filler > 0:
			k += filler
		case s.Tokens[k].Class == message.Symbol:
			k++
		default:
			return flag{}
		}
	}
	switch {
	case first >= 0:
		return flag{false, first, last}
	case echo > 0:
		return flag{true, i, i + echo}
	}
	return flag{}
}

// choiceIn returns a rule that finds the yes or no of a message, wherever it stands: the
// longest, and the first of those.
func (s *reading) choiceIn() func(int) *find.Find {
	var best *find.Find
	for i := range s.Tokens {
		_, y := s.TermAt(i, "yes_anywhere")
		_, n := s.TermAt(i, "no_anywhere")
		k := max(y, n)
		if k > 0 {
			k = s.withTone(i, k)
		}
		if k > 0 && (best == nil || k > best.To-best.From) {
			best = &find.Find{Kind: "boolean", From: i, To: i + k, Value: y > n, Confidence: 0.6}
		}
	}
	return func(i int) *find.Find {
		if best == nil || i != best.From {
			return nil
		}
		return best
	}
}

package extract

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"

	"github.com/slotway/slotway/classifier/extract/internal/codes"
	"github.com/slotway/slotway/classifier/extract/internal/lexicon"
	"github.com/slotway/slotway/classifier/extract/internal/talk"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// Ids and codes are said and written in more ways than their patterns know: "o two zero
// zero seven five", "INC 10 42", "2-0-0-7-5", "0-20075". A run of pieces is folded into the
// spellings that a type may want, and it counts only where one of them is a value of the
// type from end to end.

// How sure a folded code is: of an answer, of one that a word announces, of one that its
// own letters announce.
const (
	answeredCode  = 0.85
	announcedCode = 0.8
	letteredCode  = 0.75
)

// coded reports whether the values of a type are ids or codes.
func (r *recogniser) coded() bool {
	return r.Builtin == "" && r.enum == nil && (r.Bare != nil || len(r.Patterns) > 0)
}

// headsOf returns the letters that the values of a pattern begin with: "O" of `\b(O-?\d+)`.
func headsOf(patterns []*regexp.Regexp) []string {
	var out []string
	for _, p := range patterns {
		parsed, err := syntax.Parse(p.String(), syntax.Perl)
		if err != nil {
			continue // not reached: the pattern was compiled
		}
		if group := firstGroup(parsed); group != nil {
			parsed = group
		}
		var b strings.Builder
		literalHead(parsed, &b)
		head := strings.TrimRightFunc(strings.ToUpper(b.String()), func(r rune) bool { return !unicode.IsLetter(r) })
		if head != "" && !strings.ContainsFunc(head, func(r rune) bool { return !unicode.IsLetter(r) }) && !slices.Contains(out, head) {
			out = append(out, head)
		}
	}
	return out
}

func firstGroup(re *syntax.Regexp) *syntax.Regexp {
	if re.Op == syntax.OpCapture {
		return re
	}
	for _, sub := range re.Sub {
		if g := firstGroup(sub); g != nil {
			return g
		}
	}
	return nil
}

// literalHead writes the text that every match begins with; it reports whether the whole
// expression is such text.
func literalHead(re *syntax.Regexp, b *strings.Builder) bool {
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
		return true
	case syntax.OpWordBoundary, syntax.OpBeginText, syntax.OpBeginLine, syntax.OpEmptyMatch:
		return true
	case syntax.OpCapture:
		return literalHead(re.Sub[0], b)
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if !literalHead(sub, b) {
				return false
			}
		}
		return true
	}
	return false
}

// matchCodes finds codes in a spelling that their patterns do not match, and codes without their
// letters behind a word that announces them.
func (x *Extractor) matchCodes(s *reading, asked string, c *collector) {
	if len(x.coded) == 0 || x.Open(asked) {
		return
	}
	for i := 0; i < len(s.Tokens); {
		var run []codes.Piece
		if x.mayStartCode(&s.Tokens[i]) {
			run = codes.CodeRun(s.Message, i, x.heads)
		}
		if len(run) == 0 {
			i++
			continue
		}
		i = run[len(run)-1].To
		for k := range run {
			if to := x.code(s, run[k:], k == 0, asked, c); to > 0 {
				i = to
				break
			}
			if run[k].Figures() {
				break // what stands behind figures is no code of its own
			}
		}
	}
}

func codeConfidence(asked, announced bool) float64 {
	switch {
	case asked:
		return answeredCode
	case announced:
		return announcedCode
	}
	return letteredCode
}

// mayStartCode reports whether a code may start at a token; most words start none.
func (x *Extractor) mayStartCode(t *message.Token) bool {
	switch {
	case t.Class == message.Digits, t.Class == message.Letters && len(t.Text) == 1:
		return true
	case t.Class == message.Symbol:
		return false
	}
	return x.language.StartsCode(t.Low) || x.heads[t.Low] || len(t.Text) <= 3 && message.IsUpper(t.Text)
}

// code reads a run as a value of each type and returns the token behind it, or 0.
func (x *Extractor) code(s *reading, run []codes.Piece, first bool, asked string, c *collector) (to int) {
	for _, r := range x.coded {
		isAsked := slices.Contains(r.params, asked)
		params, announced := x.announced(s, r, run[0].From, asked)
		if !announced {
			params = r.params
		}
		lettered := run[0].Heads(r.heads) && s.letters(run)
		isAsked = isAsked && (lettered || announced || first && s.answers(run))
		if !isAsked && !announced && (!lettered || s.Asked == "phone") {
			continue
		}
		value, n, source := s.folded(r, run, isAsked || announced)
		if n == 0 || n == 1 && isAsked && !announced {
			continue // an answer of one piece is read as it stands
		}
		for _, p := range params {
			c.tokens(s, p, value, run[0].From, run[n-1].To, source, codeConfidence(isAsked, announced))
		}
		to = run[n-1].To
	}
	if to > 0 {
		s.Take(s.Tokens[run[0].From].Start, s.Tokens[to-1].End)
	}
	return to
}

// letters reports whether the first piece of a run gives the letters of a code and is no word: "in
// 2026" holds none of IN-2026, "0 20075" may be two numbers.
func (s *reading) letters(run []codes.Piece) bool {
	switch p := &run[0]; {
	case p.MaybeO, len(run) > 1 && run[1].Gap != "":
		return true
	case p.Typed:
		return false
	case !lexicon.IsPlain(s.Low(p.From)):
		return true
	}
	return len(run[0].Text) > 1 && message.IsUpper(s.Tokens[run[0].From].Text) && !s.Shouts()
}

// answers reports whether a message is only a run, and the run no date.
func (s *reading) answers(run []codes.Piece) bool {
	from, to := talk.Core(s.Message, "opening", "")
	for from < to && (s.In(from, "filler") || s.SymbolAt(from, "#")) && from < run[0].From {
		from++
	}
	if from != run[0].From || to != run[len(run)-1].To {
		return false
	}
	if f := s.Date(from); f != nil && f.To == to {
		return false
	}
	long := slices.ContainsFunc(run, func(p codes.Piece) bool { return len(p.Text) > 1 })
	return !long || len(codes.Spelled(run)) < 9
}

// folded reads the pieces as a value of a type. A first group that is a value by itself is not
// joined with the next, which may count something: "ticket 1042 2 days ago".
func (s *reading) folded(r *recogniser, run []codes.Piece, bare bool) (value string, n int, source string) {
	k := 1 // behind the first group of figures
	if !run[0].Figures() {
		k = 2
	}
	if k < len(run) && run[k-1].Typed && len(run[k-1].Text) > 1 && run[k].Gap == "" && !(bare && s.answers(run)) {
		if v, from := r.spelling(run[:k], bare); v != "" {
			return v, k, from
		}
	}
	n = len(run)
	if n > 1 && (s.In(run[n-1].To, "zip_unit") || s.In(run[n-1].To, "count_unit")) {
		n-- // 2 0 0 7 5, 3 weeks ago
	}
	if v, from := r.spelling(run[:n], bare); v != "" {
		return v, n, from
	}
	return "", 0, ""
}

// spelling returns the value that pieces spell, where one of their foldings is one.
func (r *recogniser) spelling(run []codes.Piece, bare bool) (value, source string) {
	for _, text := range codes.Foldings(run, r.heads) {
		if !strings.ContainsAny(text, "0123456789") && len(run) < 4 {
			continue
		}
		for _, p := range r.Patterns {
			m := p.FindStringSubmatchIndex(text)
			if m == nil {
				continue
			}
			start, end := m[0], m[1]
			if len(m) > 3 && m[2] >= 0 {
				start, end = m[2], m[3]
			}
			if start == 0 && end == len(text) {
				return config.Normalize(text, r.Normalize), "pattern"
			}
		}
		if m := r.bareMatch(text, bare); m != "" {
			return m, "bare"
		}
	}
	return "", ""
}

// bareMatch returns the value for a text that is the bare form of a value or its tail.
func (r *recogniser) bareMatch(text string, bare bool) string {
	switch {
	case !bare:
	case r.Bare != nil && matchesAll(r.Bare, text):
		return config.Normalize(text, r.Normalize)
	case r.Tail != nil && r.Tail.Form.MatchString(text):
		return config.Normalize(r.Tail.Prefix+text, r.Normalize)
	}
	return ""
}

// matchesAll reports whether an expression matches all of a text.
func matchesAll(p *regexp.Regexp, text string) bool {
	loc := p.FindStringIndex(text)
	return loc != nil && loc[0] == 0 && loc[1] == len(text)
}

// announced returns the params of a type whose id a word before token i announces: a word of the
// label or of the type, in full or cut short, or a plain "number" or "#" that belongs to nothing
// else. While another param is asked for, a plain word does not suffice.
func (x *Extractor) announced(s *reading, r *recogniser, i int, asked string) (params []string, ok bool) {
	plain := false
	for k := i - 1; k >= 0 && k >= i-5; k-- {
		w := s.Tokens[k].Low
		switch {
		case w == "no" && k == i-1: // "no 20075" may as well be a no
			return nil, false
		case s.Language.Has("id_word", w), s.IsTerm(k, "id_word"):
			plain = true
			continue
		case s.Language.Has("id_link", w), s.IsTerm(k, "id_link"):
			continue
		}
		if s.Tokens[k].Class != message.Letters {
			break
		}
		for _, p := range r.params {
			if nounOf(w, x.about[p].words) || nounOf(w, r.nouns) {
				params = append(params, p)
			}
		}
		if len(params) > 0 {
			return params, true
		}
		if s.Language.Has("owned_number", w) || x.otherNoun(w, r) {
			return nil, false
		}
		break
	}
	if !plain || asked != "" && !slices.Contains(r.params, asked) {
		return nil, false
	}
	return r.params, true
}

// otherNoun reports whether a word is one of another param's label.
func (x *Extractor) otherNoun(w string, r *recogniser) bool {
	for p, a := range x.about {
		if !slices.Contains(r.params, p) && nounOf(w, a.words) {
			return true
		}
	}
	return false
}

// nounOf reports whether a word is one of a list, in either number or cut short: "ord" for
// order, "tkt" is not read.
func nounOf(w string, list []string) bool {
	return slices.ContainsFunc(list, func(noun string) bool {
		return message.Singular(w) == message.Singular(noun) || len(w) >= 3 && len(noun) > len(w)+1 && strings.HasPrefix(noun, w) && !lexicon.IsPlain(w)
	})
}

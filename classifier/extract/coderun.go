package extract

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// piece is a part of a code as it was said or typed. Offsets are tokens.
type piece struct {
	from, to int
	text     string // figures, or letters in upper case
	gap      string // what joins it to the one before: "-", or "" for white space and nothing
	typed    bool   // figures as they were typed
	maybeO   bool   // an O or a nought, nobody knows
}

func (p *piece) figures() bool { return p.text != "" && p.text[0] >= '0' && p.text[0] <= '9' }

// heads reports whether a piece may be one of the letters that the values of a type begin with.
func (p *piece) heads(letters []string) bool {
	for _, h := range letters {
		if p.text == h || h == "O" && (p.maybeO || p.text == "0" && p.typed) {
			return true
		}
	}
	return false
}

var (
	repeats   = map[string]int{"double": 2, "triple": 3, "treble": 3}
	oddNought = words("oh nought naught")
	// dashWords are a dash when they are said.
	dashWords = words("dash hyphen minus")
)

// codeStarts are the words of two letters and more that a code may start with.
var codeStarts = codeStartWords()

func codeStartWords() set {
	s := words("oh nought naught double triple treble oo ooo")
	for w, v := range wordValues {
		s[w] = s[w] || v.kind == unitWord || v.kind == tenWord
	}
	return s
}

const dashes = "-‐‑‒–—−"

// invisible are characters of no width that pasted codes carry.
const invisible = "\u200b\u200c\u200d\u2060\ufeff\u00ad"

// codeRun reads the pieces of a code from token i on: figures, digits in words, single
// letters and the letters that some code begins with. Nil where none starts.
func (s *scan) codeRun(i int, heads set) []piece {
	if i > 0 && s.glued(i) && s.tokens[i-1].class != symbol && !s.taken[i-1] {
		return nil // the rest of a longer word
	}
	var run []piece
	figures := false
	for j, gap := i, ""; len(run) < mostPieces; {
		p := s.piecesAt(j, heads, len(run) > 0)
		if p.to == 0 {
			break
		}
		p.gap = gap
		run = append(run, p)
		figures = figures || p.figures()
		j, gap = s.codeGap(p.to)
	}
	if !figures && len(run) < 4 {
		return nil
	}
	if last := run[len(run)-1].to; s.glued(last) && s.tokens[last].class != symbol {
		return nil // it goes on with letters
	}
	return run
}

// codeGap passes what may stand between two pieces of a code.
func (s *scan) codeGap(i int) (next int, gap string) {
	switch {
	case s.symbolAt(i, dashes), s.tongue == nil && s.is(i, dashWords), s.tongue != nil && s.isTerm(i, "dash_word"):
		return i + 1, "-"
	case s.symbolAt(i, invisible):
		if next, gap = s.codeGap(i + 1); gap != "" {
			return next, gap
		}
		return i + 1, ""
	}
	return i, ""
}

// piecesAt reads one piece at token i; to is 0 for none.
func (s *scan) piecesAt(i int, heads set, inside bool) piece {
	w := s.low(i)
	if w == "" || inside && i > 0 && strings.Contains(s.text[s.tokens[i-1].end:s.tokens[i].start], "\n") {
		return piece{}
	}
	t := &s.tokens[i]
	switch t.class {
	case digits:
		return piece{from: i, to: i + 1, text: w, typed: true}
	case symbol:
		return piece{}
	}
	if n := s.repeats(i, w); n > 0 {
		if next := s.piecesAt(i+1, heads, true); next.to > 0 && utf8.RuneCountInString(next.text) == 1 {
			return piece{from: i, to: next.to, text: strings.Repeat(next.text, n), maybeO: next.maybeO}
		}
		return piece{}
	}
	if v, n := s.below100(i); n > 0 {
		return piece{from: i, to: i + n, text: strconv.Itoa(int(v))}
	}
	switch {
	case oddNought[w]:
		return piece{from: i, to: i + 1, text: "O", maybeO: true}
	case strings.Trim(w, "o") == "":
		return piece{from: i, to: i + 1, text: strings.ToUpper(w), maybeO: true}
	case heads[w], len(w) == 1 && (inside || w != "a" && w != "i"), len(w) <= 3 && isUpper(t.text) && (inside || s.glued(i+1)):
		return piece{from: i, to: i + 1, text: strings.ToUpper(w)}
	}
	return piece{}
}

// repeats is how often the word at token i says what follows it; 0 for another word.
func (s *scan) repeats(i int, w string) int {
	if s.tongue == nil {
		return repeats[w]
	}
	t, _ := s.termAt(i, "repeat")
	return int(t.num)
}

// spelled joins the pieces as they stand.
func spelled(run []piece) string {
	var b strings.Builder
	for _, p := range run {
		b.WriteString(p.gap)
		b.WriteString(p.text)
	}
	return b.String()
}

// foldings are the spellings that a run may stand for, the likeliest first: with the dashes
// that were said, without, with one behind its letters, and with O and 0 in each other's
// place.
func foldings(run []piece, heads []string) []string {
	var letters, rest strings.Builder
	for i, p := range run {
		switch {
		case rest.Len() == 0 && (!p.figures() && (!p.maybeO || i == 0)):
			letters.WriteString(p.text)
		case p.maybeO:
			rest.WriteString(strings.ReplaceAll(p.text, "O", "0"))
		default:
			rest.WriteString(p.text)
		}
	}
	head, tail := letters.String(), rest.String()
	var out []string
	add := func(text string) { out = append(out, text) }
	wantsO := len(heads) > 0 && heads[0] == "O"
	if first := run[0]; wantsO && first.typed && first.text == "0" && len(run) > 1 { // 0-20075
		add("O-" + tail[1:])
		add("O" + tail[1:])
	}
	add(spelled(run))
	add(head + tail)
	if head != "" && tail != "" {
		add(head + "-" + tail)
	}
	if run[0].maybeO {
		add(strings.ReplaceAll(head, "O", "0") + tail)
	}
	return out
}

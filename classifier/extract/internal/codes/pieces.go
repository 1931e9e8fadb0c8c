// Package codes reads ids and codes as they are said and spaced: "o two zero zero seven five".
package codes

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/message"
)

// Piece is a part of a code as it was said or typed. Offsets are tokens.
type Piece struct {
	From, To int
	Text     string // figures, or letters in upper case
	Gap      string // what joins it to the one before: "-", or "" for white space and nothing
	Typed    bool   // figures as they were typed
	MaybeO   bool   // an O or a zero
}

// Figures reports whether the piece is of figures.
func (p *Piece) Figures() bool { return p.Text != "" && p.Text[0] >= '0' && p.Text[0] <= '9' }

// Heads reports whether a piece may be one of the letters that the values of a type begin with.
func (p *Piece) Heads(letters []string) bool {
	for _, h := range letters {
		if p.Text == h || h == "O" && (p.MaybeO || p.Text == "0" && p.Typed) {
			return true
		}
	}
	return false
}

// Dashes are the characters that are typed for a dash.
const Dashes = "-‐‑‒–—−"

// invisible are characters of no width that pasted codes carry.
const invisible = "\u200b\u200c\u200d\u2060\ufeff\u00ad"

// CodeRun reads the pieces of a code from token i on: figures, digits in words, single
// letters and the letters that some code begins with. Nil where none starts.
func CodeRun(s *message.Message, i int, heads message.Set) []Piece {
	if i > 0 && s.Glued(i) && s.Tokens[i-1].Class != message.Symbol && !s.Taken[i-1] {
		return nil // the rest of a longer word
	}
	var run []Piece
	figures := false
	for j, gap := i, ""; len(run) < mostPieces; {
		p := PiecesAt(s, j, heads, len(run) > 0)
		if p.To == 0 {
			break
		}
		p.Gap = gap
		run = append(run, p)
		figures = figures || p.Figures()
		j, gap = codeGap(s, p.To)
	}
	if !figures && len(run) < 4 {
		return nil
	}
	if last := run[len(run)-1].To; s.Glued(last) && s.Tokens[last].Class != message.Symbol {
		return nil // it goes on with letters
	}
	return run
}

// codeGap passes what may stand between two pieces of a code.
func codeGap(s *message.Message, i int) (next int, gap string) {
	switch {
	case s.SymbolAt(i, Dashes), s.IsTerm(i, "dash_word"):
		return i + 1, "-"
	case s.SymbolAt(i, invisible):
		if next, gap = codeGap(s, i+1); gap != "" {
			return next, gap
		}
		return i + 1, ""
	}
	return i, ""
}

// PiecesAt reads one piece at token i; to is 0 for none.
func PiecesAt(s *message.Message, i int, heads message.Set, inside bool) Piece {
	w := s.Low(i)
	if w == "" || inside && i > 0 && strings.Contains(s.Text[s.Tokens[i-1].End:s.Tokens[i].Start], "\n") {
		return Piece{}
	}
	t := &s.Tokens[i]
	switch t.Class {
	case message.Digits:
		return Piece{From: i, To: i + 1, Text: w, Typed: true}
	case message.Symbol:
		return Piece{}
	}
	if t, n := s.TermAt(i, "letter_name"); n > 0 && inside {
		return namedBy(s, Piece{From: i, To: i + n, Text: strings.ToUpper(t.Value)})
	}
	if t, n := s.TermAt(i, "repeat"); n > 0 {
		if next := PiecesAt(s, i+1, heads, true); next.To > 0 && utf8.RuneCountInString(next.Text) == 1 {
			return Piece{From: i, To: next.To, Text: strings.Repeat(next.Text, int(t.Num)), MaybeO: next.MaybeO}
		}
		return Piece{}
	}
	v, n := numbers.Below100(s, i)
	if more, k := numbers.Count(s, i, 0, 0); k > n {
		v, n = more, k // one hundred
	}
	if n > 0 {
		return Piece{From: i, To: i + n, Text: strconv.Itoa(int(v))}
	}
	switch {
	case s.IsTerm(i, "nought") && len(w) > 1:
		return Piece{From: i, To: i + 1, Text: "O", MaybeO: true}
	case strings.Trim(w, "o") == "":
		return Piece{From: i, To: i + 1, Text: strings.ToUpper(w), MaybeO: true}
	case heads[w], len(w) == 1 && (inside || w != "a" && w != "i"), len(w) <= 3 && message.IsUpper(t.Text) && (inside || s.Glued(i+1)):
		return namedBy(s, Piece{From: i, To: i + 1, Text: strings.ToUpper(w)})
	}
	return Piece{}
}

// namedBy extends a letter by the word that tells it from others: "m as in munich".
func namedBy(s *message.Message, letter Piece) Piece {
	if _, n := s.TermAt(letter.To, "letter_link"); n > 0 && strings.HasPrefix(s.Low(letter.To+n), strings.ToLower(letter.Text)) {
		letter.To += n + 1
	}
	return letter
}

// Spelled joins the pieces as they stand.
func Spelled(run []Piece) string {
	var b strings.Builder
	for _, p := range run {
		b.WriteString(p.Gap)
		b.WriteString(p.Text)
	}
	return b.String()
}

// Foldings returns the spellings for which a run may stand, the likeliest first: with the dashes
// that were said, without, with one behind its letters, and with O and 0 swapped.
func Foldings(run []Piece, heads []string) []string {
	var letters, rest strings.Builder
	for i, p := range run {
		switch {
		case rest.Len() == 0 && (!p.Figures() && (!p.MaybeO || i == 0)):
			letters.WriteString(p.Text)
		case p.MaybeO:
			rest.WriteString(strings.ReplaceAll(p.Text, "O", "0"))
		default:
			rest.WriteString(p.Text)
		}
	}
	head, tail := letters.String(), rest.String()
	var out []string
	add := func(text string) { out = append(out, text) }
	wantsO := len(heads) > 0 && heads[0] == "O"
	if first := run[0]; wantsO && first.Typed && first.Text == "0" && len(run) > 1 { // 0-20075
		add("O-" + tail[1:])
		add("O" + tail[1:])
	}
	add(Spelled(run))
	add(head + tail)
	if head != "" && tail != "" {
		add(head + "-" + tail)
	}
	if run[0].MaybeO {
		add(strings.ReplaceAll(head, "O", "0") + tail)
	}
	return out
}

// mostPieces bounds the work on one run.
const mostPieces = 24

package clauses

import (
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/message"
)

// Span is one clause. Start and End count code points, end exclusive.
type Span struct {
	Start, End int    // without the joining word and the mark
	Head       int    // where the joining word begins; Start where there is none
	Join       string // and, but, because, if, unless, or, then, also, plus, so ... in lower case; ""
	Mark       rune   // '?', '!', '.', ';', ',', ':', '-' or, for a line's end, '\n'; 0: none
	From, To   int    // Start and End in bytes
	Text       string // Start to End
	Whole      string // Head to End
}

// maxSpans bounds the clauses of a message; the last one takes the rest.
const maxSpans = 64

// Append cuts a message into clauses and appends them to into. Enumerations, values and quotations
// stay whole. It cuts at a comma or a joining word only where a clause of its own follows, or where
// the words before can stand alone, as "yes" can. gloss holds the small words of the message's
// language; nil is English.
func Append(into []Span, text string, tokens []message.Token, gloss *message.Gloss) []Span {
	s := pool.Get().(*splitter)
	defer pool.Put(s)
	*s = splitter{text: text, tokens: read(text, tokens, s.tokens[:0]), into: into}
	if gloss != nil {
		translate(s.tokens, text, gloss)
	}
	if len(s.tokens) == 0 {
		return into
	}
	s.items()
	most := len(into) + maxSpans - 1
	for i := 1; i < len(s.tokens) && len(s.into) < most; i++ {
		if s.cuts(i) {
			s.emit(i)
		}
	}
	s.emit(len(s.tokens))
	into = s.into
	*s = splitter{tokens: s.tokens[:0]}
	if cap(s.tokens) > keptTokens {
		s.tokens = nil
	}
	return into
}

// pool keeps splitters for the room that their tokens take.
var pool = sync.Pool{New: func() any { return &splitter{tokens: make([]token, 0, 64)} }}

const keptTokens = 1024 // a longer message's room is given back

// splitter walks over one message.
type splitter struct {
	text   string
	tokens []token
	into   []Span
	from   int // first token of the clause under way
	byteAt int // how far points is counted
	points int // code points before byteAt
}

// cuts reports whether a clause ends before token i.
func (s *splitter) cuts(i int) bool {
	last, next := &s.tokens[i-1], &s.tokens[i]
	switch {
	case next.item:
		return true
	case last.item || last.quoted && next.quoted && last.after != '\n' && s.oneQuote(last, next):
		return false
	case last.lines > 1:
		return true
	}
	switch last.after {
	case '?', '!', ';':
		return true
	case '.':
		return !s.shortened(i - 1)
	case ',', '-', ':':
		return s.cutsAtPause(i)
	}
	if last.lines > 0 {
		return s.cutsAtPause(i)
	}
	return s.cutsAtWord(i)
}

// oneQuote reports whether no quotation mark stands between two tokens.
func (s *splitter) oneQuote(a, b *token) bool {
	return !strings.ContainsAny(s.text[a.end:b.start], `"“”«»`)
}

// shortened reports whether the full stop behind a token belongs to an abbreviation: "Dr.
// Lee", "J. Smith", "No. 5". A sentence may end with one all the same.
func (s *splitter) shortened(i int) bool {
	t := &s.tokens[i]
	if s.text[t.end:min(t.end+2, len(s.text))] == ".." {
		return false
	}
	next := &s.tokens[i+1]
	switch {
	case t.key == "no":
		return next.digit
	case t.end-t.start == 1 && !t.digit && t.class&(isPronoun|isSay) == 0 || t.capital && t.end-t.start == 1:
		return t.key != "i" || next.capital
	case t.digit && dayAndMonth(s.text[t.start:t.end]):
		return !next.capital && !s.begins(i+1) && !s.saidNext(i+1)
	case t.class&isShorten != 0 || strings.Contains(s.text[t.start:t.end], ".") && t.end-t.start <= 4 && !t.digit:
		return !s.begins(i+1) || next.class&(isSay|isOrderOf) != 0 && next.capital
	}
	return false
}

// dayAndMonth reports whether a token is a day and a month with a point between them, which
// a point of their own closes: "on 14.12. at 5".
func dayAndMonth(word string) bool {
	day, month, ok := strings.Cut(word, ".")
	return ok && upTo(day, 31) && upTo(month, 12)
}

// upTo reports whether a word is a whole number from 1 to most.
func upTo(word string, most int) bool {
	n, err := strconv.Atoi(word)
	return err == nil && len(word) <= 2 && n >= 1 && n <= most
}

// cutsAtPause decides at a comma, a dash, a colon or a line's end before token i.
func (s *splitter) cutsAtPause(i int) bool {
	if s.fillers(s.from, i) {
		return false
	}
	j := s.pastJoin(i)
	if s.said(s.from, i) {
		return !s.closing(j) && !s.whyNot(j)
	}
	return s.begins(j) || s.saidNext(j) || j > i && s.tokens[i].class&isTurn != 0 && s.turns(i)
}

// cutsAtWord decides where no mark stands before token i.
func (s *splitter) cutsAtWord(i int) bool {
	t := &s.tokens[i]
	switch {
	case t.class&isTurn != 0 && s.turns(i):
		return true
	case t.key == "if":
		return s.joins(i) && i+1 < len(s.tokens) && (s.begins(i+1) || s.tokens[i+1].class&(isOwner|isObject) != 0 || s.tokens[i+1].key == "possible")
	case t.class&isJoin != 0:
		j := s.pastJoin(i)
		return s.joins(i) && j < len(s.tokens) && (s.begins(j) || s.saidNext(j)) && !s.shares(i)
	}
	if s.greetsFirst(i) {
		return true
	}
	return s.said(s.from, i) && s.tokens[i-1].class&(isPoint|isPronoun) == 0 && s.begins(i) && !s.fillers(s.from, i) && !s.shortAnswer(i)
}

// turns reports whether a word such as but or because cuts before itself.
func (s *splitter) turns(i int) bool {
	if i+1 >= len(s.tokens) || !s.joins(i) {
		return false
	}
	switch word := s.tokens[i].key; {
	case word == "since":
		return s.begins(i + 1)
	case turnsBefore[word]:
		return s.begins(i+1) || s.tokens[i+1].class&(isOwner|isPoint) != 0
	}
	return true
}

// Joining words that are other words too: they join where a clause begins behind them.
var (
	turnsBefore = lists.Set("turns before a clause")
	leadsTo     = lists.Set("leads to a clause")
)

// joins reports whether a joining word stands where it can join clauses.
func (s *splitter) joins(i int) bool {
	word := s.tokens[i].key
	if i > 0 && s.tokens[i-1].after == 0 && notAfter[word][s.tokens[i-1].key] {
		return false
	}
	return i+1 >= len(s.tokens) || !notBefore[word][s.tokens[i+1].key]
}

// shares reports whether the verbs at both sides of and/or have one object: "cancel or
// return it". Then the left one has none yet.
func (s *splitter) shares(i int) bool {
	left, right := &s.tokens[i-1], &s.tokens[min(s.pastJoin(i), len(s.tokens)-1)]
	verbs := class(isOrder | isOrderOf)
	return left.class&verbs != 0 && !s.noun(i-1) && left.class&(isSay|isSoft) == 0 && right.class&verbs != 0 && left.after == 0 ||
		left.class&isWh != 0 && right.class&isWh != 0
}

// noun reports whether a word that may be a verb stands behind one that only a noun follows: "cancel
// my order and tell me".
func (s *splitter) noun(i int) bool {
	if i == s.from || s.tokens[i-1].after != 0 {
		return false
	}
	before := &s.tokens[i-1]
	return before.class&isOwner != 0 || before.key == "a" || before.key == "an"
}

// pastJoin returns the first token at or behind i that is no joining word.
func (s *splitter) pastJoin(i int) int {
	for n := 0; n < 2 && i < len(s.tokens)-1; n++ {
		t := &s.tokens[i]
		if t.class&(isJoin|isTurn) == 0 && t.key != "if" && !(n > 0 && t.key == "even") {
			break
		}
		i++
	}
	return i
}

// emit ends the clause under way before token i.
func (s *splitter) emit(i int) {
	first, last := s.from, i-1
	for first < last && s.tokens[first].item {
		first++
	}
	body := first
	join := ""
	if body < last {
		body, join = s.joinOf(first, last)
	}
	head, start, end := s.opening(first), s.opening(body), s.ending(last)
	sp := Span{Join: join, Mark: s.tokens[last].after, From: start, To: end, Text: s.text[start:end], Whole: s.text[head:end]}
	if sp.Mark == 0 && s.tokens[last].lines > 0 && i < len(s.tokens) {
		sp.Mark = '\n'
	}
	sp.Head, sp.Start, sp.End = s.count(head), s.count(start), s.count(end)
	s.into = append(s.into, sp)
	s.from = i
}

// joinOf finds the word that joins a clause to the one before, and where its body begins.
func (s *splitter) joinOf(first, last int) (body int, join string) {
	body = first
	for n := 0; n < 2 && body < last; n++ {
		t := &s.tokens[body]
		named := t.class&(isJoin|isTurn) != 0 || t.key == "if"
		if !named || !s.leadsOn(body) {
			break
		}
		if join == "" || join == "and" || join == "but" || join == "so" {
			join = t.key
		}
		body++
	}
	if name, ok := joinNames[join]; ok {
		join = name
	}
	return body, join
}

// leadsOn reports whether a joining word at the head of a clause joins: "so where is it",
// but not "so much", "then again".
func (s *splitter) leadsOn(i int) bool {
	t, next := &s.tokens[i], &s.tokens[i+1]
	if t.after != 0 && t.after != ',' || !s.notBeforeHolds(t.key, next.key) {
		return false
	}
	return !leadsTo[t.key] || s.begins(i+1) || next.class&isSay != 0
}

func (s *splitter) notBeforeHolds(word, next string) bool { return !notBefore[word][next] }

// opening returns the start of a token with the signs that are glued to its front: -5, "Owl".
func (s *splitter) opening(i int) int {
	at, least := s.tokens[i].start, 0
	if i > 0 {
		least = s.tokens[i-1].end
	}
	for at > least {
		r, n := utf8.DecodeLastRuneInString(s.text[least:at])
		if !strings.ContainsRune("-−\"“„«'‘¿¡.:", r) {
			break
		}
		at -= n
	}
	if at > least || at == 0 || least == 0 {
		return at
	}
	return s.tokens[i].start // it is glued to the word before
}

// ending returns the end of a token with a closing quotation mark.
func (s *splitter) ending(i int) int {
	at, most := s.tokens[i].end, len(s.text)
	if i+1 < len(s.tokens) {
		most = s.tokens[i+1].start
	}
	for at < most {
		r, n := utf8.DecodeRuneInString(s.text[at:])
		if !strings.ContainsRune("\"”»'’", r) || at+n < len(s.text) && glued(s.text[at+n:]) {
			break
		}
		at += n
	}
	return at
}

func glued(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return wordy(r) && !unicode.IsSpace(r)
}

// count returns the number of code points before a byte. It walks the text once.
func (s *splitter) count(at int) int {
	if at < s.byteAt {
		return utf8.RuneCountInString(s.text[:at]) // a head before the end of what was counted: not reached in order
	}
	s.points += utf8.RuneCountInString(s.text[s.byteAt:at])
	s.byteAt = at
	return s.points
}

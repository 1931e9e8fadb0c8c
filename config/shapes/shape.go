package shapes

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/message"
)

// Shapes of a free text.
const (
	Address  = "address"
	Name     = "name"
	Sentence = "sentence"
	Code     = "code"
	Title    = "title"
)

// Names lists the shapes.
var Names = []string{Address, Name, Sentence, Code, Title}

// shapeWords map words of a param's name or label to the shape of its texts.
var shapeWords = map[string]string{
	"address": Address, "street": Address,
	"name": Name, "person": Name, "payee": Name, "recipient": Name, "contact": Name, "surname": Name, "holder": Name,
	"guest": Name, "customer": Name, "passenger": Name, "traveler": Name, "traveller": Name, "patient": Name, "attendee": Name, "employee": Name, "sender": Name,
	"description": Sentence, "problem": Sentence, "comment": Sentence, "comments": Sentence, "note": Sentence, "notes": Sentence,
	"reason": Sentence, "message": Sentence, "issue": Sentence, "details": Sentence, "feedback": Sentence, "complaint": Sentence,
	"justification": Sentence, "symptoms": Sentence, "explanation": Sentence, "instructions": Sentence,
	"title": Title, "subject": Title, "headline": Title, "task": Title, "item": Title,
	"code": Code, "serial": Code, "reference": Code,
}

// Of returns the shape that a param's name or label tells; "" if they tell none.
func Of(texts ...string) string {
	for _, text := range texts {
		words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
		for _, w := range slices.Backward(words) { // in "recipient's address" the last word counts
			if shape := shapeWords[w]; shape != "" {
				return shape
			}
		}
	}
	return ""
}

// longestShape limits a text with a shape, in code points; a sentence may be longer.
const longestShape = 200

// LooksLike reports whether a text has a shape: address, name, sentence, code or title. For any
// other shape, "" too, it reports whether the text is an answer at all: no question, no hold, no
// refusal. It knows English, and takes words of other languages for content.
func LooksLike(shape, text string) bool {
	text = strings.TrimSpace(text)
	t := shaped{text: text, words: split(text)}
	if len(t.words) == 0 || shape != Sentence && utf8.RuneCountInString(text) > longestShape {
		return false
	}
	switch shape {
	case Address:
		return t.address(enoughAddress)
	case Name:
		return t.name()
	case Sentence:
		return len(t.words) > 1 && t.content(1) && !t.talk()
	case Code:
		return t.code()
	case Title:
		return len(t.words) <= 12 && (t.content(1) || t.proper()) && !t.talk()
	}
	return (t.content(1) || t.proper()) && !t.talk()
}

// Content reports whether a text has a word that is not about the conversation: "help with my
// invoice" has one, "can you help me" has none.
func Content(text string) bool {
	t := shaped{text: text, words: split(text)}
	return t.content(1)
}

// shaped is a text under test.
type shaped struct {
	text  string
	words []word
}

// word is one word of a text.
type word struct {
	low        string // lower case, without apostrophes
	start, end int    // bytes, without signs around it
	upper      bool   // begins with a capital
	comma      bool   // a comma or a line break precedes it
}

func unlettered(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsNumber(r)
}

// split cuts a text at white space and commas of any script.
func split(text string) []word {
	out := make([]word, 0, 8)
	comma, from := false, 0
	cut := func(end int) {
		piece := text[from:end]
		inner := strings.TrimLeftFunc(piece, unlettered)
		start := from + len(piece) - len(inner)
		if inner = strings.TrimRightFunc(inner, unlettered); inner != "" {
			first, _ := utf8.DecodeRuneInString(inner)
			out = append(out, word{low: message.Bare(message.Fold(inner)), start: start, end: start + len(inner), upper: unicode.IsUpper(first), comma: comma})
			comma = false
		}
	}
	for i, r := range text {
		if unicode.IsSpace(r) || isComma(r) {
			cut(i)
			from = i + utf8.RuneLen(r)
			comma = comma || isComma(r) || r == '\n'
		}
	}
	cut(len(text))
	return out
}

func isComma(r rune) bool { return r == ',' || r == '،' || r == '，' || r == '、' }

// content reports whether at least n words are no talk.
func (t *shaped) content(n int) bool {
	for _, w := range t.words {
		if !is("talk", w.low) {
			n--
		}
	}
	return n <= 0
}

// proper reports whether every word has a capital, as in a title: "Stop & Shop". A lone word may
// just start a sentence.
func (t *shaped) proper() bool {
	return len(t.words) > 1 && !slices.ContainsFunc(t.words, func(w word) bool { return !w.upper })
}

// talk reports whether the text is a question, a hold or a refusal.
func (t *shaped) talk() bool {
	return t.question() || t.holds() && !(t.proper() && t.content(1))
}

// holds reports whether the text begins with a hold, with no more words after it than its list
// allows.
func (t *shaped) holds() bool {
	for _, h := range holds {
		if len(h.words) > len(t.words) || len(t.words)-len(h.words) > h.more {
			continue
		}
		if t.begins(h.words) {
			return true
		}
	}
	return false
}

func (t *shaped) begins(words []string) bool {
	for i, w := range words {
		if t.words[i].low != w {
			return false
		}
	}
	return true
}

// question reports whether the text is or starts like a question: "why do", "is it"; not "When I
// open it".
func (t *shaped) question() bool {
	if strings.HasSuffix(t.text, "?") || len(t.words) < 2 {
		return strings.HasSuffix(t.text, "?") || is("question", t.words[0].low)
	}
	first, next := t.words[0].low, t.words[1].low
	if is("question", first) {
		return is("auxiliary", next) || len(first) > 4 && strings.HasSuffix(first, "s") && first != "whose" // what's
	}
	return is("auxiliary", first) && !is("question tail", first) && (is("pronoun", next) || next == "the" || next == "there")
}

// sentence reports whether the text has a pronoun or a negation, as a sentence does. With a capital
// inside a text it is a name: "Portland ME", "Boise ID".
func (t *shaped) sentence() bool {
	for i, w := range t.words {
		if (is("pronoun", w.low) || is("sentence", w.low)) && (i == 0 || !w.upper || w.low == "i") {
			return true
		}
	}
	return false
}

// code reports whether the text has a figure, and no more than four words without one.
func (t *shaped) code() bool {
	plain := 0
	for _, w := range t.words {
		if !strings.ContainsFunc(w.low, unicode.IsDigit) {
			plain++
		}
	}
	return plain < len(t.words) && plain <= 4 && !t.talk() && !t.sentence()
}

// name reports whether there are one to five words, particles not counted, that are no talk and no
// numbers. Such a word with a capital may be part of a name: "Will Smith".
func (t *shaped) name() bool {
	if strings.ContainsFunc(t.text, func(r rune) bool { return unicode.IsDigit(r) || strings.ContainsRune("?!:;@/\n", r) }) {
		return false
	}
	bad, count, capitals := 0, 0, 0
	for i, w := range t.words {
		if is("particle", w.low) {
			if i > 0 && is("article", t.words[0].low) {
				return false // "A Garden of Stars" is a title
			}
			continue
		}
		count++
		if w.upper {
			capitals++
		}
		if is("talk", w.low) || is("no name", w.low) {
			bad++
		}
	}
	if count == 0 || count > 5 {
		return t.proper() && count == 0
	}
	return bad == 0 || capitals == count && bad < len(t.words) && len(t.words) > 1
}

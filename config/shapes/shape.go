package shapes

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
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
	t := shaped{text: text, words: shapeSplit(text)}
	if len(t.words) == 0 || shape != Sentence && utf8.RuneCountInString(text) > longestShape {
		return false
	}
	switch shape {
	case Address:
		return t.address()
	case Name:
		return t.name()
	case Sentence:
		return len(t.words) > 1 && t.content(1) && !t.talk()
	case Code:
		return len(t.words) <= 4 && strings.ContainsFunc(text, unicode.IsDigit) && !t.talk() && !t.clause()
	case Title:
		return len(t.words) <= 12 && (t.content(1) || t.proper()) && !t.talk()
	}
	return (t.content(1) || t.proper()) && !t.talk()
}

// shaped is a text under test.
type shaped struct {
	text  string
	words []shapeWord
}

// shapeWord is one word of a text.
type shapeWord struct {
	low   string // lower case, without apostrophes
	upper bool   // begins with a capital
	comma bool   // a comma or a line break precedes it
}

var apostrophes = strings.NewReplacer("'", "", "’", "")

func unlettered(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

func shapeSplit(text string) []shapeWord {
	out := make([]shapeWord, 0, 8)
	comma := false
	for len(text) > 0 {
		part := text
		end := strings.IndexAny(text, " \t,\n\r\u00a0")
		if end >= 0 {
			part, text = text[:end], text[end:]
		} else {
			text = ""
		}
		if word := strings.TrimFunc(part, unlettered); word != "" {
			first, _ := utf8.DecodeRuneInString(word)
			low := strings.ToLower(word)
			if strings.IndexByte(low, '\'') >= 0 || strings.Contains(low, "’") {
				low = apostrophes.Replace(low)
			}
			out = append(out, shapeWord{low: low, upper: unicode.IsUpper(first), comma: comma})
			comma = false
		}
		if text != "" {
			r, n := utf8.DecodeRuneInString(text)
			comma = comma || r == ',' || r == '\n'
			text = text[n:]
		}
	}
	return out
}

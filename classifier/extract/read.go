package extract

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/extract/internal/choices"
	"github.com/slotway/slotway/classifier/message"
)

// Read returns the value of a param for a text that another part found: the nearest value of an
// enumeration, a number in words, a day counted from now. A param that takes any text gets it as it
// is. ok is false when text is no value of the param, or holds two.
func (x *Extractor) Read(param, text string, now time.Time) (value any, ok bool) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, false
	}
	normal := message.Normal(text)
	for _, r := range x.params[param] {
		switch {
		case r.enum != nil:
			return r.enum.Nearest(message.New(normal, "", nil))
		case r.Open():
			if m := message.New(normal, "", x.language.Language); x.about[param].code {
				text = cmp.Or(spelled(m, 0, len(m.Tokens)), text)
			}
			return text, true
		}
	}
	for _, v := range x.Extract(classifier.Input{Text: normal, Now: now, Asked: &classifier.Asked{Param: param}}, nil) {
		if v.Param != param {
			continue
		}
		if ok && !reflect.DeepEqual(value, v.Value) {
			return nil, false
		}
		value, ok = v.Value, true
	}
	return value, ok
}

// Cut returns a text in words, for [Denies] and [WithArticle].
func (x *Extractor) Cut(text string) *message.Message {
	return message.New(text, "", x.language.Language)
}

// Denies reports whether the bytes [start, end) of a message, or the words before them, deny what they name:
// "not blue", "neither of us". Of two denials, and of one in doubt, nothing is sure.
func Denies(m *message.Message, start, end int) bool {
	denials := 0
	for i, t := range m.Tokens {
		switch {
		case t.Start < start || t.Start >= end:
			continue
		case m.IsTerm(i, "privation"), m.IsTerm(i, "negation_idiom"), m.IsTerm(i, "unsure"):
			return false
		case m.IsTerm(i, "negation"), t.Start == start && choices.Denied(m, i):
			denials++
		}
	}
	return denials == 1
}

// WithArticle returns where the words from a byte on begin with the article before them: "a red Fiat".
func WithArticle(m *message.Message, start int) int {
	for i, t := range m.Tokens {
		if t.Start == start && i > 0 && m.IsTerm(i-1, "article") {
			return m.Tokens[i-1].Start
		}
	}
	return start
}

// Open reports whether a param's values may be any text: free text, people and places
// that no pattern describes.
func (x *Extractor) Open(param string) bool {
	return slices.ContainsFunc(x.params[param], (*recogniser).Open)
}

// Open reports whether the values of the type may be any text.
func (r *recogniser) Open() bool {
	switch r.Builtin {
	case "text", "person", "location":
		return len(r.Patterns) == 0
	}
	return false
}

// Scans reports whether a message is read for the built-in types: some param has one.
func (x *Extractor) Scans() bool { return x.scanned }

// MayHold reports whether [Extractor.Read] may find a value of a param in a text. It returns false
// only where the text lacks a character or a word that every such value has: most messages have no
// "@" and no figure, so no address is looked for in them.
func (x *Extractor) MayHold(param, text string) bool {
	for _, r := range x.params[param] {
		need := lacking[r.Builtin]
		if need == nil || r.enum != nil || r.Bare != nil || r.Tail != nil || len(r.Patterns) > 0 || !need(text) {
			return true
		}
	}
	return false
}

// lacking reports, by built-in type, texts that cannot hold a value of it.
var lacking = map[string]func(text string) bool{
	"email": func(text string) bool { return !strings.Contains(text, "@") && !saysAt(text) },
	"zip":   func(text string) bool { return !strings.ContainsAny(text, "0123456789") },
}

// saysAt reports whether a text may have the word "at", by which an address is dictated.
func saysAt(text string) bool {
	for i := 0; i+1 < len(text); i++ {
		if text[i]|0x20 == 'a' && text[i+1]|0x20 == 't' && !(i > 0 && asciiLetter(text[i-1])) && !(i+2 < len(text) && asciiLetter(text[i+2])) {
			return true
		}
	}
	return false
}

func asciiLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

package extract

import (
	"strings"
)

// MayHold reports whether a text may hold a value of a param for [Extractor.Read] to give. It is
// false only where the text lacks a character or a word that every such value has: most messages
// have no "@" and no figure, and nobody needs to look for an address in them.
func (x *Extractor) MayHold(param, text string) bool {
	for _, r := range x.params[param] {
		need := lacking[r.Builtin]
		if need == nil || r.enum != nil || r.Bare != nil || r.Tail != nil || len(r.Patterns) > 0 || !need(text) {
			return true
		}
	}
	return false
}

// lacking tells, by built-in type, texts that cannot hold a value of it.
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

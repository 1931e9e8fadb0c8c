// Package rows reads values by the words and the grammar of a language. Both are tables under
// config/language: classes of words, and rows of PATTERN => BUILD. A builder makes the value of
// what its row matched; the builders are the same for all languages.
package rows

import (
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/when"
)

// Parser parses one message by the rows of its language. It is used again for other messages.
type Parser struct {
	language *Language
	stack    []meaning // what the rows under way have read
	deep     int       // how deep they read each other
	memo     memo      // what they have read
}

// Reset prepares p for another message; its memory is used again.
func (p *Parser) Reset(t *Language) {
	p.language, p.stack = t, p.stack[:0]
	p.memo.reset(0)
}

// reader is a message with its language.
type reader struct {
	*when.Reader
	*Parser
}

// Day is the day at token i, or nil.
func (p *Parser) Day(r *when.Reader, i int) *find.Find { return reader{r, p}.day(i) }

// Time is the time of day at token i, or nil.
func (p *Parser) Time(r *when.Reader, i int) *find.Find { return reader{r, p}.time(i) }

// All walks a message once and returns what it finds, by place.
func (p *Parser) All(r *when.Reader) []find.Find { return reader{r, p}.all() }

// Changed reports whether the words beside a day make it another one, or no single one.
func (p *Parser) Changed(r *when.Reader, f *find.Find) bool { return reader{r, p}.changed(f) }

// Bound reports whether a day is only an end of what is meant: "nach Montag".
func (p *Parser) Bound(r *when.Reader, f *find.Find) bool { return reader{r, p}.bound(f) }

// Package rows reads values by the words and the grammar of a language. Both are tables under
// config/language: classes of words, and rows of PATTERN => BUILD. A builder makes the value of
// what its row matched; the builders are the same for all languages.
package rows

import (
	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/when"
)

// Parser parses one message by the rows of its language. It is used again for other messages.
type Parser struct {
	language *Language
	stack    []meaning // what the rows under way have read
	deep     int       // how deep they read each other
	memo     memo      // what they have read
	term     meaning   // the word or the term that was read last
	may      []begun   // by token
}

// begun are the grammars that may begin at a token, once they are known.
type begun struct {
	known bool
	grammars
}

// Reset prepares p for another message; its memory is used again.
func (p *Parser) Reset(t *Language) {
	p.language, p.stack = t, p.stack[:0]
	p.memo.reset(0)
	p.may = p.may[:0]
}

// Fresh is a parser for the same language that keeps nothing of what p has read.
func (p *Parser) Fresh() Parser { return Parser{language: p.language} }

// reader is a message with its language.
type reader struct {
	*when.Reader
	*Parser
}

// Day is the day at token i, or nil.
func (p *Parser) Day(r *when.Reader, i int) *find.Find { return reader{r, p}.day(i) }

// Time is the time of day at token i, or nil.
func (p *Parser) Time(r *when.Reader, i int) *find.Find { return reader{r, p}.time(i) }

// Length is the length of time at token i, and how many tokens it has.
func (p *Parser) Length(r *when.Reader, i int) (calendar.Length, int) {
	m, n := reader{r, p}.read("length", i)
	return m.length, n
}

// Stretch is the stretch of the calendar at token i, or nil: by the rows for a "period", for one
// that is "whole", or for the "month_year" that something is of.
func (p *Parser) Stretch(r *when.Reader, name string, i int) *find.Find {
	m, n := reader{r, p}.read(name, i)
	if n == 0 || name == "period" && !(reader{r, p}).stretchStands(i, i+n) {
		return nil
	}
	f := *m.find
	return &f
}

// Begin has p keep what it reads in a message, until End: rows ask for the same words again.
func (p *Parser) Begin(r *when.Reader) {
	p.memo.reset(2 * (len(p.language.grammar) + len(readers)) * len(r.Tokens))
	p.may = append(p.may[:0], make([]begun, len(r.Tokens))...)
}

// End has p forget it: what is asked later may be asked of other words.
func (p *Parser) End() { p.memo.reset(0); p.may = p.may[:0] }

// At is the longest find at token i, and where it ends with what it was read by. A find without
// a kind is a phrase that holds no value.
func (p *Parser) At(r *when.Reader, i int) (best *find.Find, to int) { return reader{r, p}.spokenAt(i) }

// Changed reports whether the words beside a day make it another one, or no single one.
func (p *Parser) Changed(r *when.Reader, f *find.Find) bool { return reader{r, p}.changed(f) }

// Bound reports whether a day is only an end of what is meant: "nach Montag".
func (p *Parser) Bound(r *when.Reader, f *find.Find) bool { return reader{r, p}.bound(f) }

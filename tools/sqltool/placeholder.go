package sqltool

import (
	"errors"
	"strconv"
	"strings"
)

// statement is a parsed query.
type statement struct {
	text      string   // with ?1, ?2 ... for the placeholders
	names     []string // of the placeholders: names[0] is bound to ?1
	verb      string   // first word, in capitals
	returning bool     // has a RETURNING clause
}

var (
	errUnterminated = errors.New("a quote or comment that does not end")
	errSeveral      = errors.New("more than one statement")
	errNoStatement  = errors.New("no statement")
	errPositional   = errors.New("a placeholder that is not :name")
)

// parse finds the placeholders :name of one SQL statement, outside of quotes, comments and casts
// (x::text), and numbers them. The lexical rules are SQLite's
// (https://sqlite.org/lang_keywords.html, https://sqlite.org/lang_comment.html).
func parse(query string) (statement, error) {
	p := parser{src: query, index: map[string]int{}}
	for p.at < len(p.src) {
		if err := p.token(); err != nil {
			return statement{}, err
		}
	}
	if p.verb == "" {
		return statement{}, errNoStatement
	}
	p.text = p.out.String()
	return p.statement, nil
}

type parser struct {
	statement
	src   string
	at    int
	out   strings.Builder
	index map[string]int // of a name in names, from 1
	ended bool           // after the semicolon
}

// token copies or replaces the token at p.at, and moves past it; every token has at least one byte.
func (p *parser) token() error {
	rest := p.src[p.at:]
	if n, quoted, err := opaque(rest); err != nil {
		return err
	} else if n > 0 {
		if quoted && p.ended {
			return errSeveral
		}
		p.copy(n)
		return nil
	}
	c := rest[0]
	switch {
	case strings.IndexByte(" \t\r\n\f", c) >= 0:
		p.copy(1)
		return nil
	case c == ';':
		p.ended = true
		p.at++ // the end of the text ends the statement too
		return nil
	case p.ended:
		return errSeveral
	case strings.HasPrefix(rest, "::"):
		p.copy(2)
	case c == ':' && len(rest) > 1 && isStart(rest[1]):
		p.placeholder(word(rest[1:]))
	case c == '?' || c == '@' || c == '$' || c == ':':
		return errPositional
	case isStart(c):
		p.keyword(word(rest))
	case isDigit(c):
		p.copy(len(word(rest)))
	default:
		p.copy(1)
	}
	return nil
}

func (p *parser) copy(n int) {
	p.out.WriteString(p.src[p.at : p.at+n])
	p.at += n
}

func (p *parser) placeholder(name string) {
	if p.index[name] == 0 {
		p.names = append(p.names, name)
		p.index[name] = len(p.names)
	}
	p.out.WriteString("?" + strconv.Itoa(p.index[name]))
	p.at += len(name) + 1
}

func (p *parser) keyword(w string) {
	upper := strings.ToUpper(w)
	if p.verb == "" {
		p.verb = upper
	}
	p.returning = p.returning || upper == "RETURNING"
	p.copy(len(w))
}

// opaque returns the length of the quoted text or comment at the start of s, 0 for neither. It
// reads a doubled quote inside a quoted text as the end of one text and the start of the next,
// which gives the same result.
func opaque(s string) (n int, quoted bool, err error) {
	ends := []struct {
		open, close string
		quoted      bool
	}{
		{"'", "'", true},
		{`"`, `"`, true},
		{"`", "`", true},
		{"[", "]", true},
		{"--", "\n", false},
		{"/*", "*/", false},
	}
	for _, e := range ends {
		if !strings.HasPrefix(s, e.open) {
			continue
		}
		i := strings.Index(s[len(e.open):], e.close)
		switch {
		case i >= 0:
			return len(e.open) + i + len(e.close), e.quoted, nil
		case e.open == "--":
			return len(s), false, nil
		}
		return 0, false, errUnterminated
	}
	return 0, false, nil
}

// word returns the identifier at the start of s.
func word(s string) string {
	for i := 0; i < len(s); i++ {
		if !isStart(s[i]) && !isDigit(s[i]) {
			return s[:i]
		}
	}
	return s
}

func isStart(c byte) bool {
	return c == '_' || c >= 0x80 || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

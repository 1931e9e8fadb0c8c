package extract

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// An address that is asked for may be dictated: "ana at example dot com", "double five one".

// dictated is how sure such an address is.
const dictated = 0.85

// spokenMarks are the marks of an address as they are said.
var spokenMarks = map[string]string{
	"at": "@", "dot": ".", "period": ".", "underscore": "_", "dash": "-", "hyphen": "-", "minus": "-", "plus": "+",
	"@": "@", ".": ".", "_": "_", "-": "-", "+": "+",
}

var (
	// addressLeads may stand before a dictated address.
	addressLeads = words("email mail e address is it's its it my the that's thats this would be at use send to me on yes sure ok okay so um uh well try here please should i'm was no not actually sorry")
	// noLocals are words that stand before an "at" for themselves: "I am at work".
	noLocals = words("am is are me it i you he she we they be was were meet arrive look stay call here there home him her them us not all")
	// surest are the domains that may follow the end of a sentence, too.
	surest = words("com org net edu gov io")
)

// spokenEmail reads an e-mail address that is dictated, or typed with spaces.
func (s *scan) spokenEmail(param string, c *collector) {
	if !slices.ContainsFunc(s.tokens, func(t token) bool { return s.markOf(t.low) == "@" }) {
		return
	}
	free := *s // the domain may have been taken for a URL
	free.taken = make([]bool, len(s.tokens))
	s = &free
	at := -1
	for i := range s.tokens {
		if m := s.markOf(s.low(i)); m == "@" && s.spokenDomain(i+1) > 0 {
			if at >= 0 {
				return // two of them
			}
			at = i
		}
	}
	if at < 1 {
		return
	}
	from := s.spokenLocal(at)
	to := s.spokenDomain(at + 1)
	if from < 0 || !s.onlyLeads(from) || !s.onlyClosing(to) {
		return
	}
	text := s.marked(from, at) + "@" + strings.ToLower(s.marked(at+1, to))
	if found := emails(text, nil); len(found) == 1 && found[0].start == 0 && found[0].end == len(text) {
		c.tokens(s, param, found[0].value, from, to, "builtin", dictated)
	}
}

// spokenLocal is where the local part before the "at" at token i starts, -1 for none.
func (s *scan) spokenLocal(i int) int {
	k := i - 1
	for s.symbolAt(k, "([") {
		k--
	}
	if k < 0 || noLocals[s.low(k)] {
		return -1
	}
	from := -1
	for word := false; k >= 0; k-- {
		w := s.low(k)
		switch {
		case w == "" || s.symbolAt(k, "@"):
			return -1
		case s.markOf(w) != "" && s.markOf(w) != "@" && from > k:
			word = false
			continue
		case s.tokens[k].class == symbol, word && !s.spelledOn(k):
			return from
		}
		from, word = k, true
	}
	return from
}

// spelledOn reports whether token i and the one behind it are of one word: single letters,
// figures, or what touches.
func (s *scan) spelledOn(i int) bool {
	one := func(k int) bool { return utf8.RuneCountInString(s.low(k)) == 1 || s.tokens[k].class == digits }
	return s.glued(i+1) || one(i) && one(i+1) && s.low(i) != "i" && s.low(i) != "a" || s.tokens[i+1].class == digits && !s.leadsAddress(i)
}

// spokenDomain is where the domain that starts at token i ends; 0 for none. It has a dot and
// a top-level domain.
func (s *scan) spokenDomain(i int) int {
	for s.symbolAt(i, ")]") {
		i++
	}
	end, dot := 0, false
	for k := i; k < len(s.tokens); {
		if s.low(k) == "" || s.tokens[k].class == symbol {
			break
		}
		label := k
		for k++; k < len(s.tokens) && s.tokens[k].class != symbol && s.low(k) != "" && s.markOf(s.low(k)) == "" && s.spelledOn(k-1); k++ {
			continue // g m a i l
		}
		if dot && k == label+1 && knownTop(s.low(label)) && (s.low(label-1) != "." || s.glued(label) || surest[s.low(label)] || !s.glued(label-1)) {
			end = k
		}
		for s.symbolAt(k, "([") {
			k++
		}
		m := s.markOf(s.low(k))
		if m != "." && m != "-" {
			break
		}
		dot = dot || m == "."
		for k++; s.symbolAt(k, ")]"); k++ {
			continue
		}
	}
	return end
}

// marked joins tokens, with the marks that their words stand for.
func (s *scan) marked(from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		if m := s.markOf(s.low(i)); m != "" {
			b.WriteString(m)
		} else if s.tokens[i].class != symbol {
			b.WriteString(s.tokens[i].text)
		}
	}
	return b.String()
}

// onlyLeads reports whether what stands before token i carries no value of its own.
func (s *scan) onlyLeads(i int) bool {
	for k := range i {
		if s.tokens[k].class != symbol && !s.leadsAddress(k) && !fillers[s.tokens[k].low] {
			return s.symbolAt(i-1, ",:;.!?-") || s.leadsAddress(i-1) && s.tokens[i-1].low != "at"
		}
	}
	return true
}

// onlyClosing reports whether the sentence ends at token i, but for courtesy.
func (s *scan) onlyClosing(i int) bool {
	return i >= len(s.tokens) || s.tokens[i].class == symbol || s.is(i, fillers) || s.is(i, cueStops)
}

// spokenPhone reads a telephone number that is dictated.
func (x *Extractor) spokenPhone(s *scan, param string, c *collector) {
	from, to := s.core(openingBook, closing, "")
	var b strings.Builder
	said := false
	for i := from; i < to; {
		p := s.piecesAt(i, nil, true)
		switch {
		case p.to > to:
			return
		case p.to > 0 && (p.figures() || p.maybeO):
			b.WriteString(strings.ReplaceAll(p.text, "O", "0"))
			said = said || !p.typed
			i = p.to
			continue
		case s.symbolAt(i, "+") || s.low(i) == "plus":
			b.WriteString("+")
		case !s.symbolAt(i, dashes+",.()") && !s.is(i, dashWords):
			return
		}
		i++
	}
	if !said {
		return // as it is typed it was looked at
	}
	text := b.String()
	for _, sp := range (&dialer{region: x.options.Region, asked: true}).phones(newScan(text, s.clock, "phone"), nil, nil) {
		if sp.start == 0 && sp.end == len(text) {
			c.tokens(s, param, sp.value, from, to, "builtin", min(dictated, sp.confidence))
		}
	}
}

package extract

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/extract/internal/codes"
	"github.com/slotway/slotway/classifier/extract/internal/phone"
	"github.com/slotway/slotway/classifier/extract/internal/talk"
	"github.com/slotway/slotway/classifier/extract/internal/web"
	"github.com/slotway/slotway/classifier/message"
)

// An address that is asked for may be dictated: "ana at example dot com", "double five one".

// dictated is the confidence of a dictated address.
const dictated = 0.85

// spokenEmail reads an e-mail address that is dictated, or typed with spaces.
func (s *reading) spokenEmail(param string, c *collector) {
	if !slices.ContainsFunc(s.Tokens, func(t message.Token) bool { return web.MarkOf(s.Message, t.Low) == "@" }) {
		return
	}
	free := *s.Message // the domain may have been taken for a URL
	free.Taken = make([]bool, len(s.Tokens))
	at := -1
	for i := range free.Tokens {
		if m := web.MarkOf(&free, free.Low(i)); m == "@" && web.SpokenDomain(&free, i+1) > 0 {
			if at >= 0 {
				return // two of them
			}
			at = i
		}
	}
	if at < 1 {
		return
	}
	from := web.SpokenLocal(&free, at)
	to := web.SpokenDomain(&free, at+1)
	if from < 0 || !web.OnlyLeads(&free, from) || !web.OnlyClosing(&free, to) {
		return
	}
	text := web.Marked(&free, from, at) + "@" + strings.ToLower(web.Marked(&free, at+1, to))
	if found := web.Emails(text, nil); len(found) == 1 && found[0].Start == 0 && found[0].End == len(text) {
		c.tokens(s, param, found[0].Value, from, to, "builtin", dictated)
	}
}

// spelled is the code that the words [from, to) spell, as it is typed: K71 of "k seventy one". It is ""
// where no figure of it is in words, and where they say anything else.
func spelled(m *message.Message, from, to int) string {
	var b strings.Builder
	said, figures := false, false
	for i := from; i < to; {
		p := codes.PiecesAt(m, i, nil, true)
		nought := p.MaybeO && (figures || len(m.Low(i)) > 1) // an "o" before all figures is a letter
		switch {
		case p.To > to, p.To == 0 && (b.Len() == 0 || !m.SymbolAt(i, ",") && !m.IsTerm(i, "hesitation")):
			return ""
		case p.To == 0:
			i++
			continue
		case nought:
			p.Text = strings.ReplaceAll(p.Text, "O", "0")
		}
		b.WriteString(p.Text)
		said = said || p.Figures() && !p.Typed
		figures = figures || p.Figures()
		i = p.To
	}
	if !said {
		return ""
	}
	return b.String()
}

// spokenPhone reads a telephone number that is dictated.
func (x *Extractor) spokenPhone(s *reading, param string, c *collector) {
	from, to := talk.Core(s.Message, "opening", "")
	for from > 0 && codes.PiecesAt(s.Message, from-1, nil, true).MaybeO {
		from-- // "oh" is a nought here, and no sigh
	}
	var b strings.Builder
	said := false
	for i := from; i < to; {
		p := codes.PiecesAt(s.Message, i, nil, true)
		switch {
		case p.To > to:
			return
		case p.To > 0 && (p.Figures() || p.MaybeO):
			b.WriteString(strings.ReplaceAll(p.Text, "O", "0"))
			said = said || !p.Typed
			i = p.To
			continue
		case s.SymbolAt(i, "+") || s.Low(i) == "plus":
			b.WriteString("+")
		case !s.SymbolAt(i, codes.Dashes+",.()") && !s.IsTerm(i, "dash_word"):
			return
		}
		i++
	}
	if !said {
		return // as it is typed it was looked at
	}
	text := b.String()
	for _, sp := range (&phone.Dialer{Region: x.options.Region, Asked: true}).Phones(message.New(text, "phone", nil), nil, nil) {
		if sp.Start == 0 && sp.End == len(text) {
			c.tokens(s, param, sp.Value, from, to, "builtin", min(dictated, sp.Confidence))
		}
	}
}

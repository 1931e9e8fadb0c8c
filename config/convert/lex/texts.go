package lex

import (
	"strings"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/pattern"
)

// texts returns the wordings of messages. Groups are said one after the other, so the first wording is all of
// them; variations of the first one are further ones.
func (r *reader) texts(known map[string]string, parts ...*convert.Node) (texts []string) {
	var first []string
	for _, part := range parts {
		for _, group := range append(part.List("messageGroupsList"), part.List("messageGroups")...) {
			text := r.text(group.Get("message"), known)
			if text == "" {
				continue
			}
			first = append(first, text)
			for _, v := range group.List("variations") {
				if other := r.text(v, known); len(first) == 1 && other != "" {
					texts = append(texts, other)
				} else if other != "" {
					r.bot.Report.Add(v.At, convert.Left, "another wording of a further message: %s", other)
				}
			}
		}
	}
	return convert.Wordings(first, texts)
}

// text returns a message as text; a card as its lines. Other kinds are listed as unread.
func (r *reader) text(m *convert.Node, known map[string]string) string {
	source := m.Str("plainTextMessage", "value")
	if card := m.Get("imageResponseCard"); card != nil && source == "" {
		source = card.Str("title")
		if subtitle := card.Str("subtitle"); subtitle != "" {
			source += "\n" + subtitle
		}
		for _, b := range append(card.List("buttonsList"), card.List("buttons")...) {
			source += "\n- " + b.Str("text")
			if value := b.Str("value"); value != "" && !strings.EqualFold(value, b.Str("text")) {
				r.bot.Report.Add(b.At, convert.Left, "the button %q says %q", b.Str("text"), value)
			}
		}
	}
	return convert.Places(source, place, func(name string) string { return known[name] }, func(place string) {
		r.bot.Report.Lost(m.Place(), "a text names %s, which is no slot of its intent", place)
	})
}

// place matches the place of a slot in a text.
var place = pattern.Must(`\{([^{}]*)\}`)

package lex

import (
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/pattern"
)

// texts returns the wordings of messages. Groups are said one after the other, so the first wording is all of
// them; variations of the first one are further ones.
func (r *reader) texts(known map[string]string, parts ...*convert.Node) (texts convert.Wordings) {
	for _, part := range parts {
		for _, group := range append(part.List("messageGroupsList"), part.List("messageGroups")...) {
			var said []string
			for _, m := range append([]*convert.Node{group.Get("message")}, group.List("variations")...) {
				said = append(said, r.text(m, known))
			}
			texts.Add(said, &r.bot.Report, group.At)
		}
	}
	return texts
}

// text returns a message as text; a card as its lines. Other kinds are listed as unread.
func (r *reader) text(m *convert.Node, known map[string]string) string {
	source := m.Str("plainTextMessage", "value")
	if card := m.Get("imageResponseCard"); card != nil && source == "" {
		source = card.Str("title") + "\n" + card.Str("subtitle")
		for _, b := range append(card.List("buttonsList"), card.List("buttons")...) {
			source += "\n- " + b.Str("text")
		}
	}
	return convert.Places(source, place, func(name string) string { return known[name] }, func(place string) {
		r.bot.Report.Lost(m.Place(), "a text names %s, which is no slot of its intent", place)
	})
}

// fill returns an example for an utterance, with sample values in the places of its slots, in turn so that sentences
// differ. ok is false if a place has no value.
func (r *reader) fill(utterance string, known map[string]string) (e config.Example, ok bool) {
	var parts []convert.Part
	end := 0
	for _, m := range place.FindAllStringSubmatchIndex(utterance, -1) {
		param := known[strings.TrimSpace(utterance[m[2]:m[3]])]
		values := r.samples(param)
		if len(values) == 0 {
			return e, false
		}
		parts = append(parts, convert.Part{Text: utterance[end:m[0]]}, convert.Part{Text: values[r.filled%len(values)], Param: param})
		r.filled, end = r.filled+1, m[1]
	}
	e = convert.Sentence(append(parts, convert.Part{Text: utterance[end:]}))
	return e, e.Text != ""
}

// place matches the place of a slot in a text.
var place = pattern.Must(`\{([^{}]*)\}`)

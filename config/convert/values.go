package convert

import (
	"slices"
	"strings"
)

// AddValue adds a value of an enumeration with its other spellings. A spelling that stands for a value, or
// for an earlier one, is left out; so is a value that is there already. all are the values of the type.
func (t *Type) AddValue(value string, spellings, all []string) {
	value = strings.TrimSpace(value)
	if value == "" || t.taken(value) {
		return
	}
	v := Value{Value: value}
	for _, s := range spellings {
		s = strings.TrimSpace(s)
		same := func(other string) bool { return strings.EqualFold(strings.TrimSpace(other), s) }
		if s != "" && !slices.ContainsFunc(all, same) && !slices.ContainsFunc(v.Synonyms, same) && !t.taken(s) {
			v.Synonyms = append(v.Synonyms, s)
		}
	}
	t.Values = append(t.Values, v)
}

// taken reports whether a text stands for a value.
func (t *Type) taken(text string) bool {
	same := func(other string) bool { return strings.EqualFold(other, text) }
	for _, v := range t.Values {
		if same(v.Value) || slices.ContainsFunc(v.Synonyms, same) {
			return true
		}
	}
	return false
}

// Count notes in the report what the bot has.
func (b *Bot) Count() {
	examples := 0
	for _, in := range b.Intents {
		examples += len(in.Examples)
	}
	r := &b.Report
	r.Count("intents", len(b.Intents))
	r.Count("examples", examples)
	r.Count("params", len(b.Params))
	r.Count("types", len(b.Types))
	r.Count("responses", len(b.Responses))
	r.Count("tools", len(b.Tools))
	r.Count("conversations", len(b.Tests))
}

// Wordings returns the wordings of messages that are said one after the other: the first is all of them,
// further ones have another wording of the first message. others are those.
func Wordings(first, others []string) []string {
	if len(first) == 0 {
		return nil
	}
	texts := []string{strings.Join(first, " ")}
	for _, other := range others {
		texts = append(texts, strings.Join(append([]string{other}, first[1:]...), " "))
	}
	return texts
}

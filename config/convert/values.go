package convert

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// AddValue adds a value of an enumeration with its other spellings, or spellings to a value that is there.
// A spelling that stands for another value is left out. all are the values of the type.
func (t *Type) AddValue(value string, spellings, all []string) {
	value = OneLine(value)
	if value == "" {
		return
	}
	if t.values == nil {
		t.values, t.taken = map[string]int{}, map[string]bool{}
		for _, other := range all {
			t.taken[strings.ToLower(OneLine(other))] = true
		}
	}
	low := strings.ToLower(value)
	at, known := t.values[low]
	if !known {
		if _, isValue := t.values[low]; !isValue && t.taken[low] && !slices.ContainsFunc(all, func(v string) bool { return strings.EqualFold(OneLine(v), value) }) {
			return // it is a spelling of another value
		}
		at = len(t.Values)
		t.values[low], t.taken[low] = at, true
		t.Values = append(t.Values, Value{Value: value})
	}
	for _, spelling := range spellings {
		spelling = OneLine(spelling)
		if low := strings.ToLower(spelling); low != "" && !t.taken[low] {
			t.taken[low] = true
			t.Values[at].Synonyms = append(t.Values[at].Synonyms, spelling)
		}
	}
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

// EnumValue returns the value of an enumeration that a text stands for; "" for other types, whose values the
// runtime reads from the text.
func (b *Bot) EnumValue(p *Param, text string) string {
	t := b.Type(p.Type)
	if t == nil {
		return ""
	}
	for _, v := range t.Values {
		if strings.EqualFold(v.Value, text) || slices.ContainsFunc(v.Synonyms, func(s string) bool { return strings.EqualFold(s, text) }) {
			return v.Value
		}
	}
	return ""
}

// Truth reads a yes or a no. YAML 1.2, which Rasa writes, takes yes and no for texts.
func Truth(value any) (yes, ok bool) {
	switch value {
	case true, "yes", "Yes", "true", "True":
		return true, true
	case false, "no", "No", "false", "False":
		return false, true
	}
	return false, false
}

// Value returns a value as a param may have it: one of an enumeration, a yes or no, a number, a text. ok is
// false for what its type does not allow.
func (b *Bot) Value(p *Param, value any) (out any, ok bool) {
	if list, isList := value.([]any); isList || p.List {
		if !isList {
			list = []any{value}
		}
		one, all := *p, []any{}
		one.List = false
		for _, element := range list {
			known, ok := b.Value(&one, element)
			if !ok {
				return nil, false
			}
			all = append(all, known)
		}
		return all, p.List
	}
	text := fmt.Sprint(value)
	t := b.Type(p.Type)
	switch {
	case p.Type == "boolean":
		return Truth(value)
	case p.Type == "number" || p.Type == "integer":
		number, err := strconv.ParseFloat(text, 64)
		return number, err == nil
	case p.Type == "text":
		return OneLine(text), value != nil
	case t == nil || len(t.Values) == 0: // its values are more than words
		return nil, false
	}
	if known := b.EnumValue(p, text); known != "" {
		return known, true
	}
	return text, p.Keep && value != nil
}

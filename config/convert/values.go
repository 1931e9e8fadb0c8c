package convert

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Add adds values of an enumeration with their other spellings, those of a value that is there already to it. A
// spelling that stands for another value is left out.
func (t *Type) Add(values []Value) {
	at, taken := map[string]int{}, map[string]bool{}
	for _, v := range values {
		taken[strings.ToLower(OneLine(v.Value))] = true
	}
	for _, v := range values {
		value := OneLine(v.Value)
		low := strings.ToLower(value)
		if value == "" {
			continue
		}
		if _, known := at[low]; !known {
			at[low] = len(t.Values)
			t.Values = append(t.Values, Value{Value: value})
		}
		for _, spelling := range v.Synonyms {
			spelling = OneLine(spelling)
			if low := strings.ToLower(spelling); low != "" && !taken[low] {
				taken[low] = true
				known := &t.Values[at[strings.ToLower(value)]]
				known.Synonyms = append(known.Synonyms, spelling)
			}
		}
	}
}

// Wordings are those of messages that are said one after the other: the first is all of them, further ones have
// another wording of the first message.
type Wordings []string

// Add adds a message with its wordings, and notes those that are left out.
func (w *Wordings) Add(message []string, report *Report, at Place) {
	message = slices.DeleteFunc(message, func(text string) bool { return text == "" })
	if len(message) == 0 || len(*w) == 0 {
		*w = append(*w, message...)
		return
	}
	for i := range *w {
		(*w)[i] += " " + message[0]
	}
	for _, other := range message[1:] {
		report.Add(at, Left, "another wording of a further message: %s", other)
	}
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

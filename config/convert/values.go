package convert

import (
	"slices"
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

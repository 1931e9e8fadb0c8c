package planner

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// keysIn counts the values of the first field.
func keysIn(o *config.Objects, parts [][]message.Value) (keys int) {
	for _, part := range parts {
		for _, v := range part {
			if v.Param == o.Key().Name {
				keys++
			}
		}
	}
	return keys
}

// withoutOthers removes the numbers that count something else: the two of "two burgers and a cola",
// where no burger is known, is not for the cola. It returns them with the words that they count.
func (r *interpreter) withoutOthers(o *config.Objects, parts [][]message.Value) (rest [][]message.Value, others []message.Value) {
	if keysIn(o, parts) == 0 {
		return parts, nil
	}
	for _, part := range parts {
		if keysIn(o, [][]message.Value{part}) == 0 {
			part = slices.DeleteFunc(slices.Clone(part), func(v message.Value) bool {
				text, counts := r.countsOther(o.Field(v.Param), v)
				if counts {
					v.Text = text
					others = append(others, v)
				}
				return counts
			})
		}
		rest = append(rest, part)
	}
	return rest, others
}

// countsOther returns a number with the word that it counts, if that word is no part of a value.
func (r *interpreter) countsOther(p *config.Param, v message.Value) (text string, counts bool) {
	if !numeric(p) || v.Cues.Any(message.CueLabel|message.CueUnit|message.CueCorrect) {
		return "", false
	}
	behind := r.between(v.End, r.size)
	word := message.TrimLeft(behind, " ")
	from := v.End + utf8.RuneCountInString(behind) - utf8.RuneCountInString(word)
	if end := strings.IndexFunc(word, func(c rune) bool { return !message.InWord(c) && c != '\'' }); end >= 0 {
		word = word[:end]
	}
	to := from + utf8.RuneCountInString(word)
	taken := slices.ContainsFunc(r.msg.Values, func(o message.Value) bool { return o.Source != sourceText && o.Start < to && from < o.End })
	if word == "" || taken || notCounted[strings.ToLower(word)] || multiplies[strings.ToLower(word)] {
		return "", false
	}
	return r.between(v.Start, to), true
}

// multiplies are words behind a number that is for the element before it: "cola, three times".
var multiplies = wordSet("multiplies")

// tellOthers mentions the numbers of a message that count something else.
func (r *interpreter) tellOthers(o *config.Objects, from set) {
	_, others := r.withoutOthers(o, r.partsOf(o, from))
	for _, v := range others {
		end := v.Start + utf8.RuneCountInString(v.Text)
		if !slices.ContainsFunc(r.msg.Wrong, func(w message.Value) bool { return w.Wrong == "unknown" && w.Start < end && v.Start < w.End }) {
			r.addLeftover(Leftover{Start: v.Start, End: end, Kind: leftoverValue, Param: v.Param, Text: v.Text})
		}
	}
}

package planner

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// Phrases around a new value: those that announce it, and those before and behind it that are no part of
// it, the longest first.
var (
	replacements = phrases("replacement")
	leadIns      = phrases("lead_in")
	trailers     = phrases("trailer")
)

// firmly reports whether the message says that what follows replaces a value.
func (r *interpreter) firmly(rest string) bool {
	said := " " + strings.Join(wordsOf(r.msg.Text), " ") + " "
	return slices.ContainsFunc(replacements, func(c string) bool { return strings.Contains(said, " "+c+" ") }) || r.asksChange() || strings.HasPrefix(message.Fold(rest), "not ")
}

// stripLeadIns removes the words that lead to a value, and reports whether there were any.
func stripLeadIns(text string) (string, bool) {
	carried := false
	text = message.Trim(text, " ,.;:!?\n\t-")
	for again := true; again; {
		again = false
		low := message.Folded(text)
		for _, c := range leadIns {
			if next, ok := strings.CutPrefix(low.Text, c); ok && next != "" && strings.IndexByte(" ,:", next[0]) >= 0 {
				text, again, carried = message.TrimLeft(low.After(len(c)), " ,:"), true, true
				break
			}
		}
		low = message.Folded(text)
		for _, c := range trailers {
			if strings.HasSuffix(low.Text, " "+c) {
				text, again, carried = message.TrimRight(low.Before(len(c)), " ,"), true, true
				break
			}
		}
	}
	return text, carried
}

// stripSpelling removes a remark about the spelling of a name: "Tigger with two g".
func stripSpelling(name string) string {
	words := strings.Fields(name)
	for i := 1; i+2 < len(words); i++ {
		if strings.EqualFold(words[i], "with") && letterCounts[message.Fold(words[i+1])] && len(strings.Trim(words[i+2], "'s.,")) <= 1 {
			return strings.Join(words[:i], " ")
		}
	}
	return name
}

// letterCounts stand before a letter of a name: "with two g".
var letterCounts = wordSet("letter_counts")

// stripLabel removes the label of the param before its text: "title: Winter Journal".
func stripLabel(p *config.Param, text string) string {
	low, label := message.Folded(text), message.Fold(p.Label)
	for _, lead := range []string{label, "the " + label, "for the " + label, "for " + label, "my " + label} {
		next, ok := strings.CutPrefix(low.Text, lead)
		if !ok || next == "" || strings.IndexByte(" :,", next[0]) < 0 {
			continue
		}
		text = message.TrimLeft(low.After(len(lead)), " :,")
		low = message.Folded(text)
		for _, is := range []string{"is ", "should be ", "to ", "= "} {
			if strings.HasPrefix(low.Text, is) {
				return low.After(len(is))
			}
		}
		return text
	}
	return text
}

// stripDenied removes a known text that another one replaces, and reports whether it was there: "Winter
// Journal, not Summer Days", "not Summer Days but Winter Journal".
func stripDenied(held, text string) (string, bool) {
	if held == "" {
		return text, false
	}
	low, old := message.Folded(text), message.Fold(held)
	for _, behind := range []string{" not " + old, " instead of " + old, ", and not " + old} {
		if rest, ok := strings.CutSuffix(low.Text, behind); ok && rest != "" {
			return message.TrimRight(low.Before(len(behind)), " ,"), true
		}
	}
	for _, before := range []string{"not " + old + " but ", "not " + old + ", "} {
		if rest, ok := strings.CutPrefix(low.Text, before); ok && rest != "" {
			return low.After(len(before)), true
		}
	}
	return text, false
}

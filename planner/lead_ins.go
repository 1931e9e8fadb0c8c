package planner

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// replacementPhrases announce a new value in place of an old one.
var replacementPhrases = []string{
	"it should have been ", "it should be ", "that should be ", "should be ", "should say ", "i meant ", "i mean ", "i said ", "change it to ", "change that to ", "make it ",
	"make that ", "put ", "write ", "rather ", "actually ", "correction", "that should have been ", "instead ", "better ",
}

// firmly reports whether the message says that what follows replaces a value.
func (r *interpreter) firmly(rest string) bool {
	low := message.Fold(r.msg.Text)
	return slices.ContainsFunc(replacementPhrases, func(c string) bool { return strings.Contains(low, c) }) || r.st.Open != nil && r.st.Open.Kind == askChange || strings.Contains(low, " instead") || strings.HasPrefix(message.Fold(rest), "not ")
}

// leadIns and trailers are words before and behind a new value that are not part of it, the longest
// first.
var (
	leadIns = []string{
		"it should have been", "it should be", "that should be", "should be", "i meant to say", "i meant", "i mean", "i said", "change it to", "change that to", "make it",
		"make that", "let's make it", "lets make it", "correction", "my mistake", "wrong", "that should have been", "to say", "say", "i'd rather have", "i'd prefer", "take", "with", "except it's", "better make it", "let's say", "lets say", "let us say", "oops", "oh", "well", "hmm", "um", "send it to", "deliver it to", "ship it to", "use", "put", "rather", "actually", "it is", "it's", "its", "that's", "to", "no", "not that", "sorry", "wait", "but", "please", "the correct one is", "the right one is",
		"he's called", "hes called", "she's called", "shes called", "it's called", "its called", "they're called", "the name is", "his name is", "her name is", "my name is", "name is", "it's spelled", "spelled", "spelt",
	}
	trailers = []string{"instead", "actually", "please", "thanks", "thank you", "rather", "i mean", "then"}
)

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
		if n := strings.ToLower(words[i+1]); strings.EqualFold(words[i], "with") && (n == "a" || n == "an" || n == "one" || n == "two" || n == "double") && len(strings.Trim(words[i+2], "'s.,")) <= 1 {
			return strings.Join(words[:i], " ")
		}
	}
	return name
}

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

// stripDenied removes the value that the text replaces: "Winter Journal, not Summer Days", "not
// Summer Days but Winter Journal".
func (r *interpreter) stripDenied(p *config.Param, text string, carried bool) (string, bool) {
	held, _ := r.st.cell(p).Value.(string)
	if held == "" {
		return text, carried
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
	return text, carried
}

package summary

import "strings"

// maxLead is the most words before the first comma of a sentence that are dropped.
const maxLead = 4

// withoutLead drops the opening of a sentence: "Yeah, ", "Thanks, Mel, ", "Well, you know, ". The
// rest stays as it was written.
func withoutLead(sentence string) string {
	for {
		head, rest, found := strings.Cut(sentence, ",")
		rest = strings.TrimSpace(rest)
		if !found || rest == "" || !opens(head, rest) {
			return sentence
		}
		sentence = rest
	}
}

// withoutWeight drops adverbs of emphasis. One after a negation changes what is denied ("not
// really"), and one at the end may be the answer, so these stay.
func withoutWeight(sentence string) string {
	fields := strings.Fields(sentence)
	kept := fields[:0:0]
	for i, f := range fields {
		if lendsWeight[strings.ToLower(f)] && i+1 < len(fields) && !(i > 0 && negates(fields[i-1])) {
			continue
		}
		kept = append(kept, f)
	}
	return strings.Join(kept, " ")
}

// negates reports "not", "n't" and similar words.
func negates(word string) bool {
	w := strings.ToLower(strings.ReplaceAll(word, "’", "'"))
	return w == "not" || w == "never" || w == "no" || strings.HasSuffix(w, "n't")
}

// opens reports whether words have no content except for one name that is addressed. A name before
// another name begins a list.
func opens(head, rest string) bool {
	tokens := tokenize(head)
	names := 0
	for _, t := range tokens {
		switch {
		case t.digit || dated[t.word] || constraints[t.word]:
			return false
		case t.empty():
		case t.upper:
			names++
		default:
			return false
		}
	}
	if next := tokenize(rest); names > 0 && len(next) > 0 && next[0].upper && !firstPerson[next[0].word] {
		return false
	}
	return len(tokens) <= maxLead && names <= 1
}

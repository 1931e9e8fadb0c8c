package summary

import (
	"strings"

	"github.com/slotway/slotway/memory/internal/plaintext"
)

// maxPiece is the most words of a piece: longer messages are cut between sentences, so that a part
// of a long answer can be kept.
const maxPiece = 50

// condense drops the sentences of a message that only keep the conversation going: those without
// content, and questions beside a statement. It also drops opening phrases and emphasis.
func condense(text string) []string {
	var list []string
	for s := range plaintext.Sentences(text) {
		if s = withoutWeight(withoutLead(strings.TrimSpace(s))); s != "" {
			list = append(list, s)
		}
	}
	if len(list) < 2 {
		return list
	}
	var statements, questions []string
	for _, s := range list {
		switch {
		case contentOf(s) <= 1:
		case strings.HasSuffix(s, "?"):
			questions = append(questions, s)
		default:
			statements = append(statements, s)
		}
	}
	switch {
	case len(statements) > 0:
		return statements
	case len(questions) > 0:
		return questions
	}
	return list[:1]
}

// contentOf counts the words with content; names, numbers, dates and conditions count twice.
func contentOf(sentence string) int {
	n := 0
	for _, t := range tokenize(sentence) {
		if t.empty() {
			continue
		}
		n++
		if t.digit || dated[t.word] || constraints[t.word] || t.upper && !t.first {
			n++
		}
	}
	return n
}

// chunks joins the sentences of a condensed message into pieces of at most maxPiece words. It cuts
// sentences that are longer.
func chunks(list []string) []string {
	var out []string
	size := 0
	for _, s := range list {
		for s != "" {
			var part string
			part, s = cutWords(s, maxPiece)
			n := words(part)
			if len(out) > 0 && size+n <= maxPiece {
				out[len(out)-1] += " " + part
				size += n
				continue
			}
			out = append(out, part)
			size = n
		}
	}
	return out
}

// cutWords splits a text after n words, or after 600 bytes without a space.
func cutWords(text string, n int) (head, rest string) {
	const most = 600
	fields, inWord := 0, false
	for i, r := range text {
		if r == ' ' || r == '\t' {
			if inWord {
				if fields++; fields == n {
					return text[:i], strings.TrimSpace(text[i:])
				}
			}
			inWord = false
			continue
		}
		if i >= most {
			return text[:i], text[i:]
		}
		inWord = true
	}
	return text, ""
}

package planner

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
)

// shapeOf is the shape of a text param, as declared or as its label says.
func shapeOf(p *config.Param) string {
	words := labelWords(p)
	has := func(list ...string) bool {
		return slices.ContainsFunc(list, func(w string) bool { return slices.Contains(words, w) })
	}
	switch {
	case p.Type.Builtin == "person":
		return "name"
	case has("address", "street"):
		return "address"
	case has("name", "person", "payee", "recipient"):
		return "name"
	case has("description", "problem", "comment", "note", "reason", "message", "justification"):
		return "sentence"
	case has("title", "subject"):
		return "title"
	}
	return ""
}

func looksLike(shape, text string) bool {
	words := wordsOf(text)
	switch shape {
	case "address":
		return hasDigit(text) && len(words) > 2 && !isSentence(text)
	case "name":
		return len(words) > 0 && len(words) < 6 && !hasDigit(text) && !isSentence(text) && !slices.ContainsFunc(words, func(w string) bool { return pronouns[w] && w != "my" && w != "our" || strings.Contains(w, "'") })
	case "sentence":
		return len(words) > 1
	}
	return len(words) > 0
}

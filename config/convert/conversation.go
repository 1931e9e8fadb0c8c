package convert

import (
	"regexp"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/pattern"
)

// AnyOf returns a pattern for texts with places such as {city}, whichever of them is said; "" if they have no
// words of their own.
func AnyOf(texts []string) string {
	var list []string
	for _, text := range texts {
		longest := ""
		for part := range strings.SplitSeq(places.ReplaceAllString(text, "\x00"), "\x00") {
			line, _, _ := strings.Cut(strings.TrimSpace(part), "\n")
			if line = OneLine(line); len(line) > len(longest) {
				longest = line
			}
		}
		if longest != "" {
			list = append(list, regexp.QuoteMeta(longest))
		}
	}
	return strings.Join(list, "|")
}

// Saying returns a pattern for the response of which a text that was said is a wording; "" if none is.
func (b *Bot) Saying(said string) string {
	for _, r := range b.Responses {
		if slices.ContainsFunc(r.Texts, func(text string) bool { return isWording(text, said) }) {
			return AnyOf(r.Texts)
		}
	}
	for _, p := range b.Params {
		if slices.ContainsFunc(p.Prompts, func(text string) bool { return isWording(text, said) }) {
			return AnyOf(p.Prompts)
		}
	}
	return ""
}

// isWording reports whether a text with values in its places is what was said, or a part of it.
func isWording(text, said string) bool {
	said = OneLine(said)
	if said != "" && strings.Contains(OneLine(text), said) { // several messages are one text
		return true
	}
	for part := range strings.SplitSeq(places.ReplaceAllString(text, "\x00"), "\x00") {
		_, rest, found := strings.Cut(said, OneLine(part))
		if !found {
			return false
		}
		said = rest
	}
	return strings.TrimSpace(places.ReplaceAllString(text, "")) != ""
}

// places matches a place in a text.
var places = pattern.Must(`\{+[^{}]*\}+`)

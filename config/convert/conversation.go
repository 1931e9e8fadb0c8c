package convert

import (
	"regexp"
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

// places matches a place in a text.
var places = pattern.Must(`\{+[^{}]*\}+`)

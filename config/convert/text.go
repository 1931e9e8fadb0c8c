package convert

import (
	"strings"

	"github.com/slotway/slotway/config/pattern"
)

// Places turns the places of a text that a pattern matches into placeholders. param returns the param of a
// place by the groups of the match, the first of which that is not empty names it. Where it returns "", the
// name stays, in round brackets, which nothing fills in, and lost is told the place.
func Places(text string, place *pattern.Pattern, param func(name string) string, lost func(place string)) string {
	plain := strings.NewReplacer("{", "(", "}", ")", "[if ", `\[if `)
	var b strings.Builder
	end := 0
	for _, m := range place.FindAllStringSubmatchIndex(text, -1) {
		found, name := text[m[0]:m[1]], ""
		for i := 2; i < len(m) && name == ""; i += 2 {
			if m[i] >= 0 {
				name = strings.TrimSpace(text[m[i]:m[i+1]])
			}
		}
		b.WriteString(plain.Replace(text[end:m[0]]))
		end = m[1]
		if known := param(name); known != "" && name != "" {
			b.WriteString("{" + known + "}")
			continue
		}
		lost(found)
		if name == "" {
			name = strings.TrimPrefix(found, "$")
		}
		b.WriteString("(" + plain.Replace(name) + ")")
	}
	return strings.TrimSpace(b.String() + plain.Replace(text[end:]))
}

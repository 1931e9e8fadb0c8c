package convert

import "strings"

// Text turns the places of a text, such as {City}, into placeholders. name returns the param or saved
// name of a place, or "": then the place's words stay, in round brackets, which nothing fills in. lost
// lists these places.
func Text(text string, name func(place string) string) (out string, lost []string) {
	var b strings.Builder
	for {
		open := strings.IndexByte(text, '{')
		if open < 0 {
			break
		}
		end := strings.IndexByte(text[open:], '}')
		if end < 0 {
			break
		}
		place := strings.TrimSpace(text[open+1 : open+end])
		b.WriteString(text[:open])
		if known := name(place); known != "" {
			b.WriteString("{" + known + "}")
		} else {
			b.WriteString("(" + strings.Trim(place, "{}") + ")")
			lost = append(lost, place)
		}
		text = text[open+end+1:]
	}
	b.WriteString(strings.NewReplacer("{", "(", "}", ")").Replace(text))
	return b.String(), lost
}

package replay

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// plainForm is text that any YAML reader takes as it stands, also between brackets: it
// begins with a letter and holds nothing that has a meaning.
var plainForm = regexp.MustCompile(`^\pL[\pL\pN_.'/-]*(?: [\pL\pN_.'/()-]+)*[.!]?$`)

// plainWords look like text and are read as something else by some YAML reader.
var plainWords = map[string]bool{
	"null": true, "true": true, "false": true, "yes": true, "no": true, "on": true, "off": true, "y": true, "n": true,
}

// scalar writes text so that it is read back as the same text.
func scalar(text string) string {
	if plainForm.MatchString(text) && len(text) <= 200 && !plainWords[strings.ToLower(text)] {
		return text
	}
	// The escapes that Go writes are all escapes of a double-quoted YAML scalar.
	return strconv.Quote(strings.ToValidUTF8(text, "\uFFFD"))
}

// flow writes a JSON-normal value on one line. Keys in order come first, in that order;
// the others follow sorted.
func flow(value any, order []string) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return number(v)
	case string:
		return scalar(v)
	case []any:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = flow(e, nil)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case map[string]any:
		var parts []string
		for _, k := range keyOrder(v, order) {
			parts = append(parts, scalar(k)+": "+flow(v[k], nil))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return "null"
}

// number writes whole numbers and short fractions without an exponent.
func number(f float64) string {
	const readable = 20
	if text := strconv.FormatFloat(f, 'f', -1, 64); len(text) <= readable {
		return text
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

func keyOrder(m map[string]any, order []string) []string {
	var keys []string
	for _, k := range order {
		if _, ok := m[k]; ok {
			keys = append(keys, k)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if !slices.Contains(order, k) {
			keys = append(keys, k)
		}
	}
	return keys
}

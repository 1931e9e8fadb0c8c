package replay

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/slotway/slotway/config/pattern"
)

// plainForm matches text that every YAML reader takes literally, also between brackets.
var plainForm = pattern.Must(`^\pL[\pL\pN_.'/-]*(?: [\pL\pN_.'/()-]+)*[.!]?$`)

// plainWords are words that some YAML readers do not take as text.
var plainWords = map[string]bool{
	"null": true, "true": true, "false": true, "yes": true, "no": true, "on": true, "off": true, "y": true, "n": true,
}

// scalar writes text as a YAML scalar.
func scalar(text string) string {
	if plainForm.MatchString(text) && len(text) <= 200 && !plainWords[strings.ToLower(text)] {
		return text
	}
	// The escapes that Go writes are all escapes of a double-quoted YAML scalar.
	return strconv.Quote(strings.ToValidUTF8(text, "\uFFFD"))
}

// flow writes a JSON-normal value on one line. The keys in order come first, the others sorted.
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

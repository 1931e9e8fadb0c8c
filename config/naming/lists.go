package naming

import "strings"

// JoinAnd joins items for a sentence: "a", "a and b", "a, b and c".
func JoinAnd(items []string) string { return Join(items, " and ") }

// JoinOr joins alternatives: "a", "a or b", "a, b or c".
func JoinOr(items []string) string { return Join(items, " or ") }

// Join joins items with commas, and puts last before the last one.
func Join(items []string, last string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	n := len(items) - 1
	return strings.Join(items[:n], ", ") + last + items[n]
}

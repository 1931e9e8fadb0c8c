// Package referencetest compares the texts of the reference with the keys that they explain.
package referencetest

import (
	"fmt"
	"strings"

	"github.com/slotway/slotway/config/reference"
)

// Lacking reports what is wrong with the texts of an area, one line for each problem: entries without
// a meaning or an example, and texts that no entry has.
func Lacking(t *reference.Texts, a *reference.Area, prefix string) []string {
	var out []string
	used := map[string]bool{}
	for _, e := range a.Entries {
		key := strings.TrimPrefix(e.Key, prefix)
		used[key] = true
		if e.Meaning == "" {
			out = append(out, fmt.Sprintf("%s has no meaning", key))
		}
		if e.Example == "" && len(e.Gives) == 0 {
			out = append(out, fmt.Sprintf("%s has no example", key))
		}
	}
	for _, key := range t.Keys() {
		if !used[key] {
			out = append(out, fmt.Sprintf("there is no key %s", key))
		}
	}
	return out
}

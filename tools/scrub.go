package tools

import (
	"sort"
	"strconv"
	"strings"
)

// scrubMin is the minimum length of values to remove: replacing every "a" would destroy the text
// and protect nothing.
const scrubMin = 3

// scrub removes argument values from the detail that a tool wrote, longest first so that no part of
// a value remains.
func scrub(detail string, args map[string]any) string {
	if detail == "" || len(args) == 0 {
		return detail
	}
	values := leaves(nil, args, 0)
	sort.Slice(values, func(i, j int) bool { return len(values[i]) > len(values[j]) })
	for _, v := range values {
		detail = strings.ReplaceAll(detail, v, "[value]")
	}
	return detail
}

// leaves appends the texts and numbers in v to out.
func leaves(out []string, v any, depth int) []string {
	if depth > maxDepth {
		return out
	}
	switch v := v.(type) {
	case string:
		if len(v) >= scrubMin {
			out = append(out, v)
		}
	case float64:
		if s := strconv.FormatFloat(v, 'f', -1, 64); len(s) >= scrubMin {
			out = append(out, s)
		}
	case []any:
		for _, e := range v {
			out = leaves(out, e, depth+1)
		}
	case map[string]any:
		for _, e := range v {
			out = leaves(out, e, depth+1)
		}
	}
	return out
}

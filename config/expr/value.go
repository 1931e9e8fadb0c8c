package expr

import (
	"fmt"
	"strconv"

	"github.com/slotway/slotway/config/naming"
)

// Lookup follows a path through maps and lists (indexes count from 0). It returns false if there is
// no such value; so for an empty path.
func Lookup(env map[string]any, path []string) (any, bool) {
	if len(path) == 0 {
		return nil, false
	}
	value, ok := env[path[0]]
	for _, key := range path[1:] {
		if !ok {
			return nil, false
		}
		value, ok = member(value, key)
	}
	return value, ok
}

// member takes one step of a path: a key of a map or an index of a list.
func member(value any, key string) (any, bool) {
	switch v := value.(type) {
	case map[string]any:
		inner, ok := v[key]
		return inner, ok
	case []any:
		i, err := strconv.Atoi(key)
		if err != nil || i < 0 || i >= len(v) {
			return nil, false
		}
		return v[i], true
	}
	return nil, false
}

// ParsePath parses name.field.0: the first element is a name, the others are names or indexes.
func ParsePath(s string) ([]string, bool) {
	var path []string
	start := 0
	for i := 0; i <= len(s); i++ {
		if i < len(s) && s[i] != '.' {
			continue
		}
		element := s[start:i]
		if !naming.IsName(element) && (len(path) == 0 || !isIndex(element)) {
			return nil, false
		}
		path = append(path, element)
		start = i + 1
	}
	return path, true
}

func isIndex(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != "" && len(s) <= 6
}

// KindOf names the kind of a value for messages.
func KindOf(v any) string {
	switch v.(type) {
	case nil:
		return "nothing"
	case string:
		return "text"
	case bool:
		return "true or false"
	case float64, int:
		return "a number"
	case []any:
		return "a list"
	case map[string]any:
		return "a map"
	}
	return fmt.Sprintf("a %T", v)
}

package source

import (
	"fmt"
	"strings"

	"github.com/slotway/slotway/config/naming"
)

// Expand replaces ${NAME} in s by what lookup gives, and fails on a name it lacks.
// $${ stands for a plain ${. The error carries the name, never a value.
func Expand(s string, lookup func(string) (string, bool)) (string, error) {
	var out strings.Builder
	for {
		i := strings.Index(s, "${")
		if i < 0 {
			out.WriteString(s)
			return out.String(), nil
		}
		if i > 0 && s[i-1] == '$' {
			out.WriteString(s[:i-1] + "${")
			s = s[i+2:]
			continue
		}
		out.WriteString(s[:i])
		name, after, closed := strings.Cut(s[i+2:], "}")
		if !closed || !naming.IsName(name) {
			return "", fmt.Errorf("a ${ without a NAME}; write $${ for a plain ${")
		}
		value, ok := lookup(name)
		if !ok {
			return "", fmt.Errorf("${%s} is not set; set it in the environment", name)
		}
		out.WriteString(value)
		s = after
	}
}

// ExpandNames returns the names that Expand would look up, in order.
func ExpandNames(s string) ([]string, error) {
	var names []string
	_, err := Expand(s, func(name string) (string, bool) {
		names = append(names, name)
		return "", true
	})
	return names, err
}

package exectool

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// template is one argument of a command: literals[i] stands before names[i].
type template struct {
	literals []string // one more than names
	names    []string
}

func parseTemplate(source string) (*template, error) {
	t := &template{}
	for {
		literal, after, found := strings.Cut(source, "{")
		t.literals = append(t.literals, literal)
		if !found {
			return t, nil
		}
		name, tail, closed := strings.Cut(after, "}")
		if !closed || name == "" {
			return nil, errors.New("a { without a name}")
		}
		t.names = append(t.names, name)
		source = tail
	}
}

// fill puts the arguments in; an absent one is empty. A text that would make an option
// of an argument that the declaration does not begin with a dash is refused.
func (t *template) fill(args map[string]any) (string, error) {
	var b strings.Builder
	for i, name := range t.names {
		b.WriteString(t.literals[i])
		text, err := textOf(args[name])
		if err != nil {
			return "", fmt.Errorf("argument %s %w", name, err)
		}
		_, isText := args[name].(string)
		if b.Len() == 0 && isText && strings.HasPrefix(text, "-") {
			return "", fmt.Errorf("argument %s must not begin with a dash", name)
		}
		b.WriteString(text)
	}
	b.WriteString(t.literals[len(t.literals)-1])
	return b.String(), nil
}

func textOf(v any) (string, error) {
	switch v := v.(type) {
	case nil:
		return "", nil
	case string:
		if strings.Contains(v, "\x00") {
			return "", errors.New("holds a zero byte")
		}
		return v, nil
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	case bool:
		return strconv.FormatBool(v), nil
	}
	return "", errors.New("must be a text, a number or a boolean")
}

package exectool

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/slotway/slotway/config/expr"
)

// fill puts the arguments into one argument of the command; an absent argument is empty. It refuses
// a text that would turn an argument without a leading dash into an option, and a path that an
// argument does not have.
func fill(t *expr.Template, args map[string]any) (string, error) {
	var b strings.Builder
	for _, part := range t.Parts {
		if part.Path == nil {
			b.WriteString(part.Literal)
			continue
		}
		value, err := part.Value(args)
		if err != nil {
			return "", err
		}
		text, err := textOf(value, part.JSON)
		if err != nil {
			return "", fmt.Errorf("argument %s %w", strings.Join(part.Path, "."), err)
		}
		_, isText := value.(string)
		if b.Len() == 0 && isText && strings.HasPrefix(text, "-") {
			return "", fmt.Errorf("argument %s must not begin with a dash", strings.Join(part.Path, "."))
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

// textOf returns a value as a program reads it: an object or a list as JSON, a text as it is unless
// asJSON.
func textOf(v any, asJSON bool) (string, error) {
	if !asJSON {
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
		}
	}
	var out strings.Builder
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", errors.New("has no JSON form")
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

package rasa

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/expr"
	"github.com/slotway/slotway/config/pattern"
	"github.com/slotway/slotway/config/source"
)

// token matches a part of a condition of a flow.
var token = pattern.Must(`"[^"]*"|'[^']*'|[\pL_][\pL\pN_.-]*|-?\d+(?:\.\d+)?|==|!=|<=|>=|[=<>(){},]`)

// plainWords maps words of Rasa's conditions to those of expressions.
var plainWords = map[string]string{
	"and": "and", "or": "or", "not": "not", "AND": "and", "OR": "or", "NOT": "not", "true": "true", "True": "true", "false": "false", "False": "false",
	"null": "nil", "none": "nil", "None": "nil", "undefined": "nil", "contains": "contains", "matches": "matches", "in": "in",
}

// condition turns a condition of a flow into an expression; "" if it has no counterpart.
func (w *flowWriter) condition(n *source.Node) string {
	text := word(n)
	if n.Kind() == source.KindBool {
		return strings.ToLower(text)
	}
	words := token.FindAllString(text, -1)
	var out []string
	for i := 0; i < len(words); i++ {
		word := words[i]
		switch {
		case word == "{": // {"a" "b"} contains x: the other way round
			end := slices.Index(words[i:], "}")
			if end < 0 || i+end+2 >= len(words) || words[i+end+1] != "contains" {
				return ""
			}
			values := slices.DeleteFunc(slices.Clone(words[i+1:i+end]), func(s string) bool { return s == "," })
			out = append(out, w.name(words[i+end+2]), "in", "["+strings.Join(values, ", ")+"]")
			i += end + 2
		case word == "is" && i+1 < len(words) && words[i+1] == "not":
			out = append(out, "!=")
			i++
		case word == "is" || word == "=":
			out = append(out, "==")
		case plainWords[word] != "":
			out = append(out, plainWords[word])
		case word[0] == '\'':
			out = append(out, `"`+strings.Trim(word, "'")+`"`)
		case isLetter(word[0]):
			name := w.name(word)
			if name == "" {
				return ""
			}
			out = append(out, name)
		default:
			out = append(out, word)
		}
	}
	result := strings.Join(out, " ")
	if _, err := expr.Parse(result, w.known(), ""); err != nil || len(out) == 0 {
		return ""
	}
	return result
}

func isLetter(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// name returns how the plan calls a slot in a condition.
func (w *flowWriter) name(slot string) string {
	slot = strings.TrimPrefix(slot, "slots.")
	switch {
	case strings.HasPrefix(slot, "context."):
		return ""
	case slices.Contains(w.t.slots, slot):
		return w.r.param(slot).Name
	case w.t.saved != "":
		return w.r.resultPath(slot, w.t)
	}
	w.t.slots = append(w.t.slots, slot)
	w.t.in.Optional = append(w.t.in.Optional, w.r.param(slot).Name)
	return convert.Snake(slot)
}

// known are the names that a condition may use.
func (w *flowWriter) known() []string {
	names := []string{"false", "true"}
	for _, slot := range w.t.slots {
		names = append(names, w.r.param(slot).Name)
	}
	if w.t.saved != "" {
		names = append(names, w.t.saved)
	}
	return names
}

package rasa

import (
	"slices"
	"strconv"
	"strings"

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
			w.sample(word, words[i+1:])
			out = append(out, name)
		default:
			out = append(out, word)
		}
	}
	result := strings.Join(out, " ")
	if _, err := expr.Parse(result, w.names(), ""); err != nil || len(out) == 0 {
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
	if strings.HasPrefix(slot, "context.") {
		return ""
	}
	if name := w.r.known(slot, w.t); name != "" {
		return name
	}
	if s := w.r.domain.slot(slot); s != nil && !s.byUser() { // another flow's action sets it
		return ""
	}
	return w.r.take(w.t, slot, false).Name
}

// sample gives a slot that an action sets a value of the kind that the condition compares it with, next: a
// fixed answer of the tool must not fail there.
func (w *flowWriter) sample(slot string, next []string) {
	slot = strings.TrimPrefix(slot, "slots.")
	tool, _, _ := strings.Cut(w.t.sets[slot], "_result.")
	t := w.r.bot.Tool(tool)
	if t == nil {
		return
	}
	slots := t.Result.(map[string]any)["slots"].(map[string]any)
	if slots[slotID(slot)] != "("+slot+")" {
		return
	}
	operator := ""
	if len(next) > 0 {
		operator = next[0]
	}
	switch {
	case len(next) > 1 && slices.Contains([]string{"<", "<=", ">", ">=", "=", "==", "is", "!="}, operator):
		if number, err := strconv.ParseFloat(next[1], 64); err == nil {
			slots[slotID(slot)] = number
		}
	case !slices.Contains([]string{"contains", "matches", "in", "is", "=", "==", "!="}, operator):
		slots[slotID(slot)] = true
	}
}

// names are those that a condition may use.
func (w *flowWriter) names() []string {
	names := []string{"false", "true"}
	for _, slot := range w.t.slots {
		names = append(names, w.r.param(slot).Name)
	}
	for _, path := range w.t.sets {
		saved, _, _ := strings.Cut(path, ".")
		names = append(names, saved)
	}
	return names
}

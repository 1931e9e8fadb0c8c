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
		case word == "is" && i+1 < len(words) && words[i+1] == "not":
			out = append(out, "!=")
			i++
		case word == "is" || word == "=":
			out = append(out, "==")
		case plainWords[word] != "":
			out = append(out, plainWords[word])
		case word[0] == '\'':
			out = append(out, `"`+strings.Trim(word, "'")+`"`)
		case !strings.ContainsAny(word[:1], `"-0123456789=!<>(){},`): // a slot
			name := w.name(word)
			if name == "" {
				return ""
			}
			w.sample(word, words[i+1:])
			if before := slices.Concat([]string{""}, words)[i]; !compares(before) && (i+1 == len(words) || !compares(words[i+1])) {
				name = w.isSet(word, name)
			}
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

// compares reports whether a word of a condition compares two values.
func compares(word string) bool {
	return slices.Contains([]string{"<", "<=", ">", ">=", "=", "==", "!=", "is", "contains", "matches", "in"}, word)
}

// isSet writes a slot that stands alone in a condition: what is not a yes or no counts if it has a value.
func (w *flowWriter) isSet(slot, name string) string {
	slot = strings.TrimPrefix(slot, "slots.")
	p := w.r.params[slot]
	switch s := w.r.domain.slot(slot); {
	case s != nil && s.kind == "bool", p != nil && p.Name == name && p.Type == "boolean":
		return name
	case p != nil && p.Name == name:
		return "(" + name + " != nil)"
	}
	return "(" + name + " != nil and " + name + " != false)"
}

// sample gives a slot that an action sets a number if the condition compares it with one, next: a fixed answer
// of the tool must not fail there.
func (w *flowWriter) sample(slot string, next []string) {
	slot = strings.TrimPrefix(slot, "slots.")
	tool, _, _ := strings.Cut(w.t.sets[slot], "_result.")
	t := w.r.bot.Tool(tool)
	if t == nil || len(next) < 2 || !compares(next[0]) {
		return
	}
	slots := t.Result.(map[string]any)["slots"].(map[string]any)
	if number, err := strconv.ParseFloat(next[1], 64); err == nil && slots[slotID(slot)] == "("+slot+")" {
		slots[slotID(slot)] = number
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

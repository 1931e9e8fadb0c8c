package config

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
)

// TextFormats are the formats of a placeholder: "long" says dates, times, ranges and
// durations in words, "money" an amount, "and" and "or" join a list, "upper" and "lower"
// change the case, "within" that of a question which goes on a sentence, "iso" and "raw" give
// what a tool is given.
var TextFormats = []string{"and", "iso", "long", "lower", "money", "or", "raw", "upper", "within"}

// Show says a param's value in words of the agent's language, as a text does: dates, times,
// ranges, durations, money, booleans and lists. Any other value is as Display has it.
func (a *Agent) Show(p *Param, value any) string {
	kind := ""
	if p != nil && p.Type != nil {
		kind = p.Type.Builtin
	}
	return a.words.format(value, "", kind)
}

// And joins items in the agent's language as people list things.
func (a *Agent) And(items []string) string { return joinWith(items, " "+a.words.and()+" ") }

// Or joins alternatives in the agent's language.
func (a *Agent) Or(items []string) string { return joinWith(items, " "+a.words.or()+" ") }

// Display renders a JSON-normal value in English, and dates, times and money as they are.
func Display(value any) string {
	return (*words)(nil).format(value, "", "")
}

// format says a value in a format; kind is the built-in type of its param, if it has one.
func (w *words) format(value any, format, kind string) string {
	switch format {
	case "raw", "iso":
		return Display(value)
	case "long":
		kind = asWords
	case "money":
		kind = asMoney
	}
	last := w.and()
	if format == "or" {
		last = w.or()
	}
	s := w.display(value, kind, last)
	switch format {
	case "upper":
		return strings.ToUpper(s)
	case "lower":
		return strings.ToLower(s)
	case "within":
		return w.within(s)
	}
	return s
}

// within is a question as it goes on behind a colon: "which card?". A first word that may be a
// name, "I" or a noun keeps its letter.
func (w *words) within(s string) string {
	first, _, _ := strings.Cut(s, " ")
	first, _, _ = strings.Cut(strings.ToLower(first), "'")
	if w == nil || first == "" || !strings.Contains(w.askWords, " "+strings.TrimRight(first, ",?:")+" ") {
		return s
	}
	return uncapital(s)
}

// What a format makes of any value, beside the built-in types. A language without a table
// says these in English, since the author asked for words.
const (
	asWords = "as words"
	asMoney = "as money"
)

func (w *words) display(value any, kind, last string) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return w.say(kind, v)
	case float64:
		if kind == asMoney || kind == "money" && w != nil {
			return w.sum(v, "")
		}
		return displayNumber(v)
	case bool:
		return w.boolean(v)
	case []any:
		items := make([]string, len(v))
		for i, inner := range v {
			items[i] = w.display(inner, kind, last)
		}
		items = slices.DeleteFunc(items, func(s string) bool { return s == "" })
		return joinWith(items, " "+last+" ")
	}
	data, err := json.Marshal(value)
	if err != nil {
		return "" // not JSON-normal: nothing that could be shown
	}
	return string(data)
}

// displayNumber avoids exponents up to the size where digits stop being exact.
func displayNumber(v float64) string {
	if math.Abs(v) < 1e21 && (v == 0 || math.Abs(v) > 1e-7) {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// JoinAnd joins items as people list things: "a", "a and b", "a, b and c".
func JoinAnd(items []string) string { return joinWith(items, " and ") }

// JoinOr joins alternatives: "a", "a or b", "a, b or c".
func JoinOr(items []string) string { return joinWith(items, " or ") }

func joinWith(items []string, last string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	n := len(items) - 1
	return strings.Join(items[:n], ", ") + last + items[n]
}

package phrase

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/config/naming"
)

// formats are the formats of a placeholder: "long" puts dates, times, ranges and durations into
// words, "money" an amount; "count" puts a number before its noun; "and" and "or" join a list; "upper" and "lower" change the case;
// "within" fits a question into a sentence; "iso" and "raw" give the value that tools get.
var formats = []string{"and", "count", "iso", "long", "lower", "money", "or", "raw", "upper", "within"}

// Display renders a JSON-normal value in English; dates, times and money stay as they are.
func Display(value any) string {
	return (*Language)(nil).Format(value, "", "")
}

// Format puts a value into words in a format; kind is the built-in type of its param, "" for none.
func (w *Language) Format(value any, format, kind string) string {
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

// count puts a number before its noun, which is forms[0] for one and forms[1] for more. The number of a
// list is that of its elements. A missing value renders as "".
func (w *Language) count(value any, forms [2]string) string {
	if list, ok := value.([]any); ok {
		value = float64(len(list))
	}
	number := w.Format(value, "", "")
	switch number {
	case "":
		return ""
	case "1":
		return number + " " + forms[0]
	}
	return number + " " + forms[1]
}

// within returns a question in the form that follows a colon: "which card?". A first word that may
// be a name, "I" or a noun keeps its capital.
func (w *Language) within(s string) string {
	first, _, _ := strings.Cut(s, " ")
	first, _, _ = strings.Cut(strings.ToLower(first), "'")
	if w == nil || first == "" || !strings.Contains(w.askWords, " "+strings.TrimRight(first, ",?:")+" ") {
		return s
	}
	return Uncapital(s)
}

// Kinds beside the built-in types, set by a format. A language without words says them in English,
// since the author asked for words.
const (
	asWords = "as words"
	asMoney = "as money"
)

func (w *Language) display(value any, kind, last string) string {
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
		return naming.Join(items, " "+last+" ")
	}
	data, err := json.Marshal(value)
	if err != nil {
		return "" // not JSON-normal: there is nothing to show
	}
	return string(data)
}

// displayNumber avoids exponents up to the size at which digits stop being exact.
func displayNumber(v float64) string {
	if math.Abs(v) < 1e21 && (v == 0 || math.Abs(v) > 1e-7) {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Uncapital lowers the first letter of a sentence that goes into another; abbreviations keep it.
func Uncapital(s string) string {
	first, n := utf8.DecodeRuneInString(s)
	if s == "" {
		return ""
	}
	if second, _ := utf8.DecodeRuneInString(s[n:]); unicode.IsUpper(second) {
		return s
	}
	return string(unicode.ToLower(first)) + s[n:]
}

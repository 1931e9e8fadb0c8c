package router

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/slotway/slotway/config/expr"
	"github.com/slotway/slotway/memory"
)

// The limits of a summary.
const (
	summaryFields = 6
	summaryValue  = 60  // code points of one value
	summaryText   = 300 // code points of all
)

// summary describes a call in one short line, with redacted values masked: the fields that the
// tool's `summary` names, else the plain values of the result or of its first element.
func (t *turn) summary(tool string, out outcome) string {
	var text string
	switch {
	case out.uncertain:
		text = "outcome unknown"
	case out.code != "":
		text = "failed: " + out.code
	default:
		text = t.resultLine(tool, out.value)
	}
	text = strings.TrimSuffix(tool+": "+text, ": ")
	return shorten(t.version.redactor.MaskText(text, t.plan.Params()), summaryText)
}

func (t *turn) resultLine(tool string, value any) string {
	if def := t.def().Tools[tool]; def != nil && def.Summary != nil {
		var parts []string
		for _, path := range def.Summary {
			found, _ := expr.Lookup(map[string]any{"result": value}, append([]string{"result"}, strings.Split(path, ".")...))
			parts = append(parts, t.field(path, found))
		}
		return strings.Join(present(parts...), ", ")
	}
	list, isList := value.([]any)
	switch {
	case value == nil:
		return "done"
	case isList && len(list) == 0:
		return "no results"
	case isList && len(list) == 1:
		return joined("1 result", t.fields(list[0]))
	case isList:
		return joined(strconv.Itoa(len(list))+" results, first", t.fields(list[0]))
	}
	return joined("", t.fields(value))
}

func joined(head string, parts []string) string {
	if len(parts) == 0 {
		return strings.TrimSuffix(head, ", first")
	}
	if head != "" {
		head += ": "
	}
	return head + strings.Join(parts, ", ")
}

// fields returns the plain values of a result, sorted by name.
func (t *turn) fields(value any) []string {
	m, ok := value.(map[string]any)
	if !ok {
		return present(t.field("", value))
	}
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	parts := make([]string, 0, summaryFields)
	for _, name := range names {
		if len(parts) == summaryFields {
			break
		}
		if part := t.field(name, m[name]); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// present returns the parts that are not empty.
func present(parts ...string) []string {
	return slices.DeleteFunc(parts, func(part string) bool { return part == "" })
}

// field returns a value with its name. A list shows only its length, an object nothing: "".
func (t *turn) field(path string, value any) string {
	name := path[strings.LastIndexByte(path, '.')+1:]
	var text string
	switch v := value.(type) {
	case nil, map[string]any:
		return ""
	case []any:
		text = strconv.Itoa(len(v))
	case float64:
		text = strconv.FormatFloat(v, 'f', -1, 64)
	default:
		text = strings.Join(strings.Fields(fmt.Sprint(v)), " ")
		if len(text) > summaryValue {
			// Mask before cutting: a pattern does not match half a value.
			text = shorten(t.version.redactor.MaskText(text, t.plan.Params()), summaryValue)
		}
	}
	if t.version.redactor.Hides(name) {
		return t.version.redactor.Mask(name)
	}
	if text == "" || name == "" {
		return text
	}
	return name + " " + text
}

// shorten cuts a text after n code points.
func shorten(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i] + "…"
		}
		n--
	}
	return text
}

// summarised adds the summary to a tool's message.
func (t *turn) summarised(m memory.Message, out outcome) memory.Message {
	m.Metadata = map[string]string{memory.SummaryKey: t.summary(m.Name, out)}
	return m
}

package summary

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/slotway/slotway/memory"
)

// params updates the facts of params to their values at a time: a value that changed or disappeared
// ends there. source is the message that the change came with.
func (l *ledger) params(params map[string]any, at time.Time, source int64, sensitive func(string) bool) {
	for i := range l.Facts {
		old := &l.Facts[i]
		if !open(old) || old.Origin != memory.FromSlot {
			continue
		}
		if v, ok := params[old.Key]; !ok || cutValue(plain(v)) != old.Value {
			old.ValidTo = at
		}
	}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		value := cutValue(plain(params[name]))
		if value == "" || len(name) > maxKey {
			continue
		}
		l.add(finding{Fact: memory.Fact{
			Key: name, Value: value, Category: categoryOf(name, params[name]), Origin: memory.FromSlot,
			Source: source, Sensitive: sensitive(name), ValidFrom: at,
		}, single: true})
	}
}

// cutValue limits a value in bytes, at a character boundary.
func cutValue(value string) string {
	if len(value) <= maxValue {
		return value
	}
	return strings.ToValidUTF8(value[:maxValue-len("…")], "") + "…"
}

// plain returns a JSON value as text: a list of scalars as its elements, an object as JSON.
func plain(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []any:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = plain(e)
		}
		return strings.Join(parts, ", ")
	}
	text, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(text)
}

// categoryOf returns the category of a named value by its type, else by its name.
func categoryOf(name string, v any) memory.Category {
	switch v.(type) {
	case bool:
		return memory.Status
	case float64:
		return memory.Numeric
	}
	name = strings.ToLower(name)
	for _, row := range [...]struct {
		parts    string
		category memory.Category
	}{
		{"status state stage phase", memory.Status},
		{"condition limit rule policy restriction allerg", memory.Condition},
		{"decision choice approved confirm", memory.Decision},
		{"amount price total cost count quantity size age", memory.Numeric},
		{"id name order account number user customer email phone address city place product item company person", memory.Entity},
	} {
		for part := range strings.FieldsSeq(row.parts) {
			if strings.Contains(name, part) {
				return row.category
			}
		}
	}
	return memory.General
}

package convert

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Rest lists what a file of an export says in keys that the reader's type has no field for, so that nothing is
// lost in silence. quiet are the keys that say nothing about a dialogue. A struct without fields is read as a
// whole.
func (f *Files) Rest(name string, into any, quiet map[string]bool, report *Report) error {
	var whole any
	lines, err := f.JSON(name, &whole)
	if err != nil {
		return err
	}
	rest(lines, whole, reflect.TypeOf(into), quiet, report)
	return nil
}

func rest(lines *Lines, value any, t reflect.Type, quiet map[string]bool, report *Report) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch v := value.(type) {
	case []any:
		if t.Kind() == reflect.Slice {
			for _, element := range v {
				rest(lines, element, t.Elem(), quiet, report)
			}
		}
	case map[string]any:
		if t.Kind() != reflect.Struct || t.NumField() == 0 {
			return
		}
		fields := fieldsOf(t)
		for _, key := range slices.Sorted(maps.Keys(v)) {
			field, read := fields[strings.ToLower(key)]
			switch {
			case read:
				rest(lines, v[key], field, quiet, report)
			case !quiet[key] && says(v[key], quiet):
				data, _ := json.Marshal(v[key]) // it was JSON
				outcome := Left
				if data[0] == '{' || data[0] == '[' || data[0] == 't' { // steps, conditions, messages, what is switched on
					outcome = Lost
				}
				report.note(lines.Of(key), outcome, key, key+" has no counterpart: "+shorten(string(data)))
			}
		}
	}
}

// fieldsOf returns the types of a struct's fields by their JSON names in small letters.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	fields := map[string]reflect.Type{}
	for i := range t.NumField() {
		f := t.Field(i)
		name := f.Tag.Get("json")
		if f.Anonymous && name == "" {
			maps.Copy(fields, fieldsOf(f.Type))
			continue
		}
		if name == "" {
			name = f.Name
		}
		fields[strings.ToLower(name)] = f.Type
	}
	return fields
}

// says reports whether a value states anything: it is neither empty nor switched off.
func says(value any, quiet map[string]bool) bool {
	switch v := value.(type) {
	case string:
		return v != ""
	case bool:
		return v
	case float64:
		return v != 0
	case []any:
		return slices.ContainsFunc(v, func(element any) bool { return says(element, quiet) })
	case map[string]any:
		if v["isActive"] == false || v["active"] == false || v["enableCodeHookInvocation"] == false {
			return false
		}
		for key, inner := range v {
			if !quiet[key] && says(inner, quiet) {
				return true
			}
		}
	}
	return false
}

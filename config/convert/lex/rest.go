package lex

import (
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
)

// quiet are the keys that say nothing about the dialogue.
var quiet = map[string]bool{
	"identifier": true, "version": true, "allowInterrupt": true, "messageSelectionStrategy": true, "isActive": true, "active": true,
	"enableCodeHookInvocation": true,
}

// once are the keys whose values do not matter: one line says it for all.
var once = map[string]string{
	"promptAttemptsSpecification": "how a phone listens to an answer",
	"advancedRecognitionSetting":  "how speech is recognized",
	"voiceSettings":               "the voice",
	"maxRetries":                  "how often a question is repeated: the agent has a rule of its own",
	"nluConfidenceThreshold":      "how sure Lex must be of an intent: the agent has thresholds of its own",
}

// wrappers are keys between a setting and its text.
var wrappers = map[string]bool{
	"value": true, "message": true, "messageGroupsList": true, "messageGroups": true, "plainTextMessage": true, "ssmlMessage": true, "customPayload": true,
}

// json reads a file. What it says in keys that no field reads is listed, so that nothing is lost in silence.
func (r *reader) json(name string, into any) (*convert.Lines, error) {
	lines, err := r.files.JSON(name, into)
	if err != nil {
		return nil, err
	}
	var whole any
	if _, err := r.files.JSON(name, &whole); err != nil {
		return nil, err
	}
	r.seen[name] = true
	r.rest(lines, whole, reflect.TypeOf(into))
	return lines, nil
}

// rest lists the keys of a value that its type has no field for. A struct without fields is read as a
// whole.
func (r *reader) rest(lines *convert.Lines, value any, t reflect.Type) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch v := value.(type) {
	case []any:
		if t.Kind() == reflect.Slice {
			for _, e := range v {
				r.rest(lines, e, t.Elem())
			}
		}
	case map[string]any:
		if t.Kind() != reflect.Struct || t.NumField() == 0 {
			return
		}
		fields := fieldsOf(t)
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if field, ok := fields[strings.ToLower(key)]; ok {
				r.rest(lines, v[key], field)
				continue
			}
			r.unread(lines, key, v[key])
		}
	}
}

// fieldsOf returns the types of a struct's fields by their JSON names in small letters.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	fields := map[string]reflect.Type{}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			maps.Copy(fields, fieldsOf(f.Type))
			continue
		}
		fields[strings.ToLower(f.Tag.Get("json"))] = f.Type
	}
	return fields
}

func (r *reader) unread(lines *convert.Lines, key string, value any) {
	if quiet[key] {
		return
	}
	list := says(key, value)
	if len(list) == 0 {
		return
	}
	text := strings.Join(list, "; ")
	if what, ok := once[key]; ok {
		text = key + ": " + what
	}
	if len(r.unreads[text]) == 0 {
		r.order = append(r.order, text)
	}
	r.unreads[text] = append(r.unreads[text], lines.Of(key))
}

// says returns what a value states, in a few words for each statement; none for what is empty, off or
// the usual course.
func says(key string, value any) (list []string) {
	switch v := value.(type) {
	case string:
		if v != "" {
			list = append(list, fmt.Sprintf("%s %q", key, v))
		}
	case bool:
		if v {
			list = append(list, key)
		}
	case float64:
		if v != 0 {
			list = append(list, fmt.Sprintf("%s %v", key, v))
		}
	case []any:
		for _, e := range v {
			list = append(list, says(key, e)...)
		}
	case map[string]any:
		if key == "sessionAttributes" && len(v) > 0 {
			return []string{"it sets session attributes: " + strings.Join(slices.Sorted(maps.Keys(v)), ", ")}
		}
		list = saysMap(key, v)
	}
	return list
}

func saysMap(key string, m map[string]any) (list []string) {
	if m["isActive"] == false || m["active"] == false || m["enableCodeHookInvocation"] == false {
		return nil
	}
	if m["enableCodeHookInvocation"] == true {
		list = append(list, key+" calls a function")
	}
	if action, ok := m["dialogAction"].(map[string]any); ok {
		list = append(list, saysStep(key, action, m["intent"])...)
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if _, shared := once[k]; shared || quiet[k] || k == "dialogAction" || k == "intent" {
			continue
		}
		label := k
		if wrappers[k] {
			label = key
		}
		list = append(list, says(label, m[k])...)
	}
	return list
}

// saysStep says where a next step leads, unless it is the usual course: to the confirmation, the function
// or the end.
func saysStep(key string, action map[string]any, intent any) (list []string) {
	in, _ := intent.(map[string]any)
	switch action["type"] {
	case "StartIntent":
		list = append(list, fmt.Sprintf("%s starts %v", key, in["name"]))
	case "ElicitIntent":
		list = append(list, key+" asks what else to do")
	case "ElicitSlot":
		list = append(list, fmt.Sprintf("%s asks for %v", key, action["slotToElicit"]))
	}
	return append(list, says(key+" sets slots", in["slots"])...)
}

// listUnread lists the keys that no field reads, each statement once, and the files of the language that
// were not read.
func (r *reader) listUnread() {
	for _, text := range r.order {
		places := r.unreads[text]
		also := map[string]bool{}
		for _, p := range places[1:] {
			if p.File != places[0].File {
				also[path.Base(path.Dir(p.File))] = true
			}
		}
		if len(also) > 0 {
			text += "; also in " + strings.Join(slices.Sorted(maps.Keys(also)), ", ")
		}
		r.bot.Report.Add(places[0], convert.Left, "%s", text)
	}
	for _, name := range r.names {
		if strings.HasPrefix(name, r.root+"/") && !r.seen[name] {
			r.bot.Report.Add(convert.Place{File: name}, convert.Left, "nothing of this file is read")
		}
	}
}

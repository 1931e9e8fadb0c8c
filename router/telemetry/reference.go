package telemetry

import (
	"strings"
	"sync"

	"github.com/slotway/slotway/config/reference"
	"github.com/slotway/slotway/config/source"
)

// Reference explains the stages of a turn as lines of telemetry. Its texts are the schema's.
var Reference = sync.OnceValue(func() *reference.Area {
	root, problems := source.Parse("telemetry.schema.json", schema)
	if len(problems) > 0 {
		panic(problems.Error())
	}
	a := &reference.Area{
		Name: "stages", Title: "Stages of a turn in telemetry",
		Intro: "`telemetry.log` has one JSON line for each stage of a turn. No field has a value of a param or a text of the conversation. " +
			"`slotway schema --telemetry` prints the JSON Schema.",
	}
	for _, e := range root.Get("properties").Entries() {
		a.Entries = append(a.Entries, described(e.Key, e.Value, root))
	}
	for _, stage := range Stages {
		def := root.Get("$defs").Get(string(stage))
		entry := described(string(stage), def, root)
		entry.Type = "stage"
		a.Entries = append(a.Entries, entry)
		for _, e := range def.Get("properties").Entries() {
			a.Entries = append(a.Entries, described(string(stage)+"."+e.Key, e.Value, root))
		}
	}
	return a
})

// described makes the entry of a key from its schema.
func described(key string, n, root *source.Node) *reference.Entry {
	text := n.Get("description").Text()
	_, to, _ := strings.Cut(n.Get("$ref").Text(), "#/$defs/")
	target := root.Get("$defs").Get(to)
	if text == "" {
		text = target.Get("description").Text()
	}
	e := &reference.Entry{Key: "stages." + key, Area: "stages", Meaning: sentence(text), Type: n.Get("type").Text()}
	for _, holder := range []*source.Node{n, target} {
		for _, v := range holder.Get("enum").Items() {
			e.Allowed = append(e.Allowed, reference.Value{Value: v.Text()})
		}
	}
	if words := map[string]string{"string": "text", "integer": "whole number", "boolean": "true or false", "array": "list", "object": "map"}; words[e.Type] != "" {
		e.Type = words[e.Type]
	} else if to != "" {
		e.Type = strings.ReplaceAll(to, "_", " ")
	}
	return e
}

// sentence makes a sentence of a description.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + strings.TrimSuffix(text[1:], ".") + "." // the schema's texts are ASCII at the start
}

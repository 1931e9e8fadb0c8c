package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
)

// emit writes a bot as an agent file, with its example files beside it.
func (b *bot) emit(dir string) (path string, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	for id, list := range b.exampleFiles() {
		if err := writeExamples(filepath.Join(dir, b.exampleFile(id)), list); err != nil {
			return "", err
		}
	}
	data, err := json.MarshalIndent(b.file(), "", "  ")
	if err != nil {
		return "", err
	}
	path = filepath.Join(dir, b.name+".yaml")
	return path, os.WriteFile(path, data, 0o600)
}

// load emits a bot and reads it like any agent.
func (b *bot) load(dir string) (*config.Agent, error) {
	path, err := b.emit(dir)
	if err != nil {
		return nil, fmt.Errorf("write agent %s: %w", b.name, err)
	}
	return config.Load(path)
}

func (b *bot) exampleFile(intent string) string { return b.name + "." + intent + ".jsonl" }

// exampleFiles returns the examples by intent, including the built-in intents.
func (b *bot) exampleFiles() map[string][]example {
	files := map[string][]example{}
	for _, in := range b.intents {
		if len(in.examples) > 0 {
			files[in.id] = in.examples
		}
	}
	maps.Copy(files, b.system)
	return files
}

// writeExamples writes the format that examples_from reads.
func writeExamples(path string, list []example) error {
	type slot struct {
		Name  string `json:"name"`
		Value string `json:"value,omitempty"`
		Start int    `json:"start"`
		End   int    `json:"end"`
	}
	var out strings.Builder
	for _, e := range list {
		line := struct {
			Text  string `json:"text"`
			Asked string `json:"asked,omitempty"`
			Slots []slot `json:"slots,omitempty"`
		}{Text: e.text, Asked: e.asked}
		for _, s := range e.spans {
			line.Slots = append(line.Slots, slot{s.param, s.value, s.start, s.end})
		}
		data, err := json.Marshal(line)
		if err != nil {
			return err
		}
		out.Write(append(data, '\n'))
	}
	return os.WriteFile(path, []byte(out.String()), 0o600)
}

// object is a JSON object whose fields keep their order. Agent files are written as JSON, which is
// YAML too.
type object []field

type field struct {
	key   string
	value any
}

// MarshalJSON implements json.Marshaler.
func (o object) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, f := range o {
		key, err := json.Marshal(f.key)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(f.value)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, key...), ':'), value...)
	}
	return append(out, '}'), nil
}

func (o *object) add(key string, value any) { *o = append(*o, field{key, value}) }

// addIf adds a field unless it has the zero value: "", false, or no list.
func (o *object) addIf(key string, value any) {
	if !reflect.ValueOf(value).IsZero() {
		o.add(key, value)
	}
}

// file returns the agent file.
func (b *bot) file() object {
	out := object{{"version", 1}}
	if b.fallback != "" {
		out.add("classifier", object{{"fallback", b.fallback}})
	}
	var types, params, system, responses object
	for _, q := range b.params {
		if q.declared() {
			types.add(q.name, q.typeFile())
		}
		params.add(q.name, q.file())
	}
	var intents []object
	for _, in := range b.intents {
		intents = append(intents, b.intentFile(in))
		responses.add(in.id, plain(in.success))
	}
	for _, id := range config.SystemIntents {
		if len(b.system[id]) > 0 {
			system.add(id, object{{"examples_from", []string{b.exampleFile(id)}}})
		}
	}
	out.addIf("types", types)
	out.addIf("params", params)
	out.add("intents", intents)
	out.addIf("system", system)
	out.addIf("tools", b.tools())
	out.add("responses", responses)
	return out
}

// typeOf returns the type of a param as the file names it.
func (q *param) typeOf() string {
	if q.declared() {
		return q.name
	}
	return q.kind
}

// declared reports whether the param has a type of its own.
func (q *param) declared() bool { return q.kind == "enum" || q.kind == "pattern" }

func (q *param) typeFile() object {
	if q.kind == "pattern" {
		out := object{{"patterns", []string{q.pattern}}}
		if q.prefix != "" {
			out.add("normalize", []string{"prefix:" + q.prefix})
		}
		return out
	}
	var out object
	// Typos are tolerated if there are only the schema's own words: synonyms are everyday words,
	// which others resemble ("match" and "March").
	if !slices.ContainsFunc(q.values, func(v enumValue) bool { return len(v.synonyms) > 0 }) {
		out.add("fuzzy", 1)
	}
	taken := map[string]bool{}
	for _, v := range q.values {
		taken[strings.ToLower(v.value)] = true
	}
	var values []object
	for _, v := range q.values {
		var synonyms []string
		for _, s := range v.synonyms {
			if !taken[strings.ToLower(s)] {
				taken[strings.ToLower(s)] = true
				synonyms = append(synonyms, s)
			}
		}
		value := object{{"value", v.value}}
		value.addIf("synonyms", synonyms)
		values = append(values, value)
	}
	out.add("values", values)
	return out
}

func (q *param) file() object {
	out := object{{"type", q.typeOf()}}
	if q.session {
		out.add("scope", "session")
	}
	out.addIf("prompt", plain(q.prompt))
	if q.min != nil {
		out.add("validation", object{{"min", *q.min}, {"max", *q.max}})
	}
	return out
}

func (b *bot) intentFile(in *intent) object {
	out := object{{"id", in.id}, {"description", plain(in.describe)}}
	out.addIf("answer_only", in.tool == "")
	if len(in.examples) > 0 {
		out.add("examples_from", []string{b.exampleFile(in.id)})
	}
	var params object
	params.addIf("required", in.required)
	params.addIf("one_of", in.oneOf)
	var optional []any
	for _, name := range in.optional {
		if v, ok := in.defaults[name]; ok {
			optional = append(optional, object{{"name", name}, {"default", v}})
		} else {
			optional = append(optional, name)
		}
	}
	params.addIf("optional", optional)
	out.addIf("params", params)
	out.add("plan", in.plan())
	return out
}

func (in *intent) plan() []object {
	var plan []object
	if in.tool != "" {
		args := object{}
		for _, name := range in.all() {
			args.add(name, "$"+name)
		}
		if in.look != "" {
			plan = append(plan, object{{"call", in.look}, {"with", args}})
		}
		if in.write {
			plan = append(plan, object{{"confirm", in.confirm}})
		}
		plan = append(plan, object{{"call", in.tool}, {"with", args}})
	}
	return append(plan, object{{"respond", in.id}})
}

func (b *bot) tools() object {
	effects := map[string]string{}
	for _, in := range b.intents {
		for _, name := range []string{in.look, in.tool} {
			if name != "" {
				effects[name] = "read"
			}
		}
		if in.tool != "" && in.write {
			effects[in.tool] = "write"
		}
	}
	var out object
	for _, name := range slices.Sorted(maps.Keys(effects)) {
		out.add(name, object{{"kind", "static"}, {"effect", effects[name]}, {"result", []any{}}})
	}
	return out
}

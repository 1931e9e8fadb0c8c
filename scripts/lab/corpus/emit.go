package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
)

// emit writes a bot as an agent file with its files of examples beside it.
func (b *bot) emit(dir string) (path string, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	for id, list := range b.exampleFiles() {
		if err := writeExamples(filepath.Join(dir, b.exampleFile(id)), list); err != nil {
			return "", err
		}
	}
	path = filepath.Join(dir, b.name+".yaml")
	return path, os.WriteFile(path, []byte(b.yaml()), 0o600)
}

// load emits a bot and reads it as any agent is read.
func (b *bot) load(dir string) (*config.Agent, error) {
	path, err := b.emit(dir)
	if err != nil {
		return nil, fmt.Errorf("write agent %s: %w", b.name, err)
	}
	return config.Load(path)
}

func (b *bot) exampleFile(intent string) string { return b.name + "." + intent + ".jsonl" }

// exampleFiles are the examples by intent, the built-in ones among them.
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

// writeExamples writes the form that examples_from reads.
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

// page is YAML being written: block style, every text quoted as JSON quotes it.
type page struct{ strings.Builder }

func (p *page) line(depth int, format string, args ...any) {
	p.WriteString(strings.Repeat("  ", depth))
	fmt.Fprintf(p, format, args...)
	p.WriteByte('\n')
}

// quote is a value as JSON, which is YAML too.
func quote(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return `""` // not reached: texts, numbers and lists of them always marshal
	}
	return string(data)
}

// yaml is the agent file.
func (b *bot) yaml() string {
	p := &page{}
	p.line(0, "version: 1")
	if b.fallback != "" {
		p.line(0, "classifier:")
		p.line(1, "fallback: %s", b.fallback)
	}
	b.writeTypes(p)
	b.writeParams(p)
	p.line(0, "intents:")
	for _, in := range b.intents {
		b.writeIntent(p, in)
	}
	b.writeSystem(p)
	b.writeTools(p)
	return p.String()
}

// typeOf is the type of a param as the file names it.
func (q *param) typeOf() string {
	if q.declared() {
		return q.name
	}
	return q.kind
}

// declared says whether the param has a type of its own.
func (q *param) declared() bool { return q.kind == "enum" || q.kind == "pattern" }

func (b *bot) writeTypes(p *page) {
	head := true
	for _, q := range b.params {
		if !q.declared() {
			continue
		}
		if head {
			p.line(0, "types:")
			head = false
		}
		p.line(1, "%s:", q.name)
		if q.kind == "pattern" {
			p.line(2, "patterns: [%s]", quote(q.pattern))
			if q.prefix != "" {
				p.line(2, "normalize: [%s]", quote("prefix:"+q.prefix))
			}
			continue
		}
		// Typos are tolerated where the schema's own words are all there is: synonyms are
		// everyday words, which others resemble ("match" and "March").
		if !slices.ContainsFunc(q.values, func(v enumValue) bool { return len(v.synonyms) > 0 }) {
			p.line(2, "fuzzy: 1")
		}
		p.line(2, "values:")
		owner := map[string]bool{}
		for _, v := range q.values {
			owner[strings.ToLower(v.value)] = true
		}
		for _, v := range q.values {
			p.line(3, "- value: %s", quote(v.value))
			var synonyms []string
			for _, s := range v.synonyms {
				if !owner[strings.ToLower(s)] {
					owner[strings.ToLower(s)] = true
					synonyms = append(synonyms, s)
				}
			}
			if len(synonyms) > 0 {
				p.line(4, "synonyms: %s", quote(synonyms))
			}
		}
	}
}

func (b *bot) writeParams(p *page) {
	if len(b.params) > 0 {
		p.line(0, "params:")
	}
	for _, q := range b.params {
		p.line(1, "%s:", q.name)
		p.line(2, "type: %s", q.typeOf())
		if q.session {
			p.line(2, "scope: session")
		}
		if q.prompt != "" {
			p.line(2, "prompt: %s", quote(plain(q.prompt)))
		}
		if q.min != nil {
			p.line(2, "validation:")
			p.line(3, "min: %d", *q.min)
			p.line(3, "max: %d", *q.max)
		}
	}
}

func (b *bot) writeIntent(p *page, in *intent) {
	p.line(1, "- id: %s", quote(in.id))
	p.line(2, "description: %s", quote(plain(in.describe)))
	if in.tool == "" {
		p.line(2, "answer_only: true")
	}
	if len(in.examples) > 0 {
		p.line(2, "examples_from: [%s]", quote(b.exampleFile(in.id)))
	}
	if len(in.all()) > 0 {
		p.line(2, "params:")
		writeNames(p, "required", in.required)
		if len(in.oneOf) > 0 {
			p.line(3, "one_of: %s", quote(in.oneOf))
		}
		b.writeOptional(p, in)
	}
	b.writePlan(p, in)
}

func writeNames(p *page, key string, names []string) {
	if len(names) > 0 {
		p.line(3, "%s: %s", key, quote(names))
	}
}

func (b *bot) writeOptional(p *page, in *intent) {
	if len(in.optional) == 0 {
		return
	}
	p.line(3, "optional:")
	for _, name := range in.optional {
		v, ok := in.defaults[name]
		if !ok {
			p.line(4, "- %s", name)
			continue
		}
		p.line(4, "- name: %s", name)
		p.line(5, "default: %s", quote(v))
	}
}

func (b *bot) writePlan(p *page, in *intent) {
	p.line(2, "plan:")
	if in.tool != "" {
		args := "{}"
		if names := in.all(); len(names) > 0 {
			var parts []string
			for _, name := range names {
				parts = append(parts, name+": $"+name)
			}
			args = "{" + strings.Join(parts, ", ") + "}"
		}
		if in.look != "" {
			p.line(3, "- call: %s", in.look)
			p.line(4, "with: %s", args)
		}
		if in.write {
			p.line(3, "- confirm: %s", quote(in.confirm))
		}
		p.line(3, "- call: %s", in.tool)
		p.line(4, "with: %s", args)
	}
	p.line(3, "- respond: %s", in.id)
}

func (b *bot) writeSystem(p *page) {
	if len(b.system) == 0 {
		return
	}
	p.line(0, "system:")
	for _, id := range config.SystemIntents {
		if len(b.system[id]) > 0 {
			p.line(1, "%s:", id)
			p.line(2, "examples_from: [%s]", quote(b.exampleFile(id)))
		}
	}
}

func (b *bot) writeTools(p *page) {
	effects := map[string]string{}
	for _, in := range b.intents {
		if in.look != "" {
			effects[in.look] = "read"
		}
		if in.tool != "" {
			effects[in.tool] = "read"
			if in.write {
				effects[in.tool] = "write"
			}
		}
	}
	var names []string
	for name := range effects {
		names = append(names, name)
	}
	slices.Sort(names)
	if len(names) > 0 {
		p.line(0, "tools:")
	}
	for _, name := range names {
		p.line(1, "%s:", name)
		p.line(2, "kind: static")
		p.line(2, "effect: %s", effects[name])
		p.line(2, "result: []")
	}
	p.line(0, "responses:")
	for _, in := range b.intents {
		p.line(1, "%s: %s", in.id, quote(plain(in.success)))
	}
}

package config

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/rasanlu"
	"github.com/slotway/slotway/config/source"
)

// examplesFrom reads a file of examples of an intent: JSON lines {"text", "slots": [{"name", "start", "end"}]},
// without those that name another "intent", or Rasa NLU YAML. A line with "asked" answers the
// question for that param.
func (b *builder) examplesFrom(in *Intent, at *source.Node) {
	rel, data := b.readExternal(at)
	if strings.HasSuffix(rel, ".yml") || strings.HasSuffix(rel, ".yaml") {
		b.rasaExamples(in, rel, data)
		return
	}
	b.jsonExamples(at, rel, data, func(id string) *Intent {
		if id != "" && id != in.ID {
			return nil
		}
		return in
	})
}

// sharedExamples reads JSON lines that name their intents. A group not_served.NAME begins with its first
// example.
func (b *builder) sharedExamples(at *source.Node) {
	rel, data := b.readExternal(at)
	unknown := map[string]bool{}
	b.jsonExamples(at, rel, data, func(id string) *Intent {
		name, group := strings.CutPrefix(id, notServedPrefix)
		switch in := b.agent.Intent(id); {
		case in != nil:
			return in
		case group && naming.IsName(name):
			return b.notServed(id, at)
		case !unknown[id]:
			unknown[id] = true
			b.unknown(at, "intent of "+rel, id, b.intentIDs())
		}
		return nil
	})
}

// readExternal reads a file that the agent names; "": it cannot be read.
func (b *builder) readExternal(at *source.Node) (rel string, data []byte) {
	if rel = b.words(at); rel == "" {
		return "", nil
	}
	data, err := b.agent.ReadFile(rel)
	if err != nil {
		message, hint := unreadable(rel, err, "write a path relative to this file")
		b.problems.Fail(source.Unreadable, at, message, hint)
		return "", nil
	}
	b.external = append(b.external, data...)
	return rel, data
}

type jsonExample struct {
	Text   string
	Intent string
	Asked  string
	Slots  []struct {
		Name, Value string
		Start, End  int
	}
}

// jsonExamples reads JSON lines for the intents that of returns by their ids; nil: the line is passed over.
func (b *builder) jsonExamples(at *source.Node, rel string, data []byte, of func(id string) *Intent) {
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for number := 1; lines.Scan(); number++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		var j jsonExample
		if err := json.Unmarshal(line, &j); err != nil || j.Text == "" {
			b.problems.Add(at, fmt.Sprintf("%s:%d is no example", rel, number), `write {"text": "...", "slots": [{"name", "start", "end"}]}`)
			return
		}
		in := of(j.Intent)
		if in == nil {
			continue
		}
		e := Example{Text: j.Text, Asked: j.Asked, Pos: source.Position{File: rel, Line: number, Column: 1}}
		runes := []rune(j.Text)
		for _, s := range j.Slots {
			if s.Start < 0 || s.End <= s.Start || s.End > len(runes) {
				b.problems.Add(at, fmt.Sprintf("%s:%d: span %q lies outside the text", rel, number, s.Name), "count start and end in code points, end exclusive")
				return
			}
			value := s.Value
			if value == "" {
				value = string(runes[s.Start:s.End])
			}
			e.Spans = append(e.Spans, Span{Param: s.Name, Start: s.Start, End: s.End, Value: value})
		}
		b.checkSpans(in, e, at)
		if e.Asked != "" && in.Param(e.Asked) == nil && !b.broken(b.intents[in].Get("params")) {
			b.unknown(at, "param of this intent", e.Asked, paramNames(in))
		}
		in.Examples = append(in.Examples, e)
	}
	if lines.Err() != nil {
		b.problems.Add(at, fmt.Sprintf("%s has a line of more than 1 MiB", rel), "write one example a line")
	}
}

// WriteExamples writes examples as the JSON lines that a file of examples has. intent is left out where it is "".
func WriteExamples(out io.Writer, intent string, list []Example) error {
	type slot struct {
		Name  string `json:"name"`
		Value string `json:"value,omitempty"`
		Start int    `json:"start"`
		End   int    `json:"end"`
	}
	type line struct {
		Text   string `json:"text"`
		Intent string `json:"intent,omitempty"`
		Asked  string `json:"asked,omitempty"`
		Slots  []slot `json:"slots,omitempty"`
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for _, e := range list {
		l := line{Text: e.Text, Intent: intent, Asked: e.Asked}
		for _, s := range e.Spans {
			l.Slots = append(l.Slots, slot{s.Param, s.Value, s.Start, s.End})
		}
		if err := encoder.Encode(l); err != nil {
			return err
		}
	}
	return nil
}

// rasaExamples reads the examples of one intent.
func (b *builder) rasaExamples(in *Intent, rel string, data []byte) {
	root, problems := source.Parse(rel, data)
	b.problems = append(b.problems, problems...)
	for _, item := range root.Get("nlu").Items() {
		if item.Get("intent").Text() != in.ID {
			continue
		}
		block := item.Get("examples")
		for _, line := range rasanlu.Lines(block) {
			text, marks, err := rasanlu.Parse(line.Text)
			if err != nil {
				b.fail(block, err)
				continue
			}
			e := Example{Text: text, Pos: line.Pos}
			for _, m := range marks {
				e.Spans = append(e.Spans, Span{Param: m.Entity, Start: m.Start, End: m.End, Value: m.Value})
			}
			b.checkSpans(in, e, block)
			in.Examples = append(in.Examples, e)
		}
	}
}

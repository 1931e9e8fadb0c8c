package edit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/source"
)

// planExternal adds examples to the file that an intent reads them from. Only Write can check the
// agent as a whole.
func planExternal(path, file, intent string, examples []config.Example, marked []string) (*Change, error) {
	data, err := source.ReadFile(file, maxBytes)
	if err != nil {
		return nil, fmt.Errorf("read the examples of %s: %w", intent, err)
	}
	c := &Change{File: file, Before: data, path: path}
	if strings.HasSuffix(file, ".yml") || strings.HasSuffix(file, ".yaml") {
		c.After, err = addRasa(file, data, intent, marked)
	} else {
		c.After, err = addLines(data, intent, examples)
	}
	return c, err
}

// addLines appends JSON lines. They name their intent if others in the file do.
func addLines(data []byte, intent string, examples []config.Example) ([]byte, error) {
	type slot struct {
		Name  string `json:"name"`
		Start int    `json:"start"`
		End   int    `json:"end"`
	}
	type line struct {
		Text   string `json:"text"`
		Intent string `json:"intent,omitempty"`
		Slots  []slot `json:"slots"`
	}
	out := bytes.NewBuffer(bytes.Clone(data))
	if len(data) > 0 && data[len(data)-1] != '\n' {
		out.WriteByte('\n')
	}
	named := bytes.Contains(data, []byte(`"intent"`))
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for _, e := range examples {
		l := line{Text: e.Text, Slots: []slot{}}
		if named {
			l.Intent = intent
		}
		for _, s := range e.Spans {
			l.Slots = append(l.Slots, slot{s.Param, s.Start, s.End})
		}
		if err := enc.Encode(l); err != nil {
			return nil, fmt.Errorf("write an example: %w", err)
		}
	}
	return out.Bytes(), nil
}

// addRasa appends lines to the block of an intent in a file of Rasa's.
func addRasa(file string, data []byte, intent string, marked []string) ([]byte, error) {
	root, problems := source.Parse(file, data)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	t := newText(data)
	for _, item := range root.Get("nlu").Items() {
		if item.Get("intent").Text() != intent {
			continue
		}
		for _, e := range item.Entries() {
			last := t.end(e.Pos.Line, e.Pos.Column+1)
			if e.Key != "examples" || last == e.Pos.Line {
				continue
			}
			var lines []string
			for _, m := range marked {
				lines = append(lines, t.indentOf(last)+"- "+m)
			}
			t.insert(last, lines)
			return []byte(t.String()), nil
		}
	}
	return nil, fmt.Errorf("%s: no block of examples of %s was found; write one as Rasa does: intent, then examples: | and lines with a dash", file, intent)
}

// Package rasanlu reads the training examples of Rasa's NLU files: the lines of an intent, and the marks
// in a line.
//
//	[text](entity)  [text](entity:value)  [text]{"entity": "city", "role": "from", "value": "Berlin"}
//
// It knows nothing of agents: examples_from and the importer of Rasa's bots share it.
package rasanlu

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/slotway/slotway/config/pattern"
	"github.com/slotway/slotway/config/source"
)

// Line is one example with its markup.
type Line struct {
	Text string
	Pos  source.Position
}

// Lines returns the examples below the key "examples": a block of lines "- text", or a list of texts or
// of maps with the key text.
func Lines(examples *source.Node) []Line {
	var out []Line
	add := func(text string, pos source.Position) {
		if text = strings.TrimSpace(text); text != "" && utf8.ValidString(text) {
			out = append(out, Line{text, pos})
		}
	}
	for _, item := range examples.Items() {
		node := item
		if item.Kind() == source.KindMap {
			node = item.Get("text")
		}
		text := strings.TrimPrefix(strings.TrimSpace(node.Text()), "- ") // Rasa writes each text as a block of one line
		add(text, node.Pos())
	}
	for i, line := range strings.Split(examples.Text(), "\n") {
		if text, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok {
			pos := examples.Pos()
			add(text, source.Position{File: pos.File, Line: pos.Line + 1 + i, Column: 1})
		}
	}
	return out
}

// Mark is a value in an example. Offsets count code points of the plain text, end exclusive.
type Mark struct {
	Entity, Role, Group string
	Value               string // the normal form if the line gives one, else the text itself
	Start, End          int
}

// markup matches [text](entity), [text](entity:value) and [text]{...}; with a list of entities, too.
var markup = pattern.Must(`\[([^\[\]]+)\](?:\(([\pL_][\pL\pN_.-]*)(?::([^()]*))?\)|\[?(\{[^{}]*\}))`)

// manyMarks matches the rest of a list of entities behind the first one, which is taken.
var manyMarks = pattern.Must(`^(?:\s*,\s*\{[^{}]*\})*\s*\]`)

// Parse splits a line into its text and its marks.
func Parse(line string) (text string, marks []Mark, err error) {
	var b strings.Builder
	end := 0
	for _, m := range markup.FindAllStringSubmatchIndex(line, -1) {
		group := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return line[m[2*i]:m[2*i+1]]
		}
		if m[0] < end || strings.HasPrefix(group(3), "//") { // a link
			continue
		}
		b.WriteString(line[end:m[0]])
		end = m[1]
		mark := Mark{Entity: group(2), Value: group(3), Start: utf8.RuneCountInString(b.String())}
		if js := group(4); js != "" {
			var tag struct {
				Entity, Role, Group string
				Value               any
			}
			if err := json.Unmarshal([]byte(js), &tag); err != nil || tag.Entity == "" {
				return "", nil, errors.New(`the braces after a span are not {"entity": "param"}; write [value](param)`)
			}
			mark.Entity, mark.Role, mark.Group = tag.Entity, tag.Role, tag.Group
			if tag.Value != nil {
				mark.Value = fmt.Sprint(tag.Value)
			}
			if line[m[8]-1] == '[' {
				end += len(manyMarks.FindString(line[end:]))
			}
		}
		b.WriteString(group(1))
		mark.End = utf8.RuneCountInString(b.String())
		if mark.Value == "" {
			mark.Value = group(1)
		}
		marks = append(marks, mark)
	}
	b.WriteString(line[end:])
	text = b.String()
	if i := strings.Index(text, "]("); i >= 0 && !strings.Contains(text, "](http") {
		from, to := max(0, i-10), min(len(text), i+12)
		return text, marks, fmt.Errorf("a span is marked badly near %q; write [value](param)", strings.ToValidUTF8(text[from:to], ""))
	}
	return text, marks, nil
}

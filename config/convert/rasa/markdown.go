package rasa

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/pattern"
)

// heading matches a heading of Rasa 1's training data: "## intent:greet".
var heading = pattern.Must(`^##\s*(intent|synonym|regex|lookup)\s*:\s*(.+)$`)

// called matches a name with values: greet{"name": "Ann"}.
var called = pattern.Must(`^([^{\s]+)\s*(\{.*\})?$`)

// markdown reads Rasa 1's training data and stories.
func (r *reader) markdown(name, text string) {
	kind, title, head := "", "", convert.Place{}
	var current *story
	known := false
	number := 0
	for line := range strings.Lines(text) {
		number++
		at := convert.Place{File: name, Line: number}
		line = strings.TrimSpace(line)
		if m := heading.FindStringSubmatch(line); m != nil {
			kind, title, head, known, current = m[1], strings.TrimSpace(m[2]), at, true, nil
			continue
		}
		if rest, ok := strings.CutPrefix(line, "##"); ok {
			kind, current = "", &story{name: convert.OneLine(rest), at: at}
			continue
		}
		item, isItem := strings.CutPrefix(line, "- ")
		if !isItem {
			item, isItem = strings.CutPrefix(line, "* ")
		}
		switch {
		case !isItem:
		case kind != "":
			r.train(kind, title, head, strings.TrimSpace(item), at)
		case current != nil:
			known = true
			current.markdown(strings.TrimSpace(item), line[0] == '*', at)
			if !slices.Contains(r.stories, current) {
				r.stories = append(r.stories, current)
			}
		}
	}
	if !known {
		r.bot.Report.Add(convert.Place{File: name}, convert.Left, "not read: this Markdown is no training data of Rasa 1")
	}
}

// markdown adds a step of Rasa 1 to a story.
func (s *story) markdown(item string, said bool, at convert.Place) {
	first, others, _ := strings.Cut(item, " OR ")
	m := called.FindStringSubmatch(strings.TrimSpace(first))
	if m == nil {
		s.steps = append(s.steps, step{kind: otherStep, at: at, name: item})
		return
	}
	name := m[1]
	var values map[string]any
	if m[2] != "" && json.Unmarshal([]byte(m[2]), &values) != nil {
		s.steps = append(s.steps, step{kind: otherStep, at: at, name: item})
		return
	}
	var list []slotIs
	for _, key := range slices.Sorted(maps.Keys(values)) {
		list = append(list, slotIs{slot: key, value: values[key]})
	}
	st := step{at: at, name: name}
	switch {
	case said:
		st.kind, st.intents, st.entities = userStep, []string{name}, list
		for other := range strings.SplitSeq(others, " OR ") {
			if other = strings.TrimSpace(other); other != "" {
				st.intents = append(st.intents, other)
			}
		}
	case name == "slot":
		st.kind, st.slots = slotStep, list
	case name == "form":
		st.kind, st.name = loopStep, ""
		if form, ok := values["name"].(string); ok {
			st.name = form
		}
	case strings.HasPrefix(name, ">"):
		st.kind = otherStep
	default:
		st.kind = actionStep
	}
	s.steps = append(s.steps, st)
}

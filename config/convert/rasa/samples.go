package rasa

import (
	"fmt"
	"strings"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/rasanlu"
)

// said returns what the user of a test says. Where the story has only an intent, it is an example.
func (r *reader) said(user *step, intent string) (string, []rasanlu.Mark) {
	text, marks, err := rasanlu.Parse(oneLine(user.text))
	if err == nil && text != "" && !strings.HasPrefix(text, "/") && !strings.HasPrefix(text, intent+"{") {
		return text, marks
	}
	switch builtinOf(intent) {
	case "affirm":
		return "Yes", nil
	case "deny":
		return "No", nil
	}
	in := r.nlu.intent(intent)
	if in == nil {
		return "", nil
	}
	for _, e := range in.examples {
		if len(e.marks) == 0 && !strings.HasPrefix(e.text, "/") {
			return e.text, nil
		}
	}
	if len(in.examples) > 0 {
		return in.examples[0].text, in.examples[0].marks
	}
	return "", nil
}

// answerFor returns an answer to the question for a slot.
func (r *reader) answerFor(slot string, t *task) string {
	p := r.param(slot)
	kind := p.Type
	if own := t.in.Own[p.Name].Type; own != "" {
		kind = own
	}
	for _, declared := range r.bot.Types {
		if declared.Name == kind && len(declared.Values) > 0 {
			return declared.Values[0].Value
		}
	}
	if s := r.domain.slot(slot); s != nil {
		entity, role := s.entity()
		if said := r.nlu.mentions(entity, role); len(said) > 0 && answers[kind] == "" {
			return said[0].text
		}
	}
	if text := answers[kind]; text != "" {
		return text
	}
	return fmt.Sprintf("it is about the %s", convert.Spoken(slot))
}

// answers are values of the built-in types.
var answers = map[string]string{
	"number": "3", "integer": "3", "ordinal": "the second", "boolean": "yes", "percentage": "20%", "money": "$50", "date": "tomorrow", "time": "5pm",
	"datetime": "tomorrow at 5pm", "duration": "two hours", "daterange": "next week", "timerange": "from 3 to 5 pm",
	"email": "ana@example.com", "phone": "555-234-9876", "url": "https://example.com", "zip": "73301", "person": "Anna Brown", "location": "Berlin",
}

package dialogflow

import (
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/convert"
)

// carry makes an intent of the agent, or adds to a built-in one.
func (e *es) carry(in *esRead) {
	switch {
	case in.Fallback:
		e.fallback(in)
	case in.begins("WELCOME"):
		e.greeting(in)
	default:
		e.task(in)
	}
}

func (e *es) fallback(in *esRead) {
	texts := e.texts(in, nil)
	if len(in.Contexts) > 0 || e.bot.Fallback != "" || len(texts) == 0 {
		e.bot.Report.Add(in.lines.Whole(), convert.Left, "fallback %q: the question is asked again, with its `reprompt`", in.Name)
		return
	}
	id := convert.Snake(in.Name)
	e.bot.Intents = append(e.bot.Intents, &convert.Intent{ID: id, AnswerOnly: true, Plan: []*convert.Step{{Respond: id}}})
	e.bot.Responses = append(e.bot.Responses, &convert.Response{ID: id, Texts: texts})
	e.bot.Fallback = id
}

func (e *es) greeting(in *esRead) {
	b := &convert.Builtin{ID: "greet"}
	for _, s := range in.sentences {
		if text := s.text(); text != "" {
			b.Examples = append(b.Examples, text)
		}
	}
	if texts := e.texts(in, nil); len(texts) > 0 {
		id := convert.Snake(in.Name)
		e.bot.Responses = append(e.bot.Responses, &convert.Response{ID: id, Texts: texts})
		b.Plan = []*convert.Step{{Respond: id}}
	}
	e.bot.System = append(e.bot.System, b)
	e.bot.Report.Add(in.lines.Whole(), convert.Carried, "%q is the built-in intent greet", in.Name)
}

// task makes an intent with the plan of its follow-up intents.
func (e *es) task(in *esRead) {
	out := &convert.Intent{ID: convert.Snake(in.Name), Title: convert.Spoken(in.Name)}
	places := e.slots(out, in)
	e.sentences(out, in, places)
	if len(in.Contexts) > 0 {
		out.Open = append(out.Open, e.bot.Report.Decide(in.lines.Of(in.Contexts[0]), "%q is understood only in the context %s: a `when`, or an internal intent with `run`, can say that",
			in.Name, strings.Join(in.Contexts, ", ")))
	}
	if in.Condition != "" {
		out.Open = append(out.Open, e.bot.Report.Decide(in.lines.Of(in.Condition), "%q has a condition: %s", in.Name, in.Condition))
	}
	for _, event := range in.Events {
		e.bot.Report.Add(in.lines.Of(event.Name), convert.Left, "the event %s begins %q", event.Name, in.Name)
	}
	if in.SlotHook {
		out.Open = append(out.Open, e.bot.Report.Decide(in.lines.Of("webhookForSlotFilling"), "a webhook checks the params of %q during the dialogue: `validation` with a tool can do that", in.Name))
	}
	e.plan(out, in, places)
	e.bot.Intents = append(e.bot.Intents, out)
}

// maxPrompts is the number of questions about a param: one, and two that ask again.
const maxPrompts = 3

// slots makes the params and returns their names by that in the export.
func (e *es) slots(out *convert.Intent, in *esRead) map[string]string {
	places := map[string]string{}
	for _, s := range in.response().Parameters {
		at := in.lines.Of(s.Name)
		if s.Name == "" {
			continue
		}
		p := e.param(s.Name, e.kinds.of(s.Type, s.Name, at), out.ID)
		p.List = p.List || s.List
		switch {
		case strings.HasPrefix(s.Default, "#"):
			p.Session = true
			e.bot.Report.Add(at, convert.Carried, "%s of %q comes from a context (%s): its value lasts until the session ends", s.Name, in.Name, s.Default)
		case s.Default != "" && !strings.HasPrefix(s.Default, "$"):
			p.Default = s.Default
		}
		if strings.HasPrefix(s.Value, "#") {
			p.Session = true
		}
		places[s.Name] = p.Name
		if s.Required {
			out.Required = append(out.Required, p.Name)
		} else {
			out.Optional = append(out.Optional, p.Name)
		}
	}
	for _, s := range in.response().Parameters { // a question may name any of them
		p := e.params[places[s.Name]]
		if p == nil || len(p.Prompts) > 0 {
			continue
		}
		for _, q := range s.Prompts {
			if e.speaks(q.Language) && len(p.Prompts) < maxPrompts {
				p.Prompts = append(p.Prompts, e.placeholders(q.Text, places, in))
			}
		}
	}
	return places
}

// sentences carries what users say, with the values that are marked in it.
func (e *es) sentences(out *convert.Intent, in *esRead, places map[string]string) {
	seen, templates := map[string]bool{}, 0
	for _, s := range in.sentences {
		if s.Template {
			templates++
			continue
		}
		example := s.example(places)
		if low := strings.ToLower(example.Text); example.Text == "" || seen[low] {
			continue
		} else {
			seen[low] = true
		}
		out.Examples = append(out.Examples, example)
	}
	if templates > 0 {
		e.bot.Report.Add(in.said.Whole(), convert.Left, "sentences of %q that are templates, with @entity in them: %d", in.Name, templates)
	}
	if len(out.Examples) == 0 {
		out.Examples = []config.Example{{Text: convert.Spoken(in.Name)}}
		out.Open = append(out.Open, e.bot.Report.Decide(in.lines.Whole(), "%q has no sentences: its name stands for them", in.Name))
	}
}

func (s *esSentence) text() string {
	var b strings.Builder
	for _, part := range s.Data {
		b.WriteString(part.Text)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// example returns the sentence with one mark for each value. White space is that of the parts, so it is
// normal already or the marks are dropped.
func (s *esSentence) example(places map[string]string) (e config.Example) {
	var b strings.Builder
	at := 0
	for _, part := range s.Data {
		n := len([]rune(part.Text))
		param := places[part.Alias]
		if part.Alias != "" && param != "" && strings.TrimSpace(part.Text) == part.Text && n > 0 {
			e.Spans = append(e.Spans, config.Span{Param: param, Start: at, End: at + n})
		}
		b.WriteString(part.Text)
		at += n
	}
	e.Text = s.text()
	if b.String() != e.Text {
		e.Spans = nil
	}
	return e
}

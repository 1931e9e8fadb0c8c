package dialogflow

import (
	"cmp"
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
		return
	}
	if in.Webhook {
		e.bot.Report.Lost(in.lines.Of("webhookUsed"), "a webhook answers %q: its own responses are carried over, the call is not", in.Name)
	}
	for _, p := range in.response().Parameters {
		e.bot.Report.Add(in.lines.Of(p.Name), convert.Left, "parameter %s of %q", p.Name, in.Name)
	}
	e.extras(in)
	e.others(in, nil)
}

// extras lists what an intent does that no part of the agent is made of.
func (e *es) extras(in *esRead) (open []convert.Open) {
	if in.Priority < 0 {
		open = append(open, e.bot.Report.Lost(in.lines.Of("priority"), "%q is switched off in Dialogflow (priority %d)", in.Name, in.Priority))
	}
	if n := len(in.Responses); n > 1 {
		open = append(open, e.bot.Report.Lost(in.lines.Of("responses"), "responses of %q besides the first: %d", in.Name, n-1))
	}
	return open
}

func (e *es) fallback(in *esRead) {
	texts := e.texts(in, nil)
	if len(in.sentences) > 0 {
		e.bot.Report.Add(in.said.Whole(), convert.Left, "sentences that match nothing, of %q: %d", in.Name, len(in.sentences))
	}
	if len(in.Contexts) > 0 || !e.bot.SayBuiltin("nlu_fallback", texts) {
		e.bot.Report.Add(in.lines.Whole(), convert.Left, "fallback %q: the question is asked again, with its `reprompt`", in.Name)
	}
}

func (e *es) greeting(in *esRead) {
	var said []config.Example
	for _, s := range in.sentences {
		if example := s.example(nil); example.Text != "" {
			said = append(said, example)
		}
	}
	e.greet(in.Name, said, e.texts(in, nil), in.lines.Whole())
}

// task makes an intent with the plan of its follow-up intents.
func (e *es) task(in *esRead) *convert.Intent {
	out := &convert.Intent{ID: e.bot.FreeID(in.Name), At: in.lines.Whole(), Title: convert.Spoken(in.Name)}
	e.bot.Intents = append(e.bot.Intents, out)
	places := e.slots(out, in)
	e.sentences(out, in, places)
	if len(in.Contexts) > 0 {
		out.Open = append(out.Open, e.bot.Report.Lost(in.lines.Of(in.Contexts[0]), "%q is understood only in the context %s, which is set by %s: here it is understood at any time",
			in.Name, strings.Join(in.Contexts, ", "), cmp.Or(strings.Join(e.setters(in.Contexts), ", "), "no intent")))
	}
	out.Open = append(out.Open, e.extras(in)...)
	for _, event := range in.Events {
		e.bot.Report.Add(in.lines.Of(event.Name), convert.Lost, "the event %s begins %q", event.Name, in.Name)
	}
	e.plan(out, in, places)
	return out
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
		if source, ok := e.source(s); ok {
			e.bot.Report.Add(at, convert.Carried, "%s of %q is the value of %s from a context", s.Name, in.Name, source.Name)
			places[s.Name] = e.fromContext(source, out)
			continue
		}
		p := e.param(s.Name, e.kinds.of(s.Type, s.Name, at))
		p.List = p.List || s.List
		switch {
		case strings.HasPrefix(s.Default, "#"):
			p.Session = true
			e.bot.Report.Add(at, convert.Carried, "%s of %q comes from a context (%s): its value lasts until the session ends", s.Name, in.Name, s.Default)
		case s.Default != "" && !strings.HasPrefix(s.Default, "$"):
			p.Default = s.Default
		}
		switch {
		case strings.HasPrefix(s.Value, "#"):
			p.Session = true
			e.bot.Report.Lost(at, "%s of %q comes from a context (%s), and no intent of the export fills it", s.Name, in.Name, s.Value)
		case s.Value != "" && !strings.HasPrefix(s.Value, "$"):
			p.Default = s.Value
			e.bot.Report.Add(at, convert.Carried, "the fixed value of %s of %q is its default", s.Name, in.Name)
		}
		places[s.Name] = p.Name
		out.Take(p.Name, s.Required)
	}
	e.prompts(out, in, places)
	return places
}

// prompts adds the questions about the params.
func (e *es) prompts(out *convert.Intent, in *esRead, places map[string]string) {
	for _, s := range in.response().Parameters { // a question may name any of them
		p := e.bot.Param(places[s.Name])
		if p == nil {
			continue
		}
		var texts []string
		for _, q := range s.Prompts {
			if e.speaks(q.Language) && len(texts) < maxPrompts {
				texts = append(texts, e.placeholders(q.Text, places, in))
			}
		}
		out.Ask(p, texts)
	}
}

// source returns the parameter whose value a parameter takes from a context: #order.size is size.
func (e *es) source(s esParameter) (source esParameter, ok bool) {
	rest, is := strings.CutPrefix(s.Value, "#")
	if !is {
		return source, false
	}
	_, name, _ := strings.Cut(rest, ".")
	name = strings.TrimSuffix(name, ".original")
	source, ok = e.declared[name]
	return source, ok
}

// fromContext makes the param of another intent one of this intent.
func (e *es) fromContext(source esParameter, out *convert.Intent) string {
	p := e.param(source.Name, e.kinds.of(source.Type, source.Name, convert.Place{}))
	p.Session, p.List = true, p.List || source.List
	out.Take(p.Name, false)
	return p.Name
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
		e.bot.Report.Add(in.said.Whole(), convert.Lost, "sentences of %q that are templates, with @entity in them: %d", in.Name, templates)
	}
	if len(out.Examples) == 0 {
		out.Examples = []config.Example{{Text: convert.Spoken(in.Name)}}
		out.Open = append(out.Open, e.bot.Report.Decide(in.lines.Whole(), "%q has no sentences: its name stands for them", in.Name))
	}
}

// example returns the sentence with one mark for each value.
func (s *esSentence) example(places map[string]string) config.Example {
	var parts []convert.Part
	for _, part := range s.Data {
		parts = append(parts, convert.Part{Text: part.Text, Param: places[part.Alias]})
	}
	return convert.Sentence(parts)
}

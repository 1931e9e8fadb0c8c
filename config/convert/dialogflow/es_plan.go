package dialogflow

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/pattern"
)

// answer tells whether an intent is a yes or a no, by the last part of its name or by its sentences; "":
// neither.
func (e *es) answer(in *esRead) string {
	var said []string
	for _, s := range in.sentences {
		said = append(said, s.example(nil).Text)
	}
	return convert.YesNo(e.language, in.Name[strings.LastIndex(in.Name, "-")+1:], said)
}

// plan makes the steps. If a yes or no follows the intent, its response is the question, and a param with two
// ways on has the answer.
func (e *es) plan(out *convert.Intent, in *esRead, places map[string]string) {
	texts := e.texts(in, places)
	var yes, no *esRead
	for _, f := range in.follow {
		switch {
		case len(texts) == 0: // what asks is not in the export
		case e.answer(f) == "yes" && yes == nil:
			yes = f
		case e.answer(f) == "no" && no == nil:
			no = f
		}
	}
	out.Open = append(out.Open, e.others(in, []*esRead{yes, no})...)
	if yes == nil && no == nil {
		e.act(out, in, texts)
		return
	}
	if in.Webhook {
		e.call(out, in)
	}
	p := e.bot.AskYesNo(out, out.ID+"_answer", texts)
	step := &convert.Step{When: p.Name + " == true", Then: []*convert.Step{e.bot.AllRight()}, Else: []*convert.Step{e.bot.AllRight()}}
	out.Plan = append(out.Plan, step)
	for i, in := range []*esRead{yes, no} {
		if in == nil {
			continue
		}
		part := &convert.Intent{ID: out.ID, Required: out.Required, Optional: out.Optional, Open: e.answered(in), Plan: []*convert.Step{{Ask: p.Name}}}
		e.act(part, in, e.texts(in, places))
		if i == 0 {
			step.Then = part.Plan[1:]
		} else {
			step.Else = part.Plan[1:]
		}
		out.Open = append(out.Open, part.Open...)
	}
}

// answered lists what a yes or no has that its confirmation has not.
func (e *es) answered(in *esRead) []convert.Open {
	open := e.extras(in)
	if n := len(in.sentences); n > 0 {
		e.bot.Report.Add(in.said.Whole(), convert.Carried, "%q is an answer to a question: the built-in answers recognise it, not its sentences: %d", in.Name, n)
	}
	for _, p := range in.response().Parameters {
		open = append(open, e.bot.Report.Lost(in.lines.Of(p.Name), "parameter %s of %q: the question it answers takes a yes or no only", p.Name, in.Name))
	}
	return append(open, e.others(in, nil)...)
}

// others carries the follow-up intents that no confirmation is made of: each is a task of its own, besides
// a yes, a no and a fallback.
func (e *es) others(in *esRead, taken []*esRead) (open []convert.Open) {
	for _, f := range in.follow {
		switch {
		case slices.Contains(taken, f):
		case f.Fallback:
			e.fallback(f)
			open = append(open, e.others(f, nil)...)
		case e.answer(f) != "":
			open = append(open, e.bot.Report.Lost(f.lines.Whole(), "%q answers a question of %q that is not carried over: it says %q", f.Name, in.Name, strings.Join(e.texts(f, nil), " / ")))
			open = append(open, e.others(f, nil)...)
		default:
			added := e.task(f)
			added.Open = append(added.Open, e.bot.Report.Lost(f.lines.Whole(), "%q follows %q: in Dialogflow it is understood only after it", f.Name, in.Name))
		}
	}
	return open
}

// act adds the webhook and the response of an intent.
func (e *es) act(out *convert.Intent, in *esRead, texts []string) {
	if in.Webhook {
		e.call(out, in)
	}
	if len(texts) == 0 {
		out.Open = append(out.Open, e.bot.Report.Lost(in.lines.Whole(), "%q says nothing of its own: what a webhook says is in no export", in.Name))
		out.Plan = append(out.Plan, e.bot.AllRight())
	} else {
		out.Plan = append(out.Plan, e.bot.Say(out.ID, texts))
	}
	if in.Handoff {
		out.Plan = append(out.Plan, &convert.Step{Handoff: "desk"})
	}
	out.AnswerOnly = len(out.Required)+len(out.Optional) == 0 && len(out.Plan) == 1
}

// call adds the webhook as a tool, named by the action. After questions it is a write, which is done once.
func (e *es) call(out *convert.Intent, in *esRead) {
	name := convert.Snake(cmp.Or(in.response().Action, in.Name))
	for n := 2; e.bot.Tool(name) != nil; n++ {
		name = fmt.Sprintf("%s_%d", convert.Snake(cmp.Or(in.response().Action, in.Name)), n)
	}
	tool := &convert.Tool{Name: name, At: in.lines.Of("webhookUsed"), Write: len(out.Required)+len(out.Plan) > 0}
	tool.Open = append(tool.Open, e.bot.Report.Decide(tool.At, "connect the webhook of %q", in.Name))
	e.bot.Tools = append(e.bot.Tools, tool)
	out.Plan = append(out.Plan, e.bot.Call(out, name))
}

// texts returns the wordings of an intent's responses. Messages are said one after the other, so the first
// wording is all of them; other wordings of the first message are further ones.
func (e *es) texts(in *esRead, places map[string]string) []string {
	var first, others []string
	platform := e.platform(in)
	for _, m := range in.response().Messages {
		if !e.speaks(m.Language) {
			continue
		}
		if m.Platform != platform {
			e.bot.Report.Add(in.lines.Of(m.Platform), convert.Left, "a message of %q for %s", in.Name, cmp.Or(m.Platform, "all"))
			continue
		}
		switch fmt.Sprint(m.Type) {
		case "0", "message", "simple_response":
			said := append(speech(m.Speech), speech(m.Spoken)...)
			for i := range said {
				said[i] = e.placeholders(said[i], places, in)
			}
			if len(said) == 0 {
				continue
			}
			if len(first) == 0 {
				others = said[1:]
			}
			first = append(first, said[0])
		case "2":
			text := e.placeholders(m.Title, places, in)
			for _, reply := range m.Replies {
				text += "\n- " + reply
			}
			first = append(first, strings.TrimSpace(text))
		default:
			e.bot.Report.Add(in.lines.Whole(), convert.Lost, "a message of %q that is no text (type %v)", in.Name, m.Type)
		}
	}
	return convert.Wordings(first, others)
}

// platform returns for which platform the texts of an intent are taken: "", all, where there are some for
// all, else the first that has a text.
func (e *es) platform(in *esRead) (first string) {
	for _, m := range in.response().Messages {
		if !e.speaks(m.Language) || len(speech(m.Speech))+len(speech(m.Spoken)) == 0 {
			continue
		}
		if m.Platform == "" {
			return ""
		}
		first = cmp.Or(first, m.Platform)
	}
	return first
}

// speech returns the wordings of a message: a text or a list of texts.
func speech(v any) (texts []string) {
	switch v := v.(type) {
	case string:
		if v = strings.TrimSpace(v); v != "" {
			texts = append(texts, v)
		}
	case []any:
		for _, one := range v {
			texts = append(texts, speech(one)...)
		}
	}
	return texts
}

// place matches $param, $param.original and #context.param in a text.
var place = pattern.Must(`\$([\pL_][\pL\pN_-]*)(?:\.original\b)?|#[\pL_][\pL\pN_-]*\.([\pL_][\pL\pN_-]*)(?:\.original\b)?`)

// placeholders turns the places of a text into placeholders.
func (e *es) placeholders(text string, places map[string]string, in *esRead) string {
	text = strings.NewReplacer("{", "(", "}", ")").Replace(text)
	return place.ReplaceAllStringFunc(text, func(found string) string {
		m := place.FindStringSubmatch(found)
		name := cmp.Or(m[1], m[2])
		if param := places[name]; param != "" {
			return "{" + param + "}"
		}
		if param := e.params[name]; param != nil {
			return "{" + param.Name + "}"
		}
		e.bot.Report.Lost(in.lines.Of(found), "a text of %q names %s, which is no parameter of it", in.Name, found)
		return "(" + name + ")"
	})
}

package dialogflow

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/pattern"
)

// answers tells a follow-up intent that is a yes or a no by its name, as the console names them.
var answers = map[string]string{"yes": "yes", "confirm": "yes", "no": "no", "cancel": "no", "decline": "no"}

// plan makes the steps. If a yes follows the intent, its response is the confirmation of what the yes
// does.
func (e *es) plan(out *convert.Intent, in *esRead, places map[string]string) {
	texts := e.texts(in, places)
	var yes, no *esRead
	for _, f := range in.follow {
		_, last, _ := strings.Cut(strings.ToLower(f.Name), " - ")
		switch answers[strings.TrimSpace(last)] {
		case "yes":
			yes = f
		case "no":
			no = f
		default:
			if !f.Fallback {
				e.task(f)
				added := e.bot.Intents[len(e.bot.Intents)-1]
				added.Open = append(added.Open, e.bot.Report.Decide(f.lines.Whole(), "%q follows %q: in Dialogflow it is understood only after it", f.Name, in.Name))
			}
		}
	}
	if yes == nil || len(texts) == 0 {
		e.act(out, in, texts, false)
		return
	}
	if in.Webhook {
		e.call(out, in, false)
	}
	step := &convert.Step{Confirm: texts[0]}
	if no != nil {
		if denied := e.texts(no, places); len(denied) > 0 {
			step.Denied = out.ID + "_declined"
			e.bot.Responses = append(e.bot.Responses, &convert.Response{ID: step.Denied, Texts: denied})
		}
	}
	out.Plan = append(out.Plan, step)
	e.act(out, yes, e.texts(yes, places), true)
}

// act adds the webhook and the response of an intent.
func (e *es) act(out *convert.Intent, in *esRead, texts []string, confirmed bool) {
	if in.Webhook {
		e.call(out, in, confirmed)
	}
	if len(texts) == 0 {
		texts = []string{"All right."}
		out.Open = append(out.Open, e.bot.Report.Decide(in.lines.Whole(), "%q says nothing of its own: what a webhook says is in no export", in.Name))
	}
	e.bot.Responses = append(e.bot.Responses, &convert.Response{ID: out.ID, Texts: texts})
	out.Plan = append(out.Plan, &convert.Step{Respond: out.ID})
	out.AnswerOnly = len(out.Required)+len(out.Optional) == 0 && len(out.Plan) == 1
}

// call adds the webhook as a tool, named by the action. One behind a confirmation is a write.
func (e *es) call(out *convert.Intent, in *esRead, confirmed bool) {
	name := convert.Snake(cmp.Or(in.response().Action, in.Name))
	for n := 2; e.tools[name]; n++ {
		name = fmt.Sprintf("%s_%d", convert.Snake(cmp.Or(in.response().Action, in.Name)), n)
	}
	if e.tools == nil {
		e.tools = map[string]bool{}
	}
	e.tools[name] = true
	step := &convert.Step{Call: name}
	for _, list := range [][]string{out.Required, out.Optional} {
		for _, param := range list {
			step.With = append(step.With, convert.Arg{Name: param, Value: "$" + param})
		}
	}
	text := fmt.Sprintf("connect the webhook of %q", in.Name)
	if !confirmed {
		text += "; if it changes something, it needs `effect: write` and a `confirm` step before it"
	}
	tool := &convert.Tool{Name: name, Write: confirmed}
	tool.Open = append(tool.Open, e.bot.Report.Decide(in.lines.Of("webhookUsed"), "%s", text))
	e.bot.Tools = append(e.bot.Tools, tool)
	out.Plan = append(out.Plan, step)
}

// texts returns the wordings of an intent's responses. Messages are said one after the other, so the first
// wording is all of them; other wordings of the first message are further ones.
func (e *es) texts(in *esRead, places map[string]string) []string {
	var first, others []string
	for _, m := range in.response().Messages {
		if !e.speaks(m.Language) {
			continue
		}
		switch fmt.Sprint(m.Type) {
		case "0", "message", "simple_response":
			said := speech(m.Speech)
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
			e.bot.Report.Add(in.lines.Whole(), convert.Left, "a message of %q that is no text (type %v)", in.Name, m.Type)
		}
	}
	return convert.Wordings(first, others)
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
var place = pattern.Must(`[$#]([\pL_][\pL\pN_-]*)(?:\.([\pL_][\pL\pN_-]*))?(?:\.original)?`)

// placeholders turns the places of a text into placeholders.
func (e *es) placeholders(text string, places map[string]string, in *esRead) string {
	text = strings.NewReplacer("{", "(", "}", ")").Replace(text)
	return place.ReplaceAllStringFunc(text, func(found string) string {
		m := place.FindStringSubmatch(found)
		name := m[1]
		if found[0] == '#' && m[2] != "" {
			name = m[2]
		}
		if param := places[name]; param != "" {
			return "{" + param + "}"
		}
		if param := e.params[convert.Snake(name)]; param != nil {
			return "{" + param.Name + "}"
		}
		e.bot.Report.Decide(in.lines.Of(found), "a text of %q names %s, which is no parameter of it", in.Name, found)
		return "(" + name + ")"
	})
}

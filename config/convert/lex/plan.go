package lex

import (
	"strings"

	"github.com/slotway/slotway/config/convert"
)

// plan makes the steps of an intent: what Lex says at first, the confirmation, the function, the closing.
func (r *reader) plan(out *convert.Intent, in *intentFile, lines *convert.Lines, known map[string]string) {
	if in.Initial != nil {
		for _, text := range r.texts(in.Initial.Response.all(), known, lines) {
			r.bot.Report.Add(lines.Of(text), convert.Left, "%s says something before its first question: %q", in.Name, text)
		}
	}
	confirmed := r.confirm(out, in, lines, known)
	if f := in.Fulfillment; f != nil && f.Enabled {
		r.call(out, lines, known, confirmed)
	}
	if texts := r.texts(in.closingTexts(), known, lines); len(texts) > 0 {
		r.respond(out, out.ID, texts)
	}
	if len(out.Plan) == 0 || out.Plan[len(out.Plan)-1].Respond == "" {
		r.respond(out, out.ID, []string{"All right."})
		out.Open = append(out.Open, r.bot.Report.Decide(lines.Whole(), "%s has no closing response: what a function says is in no export", in.Name))
	}
}

func (r *reader) respond(out *convert.Intent, id string, texts []string) {
	r.bot.Responses = append(r.bot.Responses, &convert.Response{ID: id, Texts: texts})
	out.Plan = append(out.Plan, &convert.Step{Respond: id})
}

// confirm adds the confirmation prompt.
func (r *reader) confirm(out *convert.Intent, in *intentFile, lines *convert.Lines, known map[string]string) bool {
	c := in.Confirmation
	if c == nil || c.Prompt == nil || c.Active != nil && !*c.Active {
		return false
	}
	texts := r.texts(c.Prompt.all(), known, lines)
	if len(texts) == 0 {
		return false
	}
	step := &convert.Step{Confirm: texts[0]}
	for _, other := range texts[1:] {
		r.bot.Report.Add(lines.Of(other), convert.Left, "another wording of the confirmation of %s", in.Name)
	}
	if denied := r.texts(c.Declination.all(), known, lines); len(denied) > 0 {
		step.Denied = out.ID + "_declined"
		r.bot.Responses = append(r.bot.Responses, &convert.Response{ID: step.Denied, Texts: denied})
	}
	out.Plan = append(out.Plan, step)
	return true
}

// call adds the fulfillment function as a tool. One behind a confirmation is a write.
func (r *reader) call(out *convert.Intent, lines *convert.Lines, known map[string]string, confirmed bool) {
	name := "fulfill_" + out.ID
	step := &convert.Step{Call: name}
	for _, list := range [][]string{out.Required, out.Optional} {
		for _, param := range list {
			step.With = append(step.With, convert.Arg{Name: param, Value: "$" + param})
		}
	}
	tool := &convert.Tool{Name: name, Write: confirmed}
	text := "connect the fulfillment function of " + out.ID
	if !confirmed {
		text += "; if it changes something, it needs `effect: write` and a `confirm` step before it"
	}
	tool.Open = append(tool.Open, r.bot.Report.Decide(lines.Of("fulfillmentCodeHook"), "%s", text))
	r.bot.Tools = append(r.bot.Tools, tool)
	out.Plan = append(out.Plan, step)
}

// closingTexts returns what the intent says at its end.
func (in *intentFile) closingTexts() []group {
	if c := in.Closing; c != nil && c.Response != nil && (c.Active == nil || *c.Active) {
		if groups := c.Response.all(); len(groups) > 0 {
			return groups
		}
	}
	if f := in.Fulfillment; f != nil && f.Post != nil {
		return f.Post.Success.all()
	}
	return nil
}

// texts returns the wordings of messages. Groups are said one after the other, so the first wording is
// all of them; variations of the first group are further ones.
func (r *reader) texts(groups []group, known map[string]string, lines *convert.Lines) (texts []string) {
	var first []string
	for i := range groups {
		text := r.text(&groups[i].Message, known, lines)
		if text == "" {
			continue
		}
		first = append(first, text)
	}
	if len(first) == 0 {
		return nil
	}
	for _, v := range groups[0].Variations {
		if text := r.text(&v, known, lines); text != "" {
			texts = append(texts, text)
		}
	}
	return convert.Wordings(first, texts)
}

func (r *reader) text(m *message, known map[string]string, lines *convert.Lines) string {
	var source string
	switch {
	case m.Plain != nil:
		source = m.Plain.Value
	case m.Card != nil:
		source = m.Card.Title
		for _, b := range m.Card.Buttons {
			source += "\n- " + b.Text
		}
	case m.SSML != nil:
		r.bot.Report.Add(lines.Of(m.SSML.Value), convert.Left, "a message in SSML")
	case m.Custom != nil:
		r.bot.Report.Add(lines.Of(m.Custom.Value), convert.Left, "a custom payload")
	}
	text, lost := convert.Text(source, func(place string) string { return known[place] })
	for _, place := range lost {
		r.bot.Report.Decide(lines.Of(source), "a text names {%s}, which is no slot of its intent", place)
	}
	return strings.TrimSpace(text)
}

package lex

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
)

// plan makes the steps of an intent: what Lex says at first, the confirmation, the function, the closing.
func (r *reader) plan(out *convert.Intent, in *intentFile, lines *convert.Lines, known map[string]string) {
	if in.Initial != nil && len(known) > 0 {
		for _, text := range r.texts(in.Initial.Response.all(), known, lines) {
			r.bot.Report.Add(lines.Of(text), convert.Lost, "%s says something before its first question: %q", in.Name, text)
		}
	}
	r.confirm(out, in, lines, known)
	if in.calls() {
		r.call(out, lines)
	}
	texts := r.texts(in.answer(len(known) == 0), known, lines)
	if len(texts) == 0 {
		out.Open = append(out.Open, r.bot.Report.Lost(lines.Whole(), "%s has no closing response: what a function says is in no export", in.Name))
		out.Plan = append(out.Plan, r.bot.AllRight())
	} else {
		out.Plan = append(out.Plan, r.bot.Say(out.ID, texts))
	}
}

// confirm adds the confirmation prompt.
func (r *reader) confirm(out *convert.Intent, in *intentFile, lines *convert.Lines, known map[string]string) {
	c := in.Confirmation
	if c == nil || c.Prompt == nil || !on(c.Active) {
		return
	}
	texts := r.texts(c.Prompt.all(), known, lines)
	if len(texts) == 0 {
		return
	}
	denied := &convert.Step{}
	if said := r.texts(c.Declination.all(), known, lines); len(said) > 0 {
		denied = r.bot.Say(out.ID+"_declined", said)
	}
	if !in.calls() { // a confirmation is the yes to a write, so this is a question
		p := r.bot.AskYesNo(out, out.ID+"_yes", texts)
		if denied.Respond == "" {
			denied = r.bot.AllRight()
		}
		out.Plan = append(out.Plan, &convert.Step{When: p.Name + " == false", Respond: denied.Respond, End: true})
		return
	}
	for _, other := range texts[1:] {
		r.bot.Report.Add(lines.Of(other), convert.Left, "another wording of the confirmation of %s", in.Name)
	}
	out.Plan = append(out.Plan, &convert.Step{Confirm: texts[0], Denied: denied.Respond})
}

// call adds the fulfillment function as a tool. After questions it is a write, which is done once.
func (r *reader) call(out *convert.Intent, lines *convert.Lines) {
	name := "fulfill_" + convert.Snake(out.ID)
	step := r.bot.Call(out, name)
	tool := &convert.Tool{Name: name, At: lines.Of("fulfillmentCodeHook"), Write: len(out.Required)+len(out.Plan) > 0}
	tool.Open = append(tool.Open, r.bot.Report.Decide(tool.At, "connect the fulfillment function of %s", out.ID))
	r.bot.Tools = append(r.bot.Tools, tool)
	out.Plan = append(out.Plan, step)
}

// answer returns what the intent says: after its function, and at its end. An intent that asks nothing
// says its first words together with these.
func (in *intentFile) answer(atOnce bool) (groups []group) {
	if atOnce && in.Initial != nil {
		groups = append(groups, in.Initial.Response.all()...)
	}
	if f := in.Fulfillment; f != nil && f.Post != nil && on(f.Active) {
		groups = append(groups, f.Post.Success.all()...)
	}
	if c := in.Closing; c != nil && on(c.Active) {
		groups = append(groups, c.Response.all()...)
	}
	return groups
}

// calls reports whether the intent calls its function.
func (in *intentFile) calls() bool {
	return in.Fulfillment != nil && in.Fulfillment.Enabled && on(in.Fulfillment.Active)
}

// on reports whether a part is used: it is unless it says otherwise.
func on(active *bool) bool { return active == nil || *active }

// texts returns the wordings of messages. Groups are said one after the other, so the first wording is
// all of them; variations of the first one are further ones.
func (r *reader) texts(groups []group, known map[string]string, lines *convert.Lines) (texts []string) {
	var first []string
	for i := range groups {
		text := r.text(&groups[i].Message, known, lines)
		if text == "" {
			continue
		}
		first = append(first, text)
		for _, v := range groups[i].Variations {
			other := r.text(&v, known, lines)
			switch {
			case other == "":
			case len(first) == 1:
				texts = append(texts, other)
			default:
				r.bot.Report.Add(lines.Of(other), convert.Left, "another wording of a further message: %s", other)
			}
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
		source = r.card(m.Card, lines)
	case m.SSML != nil:
		r.bot.Report.Add(lines.Of(m.SSML.Value), convert.Lost, "a message in SSML")
	case m.Custom != nil:
		r.bot.Report.Add(lines.Of(m.Custom.Value), convert.Lost, "a custom payload")
	}
	text, lost := convert.Text(source, func(place string) string { return known[place] })
	for _, place := range lost {
		r.bot.Report.Lost(lines.Of(source), "a text names {%s}, which is no slot of its intent", place)
	}
	return strings.TrimSpace(text)
}

// card returns a card as text.
func (r *reader) card(c *card, lines *convert.Lines) string {
	text := c.Title
	if c.Subtitle != "" {
		text += "\n" + c.Subtitle
	}
	for _, b := range slices.Concat(c.Buttons, c.Older) {
		text += "\n- " + b.Text
		if b.Value != "" && !strings.EqualFold(b.Value, b.Text) {
			r.bot.Report.Add(lines.Of(b.Value), convert.Left, "the button %q says %q", b.Text, b.Value)
		}
	}
	return text
}

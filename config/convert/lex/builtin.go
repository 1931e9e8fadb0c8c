package lex

import (
	"slices"

	"github.com/slotway/slotway/config/convert"
)

// fallback carries the answer to what nothing matched.
func (r *reader) fallback(in *intentFile, lines *convert.Lines) {
	r.unsaid(in, lines)
	texts := r.texts(in.answer(true), nil, lines)
	var open []convert.Open
	if in.calls() || in.Dialog != nil && in.Dialog.Enabled {
		open = append(open, r.bot.Report.Decide(lines.Whole(), "a function answers what matched no intent: `classifier.fallback` names an intent that can call a tool"))
	}
	if len(texts) == 0 {
		r.bot.Report.Add(lines.Whole(), convert.Left, "the fallback intent says nothing by itself: the built-in text stands for it")
		return
	}
	id := convert.Snake(in.Name)
	r.bot.Intents = append(r.bot.Intents, &convert.Intent{ID: id, AnswerOnly: true, Plan: []*convert.Step{{Respond: id}}, Open: open})
	r.bot.Responses = append(r.bot.Responses, &convert.Response{ID: id, Texts: texts})
	r.bot.Fallback = id
}

// builtin carries the sentences and the answer of an intent that every agent has.
func (r *reader) builtin(id string, in *intentFile, lines *convert.Lines) {
	r.unsaid(in, lines)
	b := &convert.Builtin{ID: id}
	if i := slices.IndexFunc(r.bot.System, func(s *convert.Builtin) bool { return s.ID == id }); i >= 0 {
		b = r.bot.System[i]
	}
	for _, u := range in.Samples {
		if r.builtins[convert.Words(u.Text)] != id && !slices.Contains(b.Examples, u.Text) {
			b.Examples = append(b.Examples, u.Text)
		}
	}
	texts := r.texts(in.answer(true), nil, lines)
	switch {
	case len(texts) == 0:
	case len(b.Plan) > 0:
		r.bot.Report.Add(lines.Of(texts[0]), convert.Left, "another answer of the built-in intent %s: %s", id, texts[0])
	default:
		answer := convert.Snake(in.Name)
		r.bot.Responses = append(r.bot.Responses, &convert.Response{ID: answer, Texts: texts})
		b.Plan = []*convert.Step{{Respond: answer}}
	}
	switch {
	case in.calls():
		b.Open = append(b.Open, r.bot.Report.Decide(lines.Of("fulfillmentCodeHook"), "a function answers %s: a `plan` with a tool can do that", in.Name))
	case id == "human":
		b.Open = append(b.Open, r.bot.Report.Decide(lines.Whole(), "%s: a `handoff` step in its `plan` names the queue of the people who take over", in.Name))
	}
	if len(b.Examples)+len(b.Plan) > 0 && !slices.Contains(r.bot.System, b) {
		r.bot.System = append(r.bot.System, b)
	}
}

// answering are the built-in intents that a bot often has as intents of its own, since Lex has none such.
var answering = []string{"greet", "goodbye", "thanks", "help", "human"}

// spokenBuiltin returns the built-in intent that an intent is by what people say, and how many of its
// utterances tell so: a third. It asks for nothing.
func (r *reader) spokenBuiltin(in *intentFile, slots []*slot) (id string, n int) {
	if len(slots) > 0 || in.Confirmation != nil && on(in.Confirmation.Active) {
		return "", 0
	}
	counts := map[string]int{}
	for _, u := range in.Samples {
		counts[r.builtins[convert.Words(u.Text)]]++
	}
	for _, id := range answering {
		if n := counts[id]; n > 0 && 3*n >= len(in.Samples) {
			return id, n
		}
	}
	return "", 0
}

// service notes an intent that a service of Amazon answers.
func (r *reader) service(in *intentFile, lines *convert.Lines) {
	what := "a search service: a tool of kind knowledge can do that"
	if in.Bedrock != nil || in.QInConnect != nil {
		what = "an assistant of Amazon: a tool can call it, or one of kind knowledge can answer instead"
	}
	r.bot.Report.Decide(lines.Whole(), "intent %s answers from %s", in.Name, what)
	r.unsaid(in, lines)
}

// unsaid notes what the intent says when its function fails.
func (r *reader) unsaid(in *intentFile, lines *convert.Lines) {
	if in.Fulfillment == nil || in.Fulfillment.Post == nil {
		return
	}
	post := in.Fulfillment.Post
	for _, group := range slices.Concat(post.Failure.all(), post.Timeout.all()) {
		if text := r.text(&group.Message, nil, lines); text != "" {
			r.bot.Report.Add(lines.Of(text), convert.Left, "%s says when its function fails: %s", in.Name, text)
		}
	}
}

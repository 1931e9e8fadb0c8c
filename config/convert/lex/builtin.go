package lex

import (
	"slices"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/convert"
)

// fallback carries the answer to what nothing matched.
func (r *reader) fallback(in *intentFile, lines *convert.Lines) {
	texts := r.texts(in.answer(true), nil, lines)
	if in.calls() {
		r.bot.Report.Add(lines.Whole(), convert.Lost, "a function answers what matched no intent: `classifier.fallback` names an intent that can call a tool")
	}
	if !r.bot.SayBuiltin("nlu_fallback", texts) {
		r.bot.Report.Add(lines.Whole(), convert.Left, "the fallback intent says nothing by itself: the built-in text stands for it")
	}
}

// builtin carries the sentences and the answer of an intent that every agent has.
func (r *reader) builtin(id string, in *intentFile, lines *convert.Lines) {
	b := r.bot.Builtin(id)
	for _, u := range in.Samples {
		added := slices.ContainsFunc(b.Examples, func(e config.Example) bool { return e.Text == u.Text })
		if r.builtins[convert.Words(u.Text)] != id && !added {
			b.Examples = append(b.Examples, config.Example{Text: u.Text})
		}
	}
	if texts := r.texts(in.answer(true), nil, lines); len(texts) > 0 && !r.bot.SayBuiltin(id, texts) {
		r.bot.Report.Add(lines.Of(texts[0]), convert.Lost, "the answer of %s: the built-in intent %s answers otherwise", in.Name, id)
	}
	switch {
	case in.calls():
		b.Open = append(b.Open, r.bot.Report.Lost(lines.Of("fulfillmentCodeHook"), "a function answers %s: a `plan` with a tool can do that", in.Name))
	case id == "human":
		b.Open = append(b.Open, r.bot.Report.Decide(lines.Whole(), "%s: a `handoff` step in its `plan` names the queue of the people who take over", in.Name))
	}
	if len(b.Examples)+len(b.Plan)+len(b.Open) == 0 {
		r.bot.System = slices.DeleteFunc(r.bot.System, func(o *convert.Builtin) bool { return o == b })
	}
	r.bot.Report.Add(lines.Whole(), convert.Carried, "%s is the built-in intent %s", in.Name, id)
}

// means returns the built-in intent that an intent is: by Amazon's name, by its own, or because it steers the
// dialogue by what people say. One with slots or a confirmation is none.
func (r *reader) means(in *intentFile, slots []*slot) string {
	if id := system[in.Parent]; id != "" {
		return id
	}
	if len(slots) > 0 || in.Confirmation != nil && on(in.Confirmation.Active) {
		return ""
	}

	var said []string
	for _, u := range in.Samples {
		said = append(said, u.Text)
	}
	return convert.Means(r.bot.Language, in.Name, said)
}

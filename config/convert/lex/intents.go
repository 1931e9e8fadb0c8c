package lex

import (
	"path"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/convert"
)

// system maps the built-in intents of Lex.
var system = map[string]string{
	"AMAZON.HelpIntent": "help", "AMAZON.CancelIntent": "cancel", "AMAZON.StopIntent": "cancel", "AMAZON.YesIntent": "affirm", "AMAZON.NoIntent": "deny",
	"AMAZON.RepeatIntent": "repeat", "AMAZON.StartOverIntent": "reset", "AMAZON.ResumeIntent": "resume",
}

func (r *reader) readIntents() error {
	r.filler, r.builtins = convert.Filler{Values: r.samples}, convert.BuiltinSentences(r.bot.Language)
	for _, name := range r.under("Intents", "Intent.json") {
		var in intentFile
		lines, err := r.json(name, &in)
		if err != nil {
			return err
		}
		slots, err := r.slots(path.Dir(name), &in, lines)
		if err != nil {
			return err
		}
		r.intent(&in, lines, slots)
	}
	return nil
}

func (r *reader) intent(in *intentFile, lines *convert.Lines, slots []*slot) {
	if in.Name == "FallbackIntent" || in.Parent == "AMAZON.FallbackIntent" {
		r.fallback(in, lines)
		return
	}
	if in.Kendra != nil || in.QnA != nil || in.Bedrock != nil || in.QInConnect != nil {
		r.bot.Report.Lost(lines.Whole(), "intent %s answers from a service of Amazon: a tool of kind knowledge can do that", in.Name)
		return
	}
	if id := r.means(in, slots); id != "" {
		r.builtin(id, in, lines)
		return
	}
	out := &convert.Intent{ID: r.bot.FreeID(in.Name), At: lines.Whole(), Description: in.Description, Title: convert.Spoken(in.Name)}
	known := map[string]string{}
	for _, s := range slots {
		s.param = r.param(s)
		known[s.Name] = s.param
		out.Take(s.param, s.Elicitation.Constraint == "Required")
	}
	r.prompts(out, slots, known)

	r.examples(out, in, lines, known)
	r.plan(out, in, lines, known)
	out.AnswerOnly = len(slots) == 0 && !slices.ContainsFunc(out.Plan, func(s *convert.Step) bool { return s.Respond == "" })
	r.bot.Intents = append(r.bot.Intents, out)
}

// examples carries the sentences, with a value in each place.
func (r *reader) examples(out *convert.Intent, in *intentFile, lines *convert.Lines, known map[string]string) {
	seen, made := map[string]bool{}, 0
	for _, u := range in.Samples {
		e, ok := r.filler.Fill(u.Text, known)
		switch {
		case !ok:
			r.bot.Report.Add(lines.Of(u.Text), convert.Lost, "an utterance of %s has a place without a value: %s", in.Name, u.Text)
			continue
		case seen[strings.ToLower(e.Text)]:
			continue
		}
		seen[strings.ToLower(e.Text)] = true
		if len(e.Spans) > 0 {
			made++
			for i := range e.Spans { // the marked words are the value
				e.Spans[i].Value = ""
			}
		}
		out.Examples = append(out.Examples, e)
	}
	if made > 0 {
		r.bot.Report.Add(lines.Whole(), convert.Carried, "utterances of %s with places for slots, which got sample values: %d", in.Name, made)
	}
	if len(out.Examples) == 0 {
		out.Examples = []config.Example{{Text: convert.Spoken(in.Name)}}
		out.Open = append(out.Open, r.bot.Report.Decide(lines.Whole(), "%s has no utterances: its name stands for them", in.Name))
	}
}

package lex

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/convert"
)

// system maps the built-in intents of Lex.
var system = map[string]string{
	"AMAZON.HelpIntent": "help", "AMAZON.CancelIntent": "cancel", "AMAZON.StopIntent": "cancel", "AMAZON.YesIntent": "affirm", "AMAZON.NoIntent": "deny",
	"AMAZON.RepeatIntent": "repeat", "AMAZON.StartOverIntent": "reset",
}

func (r *reader) readIntents() error {
	r.filler = convert.Filler{Values: r.samples}
	for _, name := range r.under("Intents", "Intent.json") {
		var in intentFile
		lines, err := r.files.JSON(name, &in)
		if err != nil {
			return err
		}
		slots, err := r.slots(path.Dir(name), &in)
		if err != nil {
			return err
		}
		r.intent(&in, lines, slots)
	}
	return nil
}

// slot is a slot with its place.
type slot struct {
	slotFile
	lines *convert.Lines
	param string
}

// slots reads the slots of an intent in the order of their priorities.
func (r *reader) slots(dir string, in *intentFile) (list []*slot, err error) {
	order := map[string]int{}
	for _, p := range in.Priorities {
		order[p.Slot] = p.Priority
	}
	for _, name := range r.names {
		if !strings.HasPrefix(name, dir+"/Slots/") || path.Base(name) != "Slot.json" {
			continue
		}
		s := &slot{}
		if s.lines, err = r.files.JSON(name, &s.slotFile); err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	slices.SortStableFunc(list, func(a, b *slot) int { return cmp.Compare(order[a.Name], order[b.Name]) })
	return list, nil
}

func (r *reader) intent(in *intentFile, lines *convert.Lines, slots []*slot) {
	if in.Name == "FallbackIntent" || in.Parent == "AMAZON.FallbackIntent" {
		r.fallback(in, lines)
		return
	}
	if id, ok := system[in.Parent]; ok {
		r.builtin(id, in, lines)
		return
	}
	if strings.HasPrefix(in.Parent, "AMAZON.") && (in.Kendra != nil || in.QnA != nil || strings.Contains(in.Parent, "QnA") || strings.Contains(in.Parent, "Kendra")) {
		r.bot.Report.Decide(lines.Whole(), "intent %s answers from a search service: a tool of kind knowledge can do that", in.Name)
		return
	}
	out := &convert.Intent{ID: convert.Snake(in.Name), Description: in.Description, Title: convert.Spoken(in.Name)}
	known := map[string]string{}
	for _, s := range slots {
		s.param = r.param(s, out.ID)
		known[s.Name] = s.param
		if s.Elicitation.Constraint == "Required" {
			out.Required = append(out.Required, s.param)
		} else {
			out.Optional = append(out.Optional, s.param)
		}
	}
	r.prompts(slots, known)
	r.examples(out, in, lines, known)
	r.plan(out, in, lines, known)
	r.unmapped(out, in, lines)
	out.AnswerOnly = len(slots) == 0 && !slices.ContainsFunc(out.Plan, func(s *convert.Step) bool { return s.Respond == "" })
	r.bot.Intents = append(r.bot.Intents, out)
}

// fallback carries the answer to what nothing matched.
func (r *reader) fallback(in *intentFile, lines *convert.Lines) {
	texts := r.texts(in.closingTexts(), nil, lines)
	if len(texts) == 0 {
		r.bot.Report.Add(lines.Whole(), convert.Left, "the fallback intent says nothing by itself: the built-in text stands for it")
		return
	}
	id := convert.Snake(in.Name)
	r.bot.Intents = append(r.bot.Intents, &convert.Intent{ID: id, AnswerOnly: true, Plan: []*convert.Step{{Respond: id}}})
	r.bot.Responses = append(r.bot.Responses, &convert.Response{ID: id, Texts: texts})
	r.bot.Fallback = id
}

// builtin carries the sentences and the answer of an intent that every agent has.
func (r *reader) builtin(id string, in *intentFile, lines *convert.Lines) {
	b := &convert.Builtin{ID: id}
	for _, u := range in.Samples {
		b.Examples = append(b.Examples, u.Text)
	}
	if texts := r.texts(in.closingTexts(), nil, lines); len(texts) > 0 {
		answer := convert.Snake(in.Name)
		r.bot.Responses = append(r.bot.Responses, &convert.Response{ID: answer, Texts: texts})
		b.Plan = []*convert.Step{{Respond: answer}}
	}
	if len(b.Examples)+len(b.Plan) > 0 {
		r.bot.System = append(r.bot.System, b)
	}
	r.bot.Report.Add(lines.Whole(), convert.Carried, "%s is the built-in intent %s", in.Parent, id)
}

// param makes the param of a slot. Slots of one name and type in several intents are one param.
func (r *reader) param(s *slot, intent string) string {
	name, kind := convert.Snake(s.Name), r.typeOf(&s.slotFile, s.lines)
	if earlier := r.params[name]; earlier != nil && earlier.Type != kind {
		name = intent + "_" + name
	}
	if r.params[name] != nil {
		return name
	}
	p := &convert.Param{Name: name, Type: kind, List: s.Multiple != nil && s.Multiple.Allow}
	if d := s.Elicitation.Defaults; d != nil && len(d.List) > 0 {
		if text := d.List[0].Value; strings.HasPrefix(text, "#") || strings.HasPrefix(text, "[") {
			p.Open = append(p.Open, r.bot.Report.Decide(s.lines.Of(text), "the default of %s is %s, a context or a session attribute", s.Name, text))
		} else {
			p.Default = text
		}
	}
	if o := s.Obfuscation; o != nil && o.Type == "DefaultObfuscation" {
		r.bot.Redact = append(r.bot.Redact, name)
	}
	r.params[name] = p
	r.bot.Params = append(r.bot.Params, p)
	return name
}

// prompts fills in the questions, which may name other slots of the intent.
func (r *reader) prompts(slots []*slot, known map[string]string) {
	for _, s := range slots {
		p := r.params[s.param]
		if len(p.Prompts) > 0 || s.Elicitation.Prompt == nil {
			continue
		}
		p.Prompts = r.texts(s.Elicitation.Prompt.all(), known, s.lines)
		for _, u := range s.Elicitation.Samples {
			r.bot.Report.Add(s.lines.Of(u.Text), convert.Left, "an answer to the question about %s: %s", s.Name, u.Text)
		}
	}
}

// examples carries the sentences, with a value in each place.
func (r *reader) examples(out *convert.Intent, in *intentFile, lines *convert.Lines, known map[string]string) {
	seen, made := map[string]bool{}, 0
	for _, u := range in.Samples {
		e, ok := r.filler.Fill(u.Text, known)
		switch {
		case !ok:
			r.bot.Report.Add(lines.Of(u.Text), convert.Left, "an utterance of %s has a place without a value: %s", in.Name, u.Text)
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

// unmapped notes what has no counterpart.
func (r *reader) unmapped(out *convert.Intent, in *intentFile, lines *convert.Lines) {
	for _, c := range in.InContexts {
		out.Open = append(out.Open, r.bot.Report.Decide(lines.Of(c.Name), "%s is open only in the context %s: a `when` or an internal intent with `run` can say that", in.Name, c.Name))
	}
	for _, c := range in.OutContexts {
		r.bot.Report.Add(lines.Of(c.Name), convert.Left, "%s sets the context %s", in.Name, c.Name)
	}
	if in.Dialog != nil && in.Dialog.Enabled {
		out.Open = append(out.Open, r.bot.Report.Decide(lines.Of("dialogCodeHook"), "a function checks the slots of %s during the dialogue: `validation` with a tool, or `call` steps, can do that", in.Name))
	}
}

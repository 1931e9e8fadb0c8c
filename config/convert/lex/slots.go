package lex

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
)

// slot is a slot with its place.
type slot struct {
	slotFile
	lines *convert.Lines
	param string
}

// slots reads the slots of an intent in the order of their priorities.
func (r *reader) slots(dir string, in *intentFile, lines *convert.Lines) (list []*slot, err error) {
	order := map[string]int{}
	for _, p := range in.Priorities {
		order[p.Slot] = p.Priority
	}
	for _, name := range r.names {
		if !strings.HasPrefix(name, dir+"/Slots/") || path.Base(name) != "Slot.json" {
			continue
		}
		s := &slot{}
		if s.lines, err = r.json(name, &s.slotFile); err != nil {
			return nil, err
		}
		if _, ok := order[s.Name]; !ok {
			order[s.Name] = math.MaxInt // Lex asks for it last, if at all
		}
		list = append(list, s)
	}
	slices.SortStableFunc(list, func(a, b *slot) int { return cmp.Compare(order[a.Name], order[b.Name]) })
	for _, p := range in.Priorities {
		if !slices.ContainsFunc(list, func(s *slot) bool { return s.Name == p.Slot }) {
			r.bot.Report.Add(lines.Of(p.Slot), convert.Left, "the export has no file of slot %s", p.Slot)
		}
	}
	return list, nil
}

// param makes the param of a slot. Slots of several intents are one param if they have the same name and
// differ in their questions only.
func (r *reader) param(s *slot) string {
	p := &convert.Param{Name: convert.Snake(s.Name), Type: r.typeOf(&s.slotFile, s.lines), List: s.Multiple != nil && s.Multiple.Allow, Keep: r.free[s.Type]}
	r.defaultOf(p, s)
	for _, earlier := range r.bot.Params {
		if r.source[earlier] == s.Name && same(earlier, p) {
			p = earlier
		}
	}
	if r.source[p] == "" {
		p.Name = r.bot.FreeParam(s.Name)
		r.source[p], r.amazon[p.Name] = s.Name, s.Type
		r.bot.Params = append(r.bot.Params, p)
	}
	hidden := s.Obfuscation != nil && strings.EqualFold(strings.ReplaceAll(s.Obfuscation.Type, "_", ""), "DefaultObfuscation")
	if hidden && !slices.Contains(r.bot.Redact, p.Name) {
		r.bot.Redact = append(r.bot.Redact, p.Name)
	}
	return p.Name
}

func same(a, b *convert.Param) bool {
	return a.Type == b.Type && a.List == b.List && a.Default == b.Default
}

func (r *reader) defaultOf(p *convert.Param, s *slot) {
	d := s.Elicitation.Defaults
	if d == nil || len(d.List) == 0 {
		return
	}
	if text := d.List[0].Value; strings.HasPrefix(text, "#") || strings.HasPrefix(text, "[") {
		p.Open = append(p.Open, r.bot.Report.Decide(s.lines.Of(text), "the default of %s is %s, a context or a session attribute", s.Name, text))
	} else {
		p.Default = text
	}
	for _, other := range d.List[1:] {
		r.bot.Report.Add(s.lines.Of(other.Value), convert.Left, "a further default of %s: %s", s.Name, other.Value)
	}
}

// prompts fills in the questions, which may name other slots of the intent, and the answers to them.
func (r *reader) prompts(out *convert.Intent, slots []*slot, known map[string]string) {
	for _, s := range slots {
		if s.Elicitation.Prompt != nil {
			out.Ask(r.bot.Param(s.param), r.texts(s.Elicitation.Prompt.all(), known, s.lines))
		}
		for _, u := range s.Elicitation.Samples {
			e, ok := r.filler.Fill(u.Text, known)
			if !ok || len(e.Spans) == 0 {
				r.bot.Report.Add(s.lines.Of(u.Text), convert.Left, "an answer to the question about %s: %s", s.Name, u.Text)
				continue
			}
			for i := range e.Spans { // the marked words are the value
				e.Spans[i].Value = ""
			}
			e.Asked = s.param
			out.Answers = append(out.Answers, e)
		}
	}
}

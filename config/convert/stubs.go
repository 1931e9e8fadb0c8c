package convert

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
)

// Stub adds what is known of an intent by its sentences alone: one that answers with a text, until a person
// says what it does. A label that is a built-in intent or a group that is not served adds to these. Values
// that are marked become params of type text.
func (b *Bot) Stub(label string, at Place, examples []config.Example) {
	if group, is := strings.CutPrefix(label, "not_served."); is {
		g := Find(b.NotServed, func(g *Group) bool { return g.Name == Snake(group) })
		if g == nil {
			g = &Group{Name: Snake(group)}
			b.NotServed = append(b.NotServed, g)
		}
		for _, e := range examples {
			g.Examples = append(g.Examples, e.Text)
		}
		return
	}
	for _, e := range examples {
		for _, span := range e.Spans {
			if b.Param(span.Param) == nil {
				p := &Param{Name: span.Param, Type: "text"}
				p.Open = append(p.Open, b.Report.Decide(at, "%s is of type text: the sentences do not tell what its values look like", span.Param))
				b.Params = append(b.Params, p)
			}
		}
	}
	if slices.Contains(config.SystemIntents, Snake(label)) {
		b.Teach(Snake(label), examples)
		return
	}
	in := &Intent{ID: b.FreeID(label), At: at, Title: Spoken(label)}
	for _, e := range examples {
		if e.Asked != "" {
			in.Answers = append(in.Answers, e)
			in.Take(e.Asked, false)
		} else {
			in.Examples = append(in.Examples, e)
		}
		for _, span := range e.Spans {
			in.Take(span.Param, false)
		}
	}
	in.Open = append(in.Open, b.Report.Decide(at, "say what %s does: its sentences do not tell", in.ID))
	in.Plan = []*Step{b.Say(strings.ReplaceAll(in.ID, "/", "_"), []string{"This is about " + in.Title + "."})}
	b.Intents = append(b.Intents, in)
}

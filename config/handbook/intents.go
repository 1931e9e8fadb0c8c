package handbook

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/flow"
	"github.com/slotway/slotway/config/flow/diagram"
)

// shownExamples are the examples of an intent that stand on the page at first.
const shownExamples = 6

type intent struct {
	ID, Title, Description string
	Marks                  []string // what is special about it
	Examples, More         []example
	Params                 []param
	Says                   []string // texts, of an intent that does nothing but say them
	Flow                   template.HTML
	Caption                string
	Words                  []string // the flow in words
	Share                  *Share
	Missed                 int // nodes that no conversation reaches
}

// example is an utterance in pieces; a piece with a param is one of its values.
type example struct{ Pieces []piece }

type piece struct{ Text, Param string }

type param struct {
	Name, Label, Type, Need, When string
	Prompt                        string
	Checks                        []string
	Redacted                      bool
}

type builder struct {
	agent    *config.Agent
	uses     uses
	coverage *Coverage
}

func (b *builder) intent(in *config.Intent) intent {
	out := intent{ID: in.ID, Title: in.Called(), Description: in.Description, Marks: b.marks(in)}
	if out.Description == out.Title {
		out.Description = ""
	}
	for _, e := range in.Examples {
		if e.Asked == "" {
			out.Examples = append(out.Examples, pieces(e))
		}
	}
	if n := len(out.Examples); n > shownExamples+2 {
		out.Examples, out.More = out.Examples[:shownExamples], out.Examples[shownExamples:]
	}
	for _, p := range in.AllParams() {
		out.Params = append(out.Params, b.param(in, p))
	}
	d := flow.Of(b.agent, in)
	b.cover(in, d, &out)
	if texts, only := b.onlySays(in); only {
		out.Says = texts
		return out
	}
	out.Caption, out.Words = d.Caption, d.Lines()
	out.Flow = template.HTML(diagram.Lay(d).Inline("Flow of "+in.Called(), ""))
	return out
}

// cover marks what no conversation reaches.
func (b *builder) cover(in *config.Intent, d *diagram.Diagram, out *intent) {
	if b.coverage == nil || in.NotServed {
		return
	}
	if s, ok := b.coverage.Intents[in.ID]; ok {
		out.Share = &s
	}
	for _, n := range d.Nodes {
		if n.Shape == diagram.Digression {
			continue // what may interrupt is no way of the plan
		}
		if b.coverage.Reached(in.ID, n) {
			n.Class = "reached"
			continue
		}
		n.Class = "missed"
		n.Title = strings.TrimSpace("No conversation reaches this. " + n.Title)
		out.Missed++
	}
}

func (b *builder) marks(in *config.Intent) []string {
	var out []string
	if b.agent.Writes(in) {
		out = append(out, "changes data")
	}
	if in.Undo != nil {
		out = append(out, "undone by "+in.Undo.Called())
	}
	if in.ID == b.agent.Classifier.Fallback {
		out = append(out, "answers what nothing else understands")
	}
	if in.Internal {
		out = append(out, "part of other tasks")
	}
	if in.System {
		out = append(out, "built in")
	}
	return out
}

// onlySays returns the texts of an intent whose plan only says them.
func (b *builder) onlySays(in *config.Intent) ([]string, bool) {
	var out []string
	for _, s := range in.Plan {
		if s.Kind != config.StepRespond || s.When != nil {
			return nil, false
		}
		if r := b.agent.Response(s.Response); r != nil {
			for _, v := range r.Variants {
				out = append(out, v.Source)
			}
		}
	}
	return out, len(in.Required) == 0 && len(in.OneOf) == 0
}

func pieces(e config.Example) example {
	letters := []rune(e.Text)
	var out example
	at := 0
	for _, s := range e.Spans {
		if s.Start < at || s.End > len(letters) {
			continue
		}
		if s.Start > at {
			out.Pieces = append(out.Pieces, piece{Text: string(letters[at:s.Start])})
		}
		out.Pieces = append(out.Pieces, piece{string(letters[s.Start:s.End]), s.Param})
		at = s.End
	}
	if at < len(letters) {
		out.Pieces = append(out.Pieces, piece{Text: string(letters[at:])})
	}
	return out
}

func (b *builder) param(in *config.Intent, p *config.Param) param {
	out := param{Name: p.Name, Label: p.Label, Type: typeName(p), Need: need(in, p), Redacted: redacted(b.agent, p.Name), Checks: checks(p)}
	if p.When != nil {
		out.When = p.When.Source
	}
	if p.Prompt != nil {
		out.Prompt = p.Prompt.Source
	}
	return out
}

func typeName(p *config.Param) string {
	name := "text"
	if p.Type != nil {
		name = p.Type.Name
		if name == "" {
			name = p.Type.Builtin
		}
	}
	if p.Shape != "" && p.Shape != name {
		name += " (" + p.Shape + ")"
	}
	if p.List {
		name = "list of " + name
	}
	return name
}

// need says whether an intent requires a param.
func need(in *config.Intent, p *config.Param) string {
	has := func(list []*config.Param) bool {
		return slices.ContainsFunc(list, func(o *config.Param) bool { return o.Name == p.Name })
	}
	if has(in.Required) {
		return "required"
	}
	for i, group := range in.OneOf {
		if has(group) {
			return fmt.Sprintf("one of (group %d)", i+1)
		}
	}
	if p.Ask {
		return "optional, asked"
	}
	return "optional"
}

// checks says how a value is checked.
func checks(p *config.Param) []string {
	v := p.Validation
	var out []string
	if v.Tool != "" {
		out = append(out, "by the tool "+v.Tool)
	}
	if v.Expr != nil {
		out = append(out, v.Expr.Source)
	}
	if v.Pattern != nil {
		out = append(out, "pattern "+v.Pattern.String())
	}
	switch {
	case v.MinLength > 0 && v.MaxLength > 0:
		out = append(out, fmt.Sprintf("%d to %d characters", v.MinLength, v.MaxLength))
	case v.MinLength > 0:
		out = append(out, fmt.Sprintf("at least %d characters", v.MinLength))
	case v.MaxLength > 0:
		out = append(out, fmt.Sprintf("at most %d characters", v.MaxLength))
	}
	if v.Min != nil {
		out = append(out, fmt.Sprintf("at least %v", *v.Min))
	}
	if v.Max != nil {
		out = append(out, fmt.Sprintf("at most %v", *v.Max))
	}
	return out
}

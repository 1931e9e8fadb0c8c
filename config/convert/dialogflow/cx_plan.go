package dialogflow

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/pattern"
)

// walk follows the pages of a task and makes its plan.
type walk struct {
	*cx
	flow      *cxFlowRead
	out       *convert.Intent
	places    map[string]string // param by its name in the export
	seen      map[string]bool   // pages: a task that goes in a circle ends there
	inside    bool              // in a branch: forms are asked for where the plan comes to them
	confirmed bool
	responses *int // of the task so far
}

// route adds what a route does and what follows on its page.
func (w *walk) route(r cxRouteRead) {
	w.fulfil(&r.Fulfillment, r.at)
	switch {
	case r.Flow != "":
		w.out.Open = append(w.out.Open, w.bot.Report.Decide(r.at, "it goes on with flow %q: a `run` step can do that", r.Flow))
	case r.Page == "" || strings.HasPrefix(r.Page, "START_PAGE") || strings.HasPrefix(r.Page, "END_") || strings.HasPrefix(r.Page, "End ") || r.Page == "Start Page":
	case r.Page == "PREVIOUS_PAGE" || r.Page == "CURRENT_PAGE" || r.Page == "Previous Page" || r.Page == "Current Page":
	default:
		w.page(r.Page, r.at)
	}
}

// page adds the entry of a page, its form, and the way on.
func (w *walk) page(name string, at convert.Place) {
	p := w.flow.pages[name]
	if p == nil {
		w.bot.Report.Decide(at, "page %q is not in the export", name)
		return
	}
	if w.seen[name] {
		w.out.Open = append(w.out.Open, w.bot.Report.Decide(at, "it comes back to page %q", name))
		return
	}
	w.seen[name] = true
	routes := w.routes(w.flow, p.Routes, p.Groups)
	var yes, no *cxRouteRead
	for i := range routes {
		routes[i].at = p.lines.Of(cmp.Or(routes[i].Intent, routes[i].Condition, routes[i].Page))
		switch yesNo(routes[i].Intent) {
		case "yes":
			yes = &routes[i]
		case "no":
			no = &routes[i]
		}
	}
	w.form(p) // its texts may name the params
	if texts := w.texts(&p.Entry, w.places, p.lines.Whole()); yes != nil && len(texts) > 0 {
		w.confirm(texts, yes, no)
		return
	}
	w.fulfil(&p.Entry, p.lines.Whole())
	w.onward(routes)
}

// onward follows the routes that no intent begins. One alone is the way on; several are branches.
func (w *walk) onward(routes []cxRouteRead) {
	var open []cxRouteRead
	for _, r := range routes {
		if r.Intent == "" {
			open = append(open, r)
		}
	}
	for i, r := range open {
		condition, known := w.condition(r.Condition)
		if condition == "" && known {
			w.route(r)
			return // what follows an unconditional route is not reached
		}
		if !known {
			w.out.Open = append(w.out.Open, w.bot.Report.Decide(r.at, "the way on depends on %s", r.Condition))
			if i == len(open)-1 {
				w.route(r)
			}
			continue
		}
		w.branch(condition, r)
	}
}

// branch adds a route that is taken if a condition holds; the task ends with it.
func (w *walk) branch(condition string, r cxRouteRead) {
	b := *w
	b.inside, b.out = true, &convert.Intent{ID: w.out.ID}
	b.route(r)
	w.out.Optional = append(w.out.Optional, b.out.Optional...)
	w.out.Open = append(w.out.Open, b.out.Open...)
	then := b.out.Plan
	if len(then) == 0 {
		return
	}
	if last := then[len(then)-1]; last.Respond != "" && last.When == "" {
		last.End = true
	} else {
		then = append(then, &convert.Step{End: true})
	}
	w.out.Plan = append(w.out.Plan, &convert.Step{When: condition, Then: then})
}

// confirm makes a page with a yes and a no the confirmation.
func (w *walk) confirm(texts []string, yes, no *cxRouteRead) {
	step := &convert.Step{Confirm: texts[0]}
	if no != nil {
		if denied := w.texts(&no.Fulfillment, w.places, no.at); len(denied) > 0 {
			step.Denied = w.out.ID + "_declined"
			w.bot.Responses = append(w.bot.Responses, &convert.Response{ID: step.Denied, Texts: denied})
		}
	}
	w.out.Plan = append(w.out.Plan, step)
	w.confirmed = true
	w.route(*yes)
}

// form adds the params of a page: those at the beginning are required, later ones are asked for where the
// plan comes to them.
func (w *walk) form(p *cxPageRead) {
	var added []*convert.Param
	for _, s := range p.Form.Parameters {
		param := w.param(s.Name, w.kinds.of(s.Type, s.Name, p.lines.Of(s.Name)), w.out.ID)
		param.List = param.List || s.List
		w.places[s.Name] = param.Name
		added = append(added, param)
		if s.Redact {
			w.bot.Redact = append(w.bot.Redact, param.Name)
		}
		if text, ok := s.Default.(string); ok && text != "" && !strings.HasPrefix(text, "$") {
			param.Default = text
		}
		switch {
		case s.Required && len(w.out.Plan) == 0 && !w.inside:
			w.out.Required = append(w.out.Required, param.Name)
		default:
			w.out.Optional = append(w.out.Optional, param.Name)
			if s.Required {
				w.out.Plan = append(w.out.Plan, &convert.Step{Ask: param.Name})
			}
		}
	}
	for i, s := range p.Form.Parameters {
		if param := added[i]; len(param.Prompts) == 0 {
			at := p.lines.Of(s.Name)
			param.Prompts = w.texts(&s.Fill.Prompt, w.places, at)
			for _, h := range s.Fill.Reprompt {
				if again := w.texts(&h.Fulfillment, w.places, at); strings.HasPrefix(h.Event, "sys.no-match") && len(param.Prompts) > 0 {
					param.Prompts = append(param.Prompts, again...)
				}
			}
		}
	}
}

// fulfil adds what a route or page does and says.
func (w *walk) fulfil(f *cxFulfillment, at convert.Place) {
	for _, s := range f.Set {
		w.out.Open = append(w.out.Open, w.bot.Report.Decide(at, "it sets %s to %v: a `set` step can do that", s.Parameter, s.Value))
	}
	if len(f.Cases) > 0 {
		w.out.Open = append(w.out.Open, w.bot.Report.Decide(at, "what it says depends on conditions (conditionalCases): `[if ...]` in a text can do that"))
	}
	if f.Webhook != "" {
		w.call(f, at)
	}
	for _, m := range f.Messages {
		if m.Handoff != nil {
			w.out.Plan = append(w.out.Plan, &convert.Step{Handoff: "desk"})
		}
	}
	if texts := w.texts(f, w.places, at); len(texts) > 0 {
		w.say(texts)
	}
}

func (w *walk) say(texts []string) {
	id := w.out.ID
	if *w.responses++; *w.responses > 1 {
		id = fmt.Sprintf("%s_%d", id, *w.responses)
	}
	w.bot.Responses = append(w.bot.Responses, &convert.Response{ID: id, Texts: texts})
	w.out.Plan = append(w.out.Plan, &convert.Step{Respond: id})
}

// call adds a webhook as a tool, named by its tag. One behind a confirmation is a write.
func (w *walk) call(f *cxFulfillment, at convert.Place) {
	name := convert.Snake(cmp.Or(f.Tag, f.Webhook+" "+w.out.ID))
	step := &convert.Step{Call: name}
	for _, list := range [][]string{w.out.Required, w.out.Optional} {
		for _, param := range list {
			step.With = append(step.With, convert.Arg{Name: param, Value: "$" + param})
		}
	}
	w.out.Plan = append(w.out.Plan, step)
	if w.tools[name] {
		return
	}
	if w.tools == nil {
		w.tools = map[string]bool{}
	}
	w.tools[name] = true
	text := fmt.Sprintf("connect the webhook %q (tag %q)", f.Webhook, f.Tag)
	if !w.confirmed {
		text += "; if it changes something, it needs `effect: write` and a `confirm` step before it"
	}
	tool := &convert.Tool{Name: name, Write: w.confirmed}
	tool.Open = append(tool.Open, w.bot.Report.Decide(at, "%s", text))
	w.bot.Tools = append(w.bot.Tools, tool)
}

// end makes a plan of a task whose route does nothing.
func (w *walk) end() {
	if len(w.out.Plan) == 0 {
		w.say([]string{"All right."})
		w.out.Open = append(w.out.Open, w.bot.Report.Decide(w.flow.lines.Whole(), "nothing follows %s", w.out.ID))
	}
	w.out.AnswerOnly = len(w.out.Required)+len(w.out.Optional) == 0 && len(w.out.Plan) == 1 && w.out.Plan[0].Respond != ""
}

var (
	cxPlace  = pattern.Must(`\$(?:session|page|intent)\.params\.([\pL_][\pL\pN_-]*)(?:\.(?:resolved|original))?`)
	final    = pattern.Must(`^\$page\.params\.status\s*=\s*"FINAL"$`)
	equation = pattern.Must(`^\$(?:session|page)\.params\.([\pL_][\pL\pN_-]*)\s*(=|!=|<|<=|>|>=)\s*("[^"\\]*"|-?\d+(?:\.\d+)?|true|false|null)$`)
)

// condition turns a condition into an expression; "": always. known is false for a form that is not
// understood.
func (w *walk) condition(text string) (expr string, known bool) {
	text = strings.TrimSpace(text)
	if text == "" || text == "true" || final.MatchString(text) {
		return "", true
	}
	for _, word := range []string{" AND ", " OR "} {
		if !strings.Contains(text, word) || strings.ContainsAny(text, "()") {
			continue
		}
		var parts []string
		for part := range strings.SplitSeq(text, word) {
			one, ok := w.condition(part)
			if !ok {
				return "", false
			}
			if one != "" {
				parts = append(parts, one)
			}
		}
		return strings.Join(parts, strings.ToLower(word)), !strings.Contains(text, " AND ") || !strings.Contains(text, " OR ")
	}
	m := equation.FindStringSubmatch(text)
	if m == nil || w.places[m[1]] == "" {
		return "", false
	}
	op, value := m[2], m[3]
	if op == "=" {
		op = "=="
	}
	if value == "null" {
		value = "nil"
	}
	return w.places[m[1]] + " " + op + " " + value, true
}

// texts returns the wordings of a fulfillment, as [es.texts] does.
func (c *cx) texts(f *cxFulfillment, places map[string]string, at convert.Place) []string {
	var first, others []string
	for _, m := range f.Messages {
		switch {
		case !c.speaks(m.Language):
		case m.Text != nil && len(m.Text.Text) > 0:
			said := make([]string, len(m.Text.Text))
			for i, text := range m.Text.Text {
				said[i] = strings.TrimSpace(c.placeholders(text, places, at))
			}
			if len(first) == 0 {
				others = said[1:]
			}
			first = append(first, said[0])
		case m.Payload != nil:
			c.bot.Report.Add(at, convert.Left, "a custom payload")
		}
	}
	return convert.Wordings(first, others)
}

// placeholders turns the places of a text into placeholders.
func (c *cx) placeholders(text string, places map[string]string, at convert.Place) string {
	text = strings.NewReplacer("{", "(", "}", ")").Replace(text)
	return cxPlace.ReplaceAllStringFunc(text, func(found string) string {
		name := cxPlace.FindStringSubmatch(found)[1]
		if param := places[name]; param != "" {
			return "{" + param + "}"
		}
		if param := c.params[convert.Snake(name)]; param != nil {
			return "{" + param.Name + "}"
		}
		c.bot.Report.Decide(at, "a text names %s, which is no parameter", found)
		return "(" + name + ")"
	})
}

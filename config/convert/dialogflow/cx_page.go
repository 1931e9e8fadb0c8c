package dialogflow

import (
	"cmp"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
)

// maxVisits is how often a task carries one page: ways that part and meet again each carry it.
const maxVisits = 4

// page adds the entry of a page, its form, and the way on.
func (w *walk) page(name string, at convert.Place) {
	p := w.flow.pages[name]
	if p == nil {
		w.note(at, convert.Lost, "page %q is not in the export", name)
		return
	}
	w.visited[p] = true
	if w.seen[name] || w.visits[p] == maxVisits {
		w.lost(at, "it comes back to page %q", name)
		return
	}
	w.seen[name] = true
	w.visits[p]++
	routes := w.routes(w.flow, p.lines, p.Routes, p.Groups)
	yes, no := w.answers(p, routes)
	added := w.fields(p) // texts may name the params
	if yes == nil && no == nil {
		w.fulfil(&p.Entry, p.lines.Whole()) // it is said before the form asks
		w.form(p, added)
		w.onward(routes)
		return
	}
	w.form(p, added)
	w.question(p, yes, no)
	w.onward(routes)
}

// answers returns the routes of a page that a yes and a no take. Of two for the same answer, Dialogflow
// takes the first.
func (w *walk) answers(p *cxPageRead, routes []cxRouteRead) (yes, no *cxRouteRead) {
	for i := range routes {
		r := &routes[i]
		side := &yes
		switch w.yesNo(r.Intent) {
		case "":
			continue
		case "no":
			side = &no
		}
		if *side != nil {
			w.lost(r.at, "page %q has another way on for %q", p.Name, r.Intent)
			continue
		}
		*side = r
	}
	return yes, no
}

// question asks for the yes or no of a page with its entry, else with what was said just before: a param with
// two ways on.
func (w *walk) question(p *cxPageRead, yes, no *cxRouteRead) {
	at := p.lines.Whole()
	texts := w.texts(&p.Entry, w.places, at)
	if p.Entry.silent() && len(texts) == 0 {
		texts = w.takeBack()
	} else if !p.Entry.silent() {
		act := p.Entry
		act.Messages = nil
		w.fulfil(&act, at)
	}
	if len(texts) == 0 {
		texts = []string{"Yes or no?"}
		w.lost(at, "page %q waits for a yes or no, and no text asks for it", p.Name)
	}

	param := w.bot.AskYesNo(w.out, w.out.ID+"_"+p.Name, texts)
	w.answered = true
	if yes != nil {
		w.branch(param.Name+" == true", *yes, w.bot.AllRight())
	}
	if no != nil {
		w.branch(param.Name+" == false", *no, w.bot.AllRight())
	}
}

// takeBack removes the text that the plan says last and returns its wordings.
func (w *walk) takeBack() []string {
	n := len(w.out.Plan)
	if n == 0 || w.out.Plan[n-1].Respond == "" || w.out.Plan[n-1].End {
		return nil
	}
	id := w.out.Plan[n-1].Respond
	at := slices.IndexFunc(w.bot.Responses, func(r *convert.Response) bool { return r.ID == id })
	texts := w.bot.Responses[at].Texts
	w.bot.Responses = slices.Delete(w.bot.Responses, at, at+1)
	w.out.Plan = w.out.Plan[:n-1]
	return texts
}

// onward follows the routes that no intent begins. One alone is the way on; several are branches.
func (w *walk) onward(routes []cxRouteRead) {
	var open []cxRouteRead
	for _, r := range routes {
		if r.Intent == "" {
			open = append(open, r)
		}
	}
	for _, r := range open {
		condition, known := w.condition(r.Condition)
		if condition == "" && known {
			w.route(r)
			return // what follows an unconditional route is not reached
		}
		if !known { // a way that something guards is not taken without the guard
			w.lost(r.at, "the way on depends on %s, and leads to %s", r.Condition, cmp.Or(r.Page, r.Flow, "an answer"))
			continue
		}
		w.branch(condition, r)
	}
}

// branch adds a route that is taken if a condition holds; the task ends with it. otherwise is what it does if
// the route does nothing.
func (w *walk) branch(condition string, r cxRouteRead, otherwise ...*convert.Step) {
	b := *w
	b.inside, b.seen = true, map[string]bool{}
	b.out = &convert.Intent{ID: w.out.ID, Title: w.out.Title, Required: w.out.Required, Optional: slices.Clone(w.out.Optional)}
	for name := range w.seen {
		b.seen[name] = true
	}
	b.route(r)
	for _, name := range b.out.Optional {
		w.out.Take(name, false)
	}
	for _, open := range b.out.Open {
		if !slices.Contains(w.out.Open, open) {
			w.out.Open = append(w.out.Open, open)
		}
	}
	then := b.out.Plan
	if len(then) == 0 {
		then = otherwise
	}
	if n := len(then); n > 0 && then[n-1].Respond != "" && then[n-1].When == "" {
		then[n-1].End = true
	} else {
		then = append(then, &convert.Step{End: true})
	}
	w.out.Plan = append(w.out.Plan, &convert.Step{When: condition, Then: then})
}

// fields makes the params of a page's form.
func (w *walk) fields(p *cxPageRead) (added []*convert.Param) {
	for _, s := range p.Form.Parameters {
		param := w.param(s.Name, w.kinds.of(s.Type, s.Name, p.lines.Of(s.Name)))
		param.List = param.List || s.List
		w.places[s.Name] = param.Name
		added = append(added, param)
		w.redacted(s, param.Name)
		if text, ok := s.Default.(string); ok && text != "" && !strings.HasPrefix(text, "$") {
			param.Default = text
		}
	}
	return added
}

// redacted hides the values of a parameter if it or its entity says so.
func (c *cx) redacted(s cxParameter, name string) {
	if (s.Redact || c.kinds.redact[strings.TrimPrefix(s.Type, "@")]) && !slices.Contains(c.bot.Redact, name) {
		c.bot.Redact = append(c.bot.Redact, name)
	}
}

// form asks for the params of a page: those at the beginning are required, later ones are asked for where
// the plan comes to them.
func (w *walk) form(p *cxPageRead, added []*convert.Param) {
	var later []string
	for i, s := range p.Form.Parameters {
		name := added[i].Name
		w.answered = w.answered || s.Required
		switch {
		case slices.Contains(w.out.Required, name):
		case s.Required && (len(w.out.Plan) > 0 || w.inside):
			later = append(later, name)
			w.out.Take(name, false)
		default:
			w.out.Take(name, s.Required)
		}
	}
	if len(later) > 0 {
		w.out.Plan = append(w.out.Plan, w.bot.Need(w.out, later))
	}
	for i, s := range p.Form.Parameters {
		param, at := added[i], p.lines.Of(s.Name)
		w.out.Ask(param, w.texts(&s.Fill.Prompt, w.places, at))
		w.again(param, s, p)
	}
}

// again adds the questions that ask again, and lists what else the form does.
func (w *walk) again(param *convert.Param, s cxParameter, p *cxPageRead) {
	at := p.lines.Of(s.Name)
	for _, h := range s.Fill.Reprompt {
		texts := w.texts(&h.Fulfillment, w.places, at)
		if strings.HasPrefix(h.Event, "sys.no-match") && len(param.Prompts) > 0 && len(texts) > 0 && h.Fulfillment.silent() && h.Page+h.Flow == "" {
			for _, text := range texts { // a page that several ways lead to is read again
				if !slices.Contains(param.Prompts, text) {
					param.Prompts = append(param.Prompts, text)
				}
			}
			continue
		}
		w.note(at, convert.Lost, "what %s does at %s", s.Name, h.Event)
	}
}

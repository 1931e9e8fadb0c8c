package dialogflow

import (
	"cmp"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/pattern"
)

// walk follows the pages of a task and makes its plan.
type walk struct {
	*cx
	flow     *flow
	out      *convert.Intent
	places   map[string]string // param by its name in the export
	seen     map[*page]bool    // on this way: a task that goes in a circle ends there
	visits   map[*page]int     // on all ways of the task
	inside   bool              // in a branch: forms are asked for where the plan comes to them
	answered bool              // something was asked on this way
}

// maxVisits is how often a task carries one page: ways that part and meet again each carry it.
const maxVisits = 4

// route adds what a route does and what follows on its page.
func (w *walk) route(r *convert.Node) {
	if condition := r.Str("condition"); r.Str("intent") != "" && condition != "" && condition != "true" {
		w.lost(r.At, "the way on for %q depends on %s as well", r.Str("intent"), condition)
	}
	w.fulfil(r.Get("triggerFulfillment"))
	if flow := r.Str("targetFlow"); flow != "" {
		w.lost(r.At, "it goes on with flow %q: a `run` step can do that", flow)
	} else if !symbolic(r) {
		w.page(r.Str("targetPage"), r.At)
	}
}

// fulfil adds what a route or page does and says.
func (w *walk) fulfil(does *convert.Node) {
	w.act(does)
	if texts := w.texts(does, w.places); len(texts) > 0 {
		w.out.Plan = append(w.out.Plan, w.bot.Say(w.out.ID, texts))
	}
}

// act adds the webhook as a tool, named by its tag, and a handoff. After questions the tool is a write, which is
// done once.
func (w *walk) act(does *convert.Node) {
	if hook := does.Str("webhook"); hook != "" {
		name := convert.Snake(cmp.Or(does.Str("tag"), hook+" "+w.out.ID))
		w.out.Plan = append(w.out.Plan, w.bot.Call(w.out, name))
		tool := w.bot.Tool(name)
		if tool == nil {
			tool = &convert.Tool{Name: name, At: does.Place("webhook")}
			at := "whose address is not in the export"
			if p := w.hooks[hook]; p != nil {
				at = cmp.Or(p.Str("genericWebService", "uri"), at)
			}
			tool.Open = append(tool.Open, w.bot.Report.Decide(tool.At, "connect the webhook %q (tag %q), %s", hook, does.Str("tag"), at))
			w.bot.Tools = append(w.bot.Tools, tool)
		}
		tool.Write = tool.Write || w.answered
	}
	if handoff := slices.IndexFunc(does.List("messages"), func(m *convert.Node) bool { return m.Get("liveAgentHandoff") != nil }); handoff >= 0 {
		does.List("messages")[handoff].Get("liveAgentHandoff").Done()
		w.out.Plan = append(w.out.Plan, &convert.Step{Handoff: "desk"})
	}
}

// lost notes what the task does not do.
func (w *walk) lost(at convert.Place, format string, args ...any) {
	if open := w.bot.Report.Lost(at, format, args...); !slices.Contains(w.out.Open, open) {
		w.out.Open = append(w.out.Open, open)
	}
}

// page adds the entry of a page, its form, and the way on.
func (w *walk) page(name string, at convert.Place) {
	p := w.flow.pages[name]
	switch {
	case p == nil:
		w.lost(at, "page %q is not in the export", name)
		return
	case w.seen[p] || w.visits[p] == maxVisits:
		w.lost(at, "it comes back to page %q", name)
		return
	}
	w.seen[p] = true
	w.visits[p]++
	if !slices.Contains(p.tasks, w.out.ID) {
		p.tasks = append(p.tasks, w.out.ID)
	}
	routes := w.routes(w.flow, p.part)
	ways := map[string]*convert.Node{} // of two for the same answer, Dialogflow takes the first
	for _, r := range routes {
		side := w.answers(r.Str("intent"))
		if side != "" && ways[side] != nil {
			r.Done()
			w.lost(r.At, "page %q has another way on for %q", p.name, r.Str("intent"))
		} else if side != "" {
			ways[side] = r
		}
	}
	form := p.List("form", "parameters")
	var params []*convert.Param
	for _, s := range form { // texts may name them
		params = append(params, w.slot(s.Str("displayName"), s))
	}
	if len(ways) == 0 {
		w.fulfil(p.Get("entryFulfillment")) // it is said before the form asks
	}
	for i, s := range form {
		w.ask(params[i], s)
	}
	if len(ways) > 0 {
		w.question(p, ways)
	}
	w.onward(routes)
}

// slot makes a param of a parameter.
func (w *walk) slot(name string, s *convert.Node) *convert.Param {
	p := w.param(name, s.Str("entityType"), s.Is("isList"), s.At)
	w.places[name] = p.Name
	hidden := s.Is("redact") || w.redact[strings.TrimPrefix(s.Str("entityType"), "@")]
	if hidden && !slices.Contains(w.bot.Redact, p.Name) {
		w.bot.Redact = append(w.bot.Redact, p.Name)
	}
	if text := s.Str("defaultValue"); text != "" && !strings.HasPrefix(text, "$") {
		p.Default = text
	}
	return p
}

// ask asks for a parameter of a form: those at the beginning are required, later ones are asked for where the plan
// comes to them.
func (w *walk) ask(p *convert.Param, s *convert.Node) {
	required := s.Is("required")
	w.answered = w.answered || required
	if required && (len(w.out.Plan) > 0 || w.inside) {
		w.out.Plan = append(w.out.Plan, w.out.Needs(p.Name))
	} else {
		w.out.Take(p.Name, required)
	}
	w.out.Ask(p, w.texts(s.Get("fillBehavior", "initialPromptFulfillment"), w.places))
	for _, h := range s.List("fillBehavior", "repromptEventHandlers") {
		does, event := h.Get("triggerFulfillment"), h.Str("event")
		texts := w.texts(does, w.places)
		asks := strings.HasPrefix(event, "sys.no-match") && len(p.Prompts) > 0 && len(texts) > 0
		if !asks || !silent(does) || h.Str("targetPage")+h.Str("targetFlow") != "" {
			h.Done()
			w.bot.Report.Lost(h.At, "what %s does at %s", s.Str("displayName"), event)
			continue
		}
		for _, text := range texts { // a page that several ways lead to is read again
			if !slices.Contains(p.Prompts, text) {
				p.Prompts = append(p.Prompts, text)
			}
		}
	}
}

// question asks for the yes or no of a page with its entry, else with what was said just before: a param with
// two ways on.
func (w *walk) question(p *page, ways map[string]*convert.Node) {
	entry := p.Get("entryFulfillment")
	texts := w.texts(entry, w.places)
	w.act(entry)
	if n := len(w.out.Plan); len(texts) == 0 && n > 0 && w.out.Plan[n-1].Respond != "" && !w.out.Plan[n-1].End {
		texts = w.bot.Response(w.out.Plan[n-1].Respond).Texts
		w.bot.Responses = slices.DeleteFunc(w.bot.Responses, func(r *convert.Response) bool { return r.ID == w.out.Plan[n-1].Respond })
		w.out.Plan = w.out.Plan[:n-1]
	}
	if len(texts) == 0 {
		texts = []string{"Yes or no?"}
		w.lost(p.Place(), "page %q waits for a yes or no, and no text asks for it", p.name)
	}
	param := w.bot.AskYesNo(w.out, w.out.ID+"_"+p.name, texts)
	w.answered = true
	for _, side := range []struct{ answer, value string }{{"yes", "true"}, {"no", "false"}} {
		if r := ways[side.answer]; r != nil {
			w.branch(param.Name+" == "+side.value, r, w.bot.AllRight())
		}
	}
}

// onward follows the routes that no intent begins. One alone is the way on; several are branches.
func (w *walk) onward(routes []*convert.Node) {
	for _, r := range routes {
		if r.Str("intent") != "" {
			continue
		}
		condition, known := w.condition(r.Str("condition"))
		switch {
		case condition == "" && known:
			w.route(r)
			return // what follows an unconditional route is not reached
		case known:
			w.branch(condition, r)
		default: // a way that something guards is not taken without the guard
			r.Done()
			w.lost(r.At, "the way on depends on %s, and leads to %s", r.Str("condition"), cmp.Or(r.Str("targetPage"), r.Str("targetFlow"), "an answer"))
		}
	}
}

// branch adds a route that is taken if a condition holds; the task ends with it. otherwise is what it does if
// the route does nothing.
func (w *walk) branch(condition string, r *convert.Node, otherwise ...*convert.Step) {
	b := *w
	b.inside, b.seen = true, map[*page]bool{}
	for p := range w.seen {
		b.seen[p] = true
	}
	part := *w.out
	b.out, part.Plan = &part, nil
	b.route(r)
	plan := append(w.out.Plan, &convert.Step{When: condition, Then: part.Plan})
	step := plan[len(plan)-1]
	if len(step.Then) == 0 {
		step.Then = otherwise
	}
	if n := len(step.Then); n > 0 && step.Then[n-1].Respond != "" && step.Then[n-1].When == "" {
		step.Then[n-1].End = true
	} else {
		step.Then = append(step.Then, &convert.Step{End: true})
	}
	*w.out = part
	w.out.Plan = plan
}

var (
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
	return w.places[m[1]] + strings.NewReplacer("<=", "<=", ">=", ">=", "!=", "!=", "=", "==").Replace(" "+m[2]+" ") + strings.Replace(m[3], "null", "nil", 1), true
}

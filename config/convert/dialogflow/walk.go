package dialogflow

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/pattern"
)

// walk follows the pages of a task and makes its plan.
type walk struct {
	*cx
	out      *convert.Intent
	places   map[string]string // param by its name in the export
	seen     map[*part]bool    // pages on this way: a task that goes in a circle ends there
	inside   bool              // in a branch: forms are asked for where the plan comes to them
	answered bool              // something was asked on this way
}

// lost notes what the task does not do.
func (w *walk) lost(at convert.Place, format string, args ...any) {
	if open := w.bot.Report.Lost(at, format, args...); !slices.Contains(w.out.Open, open) {
		w.out.Open = append(w.out.Open, open)
	}
}

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

// act adds the webhook as a tool, named by its tag, and a handoff.
func (w *walk) act(does *convert.Node) {
	if hook := does.Str("webhook"); hook != "" {
		name := convert.Snake(cmp.Or(does.Str("tag"), hook+" "+w.out.ID))
		w.out.Plan = append(w.out.Plan, w.bot.Call(w.out, name, does.Place("webhook"), w.answered, "connect the webhook %q (tag %q)", hook, does.Str("tag")))
	}
	for _, m := range does.List("messages") {
		if m.Get("liveAgentHandoff") != nil {
			m.Get("liveAgentHandoff").Done()
			w.out.Plan = append(w.out.Plan, &convert.Step{Handoff: "desk"})
		}
	}
}

// page adds the entry of a page, its form, and the ways on.
func (w *walk) page(name string, at convert.Place) {
	p := w.pages[name]
	if p == nil || w.seen[p] {
		w.lost(at, "it goes on with page %q, which the export lacks or the task comes from", name)
		return
	}
	w.seen[p], w.came[p] = true, true
	form := p.List("form", "parameters")
	var params []*convert.Param
	for _, s := range form { // texts may name them
		params = append(params, w.slot(s.Str("displayName"), s))
	}
	ways, onward := w.ways(p)
	if len(ways) == 0 {
		w.fulfil(p.Get("entryFulfillment")) // it is said before the form asks
	}
	for i, s := range form {
		w.ask(params[i], s)
	}
	if len(ways) > 0 {
		w.question(p, ways)
	}
	for _, r := range onward {
		if condition, _ := w.condition(r.Str("condition")); condition != "" {
			w.branch(condition, r)
		} else {
			w.route(r)
		}
	}
}

// ways returns the routes of a page for a yes and a no, and those that no intent begins, up to the one that always
// holds. Behind a condition that has no counterpart nothing is carried over: the way that it guards must not be
// taken without it, nor the next one instead.
func (w *walk) ways(p *part) (ways map[string]*convert.Node, onward []*convert.Node) {
	ways = map[string]*convert.Node{}
	ends := false
	for _, r := range p.List("transitionRoutes") {
		side, intent := w.answers(r.Str("intent")), r.Str("intent")
		condition, known := w.condition(r.Str("condition"))
		switch {
		case side != "" && ways[side] == nil: // of two for the same answer, Dialogflow takes the first
			ways[side] = r
		case intent == "" && known && !ends:
			onward = append(onward, r)
			ends = condition == ""
		default:
			r.Done()
			w.lost(r.At, "the way on from page %q for %q if %q, to %s", p.name, intent, r.Str("condition"), cmp.Or(r.Str("targetPage"), r.Str("targetFlow"), "an answer"))
			ends = ends || intent == ""
		}
	}
	return ways, onward
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
		w.out.Plan = append(w.out.Plan, w.out.Needs(p))
	} else {
		w.out.Take(p.Name, required)
	}
	w.bot.Ask(w.out, p, w.texts(s.Get("fillBehavior", "initialPromptFulfillment"), w.places), s.At)
}

// question asks for the yes or no of a page with its entry, else with what was said just before: a param with
// two ways on.
func (w *walk) question(p *part, ways map[string]*convert.Node) {
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

// branch adds a route that is taken if a condition holds; the task ends with it. otherwise is what it does if
// the route does nothing.
func (w *walk) branch(condition string, r *convert.Node, otherwise ...*convert.Step) {
	b, part := *w, *w.out
	b.inside, b.seen, b.out, part.Plan = true, maps.Clone(w.seen), &part, nil
	b.route(r)
	step := &convert.Step{When: condition, Then: part.Plan}
	if len(step.Then) == 0 {
		step.Then = otherwise
	}
	if n := len(step.Then); n > 0 && step.Then[n-1].Respond != "" && step.Then[n-1].When == "" {
		step.Then[n-1].End = true
	} else {
		step.Then = append(step.Then, &convert.Step{End: true})
	}
	part.Plan = append(w.out.Plan, step)
	*w.out = part
}

// equation matches a condition that compares a parameter with a value.
var equation = pattern.Must(`^\$(?:session|page)\.params\.([\pL_][\pL\pN_-]*)\s*(=|!=|<|<=|>|>=)\s*("[^"\\]*"|-?\d+(?:\.\d+)?|true|false|null)$`)

// condition turns a condition into an expression; "": always. known is false for any other.
func (w *walk) condition(text string) (expr string, known bool) {
	text = strings.TrimSpace(text)
	if text == "" || text == "true" || strings.ReplaceAll(text, " ", "") == `$page.params.status="FINAL"` {
		return "", true
	}
	m := equation.FindStringSubmatch(text)
	if m == nil || w.places[m[1]] == "" {
		return "", false
	}
	operator := m[2]
	if operator == "=" {
		operator = "=="
	}
	return w.places[m[1]] + " " + operator + " " + strings.Replace(m[3], "null", "nil", 1), true
}

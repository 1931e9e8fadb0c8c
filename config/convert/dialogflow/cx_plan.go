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
	flow *cxFlowRead

	out      *convert.Intent
	places   map[string]string   // param by its name in the export
	seen     map[string]bool     // pages on this way: a task that goes in a circle ends there
	visits   map[*cxPageRead]int // on all ways of the task
	inside   bool                // in a branch: forms are asked for where the plan comes to them
	answered bool                // something was asked on this way
}

// route adds what a route does and what follows on its page.
func (w *walk) route(r cxRouteRead) {
	if r.Intent != "" && r.Condition != "" && r.Condition != "true" {
		w.lost(r.at, "the way on for %q depends on %s as well", r.Intent, r.Condition)
	}
	w.fulfil(&r.Fulfillment, r.at)
	switch {
	case r.Flow != "":
		w.lost(r.at, "it goes on with flow %q: a `run` step can do that", r.Flow)
	case r.symbolic():
	default:
		w.page(r.Page, r.at)
	}
}

// symbolic reports whether a route leads to no page of its own: it stays, ends or begins anew.
func (r *cxRoute) symbolic() bool {
	switch r.Page {
	case "", "Start Page", "PREVIOUS_PAGE", "CURRENT_PAGE", "Previous Page", "Current Page":
		return true
	}
	return strings.HasPrefix(r.Page, "START_PAGE") || strings.HasPrefix(r.Page, "END_") || strings.HasPrefix(r.Page, "End ")
}

// fulfil adds what a route or page does and says.
func (w *walk) fulfil(f *cxFulfillment, at convert.Place) {
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

// lost notes what the task does not do.
func (w *walk) lost(at convert.Place, format string, args ...any) {
	if open := w.bot.Report.Lost(at, format, args...); !slices.Contains(w.out.Open, open) {
		w.out.Open = append(w.out.Open, open)
	}
}

func (w *walk) say(texts []string) { w.out.Plan = append(w.out.Plan, w.bot.Say(w.out.ID, texts)) }

// call adds a webhook as a tool, named by its tag. After questions it is a write, which is done once.
func (w *walk) call(f *cxFulfillment, at convert.Place) {
	name := convert.Snake(cmp.Or(f.Tag, f.Webhook+" "+w.out.ID))
	w.out.Plan = append(w.out.Plan, w.bot.Call(w.out, name))
	tool := w.bot.Tool(name)
	if tool == nil {
		tool = &convert.Tool{Name: name, At: at}
		tool.Open = append(tool.Open, w.bot.Report.Decide(at, "connect the webhook %q (tag %q), %s", f.Webhook, f.Tag, cmp.Or(w.urls[f.Webhook], "whose address is not in the export")))
		w.bot.Tools = append(w.bot.Tools, tool)
	}
	tool.Write = tool.Write || w.answered
}

// end makes a plan of a task whose route does nothing.
func (w *walk) end() {
	if len(w.out.Plan) == 0 {
		w.out.Plan = append(w.out.Plan, w.bot.AllRight())
		w.lost(w.flow.lines.Whole(), "nothing follows %s", w.out.ID)
	}
	w.out.AnswerOnly = len(w.out.Required)+len(w.out.Optional) == 0 && len(w.out.Plan) == 1 && w.out.Plan[0].Respond != ""
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
	op, value := m[2], m[3]
	if op == "=" {
		op = "=="
	}
	if value == "null" {
		value = "nil"
	}
	return w.places[m[1]] + " " + op + " " + value, true
}

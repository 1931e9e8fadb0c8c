package dialogflow

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/convert"
)

// yesNo tells whether an intent answers a question with yes or no.
func (c *cx) yesNo(intent string) string {
	var said []string
	if in := c.intents[intent]; in != nil {
		for _, e := range c.examples(in, nil) {
			said = append(said, e.Text)
		}
	}
	return convert.YesNo(c.language, intent, said)
}

// greeting tells the intent with which a conversation begins.
func greeting(intent string) bool {
	low := strings.ToLower(intent)
	return strings.Contains(low, "welcome") || strings.Contains(low, "greet")
}

// carry makes a task of each route that an intent begins.
func (c *cx) carry() {
	for _, name := range c.order {
		f := c.flows[name]
		for _, route := range c.routes(f, f.lines, f.Routes, f.Groups) {
			c.begin(f, route, "")
		}
		c.handlers(f)
	}
	for _, name := range c.order {
		c.pages(c.flows[name])
	}
	c.rest()
}

// rest lists the pages and intents that nothing has come to.
func (c *cx) rest() {
	for _, flow := range c.order {
		f := c.flows[flow]
		for _, r := range c.routes(f, f.lines, f.Routes, f.Groups) {
			if r.Intent == "" {
				c.note(r.at, convert.Lost, "flow %q goes on by itself if %s", flow, cmp.Or(r.Condition, "it begins"))
			}
		}
		for _, name := range slices.Sorted(maps.Keys(f.pages)) {
			if p := f.pages[name]; !c.visited[p] {
				c.note(p.lines.Whole(), convert.Lost, "no task comes to page %q of flow %q", name, flow)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.intents)) {
		in := c.intents[name]
		switch {
		case c.tasks[name] != nil || greeting(name) && c.began[name].File != "":
		case in.Fallback:
			if len(in.Phrases) > 0 {
				c.note(in.said.Whole(), convert.Left, "sentences that match nothing, of %q: %d", name, len(in.Phrases))
			}
		case c.yesNo(name) != "":
			c.note(in.said.Whole(), convert.Carried, "%q is a %s to a question: the type boolean and the built-in answers recognise it, not its sentences", name, c.yesNo(name))
		default:
			c.note(in.lines.Whole(), convert.Lost, "no route begins with intent %q", name)
		}
	}
}

// cxRouteRead is a route with its place.
type cxRouteRead struct {
	cxRoute
	at convert.Place
}

// routes returns the routes of a flow or page with those of its groups; lines are those of its file.
func (c *cx) routes(f *cxFlowRead, lines *convert.Lines, own []cxRoute, groups []string) (list []cxRouteRead) {
	for _, r := range own {
		list = append(list, cxRouteRead{r, lines.Of(cmp.Or(r.Intent, r.Condition, r.Page))})
	}
	for _, name := range groups {
		g := cmp.Or(f.groups[name], c.groups[name])
		if g == nil {
			c.note(lines.Of(name), convert.Lost, "route group %q is not in the export", name)
			continue
		}
		for _, r := range g.Routes {
			list = append(list, cxRouteRead{r, g.lines.Of(cmp.Or(r.Intent, r.Condition, r.Page))})
		}
	}
	return list
}

// begin makes the task that a route begins. page is where the route is open; "": in the whole flow.
func (c *cx) begin(f *cxFlowRead, route cxRouteRead, page string) {
	if route.Intent == "" {
		return // rest lists it
	}
	if c.handsOver(route) {
		return
	}
	in := c.intents[route.Intent]
	switch {
	case in == nil:
		c.bot.Report.Lost(route.at, "intent %q is not in the export", route.Intent)
		return
	case c.began[route.Intent].File != "":
		if c.began[route.Intent] != route.at { // a route group stands on several pages
			c.note(route.at, convert.Lost, "intent %q begins something else in flow %q, page %q", route.Intent, f.Name, cmp.Or(page, "Start Page"))
		}
		return
	case greeting(route.Intent):
		c.began[route.Intent] = route.at
		c.greeted(in, route)
		return
	}
	out := &convert.Intent{ID: c.bot.FreeID(in.Name), At: route.at, Title: convert.Spoken(in.Name), Own: map[string]convert.Own{}}
	c.bot.Intents = append(c.bot.Intents, out)
	c.tasks[route.Intent], c.began[route.Intent] = out, route.at
	if page != "" {
		out.Open = append(out.Open, c.bot.Report.Lost(route.at, "%q is understood only on page %q: a `when`, or an internal intent with `run`, can say that", in.Name, page))
	}
	places := map[string]string{}
	for _, p := range in.Parameters {
		param := c.param(p.ID, c.kinds.of(p.Type, p.ID, in.lines.Of(p.ID)))
		param.List = param.List || p.List
		places[p.ID] = param.Name
		c.redacted(p, param.Name)
	}
	w := &walk{
		cx: c, flow: f, out: out, places: places, seen: map[string]bool{}, visits: map[*cxPageRead]int{},
	}
	w.route(route)
	for _, name := range slices.Sorted(maps.Keys(places)) {
		out.Take(places[name], false)
	}
	w.end()
	if out.Examples = c.examples(in, places); len(out.Examples) == 0 {
		out.Examples = []config.Example{{Text: convert.Spoken(in.Name)}}
		out.Open = append(out.Open, c.bot.Report.Decide(in.lines.Whole(), "%q has no sentences: its name stands for them", in.Name))
	}
}

// handsOver reports whether a route only leads to a flow whose own route for the intent begins the task.
func (c *cx) handsOver(route cxRouteRead) bool {
	flow := c.flows[route.Flow]
	if flow == nil || route.Condition != "" || !route.Fulfillment.empty() {
		return false
	}
	return slices.ContainsFunc(flow.Routes, func(own cxRoute) bool { return own.Intent == route.Intent && own.Flow == "" })
}

func (c *cx) greeted(in *cxRead, route cxRouteRead) {
	if !route.Fulfillment.silent() || !route.symbolic() || route.Flow != "" {
		c.note(route.at, convert.Lost, "the greeting %q does more than saying something (page %q, flow %q, webhook %q)",
			in.Name, route.Page, route.Flow, route.Fulfillment.Webhook)
	}
	c.greet(in.Name, c.examples(in, nil), c.texts(&route.Fulfillment, nil, route.at), route.at)
}

// handlers carries what the first flow says to a message that nothing matched.
func (c *cx) handlers(f *cxFlowRead) {
	for _, h := range f.Handlers {
		at := f.lines.Of(h.Event)
		texts := c.texts(&h.Fulfillment, nil, at)
		if h.Event != "sys.no-match-default" || !c.bot.SayBuiltin("nlu_fallback", texts) {
			c.bot.Report.Add(at, convert.Lost, "what flow %q does at %s", f.Name, h.Event)
		}
	}
}

// pages makes tasks of the intents that are open on a page only, besides its yes and no.
func (c *cx) pages(f *cxFlowRead) {
	for _, name := range slices.Sorted(maps.Keys(f.pages)) {
		p := f.pages[name]
		for _, route := range c.routes(f, p.lines, p.Routes, p.Groups) {
			if route.Intent != "" && c.yesNo(route.Intent) == "" {
				c.begin(f, route, name)
			}
		}
	}
}

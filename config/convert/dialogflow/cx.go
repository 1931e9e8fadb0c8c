package dialogflow

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/pattern"
)

// cx reads an export of CX.
type cx struct {
	*reader
	intents map[string]*part           // by name
	flows   []*flow                    // the one that begins first
	tasks   map[string]*convert.Intent // by the name of the intent that begins it
	began   map[string]convert.Place   // routes, by the intents that begin them
	groups  map[string]*part           // route groups of the whole agent
	hooks   map[string]*part           // webhooks
	open    []opened
}

// flow is a flow with its pages.
type flow struct {
	*part
	pages  map[string]*page
	groups map[string]*part
}

type page struct {
	*part
	tasks []string // that come to it
}

// opened is a task that is understood on a page only.
type opened struct {
	task *convert.Intent
	on   *page
}

// cxStart is the flow in which every conversation begins.
const cxStart = "Default Start Flow"

func (r *reader) readCX(*convert.Node) (err error) {
	c := &cx{reader: r, hooks: map[string]*part{}, tasks: map[string]*convert.Intent{}, began: map[string]convert.Place{}}
	if err := c.entities("entityTypes", "entities/"); err != nil {
		return err
	}
	if c.intents, err = c.named("intents", "trainingPhrases/"); err != nil {
		return err
	}
	for _, beside := range []string{"", "/"} { // the latter each in a folder of its own
		list, err := c.named("webhooks", beside)
		if err != nil {
			return err
		}
		maps.Copy(c.hooks, list)
	}
	if c.groups, err = c.named("agentTransitionRouteGroups", ""); err != nil {
		return err
	}
	list, err := c.parts("flows", "/")
	if err != nil {
		return err
	}
	for _, p := range list {
		f := &flow{part: p, pages: map[string]*page{}}
		dir := strings.TrimPrefix(path.Dir(p.file), c.root+"/")
		if f.groups, err = c.named(dir+"/transitionRouteGroups", ""); err != nil {
			return err
		}
		pages, err := c.named(dir+"/pages", "")
		if err != nil {
			return err
		}
		for name, p := range pages {
			f.pages[name] = &page{part: p}
		}
		if c.flows = append(c.flows, f); f.name == cxStart {
			c.flows = append([]*flow{f}, c.flows[:len(c.flows)-1]...)
		}
	}
	c.carry()
	return c.tests()
}

// named reads the parts of a folder, by their names.
func (c *cx) named(folder, beside string) (map[string]*part, error) {
	list, err := c.parts(folder, beside)
	byName := map[string]*part{}
	for _, p := range list {
		byName[p.name] = p
	}
	return byName, err
}

// phrases returns the sentences of an intent.
func (c *cx) phrases(in *part, places map[string]string) []config.Example {
	return sentences(c.said(in.more.List("trainingPhrases"), "languageCode"), "parts", "text", "parameterId", places)
}

// answers tells whether an intent answers a question with yes or no.
func (c *cx) answers(intent string) string {
	if in := c.intents[intent]; in != nil {
		return c.yesNo(intent, c.phrases(in, nil))
	}
	return c.yesNo(intent, nil)
}

// greeting tells the intent with which a conversation begins.
func greeting(intent string) bool {
	low := strings.ToLower(intent)
	return strings.Contains(low, "welcome") || strings.Contains(low, "greet")
}

// carry makes a task of each route that an intent begins: those of the flows, then those that are open on a page
// only, besides its yes and no.
func (c *cx) carry() {
	for _, f := range c.flows {
		for _, route := range c.routes(f, f.part) {
			c.begin(f, route, nil)
		}
		for _, h := range f.List("eventHandlers") {
			texts := c.texts(h.Get("triggerFulfillment"), nil)
			if h.Str("event") != "sys.no-match-default" || !c.bot.SayBuiltin("nlu_fallback", texts) {
				h.Done()
				c.bot.Report.Lost(h.At, "what flow %q does at %s", f.name, h.Str("event"))
			}
		}
	}
	for _, f := range c.flows {
		for _, name := range slices.Sorted(maps.Keys(f.pages)) {
			for _, route := range c.routes(f, f.pages[name].part) {
				if c.answers(route.Str("intent")) == "" {
					c.begin(f, route, f.pages[name])
				}
			}
		}
	}
	for _, o := range c.open {
		for _, id := range o.on.tasks {
			if id != o.task.ID && !slices.Contains(o.task.After, id) {
				o.task.After = append(o.task.After, id)
			}
		}
		if len(o.task.After) > 0 {
			c.bot.Report.Add(o.task.At, convert.Carried, "%s is understood only on page %q: here in the turn after %s", o.task.ID, o.on.name, strings.Join(o.task.After, ", "))
			continue
		}
		o.task.Open = append(o.task.Open, c.bot.Report.Lost(o.task.At, "%s is understood only on page %q, to which no task comes: here it is understood at any time", o.task.ID, o.on.name))
	}
	c.rest()
}

// rest lists the pages, routes and intents that nothing has come to.
func (c *cx) rest() {
	for _, f := range c.flows {
		for _, r := range c.routes(f, f.part) {
			if r.Str("intent") == "" {
				r.Done()
				c.bot.Report.Lost(r.At, "flow %q goes on by itself if %s", f.name, cmp.Or(r.Str("condition"), "it begins"))
			}
		}
		for _, name := range slices.Sorted(maps.Keys(f.pages)) {
			if p := f.pages[name]; len(p.tasks) == 0 {
				p.Done()
				c.bot.Report.Lost(p.Place(), "no task comes to page %q of flow %q", name, f.name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.intents)) {
		in := c.intents[name]
		switch {
		case c.tasks[name] != nil || c.began[name].File != "":
			continue
		case in.Is("isFallback"):
			c.bot.Report.Add(in.Place(), convert.Left, "the sentences of %q match nothing", name)
		case c.answers(name) != "":
			c.bot.Report.Add(in.Place(), convert.Carried, "%q is a %s to a question: the type boolean and the built-in answers recognise it, not its sentences", name, c.answers(name))
		default:
			c.bot.Report.Lost(in.Place(), "no route begins with intent %q", name)
		}
		in.Done()
		in.more.Done()
	}
}

// routes returns the routes of a flow or page with those of its groups.
func (c *cx) routes(f *flow, p *part) []*convert.Node {
	list := p.List("transitionRoutes")
	for _, name := range p.Strs("transitionRouteGroups") {
		if g := cmp.Or(f.groups[name], c.groups[name]); g != nil {
			list = slices.Concat(list, g.List("transitionRoutes"))
		} else {
			c.bot.Report.Lost(p.Place("transitionRouteGroups"), "route group %q is not in the export", name)
		}
	}
	return list
}

// begin makes the task that a route begins. on is the page where the route is open; nil: in the whole flow.
func (c *cx) begin(f *flow, route *convert.Node, on *page) {
	name := route.Str("intent")
	in := c.intents[name]
	switch {
	case name == "", c.handsOver(route): // rest lists the former
		return
	case in == nil:
		c.bot.Report.Lost(route.At, "intent %q is not in the export", name)
		return
	case c.began[name].File != "":
		if c.began[name] != route.At { // a route group stands on several pages
			c.bot.Report.Lost(route.At, "intent %q begins something else in flow %q", name, f.name)
		}
		return
	}
	c.began[name] = route.At
	if greeting(name) {
		does := route.Get("triggerFulfillment")
		if !silent(does) || !symbolic(route) || route.Str("targetFlow") != "" {
			c.bot.Report.Lost(route.At, "the greeting %q does more than saying something (page %q, flow %q, webhook %q)", name, route.Str("targetPage"), route.Str("targetFlow"), does.Str("webhook"))
		}
		c.greet(name, c.phrases(in, nil), c.texts(does, nil), route.At)
		return
	}
	out := &convert.Intent{ID: c.bot.FreeID(name), At: route.At, Title: convert.Spoken(name)}
	c.bot.Intents = append(c.bot.Intents, out)
	c.tasks[name] = out
	if on != nil {
		c.open = append(c.open, opened{out, on})
	}
	w := &walk{cx: c, flow: f, out: out, places: map[string]string{}, seen: map[*page]bool{}, visits: map[*page]int{}}
	for _, s := range in.List("parameters") {
		w.slot(s.Str("id"), s)
	}
	w.route(route)
	for _, name := range slices.Sorted(maps.Keys(w.places)) {
		out.Take(w.places[name], false)
	}
	if len(out.Plan) == 0 {
		out.Plan = append(out.Plan, c.bot.AllRight())
		w.lost(f.Place(), "nothing follows %s", out.ID)
	}
	out.AnswerOnly = len(out.Required)+len(out.Optional) == 0 && len(out.Plan) == 1 && out.Plan[0].Respond != ""
	c.examples(out, in, c.phrases(in, w.places))
}

// handsOver reports whether a route only leads to a flow whose own route for the intent begins the task.
func (c *cx) handsOver(route *convert.Node) bool {
	target := convert.Find(c.flows, func(f *flow) bool { return f.name == route.Str("targetFlow") })
	does := route.Get("triggerFulfillment")
	if target == nil || route.Str("condition") != "" || !silent(does) || len(does.List("messages")) > 0 {
		return false
	}
	return slices.ContainsFunc(target.List("transitionRoutes"), func(own *convert.Node) bool {
		return own.Str("intent") == route.Str("intent") && own.Str("targetFlow") == ""
	})
}

// silent reports whether a fulfillment does nothing besides saying something.
func silent(does *convert.Node) bool {
	handoff := slices.ContainsFunc(does.List("messages"), func(m *convert.Node) bool { return m.Get("liveAgentHandoff") != nil })
	return does.Str("webhook") == "" && !handoff
}

// symbolic reports whether a route leads to no page of its own: it stays, ends or begins anew.
func symbolic(route *convert.Node) bool {
	switch name := route.Str("targetPage"); name {
	case "", "Start Page", "PREVIOUS_PAGE", "CURRENT_PAGE", "Previous Page", "Current Page":
		return true
	default:
		return strings.HasPrefix(name, "START_PAGE") || strings.HasPrefix(name, "END_") || strings.HasPrefix(name, "End ")
	}
}

// texts returns the wordings of a fulfillment, as [es.texts] does. Texts for one channel are left out
// where there are others.
func (c *cx) texts(does *convert.Node, places map[string]string) (texts convert.Wordings) {
	messages := c.said(does.List("messages"), "languageCode")
	general := slices.ContainsFunc(messages, func(m *convert.Node) bool { return m.Str("channel") == "" && m.Get("text") != nil })
	for _, m := range messages {
		said := m.Strs("text", "text")
		if channel := m.Str("channel"); channel != "" && general {
			c.bot.Report.Add(m.At, convert.Left, "a text for the channel %s", channel)
			continue
		}
		for i, text := range said {
			said[i] = convert.Places(text, cxPlace, func(name string) string { return c.known(name, places) }, func(found string) {
				c.bot.Report.Lost(m.At, "a text names %s, which is no parameter", found)
			})
		}
		for _, other := range texts.Add(said) {
			c.bot.Report.Add(m.At, convert.Left, "another wording of a further message: %s", other)
		}
	}
	return texts
}

// cxPlace matches the place of a parameter in a text, and that of anything else that Dialogflow fills in,
// such as $sys.func.NOW() and $request.generative.answer.
var cxPlace = pattern.Must(`\$(?:session|page|intent)\.params\.([\pL_][\pL\pN_-]*)(?:\.(?:resolved|original)\b)?|` +
	`\$[a-z][\w-]*(?:\.[\w-]+)+(?:\([^()]*\))?`)

// tests carries the test cases.
func (c *cx) tests() error {
	list, err := c.parts("testCases", "")
	for _, test := range list {
		talk := &convert.Conversation{Name: test.name}
		for _, t := range test.List("testCaseConversationTurns") {
			input, output := t.Get("userInput", "input"), t.Get("virtualAgentOutput")
			turn := convert.Turn{User: input.Str("text", "text")}
			if turn.User == "" {
				talk.Open = append(talk.Open, c.bot.Report.Decide(t.At, "a turn of %q is an event or a key press", talk.Name))
				continue
			}
			if task := c.tasks[cmp.Or(output.Str("triggeredIntent", "name"), output.Str("triggeredIntent", "displayName"))]; task != nil {
				turn.Intent = task.ID
			}
			for _, said := range output.List("textResponses") {
				if said.Is("containAiGeneratedContent") {
					said.Done()
					turn.Open = append(turn.Open, c.bot.Report.Decide(said.At, "a language model wrote the answer in %q: no test can expect it", talk.Name))
					continue
				}
				for _, text := range said.Strs("text") {
					if same := c.bot.Saying(text); same != "" {
						turn.Matches = append(turn.Matches, same)
					} else {
						turn.Open = append(turn.Open, c.bot.Report.Decide(said.At, "no text of the agent is the answer in %q: %s", talk.Name, text))
					}
				}
			}
			talk.Turns = append(talk.Turns, turn)
		}
		if len(talk.Turns) > 0 {
			c.bot.Tests = append(c.bot.Tests, talk)
		}
	}
	return err
}

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

// cx reads an export of CX. A route of a flow that an intent begins is a task: what it says and calls, then the
// pages behind it with their forms, the yes and the no to what they say, and their ways on. Events, route groups,
// what is open on one page only, and test cases, which pin one of several wordings, are listed.
type cx struct {
	*reader
	intents map[string]*part
	begun   map[string]bool  // intents
	pages   map[string]*part // of the flow at hand
	came    map[*part]bool   // pages that a task comes to
}

func (r *reader) readCX() (err error) {
	c := &cx{reader: r, begun: map[string]bool{}, came: map[*part]bool{}}
	if err := c.entities("entityTypes", "entities/"); err != nil {
		return err
	}
	if c.intents, err = c.named("intents", "trainingPhrases/"); err != nil {
		return err
	}
	flows, err := c.parts("flows", "/")
	if err != nil {
		return err
	}
	slices.SortStableFunc(flows, func(a, b *part) int { // every conversation begins in one of them
		const start = "Default Start Flow"
		return cmp.Compare(len(strings.TrimPrefix(start, a.name)), len(strings.TrimPrefix(start, b.name)))
	})
	for _, f := range flows {
		if c.pages, err = c.named(strings.TrimPrefix(path.Dir(f.file), c.root+"/")+"/pages", ""); err != nil {
			return err
		}
		c.flow(f, flows)
	}
	for _, name := range slices.Sorted(maps.Keys(c.intents)) {
		in := c.intents[name]
		if side := c.answers(name); side != "" {
			c.bot.Report.Add(in.Place(), convert.Carried, "%q is a %s to a question: the type boolean and the built-in answers recognise it, not its sentences", name, side)
		} else if !c.begun[name] {
			c.bot.Report.Lost(in.Place(), "no route begins with intent %q", name)
		} else {
			continue
		}
		in.Done()
		in.more.Done()
	}
	return nil
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

// flow makes the tasks of a flow, and lists what nothing comes to.
func (c *cx) flow(f *part, flows []*part) {
	for _, route := range f.List("transitionRoutes") {
		target := convert.Find(flows, func(o *part) bool { return o.name == route.Str("targetFlow") })
		switch {
		case route.Str("intent") == "":
			route.Done()
			c.bot.Report.Lost(route.At, "flow %q goes on by itself if %s", f.name, cmp.Or(route.Str("condition"), "it begins"))
		case target == nil || !begins(target, route.Str("intent")): // else that flow's own route is the task
			c.begin(f, route)
		}
	}
	for _, h := range f.List("eventHandlers") {
		texts := c.texts(h.Get("triggerFulfillment"), nil)
		if h.Str("event") != "sys.no-match-default" || !c.bot.SayBuiltin("nlu_fallback", texts) {
			h.Done()
			c.bot.Report.Lost(h.At, "what flow %q does at %s", f.name, h.Str("event"))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.pages)) {
		if p := c.pages[name]; !c.came[p] {
			p.Done()
			c.bot.Report.Lost(p.Place(), "no task comes to page %q of flow %q", name, f.name)
		}
	}
}

// begins reports whether a route of a flow begins with an intent.
func begins(f *part, intent string) bool {
	return slices.ContainsFunc(f.List("transitionRoutes"), func(r *convert.Node) bool { return r.Str("intent") == intent && r.Str("targetFlow") == "" })
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

// begin makes the task that a route begins.
func (c *cx) begin(f *part, route *convert.Node) {
	name, does := route.Str("intent"), route.Get("triggerFulfillment")
	in := c.intents[name]
	switch {
	case in == nil:
		c.bot.Report.Lost(route.At, "intent %q is not in the export", name)
		return
	case c.begun[name]:
		route.Done()
		c.bot.Report.Lost(route.At, "intent %q begins something else in flow %q", name, f.name)
		return
	}
	c.begun[name] = true
	if low := strings.ToLower(name); strings.Contains(low, "welcome") || strings.Contains(low, "greet") {
		if !symbolic(route) || route.Str("targetFlow")+does.Str("webhook") != "" {
			c.bot.Report.Lost(route.At, "the greeting %q does more than saying something (page %q, flow %q, webhook %q)", name, route.Str("targetPage"), route.Str("targetFlow"), does.Str("webhook"))
		}
		c.greet(name, c.phrases(in, nil), c.texts(does, nil), route.At)
		return
	}
	out := &convert.Intent{ID: c.bot.FreeID(name), At: route.At, Title: convert.Spoken(name)}
	c.bot.Intents = append(c.bot.Intents, out)
	w := &walk{cx: c, out: out, places: map[string]string{}, seen: map[*part]bool{}}
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
	c.examples(out, in, c.phrases(in, w.places))
}

// symbolic reports whether a route leads to no page of its own: it stays, ends or begins anew.
func symbolic(route *convert.Node) bool {
	name := strings.ToUpper(strings.ReplaceAll(route.Str("targetPage"), " ", "_"))
	return name == "" || slices.ContainsFunc([]string{"START_PAGE", "END_", "PREVIOUS_PAGE", "CURRENT_PAGE"}, func(mark string) bool { return strings.HasPrefix(name, mark) })
}

// texts returns the wordings of a fulfillment, as [es.texts] does.
func (c *cx) texts(does *convert.Node, places map[string]string) (texts convert.Wordings) {
	for _, m := range c.said(does.List("messages"), "languageCode") {
		if channel := m.Str("channel"); channel != "" {
			m.Done()
			c.bot.Report.Add(m.At, convert.Left, "a text for the channel %s", channel)
			continue
		}
		texts.Add(c.fill(m.Strs("text", "text"), cxPlace, places, m.At), &c.bot.Report, m.At)
	}
	return texts
}

// cxPlace matches the place of a parameter in a text, and that of anything else that Dialogflow fills in,
// such as $sys.func.NOW() and $request.generative.answer.
var cxPlace = pattern.Must(`\$(?:session|page|intent)\.params\.([\pL_][\pL\pN_-]*)(?:\.(?:resolved|original)\b)?|` +
	`\$[a-z][\w-]*(?:\.[\w-]+)+(?:\([^()]*\))?`)

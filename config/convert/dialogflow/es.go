package dialogflow

import (
	"cmp"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/pattern"
)

// es reads an export of ES.
type es struct {
	*reader
	all []*esIntent
}

// esIntent is an intent with what belongs to it.
type esIntent struct {
	*part
	does   *convert.Node   // its response; nil: none
	said   []*convert.Node // its sentences
	follow []*esIntent     // what follows it and a yes or a no
	places map[string]string
	task   *convert.Intent // that it has become, or a part of
}

func (r *reader) readES(agent *convert.Node) error {
	e := &es{reader: r}
	if err := e.entities("entities", "_entries_"); err != nil {
		return err
	}
	list, err := e.parts("intents", "_usersays_")
	if err != nil {
		return err
	}
	byID, followed := map[string]*esIntent{}, map[*esIntent]bool{}
	for _, p := range list {
		in := &esIntent{part: p, said: append(p.more.List(), p.List("userSays")...)}
		for i, does := range p.List("responses") {
			if in.does = cmp.Or(in.does, does); i > 0 {
				does.Done()
				e.bot.Report.Lost(does.At, "a further response of %q", p.name)
			}
		}
		for _, s := range in.does.List("parameters") { // texts and contexts of other intents name them
			if name := s.Str("name"); name != "" && !strings.HasPrefix(s.Str("value"), "#") {
				e.param(name, s.Str("dataType"), s.Is("isList"), s.At)
			}
		}
		byID[p.Str("id")] = in
		e.all = append(e.all, in)
	}
	for _, in := range e.all {
		parent := byID[cmp.Or(in.Str("parentId"), "\x00")]
		setters := slices.DeleteFunc(slices.Clone(e.all), func(o *esIntent) bool { return o.sets(in.Strs("contexts")) == "" })
		if parent == nil && len(setters) == 1 && e.answer(in) != "" {
			parent = setters[0] // its yes or no is heard only after it
		}
		if parent != nil && parent != in && e.answer(in) != "" {
			parent.follow, followed[in] = append(parent.follow, in), true
		}
	}
	for _, follows := range []bool{false, true} { // a yes or a no may become a part of what it follows
		for _, in := range e.all {
			if followed[in] == follows {
				e.intent(in)
			}
		}
	}
	for _, in := range e.all {
		e.after(in, byID[cmp.Or(in.Str("parentId"), "\x00")])
	}
	if hook := agent.Get("webhook"); hook.Is("available") && hook.Str("url") != "" && len(r.bot.Tools) > 0 {
		t := r.bot.Tools[0]
		t.Open = append(t.Open, r.bot.Report.Decide(hook.At, "the webhook of all tools was %s", hook.Str("url")))
	}
	return nil
}

// sets returns for how many turns an intent sets one of some contexts; "": it sets none of them.
func (in *esIntent) sets(contexts []string) string {
	for _, c := range in.does.List("affectedContexts") {
		if turns := cmp.Or(c.Str("lifespan"), "5"); turns != "0" && slices.Contains(contexts, c.Str("name")) {
			return turns
		}
	}
	return ""
}

// after says after which tasks an intent is understood: after its parent and what sets its contexts, and in a context
// that lasts for more than a turn also after each other one that is understood in it.
func (e *es) after(in, parent *esIntent) {
	contexts := in.Strs("contexts")
	if in.task == nil || in.task.At != in.Place() || len(contexts) == 0 && parent == nil {
		return
	}
	lasts := slices.ContainsFunc(e.all, func(o *esIntent) bool { return len(o.sets(contexts)) > 0 && o.sets(contexts) != "1" })
	within := func(name string) bool { return lasts && slices.Contains(contexts, name) }
	leads := false
	for _, o := range e.all {
		first := (o == parent || o.sets(contexts) != "") && o.task != in.task
		goesOn := slices.ContainsFunc(o.Strs("contexts"), within)
		if (first || goesOn) && o.task != nil {
			in.task.After, leads = append(in.task.After, o.task.ID), leads || first
		}
	}
	slices.Sort(in.task.After)
	in.task.After = slices.Compact(in.task.After)
	named := cmp.Or(strings.Join(contexts, ", "), "of the intent before it")
	if !leads {
		in.task.After = nil
		in.task.Open = append(in.task.Open, e.bot.Report.Lost(in.Place("contexts"), "%q is understood only in the context %s, which no task sets: here it is understood at any time", in.name, named))
		return
	}
	e.bot.Report.Add(in.Place("contexts"), convert.Carried, "%q is understood only in the context %s: here in the turn after %s", in.name, named, strings.Join(in.task.After, ", "))
}

// answer tells whether an intent is a yes or a no, by the last part of its name or by its sentences.
func (e *es) answer(in *esIntent) string {
	if in.Is("fallbackIntent") {
		return ""
	}
	return e.yesNo(in.name[strings.LastIndex(in.name, "-")+1:], sentences(in.said, "data", "text", "alias", nil))
}

// intent makes an intent of the agent, or adds to a built-in one.
func (e *es) intent(in *esIntent) {
	in.does.Get("action").Done() // it names the tool, if there is one
	welcome := false
	for _, event := range in.List("events") {
		if name := event.Str("name"); strings.EqualFold(name, "WELCOME") {
			welcome = true
		} else {
			e.bot.Report.Lost(event.At, "the event %s begins %q", name, in.name)
		}
	}
	switch {
	case in.task != nil: // it is a way on of another
	case in.Is("fallbackIntent"):
		e.bot.Becomes("nlu_fallback", in.name, sentences(in.said, "data", "text", "alias", nil), in.more.Place())
		if texts := e.texts(in); len(in.Strs("contexts")) > 0 || !e.bot.SayBuiltin("nlu_fallback", texts) {
			e.bot.Report.Add(in.Place(), convert.Left, "fallback %q: the question is asked again, with its `reprompt`", in.name)
		}
	case welcome:
		e.greet(in.name, sentences(in.said, "data", "text", "alias", nil), e.texts(in), in.Place())
		if in.Is("webhookUsed") {
			e.bot.Report.Lost(in.Place("webhookUsed"), "a webhook answers %q: its own responses are carried over, the call is not", in.name)
		}
	default:
		e.taskOf(in)
	}
	if priority := in.Str("priority"); strings.HasPrefix(priority, "-") {
		e.bot.Report.Lost(in.Place("priority"), "%q is switched off in Dialogflow (priority %s)", in.name, priority)
	}
}

// taskOf makes a task. If a yes or a no follows it, its response is the question, and a param with two ways on has
// the answer.
func (e *es) taskOf(in *esIntent) {
	out := &convert.Intent{ID: e.bot.FreeID(in.name), At: in.Place(), Title: convert.Spoken(in.name)}
	in.task, in.places = out, map[string]string{}
	e.bot.Intents = append(e.bot.Intents, out)
	e.params(in)
	var said []*convert.Node
	for _, s := range in.said {
		if !s.Is("isTemplate") {
			said = append(said, s)
			continue
		}
		s.Done()
		e.bot.Report.Lost(s.At, "a sentence of %q that is a template, with @entity in it", in.name)
	}
	e.examples(out, in.part, sentences(said, "data", "text", "alias", in.places))
	texts := e.texts(in)
	ways := map[string]*esIntent{}
	for _, f := range in.follow {
		if side := e.answer(f); len(texts) > 0 && ways[side] == nil && f.task == nil {
			ways[side] = f
		}
	}
	if len(ways) == 0 {
		e.act(out, in, texts)
		return
	}
	if in.Is("webhookUsed") {
		e.call(out, in)
	}
	p := e.bot.AskYesNo(out, out.ID+"_answer", texts)
	step := &convert.Step{When: p.Name + " == true"}
	out.Plan = append(out.Plan, step)
	step.Then, step.Else = e.way(in, ways["yes"], p), e.way(in, ways["no"], p)
}

// way returns what follows an answer to the question of an intent.
func (e *es) way(in, on *esIntent, p *convert.Param) []*convert.Step {
	if on == nil {
		return []*convert.Step{e.bot.AllRight()}
	}
	on.task, on.places = in.task, in.places
	part := &convert.Intent{ID: in.task.ID, Required: in.task.Required, Optional: in.task.Optional, Plan: []*convert.Step{{Ask: p.Name}}}
	for _, s := range on.said {
		s.Done()
		e.bot.Report.Add(s.At, convert.Carried, "%q is an answer to a question: the built-in answers recognise it, not its sentences", on.name)
	}
	for _, param := range on.does.List("parameters") {
		param.Done()
		in.task.Open = append(in.task.Open, e.bot.Report.Lost(param.At, "parameter %s of %q: the question it answers takes a yes or no only", param.Str("name"), on.name))
	}
	e.act(part, on, e.texts(on))
	in.task.Open = append(in.task.Open, part.Open...)
	return part.Plan[1:]
}

// act adds the webhook and the response of an intent.
func (e *es) act(out *convert.Intent, in *esIntent, texts []string) {
	if in.Is("webhookUsed") {
		e.call(out, in)
	}
	if len(texts) == 0 {
		out.Open = append(out.Open, e.bot.Report.Lost(in.Place(), "%q says nothing of its own: what a webhook says is in no export", in.name))
		out.Plan = append(out.Plan, e.bot.AllRight())
	} else {
		out.Plan = append(out.Plan, e.bot.Say(out.ID, texts))
	}
	if in.Is("liveAgentHandoff") {
		out.Plan = append(out.Plan, &convert.Step{Handoff: "desk"})
	}
}

// call adds the webhook as a tool, named by the action.
func (e *es) call(out *convert.Intent, in *esIntent) {
	name, asked := e.bot.FreeTool(cmp.Or(in.does.Str("action"), in.name)), len(out.Required)+len(out.Plan) > 0
	out.Plan = append(out.Plan, e.bot.Call(out, name, in.Place("webhookUsed"), asked, "connect the webhook of %q", in.name))
}

// params makes the params of an intent.
func (e *es) params(in *esIntent) {
	list := in.does.List("parameters")
	for _, s := range list {
		name, value, other, at := s.Str("name"), s.Str("value"), s.Str("defaultValue"), s.At
		s.Get("dataType").Done() // that of the other intent, for a value of it
		if name == "" {
			continue
		}
		_, of, _ := strings.Cut(value, ".") // #order.size is the size of another intent
		p := e.reader.params[strings.TrimSuffix(of, ".original")]
		fromContext := strings.HasPrefix(value, "#")
		if p == nil || !fromContext {
			p = e.param(name, s.Str("dataType"), s.Is("isList"), at)
			if fromContext {
				e.bot.Report.Lost(at, "%s of %q comes from a context (%s), and no intent of the export fills it", name, in.name, value)
			}
		}
		if fromContext || strings.HasPrefix(other, "#") {
			p.Session = true
			e.bot.Report.Add(at, convert.Carried, "%s of %q comes from a context (%s): %s lasts until the session ends", name, in.name, value+other, p.Name)
		}
		for _, fixed := range []string{other, value} {
			if fixed != "" && !strings.HasPrefix(fixed, "$") && !strings.HasPrefix(fixed, "#") {
				p.Default = fixed
				e.bot.Report.Add(at, convert.Carried, "the fixed value of %s of %q is its default", name, in.name)
			}
		}
		in.places[name] = p.Name
		in.task.Take(p.Name, s.Is("required") && !fromContext)
	}
	for _, s := range list { // a question may name any of them
		var texts []string
		for _, q := range e.said(s.List("prompts"), "lang") {
			texts = append(texts, e.fill(q.Strs("value"), place, in.places, q.At)...)
		}
		if p := e.bot.Param(in.places[s.Str("name")]); p != nil {
			e.bot.Ask(in.task, p, texts, s.At)
		}
	}
}

// texts returns the wordings of an intent's responses. Messages are said one after the other, so the first
// wording is all of them; other wordings of the first message are further ones. Texts for one platform are taken
// if there are none for all.
func (e *es) texts(in *esIntent) (texts convert.Wordings) {
	messages := e.said(in.does.List("messages"), "lang")
	general := slices.ContainsFunc(messages, func(m *convert.Node) bool { return m.Str("platform") == "" && m.Get("speech") != nil })
	for _, m := range messages {
		kind := m.Str("type")
		var said []string
		switch {
		case m.Str("platform") != "" && general:
			m.Done()
			e.bot.Report.Add(m.At, convert.Left, "a message of %q for %s", in.name, m.Str("platform"))
			continue
		case slices.Contains([]string{"0", "message", "simple_response"}, kind):
			said = append(m.Strs("speech"), m.Strs("textToSpeech")...)
		case kind == "2":
			said = []string{strings.Join(append([]string{m.Str("title")}, m.Strs("replies")...), "\n- ")}
		default:
			m.Done()
			e.bot.Report.Lost(m.At, "a message of %q that is no text (type %s)", in.name, kind)
		}
		texts.Add(e.fill(said, place, in.places, m.At), &e.bot.Report, m.At)
	}
	return texts
}

// place matches $param, $param.original and #context.param in a text.
var place = pattern.Must(`\$([\pL_][\pL\pN_-]*)(?:\.original\b)?|#[\pL_][\pL\pN_-]*\.([\pL_][\pL\pN_-]*)(?:\.original\b)?`)

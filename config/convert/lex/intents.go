package lex

import (
	"path"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/convert"
)

// system maps the built-in intents of Lex.
var system = map[string]string{
	"AMAZON.HelpIntent": "help", "AMAZON.CancelIntent": "cancel", "AMAZON.StopIntent": "cancel", "AMAZON.YesIntent": "affirm", "AMAZON.NoIntent": "deny",
	"AMAZON.RepeatIntent": "repeat", "AMAZON.StartOverIntent": "reset", "AMAZON.ResumeIntent": "resume", "AMAZON.FallbackIntent": "nlu_fallback",
}

// intent makes a task of an intent, or adds to a built-in one.
func (r *reader) intent(file string, n *convert.Node) error {
	slots, err := r.slots(path.Dir(file), n)
	if err != nil {
		return err
	}
	name := n.Str("name")
	if kind := n.Str("parentIntentSignature"); strings.HasPrefix(kind, "AMAZON.") && system[kind] == "" {
		n.Done()
		r.bot.Report.Lost(n.Place(), "intent %s answers from a service of Amazon: a tool of kind knowledge can do that", name)
		return nil
	}
	if id := r.means(n, slots); id != "" {
		r.builtin(id, n)
		return nil
	}
	out := &convert.Intent{ID: r.bot.FreeID(name), At: n.Place(), Description: n.Str("description"), Title: convert.Spoken(name)}
	known := map[string]string{}
	for _, s := range slots {
		known[s.Str("name")] = r.param(s)
		out.Take(known[s.Str("name")], s.Str("valueElicitationSetting", "slotConstraint") == "Required")
	}
	r.goesOn(n.Get("initialResponseSetting", "nextStep"), slots)
	for i, s := range slots {
		asks, p := s.Get("valueElicitationSetting"), r.bot.Param(known[s.Str("name")])
		r.goesOn(asks.Get("slotCaptureSetting", "captureNextStep"), slots[i+1:])
		r.bot.Ask(out, p, r.texts(known, asks.Get("promptSpecification")), s.Place())
		for _, e := range r.sentences(asks.List("sampleUtterances"), known) {
			if e.Asked = p.Name; len(e.Spans) > 0 {
				out.Answers = append(out.Answers, e)
			} else {
				r.bot.Report.Add(asks.Place("sampleUtterances"), convert.Left, "an answer to the question about %s: %s", s.Str("name"), e.Text)
			}
		}
	}
	if out.Examples = r.sentences(n.List("sampleUtterances"), known); len(out.Examples) == 0 {
		out.Examples = []config.Example{{Text: convert.Spoken(name)}}
		out.Open = append(out.Open, r.bot.Report.Decide(n.Place(), "%s has no utterances: its name stands for them", name))
	}
	r.plan(out, n, known)
	r.bot.Intents = append(r.bot.Intents, out)
	return nil
}

// goesOn reads for which slot the visual builder asks next, and notes another one than the agent does.
func (r *reader) goesOn(step *convert.Node, later []*convert.Node) {
	to := step.Str("dialogAction", "slotToElicit")
	later = slices.DeleteFunc(slices.Clone(later), func(s *convert.Node) bool { return s.Str("valueElicitationSetting", "slotConstraint") != "Required" })
	if to != "" && (len(later) == 0 || later[0].Str("name") != to) {
		r.bot.Report.Lost(step.At, "it goes on with slot %s: the agent asks for required slots, in the order of their priorities", to)
	}
}

// sentences returns utterances with a value in each place.
func (r *reader) sentences(list []*convert.Node, known map[string]string) (out []config.Example) {
	for _, u := range list {
		text := u.Str("utterance")
		e, ok := r.fill(text, known)
		if !ok {
			r.bot.Report.Add(u.At, convert.Lost, "an utterance has a place without a value: %s", text)
			continue
		}
		if len(e.Spans) > 0 {
			r.bot.Report.Add(u.At, convert.Carried, "an utterance with places for slots got sample values: %s", text)
		}
		out = append(out, e)
	}
	return out
}

// means returns the built-in intent that an intent is: by Amazon's name, by its own, or because it steers the
// dialogue by what people say. One with slots or a confirmation is none.
func (r *reader) means(n *convert.Node, slots []*convert.Node) string {
	id := system[n.Str("parentIntentSignature")]
	if id == "" && n.Str("name") == "FallbackIntent" {
		id = "nlu_fallback"
	}
	if confirms := n.Get("intentConfirmationSetting"); id != "" || len(slots) > 0 || confirms != nil && !confirms.Off("isActive") {
		return id
	}
	var said []string
	for _, u := range n.List("sampleUtterances") {
		said = append(said, u.Str("utterance"))
	}
	return convert.Means(r.bot.Language, n.Str("name"), said)
}

// builtin carries the sentences and the answer of an intent that every agent has.
func (r *reader) builtin(id string, n *convert.Node) {
	var examples []config.Example
	for _, u := range n.List("sampleUtterances") {
		examples = append(examples, config.Example{Text: convert.OneLine(u.Str("utterance"))})
	}
	name, texts := n.Str("name"), r.answer(n, nil, true)
	r.bot.Becomes(id, name, examples, n.Place())
	switch said := r.bot.SayBuiltin(id, texts); {
	case calls(n):
		r.bot.Report.Lost(n.Place("fulfillmentCodeHook"), "a function answers %s: a `plan` with a tool can do that", name)
	case len(texts) > 0 && !said:
		r.bot.Report.Lost(n.Place(), "the answer of %s: the built-in intent %s answers otherwise", name, id)
	case id == "human":
		r.bot.Report.Decide(n.Place(), "%s: a `handoff` step in the `plan` of human names the queue of the people who take over", name)
	}
}

// calls reports whether an intent calls its function.
func calls(n *convert.Node) bool {
	hook := n.Get("fulfillmentCodeHook")
	return hook.Is("enabled") && !hook.Off("isActive")
}

// plan makes the steps of an intent: what Lex says at first, the confirmation, the function, the closing.
func (r *reader) plan(out *convert.Intent, n *convert.Node, known map[string]string) {
	if first := r.texts(known, n.Get("initialResponseSetting", "initialResponse")); len(first) > 0 && len(known) > 0 {
		asked := out.Required
		out.Required, out.Plan = nil, []*convert.Step{r.bot.Say(out.ID+"_first", first)}
		for _, name := range asked {
			out.Plan = append(out.Plan, out.Needs(r.bot.Param(name)))
		}
	}
	r.confirm(out, n, known)
	if calls(n) {
		name, asked := "fulfill_"+convert.Snake(out.ID), len(out.Required)+len(out.Plan) > 0
		out.Plan = append(out.Plan, r.bot.Call(out, name, n.Place("fulfillmentCodeHook"), asked, "connect the fulfillment function of %s", out.ID))
	}
	if texts := r.answer(n, known, len(known) == 0); len(texts) > 0 {
		out.Plan = append(out.Plan, r.bot.Say(out.ID, texts))
		return
	}
	out.Open = append(out.Open, r.bot.Report.Lost(n.Place(), "%s has no closing response: what a function says is in no export", n.Str("name")))
	out.Plan = append(out.Plan, r.bot.AllRight())
}

// confirm adds the confirmation prompt. Without a function behind it, it is a question.
func (r *reader) confirm(out *convert.Intent, n *convert.Node, known map[string]string) {
	setting := n.Get("intentConfirmationSetting")
	texts := r.texts(known, setting.Get("promptSpecification"))
	if len(texts) == 0 || setting.Off("isActive") {
		return
	}
	denied := &convert.Step{}
	if said := r.texts(known, setting.Get("declinationResponse")); len(said) > 0 {
		denied = r.bot.Say(out.ID+"_declined", said)
	}
	if !calls(n) {
		p := r.bot.AskYesNo(out, out.ID+"_yes", texts)
		if denied.Respond == "" {
			denied = r.bot.AllRight()
		}
		out.Plan = append(out.Plan, &convert.Step{When: p.Name + " == false", Respond: denied.Respond, End: true})
		return
	}
	for _, other := range texts[1:] {
		r.bot.Report.Add(setting.Place(), convert.Left, "another wording of the confirmation of %s: %s", n.Str("name"), other)
	}
	out.Plan = append(out.Plan, &convert.Step{Confirm: texts[0], Denied: denied.Respond})
}

// answer returns what the intent says: after its function, and at its end. An intent that asks nothing says its
// first words together with these.
func (r *reader) answer(n *convert.Node, known map[string]string, atOnce bool) []string {
	var list []*convert.Node
	if atOnce {
		list = append(list, n.Get("initialResponseSetting", "initialResponse"))
	}
	if hook := n.Get("fulfillmentCodeHook"); !hook.Off("isActive") {
		list = append(list, hook.Get("postFulfillmentStatusSpecification", "successResponse"))
	}
	if closing := n.Get("intentClosingSetting"); !closing.Off("isActive") {
		list = append(list, closing.Get("closingResponse"))
	}
	return r.texts(known, list...)
}

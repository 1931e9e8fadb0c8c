package rasa

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
)

// builtins maps the usual names of intents to built-in ones.
var builtins = map[string]string{
	"greet": "greet", "greeting": "greet", "greetings": "greet", "hello": "greet", "hi": "greet",
	"goodbye": "goodbye", "bye": "goodbye", "good_bye": "goodbye", "say_goodbye": "goodbye", "farewell": "goodbye",
	"affirm": "affirm", "yes": "affirm", "affirmative": "affirm",
	"deny": "deny", "no": "deny", "negate": "deny", "negative": "deny",
	"thank": "thanks", "thanks": "thanks", "thankyou": "thanks", "thank_you": "thanks", "say_thanks": "thanks",
	"help": "help", "ask_help": "help",
	"restart": "reset", "start_over": "reset", "reset": "reset",
	"human_handoff": "human", "handoff": "human", "trigger_handoff": "human", "talk_to_human": "human", "request_human": "human",
	"contact_human": "human", "speak_to_human": "human", "agent_handoff": "human", "handover": "human",
	"stop": "cancel", "cancel": "cancel", "nevermind": "cancel", "never_mind": "cancel", "abort": "cancel",
	"repeat": "repeat", "skip": "skip",
}

// builtinTexts are the ids of the texts with which built-in intents answer.
var builtinTexts = map[string]string{
	"greet": "system.greet", "goodbye": "system.goodbye", "thanks": "system.thanks", "help": "system.help", "reset": "system.reset_done",
	"cancel": "system.cancelled", "human": "system.handoff", "affirm": "system.noted",
}

// builtinOf returns the built-in intent that an intent is, or "".
func builtinOf(intent string) string { return builtins[convert.Snake(intent)] }

// The intents of messages that match nothing.
const (
	outOfScope  = "out_of_scope"
	nluFallback = "nlu_fallback"
)

// ruled are the intents whose meaning Rasa itself gives.
var ruled = map[string]bool{nluFallback: true, "session_start": true, "back": true, "trigger_response_selector": true}

// builtin adds an intent to a built-in one.
func (r *reader) builtin(id string, in *nluIntent) {
	r.made.intents[in.name] = id
	i := slices.IndexFunc(r.bot.System, func(b *convert.Builtin) bool { return b.ID == id })
	if i < 0 {
		i = len(r.bot.System)
		r.bot.System = append(r.bot.System, &convert.Builtin{ID: id})
	}
	b := r.bot.System[i]
	list := r.plainExamples(in)
	r.bot.Report.Count("examples", len(list))
	b.Examples = append(b.Examples, list...)
	names, at := r.builtinAnswer(id, in.name)
	names = slices.DeleteFunc(names, func(name string) bool {
		if r.domain.response(name) != nil {
			return false
		}
		r.bot.Report.Add(at, convert.Left, "%s after %s: the built-in intent %s does without", name, in.name, id)
		return true
	})
	if n := len(names); n > 0 && r.react.goOn[names[n-1]] {
		r.bot.Report.Add(at, convert.Left, "%s after %s: it asks whether to go on, and a yes to it goes on; the built-in intent %s does not ask", names[n-1], in.name, id)
		names = nil
	}
	if !r.builtinText(id, names) && len(names) > 0 {
		r.bot.Report.Add(at, convert.Left, "%s after %s: the built-in intent %s answers otherwise", strings.Join(names, ", "), in.name, id)
	}
	if id == "human" && len(b.Plan) == 0 {
		b.Plan = []*convert.Step{{Handoff: "people"}}
		b.Open = append(b.Open, r.bot.Report.Decide(in.at, "name the queue of the people who take over"))
	}
	if len(b.Plan) == 0 && len(b.Examples) == 0 {
		r.bot.System = slices.Delete(r.bot.System, i, i+1)
		return
	}
	r.bot.Report.Count("intents", 1)
}

// builtinText replaces the text of a built-in intent by what the bot says; several responses are said as
// one. It reports whether there was a text to replace.
func (r *reader) builtinText(id string, names []string) bool {
	key := builtinTexts[id]
	if key == "" || len(names) == 0 || slices.ContainsFunc(r.bot.Responses, func(o *convert.Response) bool { return o.ID == key }) {
		return false
	}
	var texts []string
	for i, name := range names {
		list := r.questions(r.domain.response(name), nil)
		r.buttonsOf(r.domain.response(name))
		if i == 0 || len(texts) == 0 {
			texts = list
			continue
		}
		for j := range texts {
			if len(list) > 0 {
				texts[j] += "\n" + list[0]
			}
		}
	}
	if len(texts) == 0 {
		return false
	}
	r.bot.Responses = append(r.bot.Responses, &convert.Response{ID: key, Texts: texts})
	if id == "help" { // what the agent says without a question to explain
		r.bot.Responses = append(r.bot.Responses, &convert.Response{ID: "system.about", Texts: texts})
	}
	r.bot.Report.Count("responses", 1)
	return true
}

// builtinAnswer returns the actions that follow an intent that is built in. A yes or a no counts only
// where the bot had not asked for it.
func (r *reader) builtinAnswer(id, name string) ([]string, convert.Place) {
	if id == "affirm" || id == "deny" {
		counts, best := map[string]int{}, (*follow)(nil)
		for i := range r.react.follows {
			f := &r.react.follows[i]
			if f.yes != (id == "affirm") || len(f.names) == 0 || r.asks(f.after[len(f.after)-1]) {
				continue
			}
			if r.domain.response(f.names[0]) == nil {
				continue
			}
			key := strings.Join(f.names, ",")
			if counts[key]++; best == nil || counts[key] > counts[strings.Join(best.names, ",")] {
				best = f
			}
		}
		if best != nil {
			return slices.Clone(best.names), best.at
		}
	}
	c := r.choose(name)
	if c.always == nil {
		return nil, convert.Place{}
	}
	return slices.Clone(c.always.names), c.always.at
}

// asks reports whether an action asks a question.
func (r *reader) asks(name string) bool {
	resp := r.domain.response(name)
	return resp != nil && slices.ContainsFunc(resp.variants, func(v variant) bool { return strings.HasSuffix(strings.TrimSpace(v.text), "?") })
}

// fallback carries the answer to messages that match nothing over.
func (r *reader) fallback() {
	c := r.choose(nluFallback)
	if c.always == nil {
		return
	}
	for _, name := range c.always.names {
		if resp := r.domain.response(name); resp != nil {
			if list := r.questions(resp, nil); len(list) > 0 {
				r.buttonsOf(resp)
				r.bot.Responses = append(r.bot.Responses, &convert.Response{ID: "system.fallback", Texts: list})
				r.made.intents[nluFallback] = nluFallback
				return
			}
		}
	}
}

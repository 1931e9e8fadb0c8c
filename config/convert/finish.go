package convert

import (
	"maps"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/edit"
)

// Finish makes one agent of what a reader found: what holds for every format stands here.
func (b *Bot) Finish() {
	for _, p := range b.Params {
		t := b.Type(p.Type)
		p.Keep = p.Keep && t != nil && len(t.Values) > 0
		if p.Default == nil {
			continue
		}
		value, ok := b.Value(p, p.Default)
		if ok {
			p.Default = value
			continue
		}
		p.Open = append(p.Open, b.Report.Lost(p.At, "the first value of %s, %v, is none of the type %s", p.Name, p.Default, p.Type))
		p.Default = nil
	}
	for _, s := range b.System {
		s.Examples = b.writable(s.ID, Place{}, s.Examples)
	}
	for _, in := range b.Intents {
		in.Examples, in.Answers = b.writable(in.ID, in.At, in.Examples), b.writable(in.ID, in.At, in.Answers)
		b.tell(in)
	}
	for _, in := range b.Intents {
		b.share(in, in.Plan)
	}
	for _, in := range b.Intents {
		in.AnswerOnly = len(in.Required)+len(in.Optional) == 0 && !in.Internal && !in.part && b.onlyAnswers(in.Plan)
		if slices.ContainsFunc(in.Plan, func(s *Step) bool { return s.Confirm != "" }) {
			continue
		}
		for _, t := range b.writes(in.Plan) { // as in the source, nothing asks; a write is done once all the same
			in.Unconfirmed = true
			open := b.Report.Decide(t.At, "%s runs after questions, so it is taken for a write, which is done once; make it effect: read if it only looks something up", t.Name)
			if !slices.Contains(t.Open, open) {
				t.Open = append(t.Open, open)
			}
		}
	}
	if in := Find(b.Intents, func(in *Intent) bool { return !in.AnswerOnly && !in.Internal }); in != nil {
		in.Open = append(in.Open, b.Report.Decide(in.At, "the titles are the names of the intents, and users see them: write verb phrases, such as \"cancel an order\""))
	}
	b.count()
}

// Needs returns the step that asks for a param which the task cannot go on without.
func (in *Intent) Needs(p *Param) *Step {
	in.Take(p.Name, false)
	p.Needed = p.Needed || slices.Contains(in.Optional, p.Name)
	return &Step{Ask: p.Name}
}

// Ask gives a param its question; one that has another already keeps it, and the intent gets this one. An intent asks
// for a param in one way.
func (b *Bot) Ask(in *Intent, p *Param, texts []string, at Place) {
	own := in.Own[p.Name]
	switch {
	case len(texts) == 0 || slices.Equal(p.Prompts, texts) || slices.Equal(own, texts):
	case len(p.Prompts) == 0:
		p.Prompts, p.asker = texts, in.ID
	case p.asker == in.ID || own != nil:
		b.Report.Lost(at, "another question about %s in %s: %s", p.Name, in.ID, texts[0])
	default:
		if in.Own == nil {
			in.Own = map[string][]string{}
		}
		in.Own[p.Name] = texts
	}
}

// writable returns the examples that a file of an agent can hold, each once.
func (b *Bot) writable(id string, at Place, list []config.Example) []config.Example {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(e config.Example) bool {
		_, err := edit.Marked(e)
		if err != nil {
			b.Report.Add(at, Lost, "an example of %s: %v: %s", id, err, e.Text)
		}
		key := e.Asked + "\x00" + strings.ToLower(e.Text)
		again := seen[key]
		seen[key] = true
		return err != nil || again
	})
}

// tell makes the params that an intent's texts name params of it. What another task asks for lasts until the
// session ends, as in the source; a task within a task is told it.
func (b *Bot) tell(in *Intent) {
	var texts []string
	for _, name := range slices.Concat(in.Required, in.Optional) {
		texts = append(append(texts, b.Param(name).Prompts...), in.Own[name]...)
	}
	var collect func(plan []*Step)
	collect = func(plan []*Step) {
		for _, step := range plan {
			texts = append(texts, step.Confirm)
			for _, id := range []string{step.Respond, step.Denied} {
				if r := b.Response(id); r != nil {
					texts = append(texts, r.Texts...)
				}
			}
			collect(step.Then)
			collect(step.Else)
		}
	}
	collect(in.Plan)
	for _, text := range texts {
		for _, place := range places.FindAllString(text, -1) {
			p := b.Param(strings.Trim(place, "{}"))
			if p == nil || strings.HasPrefix(place, "{{") || slices.Contains(in.Required, p.Name) || slices.Contains(in.Optional, p.Name) {
				continue
			}
			in.Take(p.Name, false)
			in.told = append(in.told, p.Name)
			p.Session = p.Session || !in.Internal
		}
	}
}

// share settles what a task gives a task within it: what that one is told, but no params of the session, which
// it knows anyway.
func (b *Bot) share(in *Intent, plan []*Step) {
	ofSession := func(a Arg) bool { p := b.Param(a.Name); return p != nil && p.Session }
	for _, step := range plan {
		if other := b.intent(step.Run); other != nil {
			other.part = true
			for _, name := range other.told {
				in.Take(name, false)
				step.With = append(step.With, Arg{name, "$" + name})
			}
			step.With, step.Saves = slices.DeleteFunc(step.With, ofSession), slices.DeleteFunc(step.Saves, ofSession)
		}
		b.share(in, step.Then)
		b.share(in, step.Else)
	}
}

// Take makes a param one of the intent, once.
func (in *Intent) Take(name string, required bool) {
	if slices.Contains(in.Required, name) || slices.Contains(in.Optional, name) {
		return
	}
	if required {
		in.Required = append(in.Required, name)
	} else {
		in.Optional = append(in.Optional, name)
	}
}

// writes returns the writes that a plan comes to.
func (b *Bot) writes(plan []*Step) (list []*Tool) {
	for _, step := range plan {
		if t := b.Tool(step.Call); t != nil && t.Write {
			list = append(list, t)
		}
		list = append(append(list, b.writes(step.Then)...), b.writes(step.Else)...)
	}
	return list
}

// AskYesNo makes the yes or no to a question a param of an intent, for which its plan asks.
func (b *Bot) AskYesNo(in *Intent, name string, texts []string) *Param {
	p := &Param{Name: b.FreeParam(name), Type: "boolean", Prompts: texts, steers: true}
	b.Params = append(b.Params, p)
	in.Take(p.Name, false)
	in.Plan = append(in.Plan, &Step{Ask: p.Name})
	return p
}

// Teach adds to a built-in intent the sentences that it does not have.
func (b *Bot) Teach(id string, examples []config.Example) {
	known := BuiltinSentences(b.Language)
	for _, e := range examples {
		has := func(o config.Example) bool { return o.Text == e.Text }
		if known[config.Words(e.Text)] != id && e.Text != "" && !slices.ContainsFunc(b.Builtin(id).Examples, has) {
			b.Builtin(id).Examples = append(b.Builtin(id).Examples, e)
		}
	}
	b.System = slices.DeleteFunc(b.System, func(o *Builtin) bool { return len(o.Examples)+len(o.Plan)+len(o.Open) == 0 })
}

// Becomes makes an intent of the source a built-in one, which learns its sentences. The fallback needs none.
func (b *Bot) Becomes(id, name string, examples []config.Example, at Place) {
	if id == "nlu_fallback" {
		for _, e := range examples {
			b.Report.Add(at, Left, "a sentence of the fallback %s: what the agent knows none of needs no examples: %s", name, e.Text)
		}
		return
	}
	b.Teach(id, examples)
	if id != name {
		b.Report.Add(at, Carried, "%s is the built-in intent %s", name, id)
	}
}

// Builtin returns the changes of a built-in intent.
func (b *Bot) Builtin(id string) *Builtin {
	known := Find(b.System, func(o *Builtin) bool { return o.ID == id })
	if known == nil {
		known = &Builtin{ID: id}
		b.System = append(b.System, known)
	}
	return known
}

// builtinTexts are the ids of the texts with which built-in intents answer.
var builtinTexts = map[string]string{
	"greet": "system.greet", "goodbye": "system.goodbye", "thanks": "system.thanks", "help": "system.help", "reset": "system.reset_done",
	"cancel": "system.cancelled", "human": "system.handoff", "affirm": "system.noted", "nlu_fallback": "system.fallback",
}

// SayBuiltin replaces the text of a built-in intent. It reports whether the intent says these texts now.
func (b *Bot) SayBuiltin(id string, texts []string) bool {
	key := builtinTexts[id]
	if known := b.Response(key); known != nil || key == "" || len(texts) == 0 {
		return known != nil && slices.Equal(known.Texts, texts)
	}
	b.Responses = append(b.Responses, &Response{ID: key, Texts: texts})
	if id == "help" { // what the agent says without a question to explain
		b.Responses = append(b.Responses, &Response{ID: "system.about", Texts: texts})
	}
	return true
}

// Say adds a response and returns the step that says it.
func (b *Bot) Say(name string, texts []string, open ...Open) *Step {
	id := unique(name, func(id string) bool { return b.Response(id) != nil })
	b.Responses = append(b.Responses, &Response{ID: id, Texts: texts, Open: open})
	return &Step{Respond: id}
}

// AllRight returns a step that says so, where the source does not tell what is said.
func (b *Bot) AllRight() *Step {
	if b.Response("all_right") == nil {
		b.Responses = append(b.Responses, &Response{ID: "all_right", Texts: []string{"All right."}})
	}
	return &Step{Respond: "all_right"}
}

// onlyAnswers reports whether a plan says something or looks it up, and does nothing else.
func (b *Bot) onlyAnswers(plan []*Step) bool {
	return len(b.writes(plan)) == 0 && !slices.ContainsFunc(plan, func(s *Step) bool {
		does := s.Ask + s.Confirm + s.Run + s.Handoff
		return does != "" || !b.onlyAnswers(s.Then) || !b.onlyAnswers(s.Else)
	})
}

// Call returns the step that calls a function of the source with all params of an intent, by a tool that a person must
// connect, which point says. After questions it is a write, which is done once.
func (b *Bot) Call(in *Intent, name string, at Place, asked bool, point string, args ...any) *Step {
	step := &Step{Call: name}
	for _, name := range slices.Concat(in.Required, in.Optional) {
		if !b.Param(name).steers {
			step.With = append(step.With, Arg{Name: name, Value: "$" + name})
		}
	}
	if b.Tool(name) == nil {
		b.Tools = append(b.Tools, &Tool{Name: name, At: at, Open: []Open{b.Report.Decide(at, point, args...)}})
	}
	b.Tool(name).Write = b.Tool(name).Write || asked
	return step
}

// Find returns the first element that fits; nil for none.
func Find[T any](list []*T, fits func(*T) bool) *T {
	if i := slices.IndexFunc(list, fits); i >= 0 {
		return list[i]
	}
	return nil
}

func (b *Bot) intent(id string) *Intent {
	return Find(b.Intents, func(in *Intent) bool { return in.ID == id })
}

// Tool returns a tool by its name; nil for none.
func (b *Bot) Tool(name string) *Tool {
	return Find(b.Tools, func(t *Tool) bool { return t.Name == name })
}

// Response returns a response by its id; nil for none.
func (b *Bot) Response(id string) *Response {
	return Find(b.Responses, func(r *Response) bool { return r.ID == id })
}

// Param returns a param by its name; nil for none.
func (b *Bot) Param(name string) *Param {
	return Find(b.Params, func(p *Param) bool { return p.Name == name })
}

// Type returns a declared type by its name; nil for none.
func (b *Bot) Type(name string) *Type {
	return Find(b.Types, func(t *Type) bool { return t.Name == name })
}

// count notes in the report what the bot has.
func (b *Bot) count() {
	examples := 0
	for _, in := range b.Intents {
		examples += len(in.Examples)
	}
	for _, in := range b.System {
		examples += len(in.Examples)
	}
	b.Report.Counts = map[string]int{
		"intents": len(b.Intents) + len(b.System), "examples": examples, "params": len(b.Params), "types": len(b.Types),
		"responses": len(b.Responses), "tools": len(b.Tools), "conversations": len(b.Tests),
	}
	maps.DeleteFunc(b.Report.Counts, func(_ string, n int) bool { return n == 0 })
}

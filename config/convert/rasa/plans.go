package rasa

import (
	"fmt"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/pattern"
	"github.com/slotway/slotway/config/source"
)

// task is an intent in the making.
type task struct {
	in     *convert.Intent
	source string   // the intent or flow of the bot
	form   string   // that it starts; "" for none
	slots  []string // that it has as params, in order

	formSlots []string // those of the form, which it asks for

	path      []string       // questions on the way to the current step
	questions int            // in the plan
	fixed     map[string]any // slots whose values follow from the intent
	confirm   bool           // a confirm step stands before what comes now
	saved     string         // the name of the last result
	toolOf    string         // the tool that gave it
}

// steps turns actions into steps of a plan. The last call says what the action says, if nothing else
// does.
func (r *reader) steps(names []string, t *task, at convert.Place) []*convert.Step {
	out, said := r.unsaid(names, t, at)
	if !said {
		out = append(out, r.result(t))
	}
	return out
}

// unsaid is steps without the words of a last call. said reports that something was said after it.
func (r *reader) unsaid(names []string, t *task, at convert.Place) (out []*convert.Step, said bool) {
	said = true
	for _, name := range names {
		if resp := r.domain.response(name); resp != nil {
			list := r.say(resp, t)
			out = append(out, list...)
			said = said || len(list) > 0
			continue
		}
		if strings.HasPrefix(name, "utter_") {
			r.bot.Report.Add(at, convert.Left, "%s: no response has this name", name)
			continue
		}
		out = append(out, r.call(name, t, at))
		said = false
	}
	return out, said
}

// say returns the steps that say a response: variants under a condition first.
func (r *reader) say(resp *response, t *task) []*convert.Step {
	resp.said = true
	var texts []string
	var open []convert.Open
	var branches []*convert.Step
	buttons := false
	for _, v := range resp.variants {
		buttons = buttons || len(v.buttons) > 0
		text := r.template(v.text, t, v.at)
		switch {
		case v.channel != "":
			r.left(v.at, "the variant of %s for the channel %s", resp.name, v.channel)
		case text == "":
			r.left(v.at, "a variant of %s without a text", resp.name)
		case len(v.when) > 0:
			if when := r.condition(v.when, t); when != "" {
				id := r.response(resp.name, []string{text}, nil)
				branches = append(branches, &convert.Step{When: when, Respond: id})
			} else {
				r.left(v.at, "the variant of %s under a condition: the plan does not know its slots", resp.name)
			}
		default:
			texts = append(texts, text)
		}
	}
	if buttons && t != nil && t.form == "" {
		r.buttonsOf(resp)
	}
	if len(texts) == 0 {
		return branches
	}
	last := &convert.Step{Respond: r.response(resp.name, texts, open)}
	for i := len(branches) - 1; i >= 0; i-- {
		b := branches[i]
		last = &convert.Step{When: b.When, Then: []*convert.Step{{Respond: b.Respond}}, Else: []*convert.Step{last}}
	}
	return []*convert.Step{last}
}

// response declares a response, once for each wording.
func (r *reader) response(name string, texts []string, open []convert.Open) string {
	id := convert.Snake(name)
	for n := 2; ; n++ {
		i := slices.IndexFunc(r.bot.Responses, func(o *convert.Response) bool { return o.ID == id })
		if i < 0 {
			r.bot.Responses = append(r.bot.Responses, &convert.Response{ID: id, Texts: texts, Open: open})
			r.bot.Report.Count("responses", 1)
			return id
		}
		if slices.Equal(r.bot.Responses[i].Texts, texts) {
			return id
		}
		id = fmt.Sprintf("%s_%d", convert.Snake(name), n)
	}
}

// call returns the step that calls a custom action.
func (r *reader) call(action string, t *task, at convert.Place) *convert.Step {
	tool := r.tool(action, at)
	step := &convert.Step{Call: tool.Name, Save: r.saveName(tool.Name)}
	for _, name := range t.slots {
		p := r.param(name)
		step.With = append(step.With, convert.Arg{Name: r.slotID(name), Value: "$" + p.Name})
	}
	t.saved, t.toolOf = step.Save, tool.Name
	if t.confirm {
		r.made.confirmed[tool.Name]++
	} else {
		r.made.unasked[tool.Name]++
	}
	if t.form != "" && !t.confirm && r.made.confirmed[tool.Name]+r.made.unasked[tool.Name] == 1 {
		tool.Open = append(tool.Open, r.bot.Report.Decide(at, "%s runs once a form is filled: if it changes something, it needs effect: write here, and a confirm step before the call", action))
	}
	return step
}

// slotID returns a slot's own name, which actions read and set, if it can stand in a plan.
func (r *reader) slotID(name string) string {
	if s := r.domain.slot(name); s != nil && s.twinOf != "" {
		name = s.twinOf
	}
	if naming.IsName(name) {
		return name
	}
	return convert.Snake(name)
}

// saveName returns a name for the result of a tool that no param has.
func (r *reader) saveName(tool string) string { return tool + "_result" }

// tool declares the tool for a custom action.
func (r *reader) tool(action string, at convert.Place) *convert.Tool {
	name := convert.Snake(strings.TrimPrefix(action, "action_"))
	for _, t := range r.bot.Tools {
		if t.Name == name {
			return t
		}
	}
	url := strings.TrimSuffix(r.server, "/webhook")
	if url == "" {
		url = "${ACTIONS_URL}"
	}
	t := &convert.Tool{Name: name, Description: "The custom action " + action, Result: map[string]any{
		"slots": map[string]any{}, "responses": []any{"(Here " + action + " answers.)"},
	}}
	t.Note = fmt.Sprintf("To call the action server: kind: rasa_action, url: %q, action: %s.", url, action)
	if declared, ok := placeOf(r.domain.actions, action); ok {
		at = declared
	}
	r.bot.Tools = append(r.bot.Tools, t)
	r.bot.Report.Count("tools", 1)
	r.bot.Report.Add(at, convert.Carried, "%s is the tool %s, which gives a fixed answer until it is connected", action, name)
	return t
}

// result says what the last action said.
func (r *reader) result(t *task) *convert.Step {
	return &convert.Step{Respond: r.response(t.toolOf+"_said", []string{"{" + t.saved + ".responses.0}"}, nil)}
}

// placeholder matches {slot} in a text.
var placeholder = pattern.Must(`\{+([^{}]*)\}+`)

// template turns a text of a response into one of an agent. A slot that the user fills is a param; one
// with an initial value is that value; else it comes from the last action.
func (r *reader) template(text string, t *task, at *source.Node) string {
	var b strings.Builder
	end := 0
	for _, m := range placeholder.FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(plain(text[end:m[0]]))
		end = m[1]
		name := strings.TrimSpace(text[m[2]:m[3]])
		if value, ok := r.filled(name, t); ok {
			if t != nil && slices.Contains(t.slots, name) && r.param(name).Type == "money" {
				before := strings.TrimRight(b.String(), "$€£") // an amount is shown with its currency
				b.Reset()
				b.WriteString(before)
			}
			b.WriteString(value)
			continue
		}
		r.made.lost++
		r.bot.Report.Add(place(at), convert.Left, "{%s} in a text: nothing fills it here", name)
	}
	b.WriteString(plain(text[end:]))
	return strings.TrimSpace(b.String())
}

// plain escapes what the runtime would read as a placeholder or a part to leave out.
func plain(text string) string {
	return strings.NewReplacer("{", "{{", "}", "}}", "[if ", `\[if `).Replace(text)
}

// wording ends the names of slots in which actions put a value in words, such as time_formatted. The
// runtime puts values into words by itself.
var wording = pattern.Must(`_(formatted|text|str|string|display|pretty)$`)

// filled returns what stands in a text for a slot.
func (r *reader) filled(name string, t *task) (string, bool) {
	s := r.domain.slot(name)
	plainName := wording.ReplaceAllString(name, "")
	switch {
	case t != nil && slices.Contains(t.slots, name):
		return "{" + r.param(name).Name + "}", true
	case t != nil && slices.Contains(t.slots, plainName) && (s == nil || !s.byUser()):
		return "{" + r.param(plainName).Name + "}", true
	case s != nil && s.initial != nil && s.initial.Kind() != source.KindNull:
		return plain(s.initial.Text()), true
	case t != nil && t.saved != "":
		return "{" + r.resultPath(name, t) + "}", true
	}
	return "", false
}

// resultPath returns the path of a slot that the last action sets, and puts an example into its result.
func (r *reader) resultPath(name string, t *task) string {
	id := r.slotID(name)
	for _, tool := range r.bot.Tools {
		if tool.Name != t.toolOf {
			continue
		}
		slots, _ := tool.Result.(map[string]any)["slots"].(map[string]any)
		if slots[id] == nil {
			slots[id] = r.sample(name)
		}
	}
	return t.saved + ".slots." + id
}

// sample returns a value for a slot that an action sets.
func (r *reader) sample(name string) any {
	switch s := r.domain.slot(name); {
	case s == nil:
		return "(" + name + ")"
	case s.kind == "bool":
		return true
	case s.kind == "float":
		return 1
	case len(s.values) > 0:
		return s.values[0]
	}
	return "(" + name + ")"
}

// condition turns conditions on slots into an expression; "" if the plan does not know a slot.
func (r *reader) condition(list []slotIs, t *task) string {
	var parts []string
	for _, c := range list {
		name := ""
		switch {
		case slices.Contains(t.slots, c.slot):
			name = r.param(c.slot).Name
		case t.saved != "":
			name = r.resultPath(c.slot, t)
		default:
			return ""
		}
		switch value := c.value.(type) {
		case nil:
			if c.any {
				parts = append(parts, name+" != nil")
			} else {
				parts = append(parts, name+" == nil")
			}
		case string:
			if value == "__other__" { // Rasa's name for a value that is none of the list
				return ""
			}
			parts = append(parts, fmt.Sprintf("%s == %q", name, value))
		default:
			parts = append(parts, fmt.Sprintf("%s == %v", name, value))
		}
	}
	return strings.Join(slices.Compact(parts), " and ")
}

package rasa

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/pattern"
	"github.com/slotway/slotway/config/rasanlu"
	"github.com/slotway/slotway/config/source"
)

// task is an intent in the making.
type task struct {
	in     *convert.Intent
	source string            // the intent or flow of the bot
	slots  []string          // that it has as params, in order
	marked []string          // entities of its examples: they become params if the plan uses them
	asking map[string]bool   // responses and forms that ask on the way to the current step
	asked  int               // params that the plan asks for so far
	fresh  map[string]bool   // slots that are asked for although they are known
	saved  string            // the name of the last result
	toolOf string            // the tool that gave it
	sets   map[string]string // slots that actions set, by name: the paths in their results
	ran    *task             // the flow that was called last
	runs   *convert.Step     // that calls it
	steps  int
	parted bool // the plan has several ways
	later  bool // it follows another task, whose values it knows
	top    bool // nothing was done yet: a form that comes now has required params
}

// param returns the param of a slot.
func (r *reader) param(name string) *convert.Param {
	if p := r.params[name]; p != nil {
		return p
	}
	s := r.slot(name)
	id := r.bot.FreeParam(name)
	p := &convert.Param{Name: id, Label: convert.Spoken(name), List: s.kind == "list"}
	if p.Label == strings.ReplaceAll(id, "_", " ") {
		p.Label = ""
	}
	r.params[name] = p
	r.bot.Params = append(r.bot.Params, p)
	p.Type, p.Keep = r.typeOf(s, p)
	if s.initial != nil {
		p.Default, p.At = s.initial.Value(), place(s.initial)
	}
	for _, m := range s.mappings {
		_, isText := m.value.Value().(string)
		taken := isText && p.Type != "boolean" || r.yesOrNo(s)
		if m.kind == "from_intent" && !taken {
			p.Open = append(p.Open, r.bot.Report.Lost(place(s.at), "the intent %s filled %s with %q", strings.Join(m.intents, " or "), p.Name, word(m.value)))
		}
	}
	return p
}

// slot returns a slot, made of the entity of its name if the domain has none.
func (r *reader) slot(name string) *slot {
	if s := r.domain.slot(name); s != nil {
		return s
	}
	s := &slot{name: name, mappings: []mapping{{kind: "from_entity", entity: name}}, entity: true}
	for _, e := range r.domain.entities {
		if e.name == name {
			s.at = e.at
		}
	}
	r.domain.slots = append(r.domain.slots, s)
	return s
}

// take makes a slot one of the task's params.
func (r *reader) take(t *task, name string, required bool) *convert.Param {
	if !slices.Contains(t.slots, name) {
		t.slots = append(t.slots, name)
	}
	p := r.param(name)
	p.Session = p.Session || t.later
	t.in.Take(p.Name, required)
	return p
}

// prompt returns the response that asks for a slot, first that of a form; nil for none.
func (r *reader) prompt(form, slot string) *response {
	return cmp.Or(r.domain.response("utter_ask_"+form+"_"+slot), r.domain.response("utter_ask_"+slot))
}

// ask gives the params of slots their questions.
func (r *reader) ask(form string, names []string, t *task) {
	for _, name := range names {
		p := r.param(name)
		if asks := r.prompt(form, name); asks != nil {
			r.bot.Ask(t.in, p, r.questions(asks, t), place(asks.at))
		}
		if len(p.Prompts) == 0 {
			p.Prompts = []string{"What is the " + convert.Spoken(name) + "?"}
			p.Open = append(p.Open, r.bot.Report.Lost(place(r.slot(name).at), "no response utter_ask_%s: if an action asks, write its question here", name))
		}
	}
}

// questions returns the texts of a response that asks. A question has no conditions.
func (r *reader) questions(resp *response, t *task) (texts []string) {
	resp.said = true
	for _, v := range resp.variants {
		switch text := r.template(v.text, t, v.at); {
		case len(v.when) > 0:
			r.lost(place(v.at), "a variant of the question %s under a condition", resp.name)
		case text != "":
			texts = append(texts, text)
		}
	}
	return texts
}

// slotOf returns the slot that a mark fills: one of the task's first, then one with the same role and group. An
// entity that fills no slot is one.
func (r *reader) slotOf(m rasanlu.Mark, t *task) string {
	best, most := "", 0
	for _, s := range r.domain.slots {
		for _, way := range s.ways() {
			if way.entity != m.Entity || way.role != "" && way.role != m.Role || way.group != "" && way.group != m.Group {
				continue
			}
			fit := 1 + 2*len(way.role+way.group)
			if slices.Contains(t.slots, s.name) {
				fit++
			}
			if fit > most {
				best, most = s.name, fit
			}
		}
	}
	if best != "" {
		return best
	}
	name := strings.TrimRight(m.Entity+"_"+m.Role+"_"+m.Group, "_")
	if r.domain.slot(name) == nil { // else only an action fills it
		r.slot(name).mappings = []mapping{{kind: "from_entity", entity: m.Entity, role: m.Role, group: m.Group}}
	}
	return name
}

// spans turns the marks of an example into those of a task's params; others are dropped.
func (r *reader) spans(e example, t *task) config.Example {
	var parts []convert.Part
	runes, end := []rune(e.text), 0
	for _, m := range e.marks {
		if m.Start < end || m.End <= m.Start || m.End > len(runes) {
			continue
		}
		name := r.slotOf(m, t)
		if !slices.Contains(t.slots, name) || r.param(name).Type == "boolean" {
			continue
		}
		p, text, value := r.param(name), string(runes[m.Start:m.End]), ""
		if m.Value != text {
			value = r.bot.EnumValue(p, m.Value)
		}
		parts = append(parts, convert.Part{Text: string(runes[end:m.Start])}, convert.Part{Text: text, Param: p.Name, Value: value})
		end = m.End
	}
	return convert.Sentence(append(parts, convert.Part{Text: string(runes[end:])}))
}

// slotID returns a slot's own name, which actions read and set, if it can stand in a plan.
func slotID(name string) string {
	if naming.IsName(name) {
		return name
	}
	return convert.Snake(name)
}

// placeholder matches {slot} in a text.
var placeholder = pattern.Must(`\{+([^{}]*)\}+`)

// template turns a text of a response into one of an agent.
func (r *reader) template(text string, t *task, at *source.Node) string {
	for _, s := range r.domain.slots { // a value that no task asks for
		if s.initial != nil && (t == nil || !slices.Contains(t.slots, s.name)) {
			text = strings.ReplaceAll(text, "{"+s.name+"}", s.initial.Text())
		}
	}
	return convert.Places(text, placeholder, func(name string) string { return r.known(name, t) }, func(found string) {
		r.lost(place(at), "%s in a text: nothing fills it here", found)
	})
}

// known returns how a plan calls the value of a slot: its param, or what the last action set. "": it has none.
func (r *reader) known(name string, t *task) string {
	switch {
	case t == nil:
		return ""
	case slices.Contains(t.marked, name), slices.Contains(t.slots, name):
		t.marked = slices.DeleteFunc(t.marked, func(m string) bool { return m == name })
		return r.take(t, name, false).Name
	case t.sets[name] != "":
		return t.sets[name]
	case t.saved != "":
		return r.resultPath(name, t)
	case t.ran != nil && (t.ran.saved != "" || t.ran.sets[name] != ""):
		id := slotID(name)
		t.runs.Saves = append(t.runs.Saves, convert.Arg{Name: id, Value: r.known(name, t.ran)})
		t.set(name, id)
		return id
	}
	return ""
}

// set notes by which path the plan knows what an action sets.
func (t *task) set(slot, path string) {
	if t.sets = maps.Clone(t.sets); t.sets == nil {
		t.sets = map[string]string{}
	}
	t.sets[slot] = path
}

// resultPath returns the path of a slot that the last action sets, and puts an example into its result.
func (r *reader) resultPath(name string, t *task) string {
	id := slotID(name)
	slots, _ := r.bot.Tool(t.toolOf).Result.(map[string]any)["slots"].(map[string]any)
	if _, has := slots[id]; !has {
		slots[id] = r.sample(name)
	}
	t.set(name, t.saved+".slots."+id)
	return t.sets[name]
}

// sample returns a value for a slot that an action sets.
func (r *reader) sample(name string) any {
	switch s := cmp.Or(r.domain.slot(name), &slot{}); {
	case s.kind == "bool":
		return true
	case s.kind == "float":
		return 1
	case s.kind == "list":
		return []any{"(" + name + ")"}
	case len(s.values) > 0:
		return s.values[0]
	}
	return "(" + name + ")"
}

// condition turns conditions on slots into an expression; "" if the plan does not know a slot.
func (r *reader) condition(list []slotIs, t *task) string {
	var parts []string
	for _, c := range list {
		s := r.domain.slot(c.slot)
		name := r.known(c.slot, t)
		if name == "" && s != nil && s.byUser() { // said in another task
			p := r.take(t, c.slot, false)
			p.Session, name = true, p.Name
		}
		if name == "" || c.value == "__other__" { // Rasa's name for a value that is none of the list
			return ""
		}
		if p := r.params[c.slot]; c.value != nil && p != nil && p.Name == name {
			known, ok := r.bot.Value(p, c.value)
			if !ok || p.List {
				return ""
			}
			c.value = known
		}
		switch value := c.value.(type) {
		case nil:
			operator := " == nil"
			if c.any {
				operator = " != nil"
			}
			parts = append(parts, name+operator)
		case string:
			parts = append(parts, fmt.Sprintf("%s == %q", name, value))
		default:
			parts = append(parts, fmt.Sprintf("%s == %v", name, value))
		}
	}
	return strings.Join(slices.Compact(parts), " and ")
}

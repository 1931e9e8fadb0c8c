package rasa

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/pattern"
	"github.com/slotway/slotway/config/rasanlu"
)

// made collects the parts of the agent so far.
type made struct {
	params  map[string]*convert.Param // by slot
	slots   map[string]string         // the slot of each param
	intents map[string]string         // the id of each intent; "" for one that only gives values
	tasks   []*task
	asks    map[string]string // by response that asks: its param
	asked   map[string]string // by response that asks for a slot: the slot

	confirmed, unasked map[string]int    // calls of each tool, after a yes and without one
	lost               int               // placeholders that nothing fills
	enums              map[string]string // types of values, by entity and values
	lastYes            []string          // slots that became confirm steps
	informs            []string          // intents that only give values
}

// param returns the param of a slot.
func (r *reader) param(name string) *convert.Param { return r.paramIn(name, nil) }

// paramIn is param for a task, whose slots the questions may name.
func (r *reader) paramIn(name string, t *task) *convert.Param {
	if p := r.made.params[name]; p != nil {
		return p
	}
	s := r.domain.slot(name)
	if s == nil {
		s = &slot{name: name, mappings: []mapping{{kind: "from_entity", entity: name}}}
		if e := r.domain.entity(name); e != nil {
			s.at = e.at
		}
	}
	id := convert.Snake(name)
	for r.made.slots[id] != "" {
		id += "_2"
	}
	p := &convert.Param{Name: id, Label: convert.Spoken(name), Min: s.min, Max: s.max}
	if p.Label == strings.ReplaceAll(id, "_", " ") {
		p.Label = ""
	}
	r.made.params[name], r.made.slots[id] = p, name
	question := ""
	for _, resp := range r.prompts(name) {
		if p.Prompts = r.questions(resp, t); len(p.Prompts) > 0 {
			question = p.Prompts[0]
			break
		}
	}
	p.List = s.kind == "list"
	p.Type, p.Keep = r.typeOf(s, id, question)
	if p.Type == "boolean" {
		p.List = false
	}
	if p.Type != "number" && p.Type != "integer" {
		p.Min, p.Max = nil, nil
	}
	r.bot.Params = append(r.bot.Params, p)
	r.bot.Report.Count("params", 1)
	r.otherMappings(s, p)
	return p
}

// otherMappings notes the ways to a value that params do not have.
func (r *reader) otherMappings(s *slot, p *convert.Param) {
	if s.yesNo() {
		return
	}
	for _, m := range s.mappings {
		if m.kind != "from_intent" || p.Type == "boolean" {
			continue
		}
		at := place(m.value)
		if at.File == "" {
			at = place(s.at)
		}
		p.Open = append(p.Open, r.bot.Report.Decide(at, "the intent %s filled %s with %q: consider skippable: true and a default", strings.Join(m.intents, " or "), p.Name, word(m.value)))
	}
}

// prompts returns the responses that ask for a slot: those of a form last, unless it has no other.
func (r *reader) prompts(slot string) []*response {
	var out []*response
	if resp := r.domain.response("utter_ask_" + slot); resp != nil {
		out = append(out, resp)
	}
	for _, f := range r.domain.forms {
		if resp := r.domain.response("utter_ask_" + f.name + "_" + slot); resp != nil && slices.Contains(f.slots, slot) {
			out = append(out, resp)
		}
	}
	return out
}

// formPrompt returns the questions of a task for a slot, if they are others than those of the param.
func (r *reader) formPrompt(form, slot string, t *task) []string {
	for _, name := range []string{"utter_ask_" + form + "_" + slot, "utter_ask_" + slot} {
		if resp := r.domain.response(name); resp != nil {
			if list := r.questions(resp, t); !slices.Equal(r.param(slot).Prompts, list) {
				return list
			}
			return nil
		}
	}
	return nil
}

// questions returns the texts of a response that asks.
func (r *reader) questions(resp *response, t *task) []string {
	resp.said = true
	return r.texts(resp, t)
}

// texts returns the texts of a response for all channels; nil for no response.
func (r *reader) texts(resp *response, t *task) []string {
	if resp == nil {
		return nil
	}
	var out []string
	for _, v := range resp.variants {
		if v.channel != "" {
			r.once(place(v.at), "the variant of %s for the channel %s", resp.name, v.channel)
			continue
		}
		if text := r.template(v.text, t, v.at); text != "" {
			out = append(out, text)
		}
	}
	return out
}

// value returns what a button sets a slot to: by a payload such as /inform{"size":"big"}, or by its text.
func (b button) value(slot string) string {
	if strings.Contains(b.payload, "SetSlots(") {
		return setSlot(b.payload, slot)
	}
	rest, isIntent := strings.CutPrefix(b.payload, "/")
	if !isIntent {
		return b.payload
	}
	_, js, ok := strings.Cut(rest, "{")
	if !ok {
		return ""
	}
	var values map[string]any
	if json.NewDecoder(strings.NewReader("{"+js)).Decode(&values) != nil { // what follows the object is a slip
		return ""
	}
	if text, ok := values[slot].(string); ok {
		return text
	}
	if len(values) == 1 { // the entity may have another name than the slot
		for _, v := range values {
			text, _ := v.(string)
			return text
		}
	}
	return ""
}

// setSlot reads the payload of CALM's buttons: /SetSlots(size=big).
func setSlot(payload, slot string) string {
	_, list, _ := strings.Cut(payload, "SetSlots(")
	for part := range strings.SplitSeq(strings.TrimSuffix(list, ")"), ",") {
		if name, value, ok := strings.Cut(part, "="); ok && strings.TrimSpace(name) == slot {
			return strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	return ""
}

// slotFor returns the slot of a task that a mark fills; "" for none.
func (r *reader) slotFor(m rasanlu.Mark, t *task) string {
	fits := func(name string) bool {
		s := r.domain.slot(name)
		if s == nil {
			return name == m.Entity || name == entityName(m)
		}
		if len(s.mappings) == 0 {
			return s.name == m.Entity
		}
		return slices.ContainsFunc(s.mappings, func(way mapping) bool {
			return way.kind == "from_entity" && way.entity == m.Entity && (way.role == m.Role || way.role == "")
		})
	}
	for _, name := range t.slots {
		if fits(name) {
			return name
		}
	}
	return ""
}

// entityName is the name of a param made of an entity that fills no slot.
func entityName(m rasanlu.Mark) string {
	if m.Role != "" {
		return m.Role + "_" + m.Entity
	}
	return m.Entity
}

// slotOfEntity returns the slot that an entity fills anywhere, or a name for one.
func (r *reader) slotOfEntity(m rasanlu.Mark) string {
	for _, s := range r.domain.slots {
		for _, way := range s.mappings {
			if way.kind == "from_entity" && way.entity == m.Entity && way.role == m.Role {
				return s.name
			}
		}
	}
	if s := r.domain.slot(m.Entity); s != nil && m.Role == "" {
		return s.name
	}
	name := entityName(m)
	if r.domain.slot(name) == nil {
		r.domain.slots = append(r.domain.slots, &slot{name: name, kind: "any", mappings: []mapping{{kind: "from_entity", entity: m.Entity, role: m.Role}}})
	}
	return name
}

// spans turns the marks of an example into those of a task's params; others are dropped.
func (r *reader) spans(e example, t *task) config.Example {
	out := config.Example{Text: strings.Join(strings.Fields(e.text), " ")}
	if out.Text != e.text {
		return out // the places would be wrong
	}
	end := 0
	for _, m := range e.marks {
		name := r.slotFor(m, t)
		if name == "" || m.Start < end || m.End <= m.Start || m.End > len([]rune(out.Text)) {
			continue
		}
		p := r.param(name)
		span := config.Span{Param: p.Name, Start: m.Start, End: m.End, Value: r.enumValue(p, m.Value)}
		if p.Type == "boolean" || countTypes[p.Type] && !hasDigit.MatchString(string([]rune(out.Text)[m.Start:m.End])) {
			continue
		}
		out.Spans = append(out.Spans, span)
		end = m.End
	}
	return out
}

// countTypes are the types of values with digits. A bot marks words such as "my balance" as amounts, too.
var (
	countTypes = map[string]bool{"money": true, "number": true, "integer": true, "percentage": true}
	hasDigit   = pattern.Must(`(?i)\d|\b(one|two|three|four|five|six|seven|eight|nine|ten|dozen|hundred|thousand)\b`)
)

// enumValue returns the value of an enumeration that a marked one stands for; "" for other types, whose
// values the runtime reads from the text.
func (r *reader) enumValue(p *convert.Param, value string) string {
	for _, t := range r.bot.Types {
		if t.Name != p.Type {
			continue
		}
		for _, v := range t.Values {
			if strings.EqualFold(v.Value, value) || slices.ContainsFunc(v.Synonyms, func(s string) bool { return strings.EqualFold(s, value) }) {
				return v.Value
			}
		}
	}
	return ""
}

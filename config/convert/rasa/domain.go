package rasa

import (
	"fmt"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/source"
)

// domain holds the declarations of the domain files, in their order.
type domain struct {
	intents   []named
	entities  []named
	slots     []*slot
	forms     []*form
	formsRead []source.Entry // they name slots, which may stand behind them
	responses []*response
	actions   []named
}

type named struct {
	name string
	at   *source.Node
}

// slot holds one value that a bot remembers.
type slot struct {
	name     string
	at       *source.Node
	kind     string // text, bool, categorical, float, list, any
	values   []string
	initial  *source.Node // nil: none
	mappings []mapping
	entity   bool // made of an entity that fills no slot
}

// mapping is one way in which a slot gets its value.
type mapping struct {
	kind                string // from_entity, from_text, from_intent, from_trigger_intent, custom
	entity, role, group string
	intents             []string
	value               *source.Node
}

// form asks for slots, in their order.
type form struct {
	name  string
	at    *source.Node
	slots []string
}

// response holds the wordings that a bot has under one name.
type response struct {
	name     string
	at       *source.Node
	variants []variant
	said     bool // by a plan
}

type variant struct {
	at   *source.Node
	text string
	when []slotIs
}

// slotIs is a condition on a slot. A nil value means that the slot has none.
type slotIs struct {
	slot  string
	value any
	any   bool // any value will do
}

func (r *reader) domainPart(e source.Entry) {
	d := &r.domain
	switch e.Key {
	case "intents":
		d.intents = append(d.intents, names(e.Value)...)
	case "entities":
		d.entities = append(d.entities, names(e.Value)...)
	case "actions":
		d.actions = append(d.actions, names(e.Value)...)
	case "slots":
		for _, s := range e.Value.Entries() {
			r.readSlot(s)
		}
	case "forms":
		d.formsRead = append(d.formsRead, e.Value.Entries()...)
		for _, f := range e.Value.Items() { // Rasa 1: names alone
			d.forms = append(d.forms, &form{name: word(f), at: f})
		}
	case "responses", "templates": // those of Rasa 1
		for _, resp := range e.Value.Entries() {
			r.readResponse(resp)
		}
	case "session_config":
		if minutes, ok := e.Value.Get("session_expiration_time").Number(); ok && minutes >= 0 && minutes < 1e6 {
			r.bot.IdleTTL = fmt.Sprintf("%dm", int(minutes))
		}
		if carry, ok := e.Value.Get("carry_over_slots_to_new_session").Bool(); ok {
			r.bot.CarryParams = &carry
		}
	}
}

// names reads a list of names, each alone or as a map with one key.
func names(list *source.Node) []named {
	var out []named
	for _, item := range list.Items() {
		switch {
		case word(item) != "":
			out = append(out, named{word(item), item})
		case len(item.Keys()) > 0:
			out = append(out, named{item.Keys()[0], item})
		}
	}
	for _, e := range list.Entries() {
		out = append(out, named{e.Key, e.Value})
	}
	return out
}

func (r *reader) readSlot(e source.Entry) {
	if r.domain.slot(e.Key) != nil {
		return
	}
	s := &slot{name: e.Key, at: e.Value, kind: word(e.Value.Get("type"))}
	if class, ok := strings.CutSuffix(s.kind, "Slot"); ok { // Rasa 2 may name its class, such as rasa.shared.core.slots.FloatSlot
		s.kind = strings.TrimSuffix(strings.ToLower(class[strings.LastIndex(class, ".")+1:]), "ean")
	}
	if initial := e.Value.Get("initial_value"); initial.Kind() != source.KindNull {
		s.initial = initial
	}
	s.values = slices.DeleteFunc(texts(e.Value.Get("values")), func(value string) bool { return value == "__other__" })
	s.read(e.Value.Get("mappings"))
	r.domain.slots = append(r.domain.slots, s)
}

// read reads the ways in which a slot gets its value.
func (s *slot) read(mappings *source.Node) {
	for _, n := range mappings.Items() {
		s.mappings = append(s.mappings, mapping{
			kind: word(n.Get("type")), entity: word(n.Get("entity")), role: word(n.Get("role")), group: word(n.Get("group")),
			value: n.Get("value"), intents: texts(n.Get("intent")),
		})
	}
}

// word returns a scalar as written; "" for nothing, which YAML writes as null.
func word(n *source.Node) string {
	if n.Kind() == source.KindNull {
		return ""
	}
	return n.Text()
}

// texts reads a text or a list of texts.
func texts(n *source.Node) []string {
	var out []string
	for _, item := range append(slices.Clip(n.Items()), n) {
		if word(item) != "" {
			out = append(out, word(item))
		}
	}
	return out
}

// readForm reads a form of Rasa 3, a list of slots, or of Rasa 2, slots with their mappings.
func (r *reader) readForm(e source.Entry) {
	f := &form{name: e.Key, at: e.Value}
	slots := e.Value
	if list := e.Value.Get("required_slots"); list != nil {
		slots = list
	}
	if ignored := e.Value.Get("ignored_intents"); ignored != nil {
		r.left(ignored, "ignored_intents of the form %s: an intent that is understood is never the text of an answer", f.name)
	}
	for _, s := range names(slots) {
		if s.name == "ignored_intents" {
			continue
		}
		f.slots = append(f.slots, s.name)
		known := r.domain.slot(s.name)
		if known == nil {
			known = &slot{name: s.name, at: s.at, kind: "text"}
			r.domain.slots = append(r.domain.slots, known)
		}
		known.read(s.at)
	}
	r.domain.forms = append(r.domain.forms, f)
}

func (r *reader) readResponse(e source.Entry) {
	if r.domain.response(e.Key) != nil {
		return
	}
	resp := &response{name: e.Key, at: e.Value}
	for _, n := range e.Value.Items() {
		if n.Has("channel") {
			r.left(n, "the variant of %s for the channel %s", resp.name, word(n.Get("channel")))
			continue
		}
		v := variant{at: n, text: strings.TrimSpace(word(n.Get("text")) + word(n))}
		for _, c := range n.Get("condition").Items() {
			v.when = append(v.when, slotIs{slot: word(c.Get("name")), value: c.Get("value").Value()})
		}
		for _, other := range n.Entries() {
			if !slices.Contains([]string{"text", "condition", "id", "metadata"}, other.Key) {
				r.lost(place(other.Value), "%s of %s: an answer is text", other.Key, e.Key)
			}
		}
		resp.variants = append(resp.variants, v)
	}
	r.domain.responses = append(r.domain.responses, resp)
}

func (d *domain) slot(name string) *slot {
	return convert.Find(d.slots, func(s *slot) bool { return s.name == name })
}

func (d *domain) form(name string) *form {
	return convert.Find(d.forms, func(f *form) bool { return f.name == name })
}

func (d *domain) response(name string) *response {
	return convert.Find(d.responses, func(r *response) bool { return r.name == name })
}

// byUser reports whether a slot takes values from messages.
func (s *slot) byUser() bool {
	return len(s.mappings) == 0 || slices.ContainsFunc(s.mappings, func(m mapping) bool {
		return !slices.Contains([]string{"custom", "controlled", "from_trigger_intent"}, m.kind)
	})
}

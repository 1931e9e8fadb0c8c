package main

import (
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/slotway/slotway/scripts/lab/jsonl"
)

// sgdClock is the day on which the conversations of Schema-Guided Dialogue take place
// (Rastogi et al. 2020, "Towards Scalable Multi-Domain Conversational Agents").
var sgdClock = time.Date(2019, time.March, 1, 9, 0, 0, 0, time.UTC)

// sgdSchema is the schema.json of a bot that comes from Schema-Guided Dialogue.
type sgdSchema struct {
	Schema struct {
		Service string `json:"service_name"`
		Slots   []struct {
			Name, Description string
			Categorical       bool     `json:"is_categorical"`
			Values            []string `json:"possible_values"`
		}
		Intents []struct {
			Name, Description string
			Transactional     bool              `json:"is_transactional"`
			Required          []string          `json:"required_slots"`
			Optional          map[string]string `json:"optional_slots"`
			Results           []string          `json:"result_slots"`
		}
	}
}

// sgdExample is a line of its training examples.
type sgdExample struct {
	Text   string
	Intent string
	Acts   []string
	Starts bool `json:"starts_intent"`
	Params map[string]string
	Spans  []struct {
		Param, Text string
		Start, End  int
	}
	Requested []string // slots of a result that the user asked about
	Given     given
}

// sgdMaterial holds what the recorded bot says.
type sgdMaterial struct {
	Prompts map[string][]string
	Success []string
	Values  map[string][]string
}

// sgdService is one service.
type sgdService struct {
	schema   sgdSchema
	examples []sgdExample
	material sgdMaterial
}

func readSGD(dir string) (*sgdService, error) {
	s := &sgdService{}
	if err := readJSON(filepath.Join(dir, "schema.json"), &s.schema); err != nil {
		return nil, err
	}
	if err := readJSON(filepath.Join(dir, "material.json"), &s.material); err != nil {
		return nil, err
	}
	var err error
	s.examples, err = jsonl.Read[sgdExample](filepath.Join(dir, "examples.jsonl"))
	return s, err
}

// convertSGD makes one agent of one or more services.
func convertSGD(name string, dirs []string) (*bot, error) {
	var services []*sgdService
	for _, dir := range dirs {
		s, err := readSGD(dir)
		if err != nil {
			return nil, err
		}
		services = append(services, s)
	}
	return mergeSGD(name, services), nil
}

// mergeSGD makes one agent of services. Names that several services use get the service as a prefix.
func mergeSGD(name string, services []*sgdService) *bot {
	b := newBot(name)
	used := map[string]int{}
	for _, s := range services {
		for _, slot := range s.schema.Schema.Slots {
			used["param "+snake(slot.Name)]++
		}
		for _, in := range s.schema.Schema.Intents {
			used["intent "+snake(in.Name)]++
		}
	}
	for _, s := range services {
		c := &sgdConverter{b: b, s: s, used: used, prefix: snake(s.schema.Schema.Service) + "_"}
		c.params()
		c.intents()
		c.courtesies()
	}
	b.share()
	return b
}

type sgdConverter struct {
	b      *bot
	s      *sgdService
	used   map[string]int
	prefix string
}

// name returns the name of a param or an intent in the agent.
func (c *sgdConverter) name(what, recorded string) string {
	n := snake(recorded)
	if c.used[what+" "+n] > 1 {
		return c.prefix + n
	}
	return n
}

// params converts the slots that an intent takes. Slots of results alone are not given by users.
func (c *sgdConverter) params() {
	taken := map[string]bool{}
	for _, in := range c.s.schema.Schema.Intents {
		for _, r := range in.Required {
			taken[r] = true
		}
		for o := range in.Optional {
			taken[o] = true
		}
	}
	texts := c.informed()
	for _, slot := range c.s.schema.Schema.Slots {
		if !taken[slot.Name] {
			continue
		}
		p := &param{name: c.name("param", slot.Name)}
		if prompts := c.s.material.Prompts[slot.Name]; len(prompts) > 0 {
			p.prompt = prompts[0]
		}
		lowest, highest, counted := numeric(slot.Values)
		switch {
		case slot.Categorical && counted:
			p.kind, p.min, p.max = "integer", &lowest, &highest
		case slot.Categorical:
			p.kind = "enum"
			synonyms := mine(texts, slot.Name, slot.Values)
			for _, v := range slot.Values {
				p.values = append(p.values, enumValue{v, synonyms[v]})
			}
		default:
			p.kind = kindOf(slot.Name, slot.Description, c.spanTexts(slot.Name), sgdClock)
		}
		c.b.params = append(c.b.params, p)
		c.b.paramOf[slot.Name] = p.name
		c.b.paramOf[c.s.schema.Schema.Service+"."+slot.Name] = p.name
	}
}

// unmarked returns the text without the marked values, which are those of open slots.
func (e sgdExample) unmarked() string {
	runes := []rune(e.Text)
	for _, s := range e.Spans {
		for i := s.Start; i < s.End && i < len(runes); i++ {
			runes[i] = '|'
		}
	}
	return string(runes)
}

func (c *sgdConverter) informed() []informed {
	out := make([]informed, len(c.s.examples))
	for i, e := range c.s.examples {
		out[i] = informed{e.unmarked(), e.Params, e.Requested}
	}
	return out
}

// spanTexts returns the distinct values of an open slot as people said them, else those in the
// material.
func (c *sgdConverter) spanTexts(slot string) []string {
	var out []string
	for _, e := range c.s.examples {
		for _, s := range e.Spans {
			if s.Param == slot && !slices.Contains(out, s.Text) {
				out = append(out, s.Text)
			}
		}
	}
	if len(out) == 0 {
		out = c.s.material.Values[slot]
	}
	return out
}

func (c *sgdConverter) intents() {
	for _, r := range c.s.schema.Schema.Intents {
		in := &intent{
			id: c.name("intent", r.Name), describe: plain(r.Description), write: r.Transactional,
			defaults: map[string]any{}, success: "Here is what I found.",
		}
		in.tool = in.id
		for _, slot := range r.Required {
			in.required = append(in.required, c.name("param", slot))
		}
		for _, slot := range slices.Concat(r.Required, slices.Sorted(maps.Keys(r.Optional))) {
			c.b.paramOf[in.id+"."+slot] = c.name("param", slot)
		}
		for slot, value := range r.Optional {
			name := c.name("param", slot)
			in.optional = append(in.optional, name)
			if v := c.b.param(name).defaultOf(value); v != nil {
				in.defaults[name] = v
			}
		}
		slices.Sort(in.optional)
		for _, slot := range r.Results {
			in.results = append(in.results, c.name("param", slot))
		}
		if r.Transactional {
			in.confirm = confirmText(in)
			if len(c.s.material.Success) > 0 {
				in.success = plain(c.s.material.Success[0])
			}
		}
		c.b.intents = append(c.b.intents, in)
		c.b.intentOf[r.Name] = in.id
		c.b.intentOf[c.s.schema.Schema.Service+"."+r.Name] = in.id
		c.examples(in, r.Name)
	}
}

// defaultOf returns a schema's default in the agent's form; nil if it stands for anything.
func (p *param) defaultOf(value string) any {
	if value == "dontcare" || value == "" {
		return nil
	}
	if p.kind == "integer" || p.kind == "number" {
		if n, err := strconv.ParseFloat(value, 64); err == nil {
			return n
		}
		return nil
	}
	return value
}

// confirmText asks for a yes to the params of an intent.
func confirmText(in *intent) string {
	var parts []string
	for _, name := range in.required {
		parts = append(parts, spoken(name)+" {"+name+"}")
	}
	return "Is this right: " + strings.Join(parts, ", ") + "?"
}

// plain returns a text without braces, which would be placeholders.
func plain(s string) string { return strings.NewReplacer("{", "(", "}", ")").Replace(s) }

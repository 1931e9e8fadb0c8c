package main

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/scripts/lab/jsonl"
)

// rasaClock is the time at which conversations of Rasa's bots are played; they mention no day.
var rasaClock = time.Date(2020, time.January, 15, 10, 0, 0, 0, time.UTC)

// rasaSchema is the schema.json of a bot that comes from Rasa.
type rasaSchema struct {
	Intents  []string
	Entities []string
	Synonyms []struct {
		Name   string
		Values []string
	} `json:"synonym"`
}

// rasaExample is a line of its training examples.
type rasaExample struct {
	Text   string
	Intent string
	Spans  []struct {
		Entity, Value, Text string
		Start, End          int
	}
}

// rasaSystem maps intents of Rasa's bots to built-in ones.
var rasaSystem = map[string]string{
	"greet": "greet", "goodbye": "goodbye", "bye": "goodbye", "affirm": "affirm", "deny": "deny", "thank": "thanks", "thankyou": "thanks",
	"help": "help", "restart": "reset", "human_handoff": "human", "handoff": "human", "trigger_handoff": "human",
}

// rasaFallback is the intent for messages that match nothing.
const rasaFallback = "out_of_scope"

// convertRasa makes an agent with the intents of the bot and, as optional params, the entities
// marked in their examples. Forms are left out: the bot's rules say which intent starts which form,
// not its schema.
func convertRasa(name string, dirs []string) (*bot, error) {
	dir := dirs[0]
	var s rasaSchema
	if err := readJSON(filepath.Join(dir, "schema.json"), &s); err != nil {
		return nil, err
	}
	lines, err := jsonl.Read[rasaExample](filepath.Join(dir, "examples.jsonl"))
	if err != nil {
		return nil, err
	}
	b := newBot(name)
	b.exact = true
	c := &rasaConverter{b: b, lines: lines, normal: map[string]string{}}
	for _, syn := range s.Synonyms {
		for _, v := range append([]string{syn.Name}, syn.Values...) {
			c.normal[strings.ToLower(v)] = strings.TrimSpace(syn.Name)
		}
	}
	for i := range lines { // "faq/opening_hours" is one of the answers to the intent faq
		lines[i].Intent, _, _ = strings.Cut(lines[i].Intent, "/")
	}
	for _, id := range s.Intents {
		c.intent(id)
	}
	return b, nil
}

type rasaConverter struct {
	b      *bot
	lines  []rasaExample
	normal map[string]string // by spelling in lower case: the value
}

func (c *rasaConverter) intent(recorded string) {
	id := rasaSystem[recorded]
	var in *intent
	if id == "" {
		id = snake(recorded)
		in = &intent{id: id, describe: spoken(recorded), defaults: map[string]any{}, success: "All right."}
	}
	c.b.intentOf[recorded] = id
	seen := map[string]bool{}
	for _, e := range c.lines {
		if e.Intent != recorded || seen[e.Text] {
			continue
		}
		seen[e.Text] = true
		if in == nil {
			c.b.system[id] = append(c.b.system[id], example{text: e.Text})
			continue
		}
		x := example{text: e.Text}
		for _, s := range e.Spans {
			p := c.param(s.Entity)
			if !in.has(p) {
				in.optional = append(in.optional, p)
			}
			if !overlaps(x.spans, s.Start, s.End) {
				x.spans = append(x.spans, span{p, s.Value, s.Start, s.End})
			}
		}
		slices.SortFunc(x.spans, func(a, b span) int { return a.start - b.start })
		in.examples = append(in.examples, x)
	}
	if in == nil || len(in.examples) == 0 {
		return // without examples it cannot be recognised
	}
	if len(in.optional) > 0 {
		in.tool = in.id // the call's arguments show what was understood
	}
	if id == rasaFallback {
		c.b.fallback = id
	}
	c.b.intents = append(c.b.intents, in)
}

// value returns the normal form of an entity's value.
func (c *rasaConverter) value(v string) string {
	low := strings.ToLower(v)
	if n, ok := c.normal[low]; ok {
		return n
	}
	return low
}

// synonyms adds the spellings in the bot's table for the values of a param.
func (c *rasaConverter) synonyms(p *param) {
	for i, v := range p.values {
		for _, s := range slices.Sorted(maps.Keys(c.normal)) {
			if c.normal[s] == v.value && !slices.Contains(v.synonyms, s) {
				p.values[i].synonyms = append(p.values[i].synonyms, s)
			}
		}
	}
}

// param makes a param of an entity, once.
func (c *rasaConverter) param(entity string) string {
	name := snake(entity)
	if c.b.param(name) != nil {
		return name
	}
	c.b.paramOf[entity] = name
	texts, spellings, mentions := []string{}, map[string][]string{}, 0
	for _, e := range c.lines {
		for _, s := range e.Spans {
			if s.Entity != entity {
				continue
			}
			mentions++
			if low := strings.ToLower(s.Text); !slices.Contains(texts, low) {
				texts = append(texts, low)
				v := c.value(s.Value)
				spellings[v] = append(spellings[v], low)
			}
		}
	}
	p := &param{name: name, kind: recognised(texts, rasaClock)}
	switch {
	case p.kind != "":
	case mentions >= 3*len(spellings): // few values, each repeated: a closed list
		p.kind = "enum"
		for _, v := range slices.Sorted(maps.Keys(spellings)) {
			p.values = append(p.values, enumValue{v, spellings[v]})
		}
		c.synonyms(p)
	default:
		p.kind = kindOf(entity, "", texts, rasaClock)
	}
	c.b.params = append(c.b.params, p)
	return name
}

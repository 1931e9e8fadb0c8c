package main

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/scripts/lab/jsonl"
)

// starClock is the time that the tasks of STAR mention: a Wednesday, the 15th of June, at ten
// (Mosig et al. 2020, "STAR: A Schema-Guided Dialog Dataset").
var starClock = time.Date(2022, time.June, 15, 10, 0, 0, 0, time.UTC)

// starSchema is the schema.json of a bot that comes from STAR.
type starSchema struct {
	API struct {
		Input    []starInput
		Required []string
		Function string
	}
	Task struct {
		Task    string
		Replies map[string]string
		Graph   map[string]string
	}
	Ask map[string]string `json:"ask_labels"` // reply -> param
}

type starInput struct {
	Name       string
	Type       string
	Categories []string
	Min, Max   *int
	Readable   string `json:"ReadableName"`
}

// starExample is a line of its training examples.
type starExample struct {
	Text     string
	Given    given
	AskNext  []string `json:"ask_next"`
	Action   *call
	Dialogue string
}

// minCalls is the number of training calls that must have a param that nobody asks for.
const minCalls = 3

// requestType is the param with which a STAR task distinguishes looking from booking.
const requestType = "RequestType"

// convertSTAR makes one agent of one or more tasks; params of one name are one param. Tasks without
// a folder are left out: the turns that belong to them are skipped.
func convertSTAR(name string, dirs []string) (*bot, error) {
	b, seen := newBot(name), map[string]starInput{}
	for _, dir := range dirs {
		if _, err := os.Stat(dir); len(dirs) > 1 && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var s starSchema
		if err := readJSON(filepath.Join(dir, "schema.json"), &s); err != nil {
			return nil, err
		}
		examples, err := jsonl.Read[starExample](filepath.Join(dir, "examples.jsonl"))
		if err != nil {
			return nil, err
		}
		c := &starConverter{b: b, s: s, id: strings.TrimPrefix(filepath.Base(dir), "star_"), examples: examples, values: map[string]map[string]string{}, in: map[string]starInput{}, seen: seen}
		c.task()
	}
	b.share()
	return b, nil
}

type starConverter struct {
	b        *bot
	id       string // of the task: the name of its folder
	s        starSchema
	examples []starExample
	in       map[string]starInput
	seen     map[string]starInput         // by param: the input that it was made of
	values   map[string]map[string]string // by dialogue: the values of its calls
}

// task converts the one task of a folder.
func (c *starConverter) task() {
	given := map[string]int{} // by param: calls that have it
	for _, e := range c.examples {
		if e.Action == nil {
			continue
		}
		if c.values[e.Dialogue] == nil {
			c.values[e.Dialogue] = map[string]string{}
		}
		for name, v := range e.Action.Params {
			if text, ok := argument(v); ok && name != requestType {
				c.values[e.Dialogue][name] = text
				given[name]++
			}
		}
	}
	for _, i := range c.s.API.Input {
		c.in[i.Name] = i
	}
	asked := c.path("hello")
	in := &intent{
		id: c.id, describe: spoken(c.id), tool: c.id, defaults: map[string]any{},
		success: "That is done.",
	}
	if _, ok := c.in[requestType]; ok { // it looks first, asks, and books after the yes
		in.write, in.look = true, in.id+"_check"
	}
	c.order(in, asked, given)
	if in.write {
		in.confirm = confirmText(in)
	}
	c.b.intents = append(c.b.intents, in)
	for _, recorded := range []string{c.id, c.s.Task.Task, c.s.API.Function} {
		c.b.intentOf[recorded] = in.id
	}
	c.addExamples(in)
}

// path returns the params that the graph asks for from a label to the query.
func (c *starConverter) path(label string) []string {
	var out []string
	for range c.s.Task.Graph {
		next, ok := c.s.Task.Graph[label]
		if !ok || next == "query" || next == "query_check" {
			break
		}
		if p := c.s.Ask[next]; p != "" && !slices.Contains(out, p) {
			out = append(out, p)
		}
		label = next
	}
	return out
}

// order makes params of what the graph asks for, in its order, then of what else the call requires.
// If the graph has a second path for missing information, each path is an alternative. Other
// frequent arguments of calls are optional.
func (c *starConverter) order(in *intent, asked []string, given map[string]int) {
	for _, r := range c.s.API.Required {
		if r != requestType && !slices.Contains(asked, r) {
			asked = append(asked, r)
		}
	}
	other := c.path("info_missing")
	for _, name := range asked {
		ours := c.param(name)
		switch {
		case len(other) == 0 || len(in.required) == 0 || slices.Contains(other, name) || slices.Contains(c.s.API.Required, name):
			in.required = append(in.required, ours)
		case len(in.oneOf) == 0:
			in.oneOf = [][]string{{ours}}
		default:
			in.oneOf[0] = append(in.oneOf[0], ours)
		}
	}
	var second []string
	for _, name := range other {
		if ours := c.param(name); !slices.Contains(in.required, ours) {
			second = append(second, ours)
		}
	}
	if len(second) > 0 {
		in.oneOf = append(in.oneOf, second)
	}
	for _, i := range c.s.API.Input {
		if i.Name != requestType && given[i.Name] >= minCalls && !in.has(c.name(i)) {
			in.optional = append(in.optional, c.param(i.Name))
		}
	}
}

// param makes a param of an input, once.
func (c *starConverter) param(recorded string) string {
	i := c.in[recorded]
	name := c.name(i)
	if _, ok := c.b.paramOf[recorded]; !ok {
		c.b.paramOf[recorded] = name
	}
	c.b.paramOf[c.id+"."+recorded] = name
	if c.b.param(name) != nil {
		return name
	}
	p := &param{name: name, min: i.Min, max: i.Max}
	for _, label := range slices.Sorted(maps.Keys(c.s.Ask)) {
		if c.s.Ask[label] == recorded {
			p.prompt = c.s.Task.Replies[label]
		}
	}
	c.kind(p, i)
	c.b.params = append(c.b.params, p)
	return name
}

// name returns the param's name in the agent. An input of the same name with other values in
// another task becomes another param.
func (c *starConverter) name(i starInput) string {
	name := snake(i.Name)
	if first, ok := c.seen[name]; ok && (first.Type != i.Type || !slices.Equal(first.Categories, i.Categories)) {
		return c.id + "_" + name
	}
	c.seen[name] = i
	return name
}

// kind chooses the type of a param.
func (c *starConverter) kind(p *param, i starInput) {
	switch {
	case i.Type == "Categorical" && slices.Equal(i.Categories, []string{"Yes", "No"}), i.Type == "Boolean":
		p.kind = "boolean"
	case i.Type == "Categorical" && recognised(i.Categories, starClock) == "time":
		p.kind = "time"
	case i.Type == "Categorical":
		p.kind = "enum"
		synonyms := mine(c.informed(), i.Name, i.Categories)
		for _, v := range i.Categories {
			p.values = append(p.values, enumValue{v, synonyms[v]})
		}
	case i.Type == "Integer":
		p.kind = "integer"
	case i.Type == "LongString":
		p.kind, p.loose = "text", true
	case digitsOnly(c.said(i.Name)) != "":
		p.kind, p.pattern = "pattern", digitsOnly(c.said(i.Name))
	default:
		p.kind = kindOf(i.Name, i.Readable, c.said(i.Name), starClock)
	}
	if p.kind != "integer" || p.min == nil || p.max == nil {
		p.min, p.max = nil, nil
	}
}

// informed returns the replies to questions, with the value that the dialogue's calls have for what
// was asked.
func (c *starConverter) informed() []informed {
	var out []informed
	for _, e := range c.examples {
		t := informed{text: e.Text, given: map[string]string{}}
		for _, name := range e.Given.Asked {
			t.given[name] = c.values[e.Dialogue][name]
		}
		out = append(out, t)
	}
	return out
}

// argument returns a recorded argument as text. An operation is a condition on results, unless it
// only holds a value.
func argument(v any) (text string, ok bool) {
	if m, isMap := v.(map[string]any); isMap {
		op, _ := m["op"].(string)
		return op, op != "" && !strings.Contains(op, "(")
	}
	return spelled(v), true
}

// said returns the distinct values of a param in calls.
func (c *starConverter) said(name string) []string {
	var out []string
	for _, e := range c.examples {
		if v := c.values[e.Dialogue][name]; v != "" && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// addExamples adds messages after which the recorded bot asked or called without having asked
// before, as examples of the task, and answers to its questions as replies.
func (c *starConverter) addExamples(in *intent) {
	for _, e := range c.examples {
		x := example{text: e.Text}
		for _, name := range slices.Sorted(maps.Keys(c.values[e.Dialogue])) {
			ours, value := c.b.ours(in.id, name), c.values[e.Dialogue][name]
			q := c.b.param(ours)
			if q == nil || !in.has(ours) {
				continue
			}
			if start, end, ok := locate(e.Text, append([]string{value}, q.spellings(value)...)); ok && !overlaps(x.spans, start, end) {
				x.spans = append(x.spans, span{ours, value, start, end})
			}
		}
		slices.SortFunc(x.spans, func(a, b span) int { return a.start - b.start })
		switch {
		case len(e.Given.Asked) > 0 && in.has(c.b.ours(in.id, e.Given.Asked[0])):
			x.asked = c.b.ours(in.id, e.Given.Asked[0])
		case len(e.AskNext) == 0 && e.Action == nil, e.Given.Confirming.Open:
			continue
		}
		in.examples = append(in.examples, x)
	}
}

package turnset

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/phrase"
)

// region is that of the agents: English with euros, and days before months, as the files have it.
const region = "IE"

// carriers are what people say around what they want. A sketch has a title for each task and no
// examples; with these the title becomes the few examples that the most careless author writes.
var carriers = []string{"%s", "i want to %s", "i'd like to %s", "can you %s", "can i %s", "please %s", "i need to %s", "%s please"}

// definition is an agent of a sketch. confirmed is the task that asks for a yes although it writes
// nothing; "": none.
// optional reports whether the task can be confirmed without the param.
func definition(sketch *Sketch, confirmed string, optional func(task, param string) bool) (*config.Agent, error) {
	types, params, toolSpecs, responses := map[string]any{}, map[string]any{}, map[string]any{}, map[string]any{}
	var intents []any
	for _, task := range sketch.Tasks {
		required, free, with := []string{}, []string{}, map[string]any{}
		for _, p := range task.Params {
			if len(p.Type.Values) > 0 {
				types[p.Name+"_kind"] = map[string]any{"values": p.Type.Values}
			}
			params[p.Name] = paramOf(p)
			with[p.Name] = "$" + p.Name
			if optional(task.ID, p.Name) {
				free = append(free, p.Name)
			} else {
				required = append(required, p.Name)
			}
		}
		effect, plan := "read", []any{}
		if task.Writes {
			effect = "write"
		}
		if task.Writes || task.ID == confirmed {
			plan = append(plan, map[string]any{"id": stepConfirm, "confirm": "Shall I " + escaped(task.Title) + "?", "help": "Nothing is done before you say yes."})
		}
		plan = append(plan, map[string]any{"call": task.ID, "with": with, "save": "outcome"}, map[string]any{"respond": task.ID + "_done"})
		responses[task.ID+"_done"] = "That is done."
		toolSpecs[task.ID] = map[string]any{"kind": "static", "result": map[string]any{}, "effect": effect}
		given := map[string]any{}
		if len(required) > 0 {
			given["required"] = required
		}
		if len(free) > 0 {
			given["optional"] = free
		}
		intents = append(intents, map[string]any{"id": task.ID, "title": task.Title, "examples": examples(task), "params": given, "plan": plan})
	}
	file := map[string]any{
		"version": 1,
		"agent":   map[string]any{"id": identifier(sketch.Agent), "description": sketch.Agent, "language": "en", "region": region, "timezone": "UTC"},
		"types":   types, "params": params, "intents": intents, "tools": toolSpecs, "responses": responses,
	}
	data, err := json.Marshal(file)
	if err != nil {
		return nil, err
	}
	agent, err := config.Parse(sketch.Agent+".yaml", data, "")
	if err != nil {
		return nil, fmt.Errorf("agent of sketch %q: %w", sketch.Agent, err)
	}
	return agent, nil
}

// stepConfirm is the id of the confirm step of each task that writes.
const stepConfirm = "agree"

// paramOf returns a param of an agent file.
func paramOf(p Param) map[string]any {
	label := p.Label
	if label == "" {
		label = strings.ReplaceAll(p.Name, "_", " ")
	}
	out := map[string]any{"label": label, "prompt": "What is the " + escaped(label) + "?", "help": "It is needed for what you want to do."}
	switch {
	case len(p.Type.Values) > 0:
		out["type"] = p.Name + "_kind"
	case p.Type.Name == "code" || p.Type.Name == "id":
		out["type"], out["shape"] = "text", "code"
	case p.Type.Name == "address":
		out["type"], out["shape"] = "text", "address"
	case p.Type.Name == "list":
		out["type"], out["list"] = "text", true
	default:
		out["type"] = p.Type.Name
	}
	return out
}

func examples(task *Task) []string {
	out := make([]string, 0, len(carriers))
	for _, carrier := range carriers {
		out = append(out, strings.ReplaceAll(carrier, "%s", task.Title))
	}
	return out
}

// escaped makes text literal in a template.
func escaped(text string) string {
	return strings.NewReplacer("[", `\[`, "]", `\]`, "{", "(", "}", ")").Replace(text)
}

// worded returns the template that says the text as it stands.
func worded(text string) (*phrase.Text, error) {
	return phrase.ParseText(escaped(text))
}

// identifier is a name that an agent file accepts.
func identifier(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToLower(name))
}

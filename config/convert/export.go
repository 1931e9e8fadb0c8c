package convert

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
)

// RasaNLU writes an agent's training data as Rasa's nlu.yml: examples with their values as entities,
// synonyms, lookup tables and regular expressions. It returns what that format cannot hold.
func RasaNLU(out io.Writer, agent *config.Agent) (left []string, err error) {
	var list []listed
	add := func(kind, name string, lines []string) {
		var text strings.Builder
		for _, line := range lines {
			text.WriteString("- " + line + "\n")
		}
		list = append(list, listed{value: doc{{key: kind, value: name}, {key: "examples", value: text.String()}}})
	}
	for _, in := range trained(agent) {
		if strings.Contains(in.ID, "/") {
			left = append(left, "intent "+in.ID+": Rasa takes it for one below a retrieval intent, which needs a response selector")
		}
		if slices.ContainsFunc(in.Examples, func(e config.Example) bool { return e.Asked != "" }) {
			left = append(left, "answers to questions of "+in.ID+": Rasa has them below an intent of their own")
		}
		add("intent", in.ID, exampleLines(in.Examples))
	}
	for _, name := range slices.Sorted(maps.Keys(agent.Types)) {
		t := agent.Types[name]
		if t.Builtin != "" {
			left = append(left, "type "+name+" is built in: Rasa needs an extractor for it, such as Duckling")
			continue
		}
		for _, v := range t.Values {
			if len(v.Synonyms) > 0 {
				add("synonym", v.Value, v.Synonyms)
			}
		}
		lines := map[string][]string{}
		for _, v := range t.Values {
			lines["lookup"] = append(lines["lookup"], v.Value)
		}
		for _, p := range t.Patterns {
			lines["regex"] = append(lines["regex"], p.String())
		}
		for _, param := range paramsOf(agent, t) {
			for _, kind := range slices.Sorted(maps.Keys(lines)) {
				add(kind, param, lines[kind])
			}
		}
	}
	text, err := doc{{key: "version", value: "3.1", note: "Exported from Slotway."}, {key: "nlu", value: list}}.text()
	if err == nil {
		_, err = io.WriteString(out, text)
	}
	return left, err
}

// trained lists the intents that have examples of the agent's own, those of groups that are not served
// last.
func trained(agent *config.Agent) (list []*config.Intent) {
	for _, intents := range [][]*config.Intent{agent.Intents, agent.System, agent.NotServed} {
		for _, in := range intents {
			if len(in.Examples) > 0 {
				list = append(list, in)
			}
		}
	}
	return list
}

// exampleLines writes examples with their values as entities.
func exampleLines(list []config.Example) (lines []string) {
	for _, e := range list {
		if e.Asked != "" {
			continue // it teaches values only
		}
		runes, at := []rune(e.Text), 0
		var b strings.Builder
		for _, s := range e.Spans {
			text := string(runes[s.Start:s.End])
			b.WriteString(string(runes[at:s.Start]) + "[" + text + "]")
			if s.Value == "" || s.Value == text {
				b.WriteString("(" + s.Param + ")")
			} else {
				value, _ := json.Marshal(s.Value) // a text encodes
				fmt.Fprintf(&b, `{"entity": %q, "value": %s}`, s.Param, value)
			}
			at = s.End
		}
		lines = append(lines, b.String()+string(runes[at:]))
	}
	return lines
}

// paramsOf lists the params of a type.
func paramsOf(agent *config.Agent, t *config.Type) (names []string) {
	add := func(p *config.Param) {
		if p.Type == t && !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(agent.Params)) {
		add(agent.Params[name])
	}
	for _, in := range agent.Intents {
		for p := range in.EachParam {
			add(p)
		}
	}
	return names
}

// LabelledLines writes an agent's examples as JSON lines: text, intent, and values with their offsets in
// code points, end exclusive.
func LabelledLines(out io.Writer, agent *config.Agent) error {
	for _, in := range trained(agent) {
		if err := config.WriteExamples(out, in.ID, in.Examples); err != nil {
			return err
		}
	}
	return nil
}

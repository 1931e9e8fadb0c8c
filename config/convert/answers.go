package convert

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
)

// answersFile returns the name of the file with the answers to an intent's questions.
func (in *Intent) answersFile() string { return path.Join("examples", Snake(in.ID)+".jsonl") }

// answers returns the text of that file; "" without answers. A line teaches values, not the intent.
func (in *Intent) answers() string {
	type slot struct {
		Name  string `json:"name"`
		Start int    `json:"start"`
		End   int    `json:"end"`
		Value string `json:"value,omitempty"`
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, e := range in.Answers {
		line := struct {
			Text  string `json:"text"`
			Asked string `json:"asked"`
			Slots []slot `json:"slots"`
		}{e.Text, e.Asked, []slot{}}
		for _, s := range e.Spans {
			line.Slots = append(line.Slots, slot{s.Param, s.Start, s.End, s.Value})
		}
		if err := enc.Encode(line); err != nil {
			continue // texts and numbers can always be encoded
		}
	}
	return b.String()
}

// params writes names of params, those with questions of their own as maps.
func (in *Intent) params(y *yamlFile, key string, names []string) {
	if !slices.ContainsFunc(names, func(name string) bool { return in.has(name) }) {
		y.names(key, names)
		return
	}
	y.under(key, func() {
		y.depth--
		for _, name := range names {
			if !in.has(name) {
				y.depth++
				y.line("- " + name)
				y.depth--
				continue
			}
			y.item(func() {
				own := in.Own[name]
				y.text("name", name)
				y.text("type", own.Type)
				if len(own.Prompts) > 0 {
					y.text("prompt", own.Prompts[0])
					y.texts("reprompt", own.Prompts[1:])
				}
			})
		}
		y.depth++
	})
}

// has reports whether the intent says something of its own about a param.
func (in *Intent) has(name string) bool {
	own := in.Own[name]
	return own.Type != "" || len(own.Prompts) > 0
}

package rasa

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/pattern"
	"github.com/slotway/slotway/config/source"
)

// collect asks for a slot. What is asked before anything else is a required param.
func (w *flowWriter) collect(s *source.Node) []*convert.Step {
	name := word(s.Get("collect"))
	for _, rejection := range s.Get("rejections").Items() {
		if slot := w.r.domain.slot(name); slot != nil && len(slot.values) == 0 {
			if slot.values = allowed(rejection, name); len(slot.values) > 0 {
				slot.kind = "categorical"
			}
		}
	}
	p := w.r.paramIn(name, w.t)
	if own := w.r.formPrompt(w.f.id, name, w.t); len(own) > 0 {
		if w.t.in.Own == nil {
			w.t.in.Own = map[string]convert.Own{}
		}
		w.t.in.Own[p.Name] = convert.Own{Prompts: own}
	}
	if utter := word(s.Get("utter")); utter != "" && len(p.Prompts) == 0 {
		if resp := w.r.domain.response(utter); resp != nil {
			p.Prompts = w.r.questions(resp, w.t)
		}
	}
	if action := "action_ask_" + name; len(p.Prompts) == 0 {
		p.Open = append(p.Open, w.r.bot.Report.Decide(place(s), "%s has no response utter_ask_%s; if %s asks, write its question here", name, name, action))
	}
	if p.Label == "" && len(p.Prompts) == 0 {
		p.Prompts = []string{"What is the " + convert.Spoken(name) + "?"}
	}
	w.reject(s.Get("rejections").Items(), name, p)
	if !slices.Contains(w.t.slots, name) {
		w.t.slots = append(w.t.slots, name)
		if w.front {
			w.t.in.Required = append(w.t.in.Required, p.Name)
		} else {
			w.t.in.Optional = append(w.t.in.Optional, p.Name)
		}
	}
	if w.front {
		return nil
	}
	return []*convert.Step{{Ask: p.Name}}
}

// reject turns the reasons to refuse a value into its validation. A reason that names other slots, and a
// second one, are for a person.
func (w *flowWriter) reject(list []*source.Node, name string, p *convert.Param) {
	for _, rejection := range list {
		resp := w.r.domain.response(word(rejection.Get("utter")))
		if resp != nil {
			resp.said = true
		}
		if allowed(rejection, name) != nil && p.Type != "text" {
			continue // the values of its type
		}
		own := &flowWriter{r: w.r, t: &task{in: &convert.Intent{}, slots: []string{name}}}
		condition := ""
		if onlyNames(word(rejection.Get("if")), name) {
			condition = own.condition(rejection.Get("if"))
		}
		if condition == "" || p.Expr != "" {
			p.Open = append(p.Open, w.r.bot.Report.Decide(place(rejection), "%s was refused if %s: write it as validation.expr, the other way round", name, word(rejection.Get("if"))))
			continue
		}
		p.Expr = "not (" + condition + ")"
		if inner, ok := strings.CutPrefix(condition, "not ( "); ok && strings.Count(inner, "(") == 0 {
			p.Expr = strings.TrimSuffix(inner, " )")
		}
		if texts := w.r.texts(resp, own.t); len(texts) > 0 {
			p.Invalid = texts[0]
		}
	}
}

// onlyNames reports whether a condition names a slot and no other.
func onlyNames(condition, slot string) bool {
	return !slices.ContainsFunc(token.FindAllString(condition, -1), func(word string) bool {
		return isLetter(word[0]) && plainWords[word] == "" && word != "is" && strings.TrimPrefix(word, "slots.") != slot
	})
}

// allowed returns the values of a rejection such as not ({"big" "small"} contains size); nil for another.
func allowed(rejection *source.Node, slot string) []string {
	m := onlyThese.FindStringSubmatch(word(rejection.Get("if")))
	if m == nil || strings.TrimPrefix(m[2], "slots.") != slot {
		return nil
	}
	var out []string
	for _, v := range quoted.FindAllString(m[1], -1) {
		out = append(out, strings.Trim(v, `"'`))
	}
	return out
}

var (
	onlyThese = pattern.Must(`^not\s*\(\s*\{([^{}]*)\}\s*contains\s+([\w.-]+)\s*\)$`)
	quoted    = pattern.Must(`"[^"]*"|'[^']*'`)
)

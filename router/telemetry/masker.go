package telemetry

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/expr"
)

// Masker masks like the [Redactor] that made it, with the values of one session prepared. It never
// changes and may be shared. The zero value, and nil, hide every value and text.
type Masker struct {
	r       *Redactor
	values  *matcher
	numbers map[string]string // mask by a number's digits
}

// Masker prepares the values of redacted params in params; a list holds several values.
func (r *Redactor) Masker(params map[string]any) *Masker {
	k := &Masker{r: r, values: r.known(params), numbers: map[string]string{}}
	if r.closed() {
		return k
	}
	for name, label := range r.masks {
		for _, v := range appendScalars(nil, params[name]) {
			if utf8.RuneCountInString(v) >= minScrub {
				k.numbers[v] = label
			}
		}
	}
	return k
}

// redactor returns the redactor of a masker; nil for a nil masker.
func (k *Masker) redactor() *Redactor {
	if k == nil {
		return nil
	}
	return k.r
}

// Text masks every hidden value in text, as [Redactor.MaskText] does.
func (k *Masker) Text(text string) string {
	if k == nil {
		return k.redactor().maskText(text, nil)
	}
	return k.r.maskText(text, k.values)
}

// Shows reports whether part occurs in the unmasked part of text, in any case. What is inside a mask
// or crosses its edge does not count: finding it would reveal what the mask hides.
func (k *Masker) Shows(text, part string) bool {
	if k.redactor().closed() {
		return false
	}
	part = strings.ToLower(part)
	return slices.ContainsFunc(k.r.split(k.Text(text)), func(p piece) bool {
		return !p.token && strings.Contains(strings.ToLower(p.text), part)
	})
}

// Params returns a copy of params, masked by name, and by content if the name hides nothing. The
// fields of a list of objects are masked by their names.
func (k *Masker) Params(params map[string]any) map[string]any {
	masked := make(map[string]any, len(params))
	for name, v := range params {
		if k.redactor().closed() {
			masked[name] = k.Value(v)
		} else if m, hidden := k.r.masks[name]; hidden && v != nil {
			masked[name] = m
		} else {
			masked[name] = k.Value(k.fields(v))
		}
	}
	return masked
}

// fields masks the fields of a list of objects by name. Any other value is returned as it is.
func (k *Masker) fields(v any) any {
	list, ok := v.([]any)
	if !ok || len(k.r.masks) == 0 {
		return v
	}
	out := make([]any, len(list))
	for i, element := range list {
		if fields, ok := element.(map[string]any); ok {
			element = k.Params(fields)
		}
		out[i] = element
	}
	return out
}

// Value returns a copy of a value as encoding/json decodes it, with hidden values masked in every text,
// keys included. A number of three digits or more that is a hidden value becomes its mask.
func (k *Masker) Value(v any) any {
	if k.redactor().closed() && v != nil {
		return redacted
	}
	switch v := v.(type) {
	case string:
		return k.Text(v)
	case float64:
		return k.number(v, appendScalars(nil, v)[0])
	case json.Number:
		return k.number(v, v.String())
	case []any:
		masked := make([]any, len(v))
		for i, element := range v {
			masked[i] = k.Value(element)
		}
		return masked
	case map[string]any:
		masked := make(map[string]any, len(v))
		for key, element := range v {
			masked[k.Text(key)] = k.Value(element)
		}
		return masked
	}
	return v
}

func (k *Masker) number(v any, digits string) any {
	if m, hidden := k.numbers[digits]; hidden {
		return m
	}
	return v
}

// Mask returns what replaces a redacted param's values; "" if they are shown.
func (r *Redactor) Mask(param string) string {
	if r.closed() {
		return redacted
	}
	return r.masks[param]
}

// ArgParam returns the redacted param whose value an argument of a tool receives, whatever the
// argument's name; "" for none.
func (r *Redactor) ArgParam(tool, arg string) string {
	if r.closed() {
		return arg
	}
	if _, hidden := r.masks[arg]; hidden {
		return arg
	}
	return r.args[tool][arg]
}

// redactedArgs finds, by tool and argument, the redacted params that an agent's calls pass on.
func redactedArgs(agent *config.Agent, masks map[string]string) map[string]map[string]string {
	found := map[string]map[string]string{}
	note := func(tool string, with map[string]expr.Arg, value string) {
		for arg, given := range with {
			for _, name := range given.Names() {
				if name == "value" && value != "" {
					name = value
				}
				if _, hidden := masks[name]; !hidden {
					continue
				}
				if found[tool] == nil {
					found[tool] = map[string]string{}
				}
				found[tool][arg] = name
			}
		}
	}
	for _, list := range [][]*config.Intent{agent.Intents, agent.System} {
		for _, in := range list {
			config.Walk(in.Plan, func(s *config.Step) { note(s.Tool, s.With, "") })
			for _, p := range in.AllParams() {
				note(p.Validation.Tool, p.Validation.With, p.Name) // $value is the param's
			}
		}
	}
	return found
}

// HidesParams reports whether any param is redacted.
func (r *Redactor) HidesParams() bool { return r.closed() || len(r.masks) > 0 }

// Fill replaces every mask in a masked text by what sample returns for the name of its param or
// pattern. name is "" if several share the mask. ok is false if sample had nothing for one of them.
func (r *Redactor) Fill(text string, sample func(name string) string) (filled string, ok bool) {
	names := map[string]string{}
	note := func(mask, name string) {
		if before, shared := names[mask]; shared && before != name {
			name = ""
		}
		names[mask] = name
	}
	for name, mask := range r.masks {
		note(mask, name)
	}
	for _, rule := range r.rules {
		if rule.name != "" {
			note(rule.mask, rule.name)
		}
	}
	ok = true
	var b strings.Builder
	for _, p := range r.split(text) {
		if !p.token {
			b.WriteString(p.text)
			continue
		}
		value := sample(names[p.text])
		if value == "" {
			ok, value = false, p.text
		}
		b.WriteString(value)
	}
	return b.String(), ok
}

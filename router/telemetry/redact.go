package telemetry

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/expr"
	"github.com/slotway/slotway/config/phrase"
)

// Redactor hides the values of an agent's redacted params in what is shown outside: listings, exports,
// the studio. It never changes and may be shared. The zero value, and nil, hide every value and text: what
// was forgotten shows nothing.
//
// A mask replaces a value: the agent's `redaction.mask` with the name of the param or of the pattern,
// such as {order_id} or {email}. Masking twice gives the same as masking once.
type Redactor struct {
	knows  bool              // what to hide; false: everything is hidden
	masks  map[string]string // by redacted param
	tokens []string          // every mask that may stand in a text already, longest first
	heads  [256]bool         // the first bytes of tokens
	rules  []rule            // what is hidden wherever it stands, in order

	args  map[string]map[string]string // redacted param by tool and argument
	agent *config.Agent                // how replies say values; nil: as they are
}

// rule hides every span that find returns; spans are ascending and disjoint, without labels.
type rule struct {
	find func(text string) []span
	mask string
	name string // of the pattern; "": it is a param's
}

// NewRedactor makes the Redactor of an agent; nil: it hides everything.
//
// If the type of a redacted param has patterns, whatever they match is hidden, so that values which
// the session no longer knows are hidden in a transcript, too.
func NewRedactor(agent *config.Agent) *Redactor {
	if agent == nil {
		return &Redactor{}
	}
	r := &Redactor{knows: true, agent: agent}
	policy := agent.Redaction
	r.masks = make(map[string]string, len(policy.Params))
	for _, name := range policy.Params {
		r.masks[name] = mask(policy.Mask, name)
		if p := agent.Params[name]; p != nil && p.Type != nil {
			for _, pattern := range p.Type.Patterns {
				r.rules = append(r.rules, rule{find: spansOf(pattern), mask: r.masks[name]})
			}
		}
	}
	for _, p := range patterns {
		if slices.Contains(policy.Patterns, p.name) {
			r.rules = append(r.rules, rule{find: p.find, mask: mask(policy.Mask, p.name), name: p.name})
		}
	}
	r.tokens = tokensOf(r.masks, r.rules)
	for _, token := range r.tokens {
		r.heads[token[0]] = true
	}
	r.args = redactedArgs(agent, r.masks)
	return r
}

// mask renders the agent's mask for a name.
func mask(template *phrase.Text, name string) string {
	if template == nil {
		return "{" + name + "}"
	}
	return template.Render(map[string]any{"name": name})
}

// tokensOf returns the distinct masks, longest first.
func tokensOf(masks map[string]string, rules []rule) []string {
	var tokens []string
	for _, m := range masks {
		tokens = append(tokens, m)
	}
	for _, r := range rules {
		tokens = append(tokens, r.mask)
	}
	tokens = slices.DeleteFunc(tokens, func(t string) bool { return t == "" })
	slices.SortFunc(tokens, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	return slices.Compact(tokens)
}

// closed reports a redactor that hides everything, because nobody has said what.
func (r *Redactor) closed() bool { return r == nil || !r.knows }

// Hides reports whether the values of a param are hidden.
func (r *Redactor) Hides(param string) bool {
	if r.closed() {
		return true
	}
	_, hidden := r.masks[param]
	return hidden
}

// MaskParams returns a copy of params with masks for the values of redacted params. The texts in the
// other values are masked as by MaskText. A nil value stays nil.
func (r *Redactor) MaskParams(params map[string]any) map[string]any {
	return r.Masker(params).Params(params)
}

// MaskText hides in text the values of redacted params in params, and whatever the agent's patterns
// match.
func (r *Redactor) MaskText(text string, params map[string]any) string {
	return r.maskText(text, r.known(params))
}

// minDigits is the length of the shortest number that is hidden without its value's letters.
const minDigits = 4

// known makes the matcher of the redacted values in params. Masks within a value are left out:
// MaskText never looks into them.
func (r *Redactor) known(params map[string]any) *matcher {
	m := &matcher{}
	if r.closed() {
		return m
	}
	for name, label := range r.masks {
		for _, v := range appendScalars(nil, params[name]) {
			for _, p := range r.split(v) {
				if !p.token {
					m.addValue(p.text, minDigits, extends, label)
					if read := asciiOf(p.text); read != p.text {
						m.addValue(read, minDigits, extends, label)
					}
				}
			}
			if said := r.displayed(name, v); said != v {
				m.add(form{runes: core(said), label: label})
			}
		}
	}
	return m
}

// displayed returns a value as replies show it: a date in words.
func (r *Redactor) displayed(name, value string) string {
	if r.agent == nil || r.agent.Params[name] == nil {
		return value
	}
	return r.agent.Show(r.agent.Params[name], value)
}

// maxPasses bounds maskText. A mask can uncover what its neighbour hid, such as a card number after a
// name without a space, so one pass is not always enough; two nearly always are.
const maxPasses = 16

// maskText masks until nothing changes.
func (r *Redactor) maskText(text string, known *matcher) string {
	switch {
	case text == "":
		return ""
	case r.closed():
		return redacted
	}
	for range maxPasses {
		masked := r.pass(text, known)
		if masked == text {
			break
		}
		text = masked
	}
	return text
}

// pass masks every part of text that is not a mask already.
func (r *Redactor) pass(text string, known *matcher) string {
	var out strings.Builder
	out.Grow(len(text))
	for _, p := range r.split(text) {
		if p.token {
			out.WriteString(p.text)
			continue
		}
		start := 0
		for _, s := range r.spans(p.text, known) {
			out.WriteString(p.text[start:s.start])
			out.WriteString(s.label)
			start = s.end
		}
		out.WriteString(p.text[start:])
	}
	return out.String()
}

// spans returns what to hide in text, ascending and disjoint. Values and patterns are searched in the
// same text, and what overlaps is hidden together: a known number within a phone number must not
// leave the rest of it visible.
//
// The text is searched as it is and as asciiText.
func (r *Redactor) spans(text string, known *matcher) []span {
	found := r.finds(text, known)
	if f := toASCII(text); f != nil {
		for _, s := range r.finds(f.text, known) {
			found = append(found, f.source(s))
		}
	}
	return merge(found)
}

// finds returns what to hide in text, in no order.
func (r *Redactor) finds(text string, known *matcher) []span {
	found := known.spans(text)
	for _, rule := range r.rules {
		for _, s := range rule.find(text) {
			s.label = rule.mask
			found = append(found, s)
		}
	}
	return found
}

// piece is a part of a text: a mask or the text between masks.
type piece struct {
	text  string
	token bool
}

// split cuts text at its masks.
func (r *Redactor) split(text string) []piece {
	pieces := make([]piece, 0, 3) // with one mask in it
	start := 0
	for at := 0; at < len(text); {
		token := ""
		if r.heads[text[at]] {
			token = r.tokenAt(text[at:])
		}
		if token == "" {
			at++
			continue
		}
		pieces = append(pieces, piece{text: text[start:at]}, piece{text: token, token: true})
		at += len(token)
		start = at
	}
	return append(pieces, piece{text: text[start:]})
}

// tokenAt returns the longest mask that text begins with, or "".
func (r *Redactor) tokenAt(text string) string {
	for _, token := range r.tokens {
		if strings.HasPrefix(text, token) {
			return token
		}
	}
	return ""
}

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

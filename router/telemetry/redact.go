package telemetry

import (
	"cmp"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
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

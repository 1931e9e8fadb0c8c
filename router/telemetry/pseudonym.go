package telemetry

import (
	"fmt"
	"strings"
)

// Pseudonyms replaces the values of redacted params by names such as <order_id:1> in what is sent to a
// remote model, and restores the values in its answer. The same value gets the same name. It belongs to
// one exchange and one goroutine.
type Pseudonyms struct {
	redactor *Redactor
	known    *matcher
	names    map[string]string // by value, as it stands in a text
	values   []string          // name, value, name, value, ... for a replacer
	count    map[string]int    // by param or pattern
}

// Pseudonyms begins an exchange of a session with these params.
func (r *Redactor) Pseudonyms(params map[string]any) *Pseudonyms {
	return &Pseudonyms{redactor: r, known: r.known(params), names: map[string]string{}, count: map[string]int{}}
}

// Hide replaces values in text by names.
func (p *Pseudonyms) Hide(text string) string {
	if p.redactor.closed() {
		return p.redactor.maskText(text, nil)
	}
	var out strings.Builder
	start := 0
	for _, s := range p.redactor.spans(text, p.known) {
		out.WriteString(text[start:s.start])
		out.WriteString(p.name(text[s.start:s.end], s.label))
		start = s.end
	}
	out.WriteString(text[start:])
	return out.String()
}

// name returns the name of a value, and makes it at the first call.
func (p *Pseudonyms) name(value, label string) string {
	if name, ok := p.names[value]; ok {
		return name
	}
	what := strings.Map(func(r rune) rune {
		if r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, label)
	if what == "" {
		what = "value"
	}
	p.count[what]++
	name := fmt.Sprintf("<%s:%d>", what, p.count[what])
	p.names[value] = name
	p.values = append(p.values, name, value)
	return name
}

// Restoring restores values in an answer that arrives in parts, which may cut a name in two.
type Restoring struct {
	p       *Pseudonyms
	pending string // may be the beginning of a name
}

// Restoring begins an answer in parts.
func (p *Pseudonyms) Restoring() *Restoring { return &Restoring{p: p} }

// Part returns what of the answer is complete with its next part.
func (r *Restoring) Part(part string) string {
	text := r.pending + part
	end := len(text)
	if i := strings.LastIndexByte(text, '<'); i >= 0 && r.p.begins(text[i:]) {
		end = i
	}
	r.pending = text[end:]
	return r.p.Restore(text[:end])
}

// Rest returns the pending end of the answer.
func (r *Restoring) Rest() string {
	text := r.pending
	r.pending = ""
	return text
}

// begins reports whether text is the beginning of a name.
func (p *Pseudonyms) begins(text string) bool {
	for i := 0; i < len(p.values); i += 2 {
		if len(text) < len(p.values[i]) && strings.HasPrefix(p.values[i], text) {
			return true
		}
	}
	return false
}

// Restore replaces names in text by their values.
func (p *Pseudonyms) Restore(text string) string {
	return strings.NewReplacer(p.values...).Replace(text)
}

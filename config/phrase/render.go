package phrase

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/config/expr"
)

// Render fills the template. A path that cannot be right (see Astray) stays as written,
// {order.statuss}, unless it is in brackets. A missing value renders as "" and takes the spaces and
// marks around it along: "Cancelled the order of {name}." becomes "Cancelled the order." without a
// name. Whole numbers have no decimal point; lists are joined with ", " and "and"; booleans are yes
// and no; a map is its JSON. A nil Text renders as "".
func (t *Text) Render(env map[string]any) string {
	if t == nil {
		return ""
	}
	if len(t.parts) == 1 && t.parts[0].literal != "" {
		return t.parts[0].literal // nothing to fill in
	}
	r := rendering{env: env, facts: t.facts, words: t.words, out: make([]byte, 0, usualLength)}
	r.parts(t.parts)
	r.close("")
	return string(r.out)
}

// usualLength is up to how many bytes nearly all texts have.
const usualLength = 256

// rendering builds the output of one Render.
type rendering struct {
	env   map[string]any
	facts map[string]any
	words *Language
	out   []byte
	gap   gap // what was left out last
}

// gap says what is missing at the end of the output.
type gap int

const (
	noGap    gap = iota
	groupGap     // a group in brackets; the text is complete without it
	valueGap     // a value that the words around it lead to
)

func (r *rendering) parts(parts []textPart) {
	for _, part := range parts {
		switch {
		case part.when != nil && r.holds(part.when):
			r.kept(part.group)
		case part.when == nil && part.group != nil && r.fills(part.group):
			r.parts(part.group)
		case part.when != nil || part.group != nil:
			r.gap = max(r.gap, groupGap)
		case part.path == nil:
			r.write(r.close(part.literal))
		default:
			if s := r.valueOrPath(part); s != "" {
				r.close(s)
				r.write(s)
			} else {
				r.gap = valueGap
			}
		}
	}
}

// holds reports whether a condition is true. One that cannot be evaluated is not.
func (r *rendering) holds(when *expr.Expr) bool {
	env := r.env
	if len(r.facts) > 0 {
		env = maps.Clone(r.facts)
		maps.Copy(env, r.env)
	}
	holds, err := when.True(env)
	return holds && err == nil
}

// kept writes a group whose condition holds. The space after its colon counts only between words.
func (r *rendering) kept(group []textPart) {
	if len(group) == 0 {
		return
	}
	first := &group[0]
	if first.literal != "" && (len(r.out) == 0 || strings.ContainsAny(string(r.out[len(r.out)-1:]), " \t\n(")) {
		group = slices.Clone(group)
		group[0].literal = strings.TrimLeft(first.literal, " \t")
	}
	r.parts(group)
}

// fills reports whether all values that a group itself names are present.
func (r *rendering) fills(group []textPart) bool {
	for _, part := range group {
		if part.path != nil && strings.TrimSpace(r.value(part)) == "" {
			return false
		}
	}
	return true
}

func (r *rendering) value(part textPart) string {
	value, ok := expr.Lookup(r.env, part.path)
	if !ok {
		value, _ = expr.Lookup(r.facts, part.path)
	}
	if part.format == "count" {
		return r.words.count(value, part.forms)
	}
	if list, ok := value.([]any); ok && part.element != nil && part.format != "raw" && part.format != "iso" {
		value = part.element.RenderEach(list)
	}
	return r.words.Format(value, part.format, part.kind)
}

// RenderEach renders the text over each object of a list.
func (t *Text) RenderEach(list []any) []any {
	out := make([]any, 0, len(list))
	for _, e := range list {
		fields, ok := e.(map[string]any)
		if !ok {
			out = append(out, e)
			continue
		}
		out = append(out, t.Render(fields))
	}
	return out
}

// valueOrPath returns the value, or the placeholder itself if its path cannot be right: the
// sentence without it could be false.
func (r *rendering) valueOrPath(part textPart) string {
	s := r.value(part)
	if _, wrong := expr.Astray(r.env, part.path); s == "" && wrong {
		return "{" + strings.Join(part.path, ".") + "}"
	}
	return s
}

// Astray returns the paths that Render leaves as written.
func (t *Text) Astray(env map[string]any) []string {
	if t == nil {
		return nil
	}
	var out []string
	for _, part := range t.parts {
		if _, wrong := expr.Astray(env, part.path); wrong {
			out = append(out, strings.Join(part.path, "."))
		}
	}
	return out
}

func (r *rendering) write(s string) { r.out = append(r.out, s...) }

// marks end a sentence or a clause.
const marks = ".?!,;:"

// close tidies the output around a gap before next, "" at the end, and returns the rest of next.
func (r *rendering) close(next string) string {
	g := r.gap
	if r.gap = noGap; g == noGap {
		return next
	}
	next = r.unwrap(next)
	if next != "" && !strings.ContainsAny(next[:1], marks+") \t\n") {
		return next
	}
	if next == "" || !strings.ContainsAny(next[:1], " \t") {
		spaced := len(r.out) > 0 && strings.ContainsAny(string(r.out[len(r.out)-1:]), " \t")
		r.trim(" \t")
		if g == valueGap && spaced && !strings.HasPrefix(next, "\n") {
			r.dropLeads()
		}
		if next == "" || strings.ContainsAny(next[:1], marks) {
			r.trim(" \t,;:")
		}
		if left := r.unwrap(next); left != next {
			next = left
			r.trim(" \t")
		}
	}
	return r.join(next)
}

// join drops a space or mark of next that would be doubled, or would start the text.
func (r *rendering) join(next string) string {
	last, _ := utf8.DecodeLastRune(r.out)
	switch {
	case len(r.out) == 0:
		return strings.TrimLeft(next, " \t\n.,;:?!")
	case last == '\n' && strings.HasPrefix(next, "\n"):
		return next[1:]
	case unicode.IsSpace(last) || last == '(':
		return strings.TrimLeft(next, " \t")
	case next == "":
		return next
	case strings.ContainsRune(".?!", last) && strings.ContainsAny(next[:1], marks):
		return next[1:]
	}
	return next
}

// wrappers are pairs of marks around a value.
var wrappers = [][2]string{{"(", ")"}, {`"`, `"`}, {"'", "'"}, {"\u201c", "\u201d"}, {"\u201e", "\u201c"}, {"\u00ab", "\u00bb"}}

// unwrap drops a pair of marks that would enclose nothing.
func (r *rendering) unwrap(next string) string {
	for _, w := range wrappers {
		if strings.HasPrefix(next, w[1]) && bytes.HasSuffix(r.out, []byte(w[0])) {
			r.out = r.out[:len(r.out)-len(w[0])]
			return next[len(w[1]):]
		}
	}
	return next
}

// dropLeads drops the words at the end that led to the value, "of" and "for the", and a mark
// before it.
func (r *rendering) dropLeads() {
	r.trim(" \t,;:")
	for i := bytes.LastIndexAny(r.out, " \n("); i >= 0; i = bytes.LastIndexAny(r.out, " \n(") {
		if !r.words.leads(string(r.out[i+1:])) {
			return
		}
		r.out = r.out[:i+1]
		r.trim(" \t,;:")
	}
}

func (r *rendering) trim(cutset string) {
	r.out = bytes.TrimRight(r.out, cutset)
}

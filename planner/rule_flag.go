package planner

import (
	"slices"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// The name of a yes-or-no param gives its value: "please deliver it", "no delivery".

// flagIn reports whether a clause gives a yes-or-no param, and its value.
func (r *interpreter) flagIn(p *config.Param, c *clause) (value, told bool) {
	if slices.ContainsFunc(c.words, func(w string) bool { return changeWords[w] }) {
		return false, false // "change the insurance": to what?
	}
	for i, w := range c.words {
		if !slices.ContainsFunc(labelWords(p), func(l string) bool { return kin(l, w) }) {
			continue
		}
		spoken := message.LanguageOf(r.def.Language)
		denies := func(w string) bool { return spoken.Holds(w, "negation", "privation") }
		if slices.ContainsFunc(c.words[max(0, i-3):i], denies) {
			return false, true
		}
		return true, !slices.ContainsFunc(c.words, denies) // "the insurance? not really"
	}
	return false, false
}

// kinLength is how many letters two words of one stem share at the start.
const kinLength = 6

// kin reports whether two words have one stem: "deliver" and "delivery".
func kin(a, b string) bool {
	if len(a) < kinLength || len(b) < kinLength {
		return a == b
	}
	return a[:kinLength] == b[:kinLength]
}

// flags fills the yes-or-no params from the message that began the task.
func (r *interpreter) flags(in *config.Intent, of set) {
	for p := range in.EachParam {
		if p.Type.Builtin != "boolean" || p.List || r.st.Active == nil || r.st.cell(p) != nil {
			continue
		}
		for _, i := range of.members() {
			c := &r.clauses[i]
			if value, told := r.flagIn(p, c); told && !value { // a yes is asked for all the same
				r.st.setCell(p, &paramCell{Value: value, Turn: r.st.Number, At: r.st.Now, Source: "enum"})
			}
		}
	}
}

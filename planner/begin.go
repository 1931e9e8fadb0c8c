package planner

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// refer resolves "it" to the subject of the task before.
func (r *interpreter) refer(in *config.Intent, before *frame, of set) {
	if !slices.ContainsFunc(of.members(), func(i int) bool {
		return slices.ContainsFunc(r.clauses[i].words, func(w string) bool { return pointsBack[w] })
	}) {
		return
	}
	known := map[string]*paramCell{}
	if e, _ := r.lately(); e != nil {
		known = e.Params
	}
	if before != nil {
		known = before.Params
	}
	for p := range in.EachParam {
		if c := known[p.Name]; c != nil && r.isSubject(in, p) && r.st.Active != nil && r.st.cell(p) == nil && r.valuesFor(p) == 0 {
			kept := *c
			kept.Turn, kept.At = r.st.Number, r.st.Now
			r.st.setCell(p, &kept)
		}
	}
}

// forgetOther drops the remembered subject of a task if the message wants another one: "cancel a
// different order" (rule 19 of the tasks).
func (r *interpreter) forgetOther(in *config.Intent, of set) {
	for i := range r.clauses {
		if !of.has(i) {
			continue
		}
		words := r.clauses[i].words
		for k, w := range words[:max(0, len(words)-1)] {
			if !otherWords[w] {
				continue
			}
			for p := range in.EachParam {
				if r.isSubject(in, p) && r.valuesFor(p) == 0 && (words[k+1] == "one" || slices.Contains(labelWords(p), words[k+1])) {
					r.st.setCellOf(p, nil)
				}
			}
		}
	}
}

// pointsBack are words for what was talked about.
var pointsBack = wordSet("points_back")

var otherWords = wordSet("other_words")

// valuesFor counts the values that the message brings for a param.
func (r *interpreter) valuesFor(p *config.Param) int {
	n := 0
	for _, v := range r.msg.Values {
		if v.Param == p.Name && v.Source != sourceText {
			n++
		}
	}
	return n
}

// initial fills the text param of a task with the message that began it, if the definition says so.
func (r *interpreter) initial(in *config.Intent, of set) {
	for p := range in.EachParam {
		if r.st.cell(p) != nil || p.Type.Builtin != "text" {
			continue
		}
		said := of
		if !slices.ContainsFunc(p.ParamMapping, func(s config.Source) bool { return s.Initial }) {
			if len(p.ParamMapping) > 0 || !describes(p) {
				continue
			}
			said = r.matter(of)
		}
		text := r.span(said)
		if ok, _ := accepts(p, text, r.st.env(in)); ok && text != "" {
			r.st.setCell(p, &paramCell{Value: text, Turn: r.st.Number, At: r.st.Now, Source: sourceText})
			return
		}
	}
}

// describes reports whether a param asks for a description of a problem. A user who begins with the
// problem has given it already.
func describes(p *config.Param) bool {
	return shapeOf(p) == "sentence" && slices.ContainsFunc(labelWords(p), func(w string) bool { return describing[w] })
}

var describing = wordSet("describing")

// matter returns the clauses that describe the problem, without those that only ask for the task.
func (r *interpreter) matter(of set) set {
	var out set
	for _, i := range of.members() {
		c := &r.clauses[i]
		if c.Stock == "" && !c.any(message.ActRequest, message.ActQuestion) && len(c.words) > 3 && !c.courteous() {
			out |= only(i)
		}
	}
	return out
}

// span returns the text from the first of some clauses to the last, without courtesy around it.
func (r *interpreter) span(of set) string {
	for _, i := range of.members() {
		if r.clauses[i].courteous() || r.clauses[i].filler() {
			of = of.without(only(i))
		}
	}
	at := of.members()
	if len(at) == 0 {
		return ""
	}
	return strings.TrimSpace(r.between(r.clauses[at[0]].Start, r.clauses[at[len(at)-1]].End))
}

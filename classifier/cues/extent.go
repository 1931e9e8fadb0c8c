package cues

import (
	"slices"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config/shapes"
)

// Words at which a text ends.
var (
	closings   = words("closings")
	breaks     = words("breaks")
	afterName  = words("after name")
	afterPlace = words("after place")
	shortened  = words("shortened")
)

// end returns the word at which the text that begins at word from ends: with its clause, or before
// courtesy, another request or a value of another kind.
func (r *Reader) end(w *work, values []message.Value, from int, a announcer) int {
	o := a.open
	whole := o.shape == shapes.Sentence && a.how == labelled && w.mark(from) == ':'
	i := from
	for ; i < len(w.words); i++ {
		if i > from && !whole && r.closes(w, values, from, i, o) {
			break
		}
		if i > from && closings[w.low(i)] && w.free(i) && w.closing(i) {
			break
		}
	}
	for i > from && w.free(i-1) && (trailing[w.low(i-1)] || signsOnly[w.low(i-1)]) {
		i--
	}
	return i
}

// trailing lists words that cannot end a text.
var (
	trailing  = words("trailing")
	signsOnly = words("signs only")
)

// closing reports whether courtesy at word i ends the text. In "please ring twice" it does not.
func (m *cutMessage) closing(i int) bool {
	return m.low(i) != "please" && m.low(i) != "pls" || i+1 >= len(m.words) || m.mark(i+1) != 0 || m.mark(i) != 0
}

// closes reports whether a text that began at word from ends before word i.
func (r *Reader) closes(w *work, values []message.Value, from, i int, o *open) bool {
	word, mark := w.low(i), w.mark(i)
	if r.breaksOff(w, i, o) {
		return true
	}
	v := w.words[i].value
	if v != 0 && o.shape != shapes.Sentence && other(values[v-1], o) {
		return true
	}
	switch o.shape {
	case shapePlace, shapes.Name:
		return r.closesName(w, values, from, i, o)
	case shapes.Address:
		return v == 0 && (breaks[word] && word != "and" ||
			afterPlace[word] && shapes.LooksLike(o.shape, w.text[w.words[from].start:w.words[i-1].end]))
	case shapes.Sentence:
		return word == "instead" && i+1 >= len(w.words) || (word == "and" || word == "so") && (w.requestAt(i+1) || w.low(i+1) == "please")
	}
	return word == "instead" || mark == ',' && breaks[word] || r.preposedValue(w, i)
}

// closesName reports whether a name or a place that began at word from ends before word i. A place
// may be an address, which has commas.
func (r *Reader) closesName(w *work, values []message.Value, from, i int, o *open) bool {
	word, mark, v := w.low(i), w.mark(i), w.words[i].value
	address := startsNumber(w.low(from))
	if o.shape == shapePlace && (v != 0 && r.sameOpen(values[v-1]) || word == "and" || address) {
		return mark == ',' && !address || word == "and" || afterPlace[word]
	}
	return mark == ',' || afterName[word] || v != 0 && values[v-1].Param != o.Name
}

// breaksOff reports whether something begins at word i that ends a text of any shape: a
// sentence, a request, a question, or the label of another param.
func (r *Reader) breaksOff(w *work, i int, o *open) bool {
	word, mark := w.low(i), w.mark(i)
	if ends(mark) && (mark != '.' || !shortened[w.low(i-1)] || o.shape == shapes.Sentence) {
		return true
	}
	if w.free(i) && o.ends[word+" "+w.low(i+1)] || r.labelAt(w, i, o) {
		return true
	}
	return mark == ',' && (w.requestAt(i) || w.questionAt(i) || word == "please" || joiners[word] && w.opens(i+1))
}

// joiners begin another part of a sentence.
var joiners = words("joiners")

// startsNumber reports whether a word begins with a figure, as an address does.
func startsNumber(w string) bool { return w != "" && '0' <= w[0] && w[0] <= '9' }

// preposedValue reports whether a preposition and a value stand at word i: "on friday".
func (r *Reader) preposedValue(w *work, i int) bool {
	return w.free(i) && afterPlace[w.low(i)] && i+1 < len(w.words) && w.words[i+1].value != 0
}

// labelAt reports whether the label of another param stands at word i with its link.
func (r *Reader) labelAt(w *work, i int, o *open) bool {
	if i > 0 && w.mark(i) == 0 && !articles[w.low(i-1)] && w.low(i-1) != "and" {
		return false
	}
	return slices.ContainsFunc(r.announcers[w.low(i)], func(e entry[announcer]) bool {
		if e.says.how != labelled || e.says.open == o {
			return false
		}
		k := w.spelledAt(i, e.words)
		if k == 0 {
			return false
		}
		n, sure := w.link(i, i+k, e.says.open)
		return n >= 0 && sure
	})
}

// other reports whether a value is of a kind that cannot be part of a text: a day, an e-mail
// address or an id. A number or a place can be.
func other(v message.Value, o *open) bool {
	if v.Param == o.Name {
		return false
	}
	switch v.Source {
	case "pattern":
		return true
	case "builtin":
		s, ok := v.Value.(string)
		return ok && len(s) > 7 && (s[4:5] == "-" && s[7:8] == "-" || slices.Contains([]byte(s), '@'))
	}
	return false
}

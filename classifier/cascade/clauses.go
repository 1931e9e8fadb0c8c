package cascade

import (
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
)

// What each of several requests in one message must reach by itself. A sentence about one
// thing is easily cut into two that sound like more, above all where no joining word says
// that something is added: "where is my parcel? I ordered it two weeks ago".
const (
	joinedConfidence = 0.7
	pausedConfidence = 0.95
)

// joiners are the words between which one request ends and the next begins.
var joiners = phrases("and,then,also,plus")

// clauses finds several requests in one message: "where is O-1 and cancel O-2". Each must
// be clear by itself, and no two the same request about the same values. Otherwise the
// message is about one thing, and the result is nil.
func (c *Classifier) clauses(in classifier.Input, pieces []piece, params []message.Value) []message.Part {
	if c.model == nil || len(pieces) < 4 {
		return nil
	}
	clauses := split(pieces)
	if len(clauses) < 2 {
		return nil
	}
	var parts []message.Part
	for i, clause := range clauses {
		least := joinedConfidence
		if i > 0 && !joined(pieces, clause) {
			least = pausedConfidence
		}
		var r message.Result
		if !c.exact(clause, &r) {
			c.rank(in, clause, &r)
		}
		if c.system[r.Intent] || !r.Exact && (r.Confidence < least || c.explained(in, clause, params, false)) {
			return nil
		}
		parts = append(parts, message.Part{
			Intent: r.Intent, Confidence: r.Confidence,
			Start: utf8.RuneCountInString(in.Text[:clause[0].start]),
			End:   utf8.RuneCountInString(in.Text[:clause[len(clause)-1].end]),
		})
	}
	if len(parts) < 2 || !differ(parts, params) {
		return nil
	}
	return parts
}

// joined reports whether a joining word stands right before a clause.
func joined(pieces, clause []piece) bool {
	for i, p := range pieces {
		if p.start == clause[0].start {
			return i > 0 && joiners[pieces[i-1].key]
		}
	}
	return false
}

// split cuts pieces at joining words and after pauses; nil where there is nothing to cut.
func split(pieces []piece) [][]piece {
	if !slices.ContainsFunc(pieces[:len(pieces)-1], func(p piece) bool { return p.pause || joiners[p.key] }) {
		return nil // one clause, as most messages are
	}
	var out [][]piece
	from := 0
	cutAt := func(end, next int) {
		if end > from {
			out = append(out, pieces[from:end])
		}
		from = next
	}
	for i, p := range pieces {
		switch {
		case joiners[p.key]:
			cutAt(i, i+1)
		case p.pause:
			cutAt(i+1, i+1)
		}
	}
	cutAt(len(pieces), len(pieces))
	return out
}

// differ reports whether any two parts with the same intent hold different values of one param.
// "Return O-1, it is damaged" is one request, "cancel O-1, cancel O-2" two.
func differ(parts []message.Part, params []message.Value) bool {
	for i := range parts {
		for j := range i {
			if parts[i].Intent == parts[j].Intent && !rivals(parts[i], parts[j], params) {
				return false
			}
		}
	}
	return true
}

// rivals reports whether two parts hold different values for the same param.
func rivals(a, b message.Part, params []message.Value) bool {
	for _, v := range params {
		for _, w := range params {
			if v.Param == w.Param && inside(v, a) && inside(w, b) && !reflect.DeepEqual(v.Value, w.Value) {
				return true
			}
		}
	}
	return false
}

func inside(v message.Value, p message.Part) bool {
	return v.Source != "text" && v.Start >= p.Start && v.End <= p.End
}

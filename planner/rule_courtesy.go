package planner

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/message"
)

// courtesy is an act of courtesy with its intent and its response.
type courtesy struct {
	act      message.Act
	intent   string // "" for none
	response func(*clause) string
}

// courtesyOf lists the acts of courtesy.
var courtesyOf = []courtesy{
	{message.ActGreet, "greet", says("greet")},
	{message.ActBye, "goodbye", says("goodbye")},
	{message.ActThanks, "thanks", says("thanks")},
	{message.ActPraise, "thanks", says("praise")},
	{message.ActAnger, "", says("anger")},
	{message.ActSmalltalk, "", smalltalk},
}

func says(id string) func(*clause) string { return func(*clause) string { return id } }

// smalltalk picks the answer to small talk.
func smalltalk(c *clause) string {
	said := " " + strings.Join(c.words, " ") + " "
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(said, " "+w+" ") })
	}
	switch {
	case has("how are", "how's it", "hows it", "how do you do", "how you", "what's up", "whats up", "sup"):
		return "how_are_you"
	case has("you", "your", "u", "bot", "robot", "human", "person", "name", "real", "machine", "ai"):
		return "who_are_you"
	}
	return ""
}

// in reports whether a clause is this act of courtesy, and how sure that is.
func (k *courtesy) in(c *clause) (p float64, ok bool) {
	stock := c.Stock == k.intent && k.intent != ""
	if !c.is(k.act) && !stock {
		return 0, false
	}
	if stock && k.act != message.ActPraise {
		return 1, true
	}
	return c.p(k.act), true
}

// proposeCourtesy answers a message that is only courtesy, and repeats the open question. Beside
// anything else courtesy gets no answer.
func (r *interpreter) proposeCourtesy() []reading {
	var out []reading
	for n := range courtesyOf {
		row := &courtesyOf[n]
		x := reading{Rule: row.act.String(), Intent: row.intent, kind: kindCourtesy}
		var said *clause
		for i := range r.clauses {
			c := &r.clauses[i]
			if p, ok := row.in(c); ok {
				if p > x.evidence {
					x.evidence, said = p, c
				}
				x.clauses |= only(i)
			} else if c.courteous() || c.filler() || c.tells() && c.values == 0 {
				x.clauses |= only(i)
			}
		}
		if x.evidence < likely {
			continue
		}
		id := row.response(said)
		if id == "" && r.st.Open == nil {
			continue
		}
		x.evidence *= 0.8 // whatever wants something comes first
		x.perform = func(r *interpreter) {
			if id != "" {
				r.say(id, nil)
			}
			r.againOrKeep()
		}
		out = append(out, x)
	}
	return out
}

// noteWords are the words with which people acknowledge something.
var noteWords = wordSet("note_words")

// proposeNoted answers a message that only acknowledges, "haha ok", "good to know", if nothing is
// under way that it could answer. Any other reading comes first.
func (r *interpreter) proposeNoted() []reading {
	if r.st.Open != nil || r.st.Active != nil || r.st.Declined != nil || r.st.recovered || r.st.questionExpired {
		return nil
	}
	x := reading{Rule: "noted", kind: kindCourtesy, perform: func(r *interpreter) { r.say("noted", nil) }}
	for i := range r.clauses {
		c := &r.clauses[i]
		if c.values != 0 || c.Mark == '?' || len(c.words) == 0 || c.is(message.ActThanks) || slices.ContainsFunc(c.words, func(w string) bool { return !noteWords[w] }) {
			return nil
		}
		x.clauses |= only(i)
	}
	if x.clauses == 0 {
		return nil
	}
	x.evidence = likely
	return []reading{x}
}

package planner

import (
	"slices"
	"strings"
)

// courtesyOf has, for each act of courtesy, the intent that the reply says and the response.
var courtesyOf = []struct {
	act      Act
	intent   string
	response func(*clause) string
}{
	{actGreet, "greet", says("greet")},
	{actBye, "goodbye", says("goodbye")},
	{actThanks, "thanks", says("thanks")},
	{actPraise, "thanks", says("praise")},
	{actAnger, "", says("anger")},
	{actSmalltalk, "", smalltalk},
}

func says(id string) func(*clause) string { return func(*clause) string { return id } }

// smalltalk picks the answer to a word about the bot.
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

// asksWho says whether words ask what it is that speaks: "am i talking to a robot".
func asksWho(words []string) bool {
	has := func(set map[string]bool) bool {
		return slices.ContainsFunc(words, func(w string) bool { return set[w] })
	}
	return len(words) <= 8 && has(machines) && has(addressed)
}

var (
	machines  = wordSet("bot chatbot robot machine computer ai program algorithm")
	addressed = wordSet("you you're youre u are talking speaking chatting writing this")
)

// proposeCourtesy answers a message that is nothing but courtesy, and asks the open question
// again. Beside anything else courtesy says nothing.
func (r *interpreter) proposeCourtesy() []reading {
	var out []reading
	for _, row := range courtesyOf {
		x := reading{Rule: row.act.String(), Intent: row.intent, kind: kindCourtesy}
		var said *clause
		for i := range r.clauses {
			c := &r.clauses[i]
			if who := row.act == actSmalltalk && asksWho(c.words); who || c.is(row.act) || c.Stock == row.intent && row.intent != "" {
				p := c.p(row.act)
				if who {
					p = 0.95
				}
				if c.Stock == row.intent && row.intent != "" && row.act != actPraise {
					p = 1
				}
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

// noteWords are, with those of a weak yes, all that is said to take note of something.
var noteWords = wordSet("ha haha hahaha heh hehe lol lmao oh ah aha huh hm interesting really to know i see got it gotcha understood fair enough makes sense that noted alright no worries problem np")

// proposeNoted answers a message that only takes note of what was said, "haha ok", "good to know",
// where nothing is under way that it might answer. Anything else that it may be comes first.
func (r *interpreter) proposeNoted() []reading {
	if r.st.Open != nil || r.st.Active != nil || r.st.Declined != nil || r.st.recovered || r.st.questionExpired {
		return nil
	}
	x := reading{Rule: "noted", kind: kindCourtesy, perform: func(r *interpreter) { r.say("noted", nil) }}
	for i := range r.clauses {
		c := &r.clauses[i]
		if c.values != 0 || c.Mark == '?' || len(c.words) == 0 || c.is(actThanks) || slices.ContainsFunc(c.words, func(w string) bool { return !weakYes[w] && !noteWords[w] }) {
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
